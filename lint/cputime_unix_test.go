//go:build unix

package lint_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is the processor time that this process has used: unlike the clock it
// does not count what others do on the machine.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
