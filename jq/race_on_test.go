//go:build race

package jq

// slowdown is how much longer things may take than the bounds promise: the
// race detector watches every access to memory, and keeps notes about it.
const slowdown = 10
