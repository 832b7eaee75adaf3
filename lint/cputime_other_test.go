//go:build !unix

package lint_test

import (
	"testing"
	"time"
)

var processStarted = time.Now()

// cpuTime is the clock, where the processor time of a process is not to be had.
func cpuTime(testing.TB) time.Duration { return time.Since(processStarted) }
