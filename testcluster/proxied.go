package testcluster

import (
	"crypto/tls"
	"fmt"
	"net"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/workloadmap/wm/testcluster/proxy"
)

// Token is what clients send to the proxies of [Cluster.Proxied]. No output of
// any program under test may have it.
const Token = "testcluster-secret-token"

// Proxied starts a proxy in front of the API server that acts there as a user
// in groups, and returns it with the path of a kubeconfig for it.
func (c *Cluster) Proxied(user string, groups ...string) (*proxy.Proxy, string, error) {
	direct, err := c.User(user, groups...)
	if err != nil {
		return nil, "", err
	}
	config, err := clientcmd.BuildConfigFromFlags("", direct)
	if err != nil {
		return nil, "", fmt.Errorf("start a proxy: %w", err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, "", fmt.Errorf("start a proxy: %w", err)
	}
	serving, err := c.credentials.authority.serving([]string{"localhost"}, net.IPv4(127, 0, 0, 1))
	if err != nil {
		return nil, "", err
	}
	certificate, err := tls.X509KeyPair(serving.certificate, serving.key)
	if err != nil {
		return nil, "", fmt.Errorf("start a proxy: %w", err)
	}
	started, err := proxy.Start(c.server, transport, certificate)
	if err != nil {
		return nil, "", err
	}
	kubeconfig, err := c.writeKubeconfig(user, started.URL, &clientcmdapi.AuthInfo{Token: Token})
	return started, kubeconfig, err
}
