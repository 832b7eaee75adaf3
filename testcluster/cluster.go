package testcluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/workloadmap/wm/testcluster/process"
)

// startLimit is how long all servers together may take until they are ready,
// on a machine that has other things to do.
const startLimit = 3 * time.Minute

// Options say what cluster to start.
type Options struct {
	// Kubeall is the path of the built cmd/kubeall.
	Kubeall string
	// ServersOnly leaves out the controllers, the scheduler and kwok, so that
	// nothing changes objects but the test itself: no pod is scheduled, garbage
	// collected or played.
	ServersOnly bool
	// Nodes is how many nodes kwok plays, named node-0 and so on; none with
	// ServersOnly.
	Nodes int
	// APIServerArguments are appended to kube-apiserver's own.
	APIServerArguments []string
}

// Cluster is a running control plane.
type Cluster struct {
	// Kubeconfig is the path of a kubeconfig of a cluster administrator.
	Kubeconfig string
	// Ready is how long the cluster took to start.
	Ready time.Duration

	server      string
	folder      *folder
	credentials *credentials
	programs    *process.Group
	kubeall     string

	stop    sync.Once
	stopErr error
}

// Start starts a cluster and returns once it is ready: the API server answers
// and, unless ServersOnly is set, service accounts are made and all nodes are
// ready. It is stopped when the context ends.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	begin := time.Now()
	if _, err := os.Stat(options.Kubeall); err != nil {
		return nil, fmt.Errorf("find the control plane's binary: %w", err)
	}
	made, err := newFolder(os.TempDir())
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: made, kubeall: options.Kubeall}
	if c.programs, err = process.NewGroup(made.in("logs")); err != nil {
		return nil, errors.Join(err, made.remove())
	}
	context.AfterFunc(ctx, func() { _ = c.Stop() })
	limited, cancel := context.WithTimeoutCause(ctx, startLimit,
		fmt.Errorf("the cluster is not ready after %v", startLimit))
	defer cancel()
	if err := c.start(limited, options); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	c.Ready = time.Since(begin)
	return c, nil
}

// Stop ends all servers and removes the cluster's folder. It may be called
// several times and from several goroutines; each call returns once all is gone.
func (c *Cluster) Stop() error {
	c.stop.Do(func() {
		c.stopErr = errors.Join(c.programs.Stop(), c.folder.remove())
	})
	return c.stopErr
}

func (c *Cluster) start(ctx context.Context, options Options) error {
	ports, err := freePorts(4)
	if err != nil {
		return err
	}
	server, etcd, etcdPeers, kwokPort := ports[0], ports[1], ports[2], ports[3]
	c.server = loopback("https", server)
	if c.credentials, err = newCredentials(c.folder.in("certificates")); err != nil {
		return err
	}
	if c.Kubeconfig, err = c.User("admin", "system:masters"); err != nil {
		return err
	}
	if err := c.run("etcd", etcdArguments(c.folder.in("etcd"), etcd, etcdPeers)); err != nil {
		return err
	}
	if err := c.run("kube-apiserver", apiserverArguments(c.credentials, server, etcd, options)); err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	// The controller manager exits when it starts before the API server has
	// made the roles and the configuration that it reads.
	err = c.programs.Wait(ctx, "the API server", func(ctx context.Context) error {
		return client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
	if err != nil || options.ServersOnly {
		return err
	}
	return c.startControllers(ctx, client, kwokPort, options.Nodes)
}

// startControllers starts what changes objects by itself.
func (c *Cluster) startControllers(ctx context.Context, client kubernetes.Interface, kwokPort, nodes int) error {
	managers, err := c.User("system:kube-controller-manager")
	if err != nil {
		return err
	}
	if err := c.run("kube-controller-manager", controllerArguments(c.credentials, managers)); err != nil {
		return err
	}
	scheduler, err := c.User("system:kube-scheduler")
	if err != nil {
		return err
	}
	if err := c.run("kube-scheduler", schedulerArguments(scheduler)); err != nil {
		return err
	}
	stages, err := kwokStages()
	if err != nil {
		return err
	}
	stagesFile := c.folder.in("stages.yaml")
	if err := os.WriteFile(stagesFile, stages, 0o600); err != nil {
		return fmt.Errorf("write kwok's stages: %w", err)
	}
	if err := c.run("kwok", kwokArguments(c.Kubeconfig, stagesFile, kwokPort)); err != nil {
		return err
	}
	for i := range nodes {
		if _, err := client.CoreV1().Nodes().Create(ctx, node(i), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("make node %d: %w", i, err)
		}
	}
	err = c.programs.Wait(ctx, "service accounts", func(ctx context.Context) error {
		_, err := client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		return err
	})
	if err != nil {
		return err
	}
	return c.programs.Wait(ctx, "nodes", func(ctx context.Context) error { return nodesReady(ctx, client, nodes) })
}

func (c *Cluster) run(name string, arguments []string) error {
	// kwok reads a configuration of the user's from HOME.
	environment := []string{"HOME=" + c.folder.path}
	_, err := c.programs.Start(name, environment, c.kubeall, append([]string{name}, arguments...)...)
	return err
}

// User writes a kubeconfig for a user in groups, who may do what the cluster's
// roles allow, and returns its path.
func (c *Cluster) User(name string, groups ...string) (string, error) {
	made, err := c.credentials.authority.client(name, groups...)
	if err != nil {
		return "", err
	}
	return c.writeKubeconfig(name, c.server, &clientcmdapi.AuthInfo{
		ClientCertificateData: made.certificate,
		ClientKeyData:         made.key,
	})
}

func (c *Cluster) writeKubeconfig(user, server string, auth *clientcmdapi.AuthInfo) (string, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["testcluster"] = &clientcmdapi.Cluster{
		Server:                   server,
		CertificateAuthorityData: c.credentials.authority.pem(),
	}
	config.AuthInfos[user] = auth
	config.Contexts["testcluster"] = &clientcmdapi.Context{Cluster: "testcluster", AuthInfo: user}
	config.CurrentContext = "testcluster"
	file, err := os.CreateTemp(c.folder.path, "kubeconfig-")
	if err != nil {
		return "", fmt.Errorf("write a kubeconfig: %w", err)
	}
	if err := file.Close(); err != nil {
		return "", fmt.Errorf("write a kubeconfig: %w", err)
	}
	if err := clientcmd.WriteToFile(*config, file.Name()); err != nil {
		return "", fmt.Errorf("write a kubeconfig: %w", err)
	}
	return file.Name(), nil
}

// Config is the administrator's configuration without client-side rate limits.
func (c *Cluster) Config() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	return config, nil
}

func (c *Cluster) client() (kubernetes.Interface, error) {
	config, err := c.Config()
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}

// node is big enough for whatever a test asks for.
func node(i int) *corev1.Node {
	name := fmt.Sprintf("node-%d", i)
	room := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("128"),
		corev1.ResourceMemory:           resource.MustParse("2Ti"),
		corev1.ResourcePods:             resource.MustParse("500"),
		corev1.ResourceEphemeralStorage: resource.MustParse("4Ti"),
		"nvidia.com/gpu":                resource.MustParse("16"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname:   name,
			corev1.LabelOSStable:   "linux",
			corev1.LabelArchStable: "amd64",
		}},
		Status: corev1.NodeStatus{Capacity: room, Allocatable: room},
	}
}

func nodesReady(ctx context.Context, client kubernetes.Interface, wanted int) error {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	ready := 0
	for _, node := range list.Items {
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	if ready < wanted {
		return fmt.Errorf("%d of %d nodes are ready", ready, wanted)
	}
	return nil
}

// Memory is the resident memory of each server in bytes, by name.
func (c *Cluster) Memory() map[string]int64 { return c.programs.Memory() }
