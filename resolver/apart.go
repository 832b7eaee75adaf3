package resolver

import "github.com/workloadmap/wm/jq"

// apartFrom finds the pod templates and specs that nothing but the arithmetic
// of requests looks into, which takes integers as decoders give them.
func apartFrom(components []*component, status *status) *jq.Places {
	var templates []jq.Path
	var readers []*jq.Program
	read := func(expressions ...*expression) {
		for _, x := range expressions {
			if x != nil {
				readers = append(readers, x.program)
			}
		}
	}
	for _, c := range components {
		read(c.instanceIDs, c.scale.replicas, c.scale.min, c.scale.max)
		if c.pods == nil {
			continue
		}
		for _, x := range c.pods.expressions() {
			path, plain := x.program.Path()
			if plain && (x == c.pods.template || x == c.pods.spec) {
				templates = append(templates, path)
				continue
			}
			read(x)
		}
	}
	read(status.expressions()...)
	var apart []jq.Path
	for _, template := range templates {
		if !mayBeRead(readers, template) {
			apart = append(apart, template)
		}
	}
	return jq.PlacesAt(apart...)
}

func mayBeRead(readers []*jq.Program, place jq.Path) bool {
	for _, program := range readers {
		if program.MayRead(place) {
			return true
		}
	}
	return false
}
