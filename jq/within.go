package jq

import "slices"

// ReadsOnly tells whether everything that can make a difference to the results
// lies within the given places, so that an input cut down to them gives the
// same results. Of what the expression only goes through on its way, the kind
// of value has to stay.
func (p *Program) ReadsOnly(places ...Path) bool {
	return !slices.ContainsFunc(p.facts.reads.whole, func(read Path) bool {
		return !slices.ContainsFunc(places, read.HasPrefix)
	})
}
