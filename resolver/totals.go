package resolver

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// total multiplies what one pod requests by the number of pods; nil when
// either is unknown. A claim shared by all pods stays one claim.
func total(perReplica *Resources, desired *int64) *Resources {
	if perReplica == nil || desired == nil {
		return nil
	}
	product := &Resources{Requests: times(perReplica.Requests, *desired), GPUs: perReplica.GPUs * *desired}
	for _, claim := range perReplica.Claims {
		if !claim.Shared {
			claim.Count *= *desired
		}
		product.Claims = addClaims(product.Claims, claim)
	}
	return product
}

// sum adds up the pod-bearing components of the tree. A count is null as soon
// as one part of it is unknown, since a smaller number would pass for the whole.
func sum(components []Component) (Replicas, Resources) {
	var counted tally
	resources := Resources{Requests: corev1.ResourceList{}}
	walk(components, func(c *Component) bool {
		if c.Logical {
			return true
		}
		counted.add(c)
		for _, instance := range c.Instances {
			if instance.Total == nil {
				continue
			}
			addAll(resources.Requests, instance.Total.Requests)
			resources.GPUs += instance.Total.GPUs
			resources.Claims = addClaims(resources.Claims, instance.Total.Claims...)
		}
		return true
	})
	return counted.replicas(), resources
}

// addClaims merges claims by name and keeps them sorted. One shared claim used
// in several places is still one.
func addClaims(into []Claim, more ...Claim) []Claim {
	for _, claim := range more {
		at, found := slices.BinarySearchFunc(into, claim, func(a, b Claim) int {
			if order := strings.Compare(a.Name, b.Name); order != 0 || a.Shared == b.Shared {
				return order
			}
			if b.Shared {
				return -1
			}
			return 1
		})
		switch {
		case !found:
			into = slices.Insert(into, at, claim)
		case !claim.Shared:
			into[at].Count += claim.Count
		}
	}
	return into
}
