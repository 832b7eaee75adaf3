// Package live runs the wm binary against a real API server with the real
// controllers of the core kinds. What it expects is reasoned from what those
// controllers do, not read off wm.
package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/workloadmap/wm/testcluster"
	"github.com/workloadmap/wm/testcluster/fleet"
)

// What the tests of this package share.
var (
	cluster *testcluster.Cluster
	typed   kubernetes.Interface
	custom  dynamic.Interface
)

func TestMain(m *testing.M) {
	os.Exit(testcluster.Main(testcluster.Options{Nodes: 3}, func(started *testcluster.Cluster) int {
		cluster = started
		fmt.Printf("cluster ready after %.1f s\n", cluster.Ready.Seconds())
		if err := connect(); err != nil {
			fmt.Fprintln(os.Stderr, "prepare the cluster:", err)
			return 1
		}
		return m.Run()
	}))
}

func connect() error {
	config, err := cluster.Config()
	if err != nil {
		return err
	}
	if typed, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if custom, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	return cluster.Install(context.Background(), fleet.Kinds...)
}

// wm runs the binary as the administrator and fails the test unless it exits
// with the code.
func wm(t *testing.T, code int, arguments ...string) testcluster.Result {
	t.Helper()
	return wmAs(t, cluster.Kubeconfig, code, arguments...)
}

func wmAs(t *testing.T, kubeconfig string, code int, arguments ...string) testcluster.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	result, err := testcluster.WM(ctx, kubeconfig, arguments...)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, result.Stdout, result.Stderr)
	}
	if result.Code != code {
		t.Fatalf("wm %s: exit code %d, want %d\n%s%s",
			strings.Join(arguments, " "), result.Code, code, result.Stdout, result.Stderr)
	}
	return result
}

// view is what the tests read of "wm describe -o json".
type view struct {
	Phase    string
	Replicas struct{ Desired, Current, Ready *int }
	Pods     []podView `json:"-"`
	// Components are flattened into Pods.
	Components   []component
	Unattributed []string
	Problems     []any
}

type component struct {
	Instances  []struct{ Pods []podView }
	Components []component
}

type podView struct {
	Name, Phase, Reason, Node string
	Ready                     bool
}

func (v *view) collect(components []component) {
	for _, c := range components {
		for _, instance := range c.Instances {
			v.Pods = append(v.Pods, instance.Pods...)
		}
		v.collect(c.Components)
	}
}

func describe(t *testing.T, namespace, what string) view {
	t.Helper()
	result := wm(t, 0, "describe", what, "-n", namespace, "-o", "json")
	var read view
	if err := json.Unmarshal([]byte(result.Stdout), &read); err != nil {
		t.Fatalf("wm describe %s: %v\n%s", what, err, result.Stdout)
	}
	if result.Stderr != "" || len(read.Problems) > 0 || len(read.Unattributed) > 0 {
		t.Errorf("wm describe %s: problems %v, unattributed %v, standard error %q",
			what, read.Problems, read.Unattributed, result.Stderr)
	}
	read.collect(read.Components)
	return read
}

// want is what a workload settles at.
type want struct {
	phase string
	// desired and ready are counts of pods, pods those that exist.
	desired, ready, pods int
}

// expect waits until wm describes a workload as wanted, and fails the test with
// the last difference when it does not in time.
func expect(t *testing.T, namespace, what string, wanted want) view {
	t.Helper()
	return expectWithin(t, 20*time.Second, namespace, what, wanted)
}

func expectWithin(t *testing.T, limit time.Duration, namespace, what string, wanted want) view {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		read := describe(t, namespace, what)
		got := want{phase: read.Phase, desired: count(read.Replicas.Desired), ready: count(read.Replicas.Ready), pods: len(read.Pods)}
		if got == wanted {
			return read
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is %+v, want %+v", what, got, wanted)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// count is -1 for a number that is not known.
func count(number *int) int {
	if number == nil {
		return -1
	}
	return *number
}

// namespace makes one for the test.
func namespace(t *testing.T) string {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	object := namespaceObject(name)
	if _, err := typed.CoreV1().Namespaces().Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace's service account", func() error {
		_, err := typed.CoreV1().ServiceAccounts(name).Get(t.Context(), "default", metav1.GetOptions{})
		return err
	})
	return name
}

func eventually(t *testing.T, what string, try func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if err = try(); err == nil {
			return
		}
	}
	t.Fatalf("%s: %v", what, err)
}

// play says how far kwok plays a pod; "" lets it get ready.
func play(t *testing.T, namespace, pod, how string) {
	t.Helper()
	value := any(how)
	if how == "" {
		value = nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{testcluster.Play: value}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = typed.CoreV1().Pods(namespace).Patch(t.Context(), pod, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) { // a controller may have deleted it meanwhile
		t.Fatal(err)
	}
}

func playAll(t *testing.T, namespace string, pods []podView, how string) {
	t.Helper()
	for _, pod := range pods {
		play(t, namespace, pod.Name, how)
	}
}

// errNotYet is why eventually tries again.
var errNotYet = errors.New("not yet")

func patchTemplate(t *testing.T, namespace, deployment, patch string) {
	t.Helper()
	_, err := typed.AppsV1().Deployments(namespace).Patch(t.Context(), deployment, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// updated is nil once all pods of a deployment are of its newest template.
func updated(t *testing.T, namespace, name string, pods int32) error {
	t.Helper()
	deployment, err := typed.AppsV1().Deployments(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s := deployment.Status; s.UpdatedReplicas != pods || s.Replicas != pods || s.AvailableReplicas != pods {
		return fmt.Errorf("the deployment's status is %+v", s)
	}
	return nil
}
