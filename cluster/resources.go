package cluster

import (
	"cmp"
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// Resource is one version of a kind that the server serves.
type Resource struct {
	Group, Version, Kind string
	// Plural, Singular and ShortNames are the words that kubectl takes for it.
	Plural, Singular string
	ShortNames       []string
	Namespaced       bool
	// Preferred is set for the version that the server prefers of its group.
	Preferred bool
}

// String is the name that is unique in a cluster, such as jobs.batch.
func (r Resource) String() string {
	if r.Group == "" {
		return r.Plural
	}
	return r.Plural + "." + r.Group
}

func (r Resource) gvr() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Plural}
}

func (r Resource) sameKind(other Resource) bool {
	return r.Group == other.Group && r.Kind == other.Kind
}

// Resources are the kinds that a server serves, in its order of preference.
type Resources struct {
	all []Resource
	// broken are the API groups that could not be looked at, by group and version.
	broken []brokenGroup
}

type brokenGroup struct {
	group string
	fault *Fault
}

// Resources asks the server once what it serves; later calls give the same answer.
func (c *Client) Resources(ctx context.Context) (*Resources, error) {
	c.served.once.Do(func() { c.served.resources, c.served.err = c.discover(ctx) })
	return c.served.resources, c.served.err
}

func (c *Client) discover(ctx context.Context) (*Resources, error) {
	found := &Resources{}
	var groups []*metav1.APIGroup
	var lists []*metav1.APIResourceList
	err := c.read(ctx, "look up what the cluster serves", func(ctx context.Context) error {
		var err error
		groups, lists, err = c.discovery.ServerGroupsAndResourcesWithContext(ctx)
		failed, partly := discovery.GroupDiscoveryFailedErrorGroups(err)
		if !partly {
			return err
		}
		found.broken = c.groupFaults(failed)
		return nil
	})
	if err != nil {
		return nil, err
	}
	found.all = inOrder(groups, lists)
	return found, nil
}

func (c *Client) groupFaults(failed map[schema.GroupVersion]error) []brokenGroup {
	var broken []brokenGroup
	for version, err := range failed {
		fault := c.fault("look up what "+version.String()+" serves", err)
		if _, stale := err.(discovery.StaleGroupVersionError); stale {
			fault.Text = "the server behind it does not answer"
		}
		broken = append(broken, brokenGroup{version.Group, fault})
	}
	slices.SortFunc(broken, func(a, b brokenGroup) int { return cmp.Compare(a.fault.What, b.fault.What) })
	return broken
}

// inOrder brings resources into the server's order of groups, and of versions
// inside a group. Subresources and what cannot be listed are left out.
func inOrder(groups []*metav1.APIGroup, lists []*metav1.APIResourceList) []Resource {
	byVersion := map[string]*metav1.APIResourceList{}
	for _, list := range lists {
		byVersion[list.GroupVersion] = list
	}
	var all []Resource
	for _, group := range groups {
		for _, version := range preferredFirst(group) {
			list := byVersion[version]
			if list == nil {
				continue
			}
			parsed, err := schema.ParseGroupVersion(version)
			if err != nil {
				continue
			}
			for _, served := range list.APIResources {
				if strings.Contains(served.Name, "/") || !slices.Contains([]string(served.Verbs), "list") {
					continue
				}
				all = append(all, Resource{
					Group: parsed.Group, Version: parsed.Version, Kind: served.Kind,
					Plural: served.Name, Singular: cmp.Or(served.SingularName, strings.ToLower(served.Kind)),
					ShortNames: served.ShortNames, Namespaced: served.Namespaced,
					Preferred: version == group.PreferredVersion.GroupVersion,
				})
			}
		}
	}
	return all
}

func preferredFirst(group *metav1.APIGroup) []string {
	versions := []string{group.PreferredVersion.GroupVersion}
	for _, version := range group.Versions {
		if !slices.Contains(versions, version.GroupVersion) {
			versions = append(versions, version.GroupVersion)
		}
	}
	return versions
}

// kind finds the versions of a kind, the preferred one first.
func (r *Resources) kind(group, kind string) []Resource {
	var found []Resource
	for _, resource := range r.all {
		if resource.Group == group && resource.Kind == kind {
			found = append(found, resource)
		}
	}
	return found
}

// find takes a word as kubectl does: plural, singular, kind or short name in any
// case, alone or with .group or .version.group behind it. The result is one
// list of versions for each kind that the word can mean, the one that kubectl
// would take first.
func (r *Resources) find(word string) [][]Resource {
	name, rest, _ := strings.Cut(strings.ToLower(word), ".")
	for _, means := range []func(Resource) bool{
		func(r Resource) bool { return r.named(name) && r.within(rest) },
		func(r Resource) bool { return slices.Contains(r.ShortNames, name) && r.within(rest) },
		func(r Resource) bool { return rest != "" && r.named(name) && strings.HasPrefix(r.Group, rest+".") },
	} {
		var kinds [][]Resource
		for _, resource := range r.all {
			if !means(resource) {
				continue
			}
			at := slices.IndexFunc(kinds, func(held []Resource) bool { return held[0].sameKind(resource) })
			if at < 0 {
				kinds = append(kinds, []Resource{resource})
				continue
			}
			kinds[at] = append(kinds[at], resource)
		}
		if len(kinds) > 0 {
			return kinds
		}
	}
	return nil
}

func (r Resource) named(name string) bool {
	return name == r.Plural || name == r.Singular || name == strings.ToLower(r.Kind)
}

// within reports whether a resource is of a group, or of a version and group.
func (r Resource) within(rest string) bool {
	return rest == "" || rest == r.Group || rest == strings.TrimSuffix(r.Version+"."+r.Group, ".")
}
