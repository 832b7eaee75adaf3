package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/workloadmap/wm/internal/suggest"
)

// How hard a Client works a server at most.
const (
	parallelRequests  = 8
	requestsPerSecond = 50
	requestsAtOnce    = 200
)

// Access says how a cluster is found, as kubectl's flags of the same names do.
type Access struct {
	// Kubeconfig is a file; "" means the files of the KUBECONFIG variable, then
	// ~/.kube/config, then the service account of the pod that wm runs in.
	Kubeconfig string
	// Context is a context of the kubeconfig, "" its current one.
	Context string
	// Namespace replaces the context's namespace unless it is "".
	Namespace string
	// Timeout bounds each request with all its retries; 0 means no bound.
	Timeout time.Duration
	// UserAgent is what the server's audit log shows.
	UserAgent string
}

// Connect prepares a Client. It asks the server nothing yet.
func Connect(access Access) (*Client, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = access.Kubeconfig
	rules.WarnIfAllMissing = false
	rules.Warner = func(error) {}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: access.Context}
	overrides.Context.Namespace = access.Namespace
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	if err := chosenContext(access, loaded); err != nil {
		return nil, err
	}
	config, err := loaded.ClientConfig()
	if err != nil {
		return nil, configFault(access, err)
	}
	namespace, _, err := loaded.Namespace()
	if err != nil {
		return nil, configFault(access, err)
	}
	config.UserAgent = access.UserAgent
	config.Timeout = access.Timeout
	client, err := NewClient(config)
	if err != nil {
		return nil, err
	}
	client.Namespace = namespace
	return client, nil
}

// chosenContext checks that the context in use and its cluster are there, since
// client-go words that badly.
func chosenContext(access Access, loaded clientcmd.ClientConfig) error {
	raw, err := loaded.RawConfig()
	if err != nil {
		return configFault(access, err)
	}
	name := cmp.Or(access.Context, raw.CurrentContext)
	if name == "" {
		return nil
	}
	chosen := raw.Contexts[name]
	file := cmp.Or(access.Kubeconfig, "the kubeconfig")
	switch {
	case chosen == nil:
		text := fmt.Sprintf("%s has no context %q", file, name)
		if nearest, ok := suggest.Nearest(name, slices.Sorted(maps.Keys(raw.Contexts))); ok {
			text += "; did you mean " + nearest + "?"
		}
		return &Fault{Reason: Unreachable, Text: text}
	case raw.Clusters[chosen.Cluster] == nil:
		return &Fault{Reason: Unreachable, Text: fmt.Sprintf("context %q of %s names a cluster %q that is not there", name, file, chosen.Cluster)}
	}
	return nil
}

// configFault words what is wrong with a kubeconfig without quoting from it:
// it holds credentials.
func configFault(access Access, err error) error {
	name := cmp.Or(access.Kubeconfig, "the kubeconfig")
	fault := &Fault{Reason: Unreachable, cause: err}
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing):
		fault.Text = fmt.Sprintf("cannot read kubeconfig %s: %v", missing.Path, missing.Err)
	case clientcmd.IsEmptyConfig(err):
		fault.Text = "no cluster is configured: set KUBECONFIG or give --kubeconfig"
	case clientcmd.IsConfigurationInvalid(err):
		fault.Text = fmt.Sprintf("%s is invalid: %v", name, err)
	default:
		fault.Text = name + " is not a kubeconfig"
	}
	return fault
}

// NewClient makes a Client for a configuration that is ready to use. Limits on
// the rate of requests are replaced by the Client's own.
func NewClient(config *rest.Config) (*Client, error) {
	own := rest.CopyConfig(config)
	own.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(requestsPerSecond, requestsAtOnce)
	own.WarningHandler = rest.NoWarnings{}
	client := &Client{
		timeout: own.Timeout,
		secrets: secretsOf(own),
		slots:   make(chan struct{}, parallelRequests),
		host:    hostOf(own),
	}
	web, err := rest.HTTPClientFor(own)
	if err != nil {
		return nil, client.fault("use the kubeconfig", err)
	}
	if client.discovery, err = discovery.NewDiscoveryClientForConfigAndClient(own, web); err != nil {
		return nil, client.fault("use the kubeconfig", err)
	}
	if client.dynamic, err = dynamic.NewForConfigAndClient(own, web); err != nil {
		return nil, client.fault("use the kubeconfig", err)
	}
	if client.metadata, err = metadata.NewForConfigAndClient(own, web); err != nil {
		return nil, client.fault("use the kubeconfig", err)
	}
	if client.core, client.parameters, err = coreClient(own, client); err != nil {
		return nil, client.fault("use the kubeconfig", err)
	}
	return client, nil
}

// coreClient reads pods as typed objects, which the server sends in the
// protobuf encoding: that takes a fraction of the time that JSON does.
func coreClient(config *rest.Config, client *Client) (rest.Interface, runtime.ParameterCodec, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, nil, err
	}
	metav1.AddToGroupVersion(scheme, corev1.SchemeGroupVersion)
	own := rest.CopyConfig(config)
	own.APIPath = "/api"
	own.GroupVersion = &corev1.SchemeGroupVersion
	own.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	own.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	own.ContentType = "application/json"
	web, err := rest.HTTPClientFor(own)
	if err != nil {
		return nil, nil, err
	}
	made, err := rest.RESTClientForConfigAndClient(own, web)
	return made, runtime.NewParameterCodec(scheme), err
}

func secretsOf(config *rest.Config) secrets {
	held := secrets{config.BearerToken, config.Password, string(config.KeyData), string(config.CertData)}
	if config.ExecProvider != nil {
		for _, variable := range config.ExecProvider.Env {
			held = append(held, variable.Value)
		}
	}
	return held
}

// hostOf is the server's address without what may stand in it of credentials.
func hostOf(config *rest.Config) string {
	address, err := url.Parse(config.Host)
	if err != nil || address.Host == "" {
		return config.Host
	}
	return address.Scheme + "://" + address.Host
}
