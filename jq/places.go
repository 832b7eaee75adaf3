package jq

// Places are a set of paths without indexes, prepared for walking a value. The
// nil Places are none.
type Places struct {
	whole   bool
	fields  map[string]*Places
	entries *Places
}

// PlacesAt makes a set of paths of fields and iterations; one with an index is left out.
func PlacesAt(paths ...Path) *Places {
	set := &Places{}
	for _, path := range paths {
		if !path.hasIndex() {
			set.add(path)
		}
	}
	return set
}

func (p Path) hasIndex() bool {
	for _, step := range p {
		if step.Kind == StepIndex {
			return true
		}
	}
	return false
}

func (p *Places) add(path Path) {
	switch {
	case len(path) == 0:
		p.whole = true
	case path[0].Kind == StepIterate:
		if p.entries == nil {
			p.entries = &Places{}
		}
		p.entries.add(path[1:])
	default:
		if p.fields == nil {
			p.fields = map[string]*Places{}
		}
		if p.fields[path[0].Field] == nil {
			p.fields[path[0].Field] = &Places{}
		}
		p.fields[path[0].Field].add(path[1:])
	}
}

// here tells whether the place walked to, or one around it, is in the set.
func (p *Places) here() bool { return p != nil && p.whole }

// field walks into a field of an object. A name stands before an iteration,
// so one of two paths may be missed there, which keeps less apart.
func (p *Places) field(name string) *Places {
	if p == nil || p.whole {
		return p
	}
	if below := p.fields[name]; below != nil {
		return below
	}
	return p.entries
}

// element walks into an element of an array.
func (p *Places) element() *Places {
	if p == nil || p.whole {
		return p
	}
	return p.entries
}
