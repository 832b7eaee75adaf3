// Command testcluster runs a control plane to try things on by hand: it prints
// the path of a kubeconfig and stops everything on Ctrl-C.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/workloadmap/wm/testcluster"
	"github.com/workloadmap/wm/testcluster/fleet"
)

func main() {
	kubeall := flag.String("kubeall", "bin/kubeall", "the built control plane")
	nodes := flag.Int("nodes", 3, "how many nodes to play")
	each := flag.Int("fleet", 0, "instead of controllers and nodes: how many workloads of each kind to write")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	if err := run(ctx, *kubeall, *nodes, *each); err != nil {
		fmt.Fprintln(os.Stderr, "testcluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeall string, nodes, each int) error {
	cluster, err := testcluster.Start(ctx, testcluster.Options{Kubeall: kubeall, Nodes: nodes, ServersOnly: each > 0})
	if err != nil {
		return err
	}
	defer cluster.Stop()
	if err := cluster.Install(ctx, fleet.Kinds...); err != nil {
		return err
	}
	if each > 0 {
		config, err := cluster.Config()
		if err != nil {
			return err
		}
		if _, err := fleet.Load(ctx, config, fleet.Size{Each: each, Big: 2000, Gadgets: 5, Namespaces: 10}); err != nil {
			return err
		}
	}
	fmt.Printf("export KUBECONFIG=%s\n", cluster.Kubeconfig)
	<-ctx.Done()
	return cluster.Stop()
}
