// Package testcluster runs a real Kubernetes control plane on this machine for
// tests: etcd, kube-apiserver and, unless they are unwanted,
// kube-controller-manager, kube-scheduler, and kwok, which plays the nodes and
// the pods on them. There are no containers, and nothing but the loopback
// interface is touched.
//
//	cluster, err := testcluster.Start(ctx, testcluster.Options{Kubeall: path, Nodes: 3})
//	if err != nil {
//		return err
//	}
//	defer cluster.Stop()
//	out, err := exec.Command("wm", "get", "--all", "--kubeconfig", cluster.Kubeconfig).Output()
//
// Ports are free ones, certificates are made anew, and everything lies in one
// temporary folder. The servers end when Stop is called, when the context ends,
// and on Linux also when the test process dies in any other way; a folder that
// such a death leaves behind is removed by the next Start.
//
// It is a module of its own: the control plane has hundreds of dependencies
// that no user of the wm module should ever see.
package testcluster
