package testcluster

import (
	"fmt"
	"net"
	"strconv"
)

// frontProxy is the common name of the aggregation layer's client certificate.
const frontProxy = "front-proxy"

// freePorts finds ports of the loopback interface that nobody uses. They are
// all held at once, so that they differ, and then let go: whoever takes one in
// that moment makes a server end early, which Start reports.
func freePorts(count int) ([]int, error) {
	ports := make([]int, count)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer listener.Close()
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

func loopback(scheme string, port int) string {
	return scheme + "://127.0.0.1:" + strconv.Itoa(port)
}

// etcdArguments: nothing of this cluster has to survive a crash of the machine,
// so etcd does not wait for the disk.
func etcdArguments(data string, clients, peers int) []string {
	client, peer := loopback("http", clients), loopback("http", peers)
	return []string{
		"--data-dir=" + data,
		"--unsafe-no-fsync",
		"--listen-client-urls=" + client,
		"--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=default=" + peer,
		"--log-level=warn",
	}
}

func apiserverArguments(c *credentials, port, etcd int, options Options) []string {
	arguments := []string{
		"--etcd-servers=" + loopback("http", etcd),
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(port),
		// A loopback address cannot be an Endpoints object.
		"--endpoint-reconciler-type=none",
		// Addresses of services are loopback addresses too.
		"--service-cluster-ip-range=127.96.0.0/16",
		"--authorization-mode=Node,RBAC",
		"--client-ca-file=" + c.file("ca.crt"),
		"--tls-cert-file=" + c.file("apiserver.crt"),
		"--tls-private-key-file=" + c.file("apiserver.key"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.file("service-accounts.pub"),
		"--service-account-signing-key-file=" + c.file("service-accounts.key"),
		"--requestheader-client-ca-file=" + c.file("front-proxy-ca.crt"),
		"--requestheader-allowed-names=" + frontProxy,
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
		"--proxy-client-cert-file=" + c.file("front-proxy.crt"),
		"--proxy-client-key-file=" + c.file("front-proxy.key"),
	}
	if options.ServersOnly {
		// Nobody makes a namespace's default service account.
		arguments = append(arguments, "--disable-admission-plugins=ServiceAccount")
	}
	return append(arguments, options.APIServerArguments...)
}

func controllerArguments(c *credentials, kubeconfig string) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--secure-port=0",
		"--use-service-account-credentials",
		"--service-account-private-key-file=" + c.file("service-accounts.key"),
		"--root-ca-file=" + c.file("ca.crt"),
		"--cluster-signing-cert-file=" + c.file("ca.crt"),
		"--cluster-signing-key-file=" + c.file("ca.key"),
		"--leader-elect=false",
	}
}

func schedulerArguments(kubeconfig string) []string {
	return []string{"--kubeconfig=" + kubeconfig, "--secure-port=0", "--leader-elect=false"}
}

func kwokArguments(kubeconfig, stages string, port int) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--config=" + stages,
		"--manage-all-nodes=true",
		"--node-lease-duration-seconds=40",
		"--cidr=10.244.0.0/16",
		"--node-ip=10.245.0.1",
		"--server-address=127.0.0.1:" + strconv.Itoa(port),
	}
}
