package testcluster

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// The environment variables that name the binaries under test.
const (
	kubeallVariable = "TESTCLUSTER_KUBEALL"
	wmVariable      = "TESTCLUSTER_WM"
)

// Main starts a cluster, runs the tests of a package with it, and returns the
// exit code for TestMain. The cluster is stopped whatever happens to the tests:
// when they return, when a signal comes, and by the kernel when they panic.
func Main(options Options, run func(*Cluster) int) int {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	options.Kubeall = os.Getenv(kubeallVariable)
	if options.Kubeall == "" || os.Getenv(wmVariable) == "" {
		fmt.Fprintf(os.Stderr, "%s and %s must name the built binaries: run \"make test-cluster\"\n",
			kubeallVariable, wmVariable)
		return 2
	}
	cluster, err := Start(ctx, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, "start the test cluster:", err)
		return 1
	}
	ended := context.AfterFunc(ctx, func() {
		_ = cluster.Stop()
		os.Exit(130)
	})
	code := run(cluster)
	ended()
	if err := cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stop the test cluster:", err)
		code = max(code, 1)
	}
	return code
}
