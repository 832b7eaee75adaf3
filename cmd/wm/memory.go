package main

import (
	"os"
	"runtime/debug"
)

// spendMemory lets the heap grow to five times of what is in use before it is
// collected: wm works for a moment with some megabytes, and in a run of wm lint
// over a thousand files a third of the time went into collecting. From 256 MiB
// on memory is tighter than time. Who sets the variables of the Go runtime knows
// better.
func spendMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(256 << 20)
	}
}
