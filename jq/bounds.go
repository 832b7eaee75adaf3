package jq

import "time"

// The bounds of one expression and of one run. They are far above what reading
// a workload needs and far below what hurts: the largest honest expression of
// the catalog takes a few hundred steps on a typical object.
const (
	// MaxExpressionBytes bounds the text. The longest expressions in published
	// definitions have some 400 bytes; the syntax tree, and with it the depth
	// of recursion over it, grows with the text.
	MaxExpressionBytes = 4096

	// MaxResults is the number of results that a run may give; one more fails.
	MaxResults = 1000

	// MaxSteps is the number of instructions that the engine may execute in a
	// run. Reading 1,000 pods with a page-long expression takes about 200,000.
	MaxSteps = 1_000_000

	// MaxBytes bounds the memory that a run may ask for, summed over
	// everything it builds, also what it drops again.
	MaxBytes = 64 << 20

	// MaxWork bounds the values that operations may read inside one
	// instruction, such as comparing two trees or sorting: the part of the
	// time that counting steps does not see.
	MaxWork = 20_000_000

	// MaxDepth bounds the nesting of inputs and of results. Kubernetes objects
	// seldom nest deeper than 20.
	MaxDepth = 1000

	// MaxInputValues bounds the values in one input, counting a shared subtree
	// every time it is reached.
	MaxInputValues = 10_000_000

	// MaxDigits bounds the digits of an integer. A float64 has at most 309
	// before the point, a Kubernetes number at most 19.
	MaxDigits = 400

	// Timeout ends a run that the other bounds failed to end.
	Timeout = 5 * time.Second
)

// maxBits is the size of an integer of MaxDigits digits: log2(10) is 3.33.
const maxBits = MaxDigits * 10 / 3

// maxKeyBytes bounds an object key that is put together by string
// interpolation. A Kubernetes label key has at most 317 bytes.
const maxKeyBytes = 4096

// maxPatternCost bounds the size of a regular expression, in the instructions
// that its repetitions unfold to.
const maxPatternCost = 2000
