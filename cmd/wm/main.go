// Command wm reads Kubernetes AI workloads through Workload Map definitions
// and checks those definitions.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/workloadmap/wm/internal/cli"
)

func main() {
	spendMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.System())
	stop()
	os.Exit(code)
}
