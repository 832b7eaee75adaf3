//go:build !race

package jq

// slowdown is how much longer things may take than the bounds promise.
const slowdown = 1
