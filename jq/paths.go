package jq

import "context"

// Paths gives the places in the input that the results of the expression stand
// for, in order: field names as strings, positions as ints, the empty path for
// ".". A place need not exist yet. Errors are *Error; an expression that
// computes something, rather than selecting places, is one of kind Runtime.
func (p *Program) Paths(ctx context.Context, in Input) ([][]any, error) {
	places := p.places()
	results, err := places.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	paths := make([][]any, len(results))
	for i, result := range results {
		path, _ := result.([]any)
		for _, step := range path {
			if isContainer(step) {
				return nil, whole(Runtime, p.source, "stands for a part of an array, which is no single place")
			}
		}
		paths[i] = path
	}
	return paths, nil
}
