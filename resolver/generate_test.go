package resolver_test

import (
	"fmt"
	"math/rand"
)

// world is a generated definition with an object and candidate pods.
type world struct {
	definition map[string]any
	object     map[string]any
	pods       []map[string]any
	// foreign are the pods that belong to another root.
	foreign map[string]bool
	// roles are the names of the roles that the object has pods for.
	roles []string
	// suspendable says that the definition can suspend and that the object's
	// field holds the resume value.
	suspendable bool
}

type generator struct {
	*rand.Rand
	specs map[string]any
	world *world
}

func generate(random *rand.Rand) *world {
	g := &generator{Rand: random, specs: map[string]any{}, world: &world{foreign: map[string]bool{}}}
	root := map[string]any{"name": "train", "statusDefinition": g.status()}
	if g.chance(2) {
		value := g.chance(2)
		root["suspendDefinition"] = map[string]any{
			"suspendActions": []any{map[string]any{"path": ".spec.flags.suspend", "value": fmt.Sprint(!value)}},
			"resumeActions":  []any{map[string]any{"path": ".spec.flags.suspend", "value": fmt.Sprint(value)}},
		}
		g.specs["flags"] = map[string]any{"suspend": value}
		g.world.suspendable = true
	}
	group := map[string]any{
		"name": "group", "scaleDefinition": map[string]any{"replicasPath": ".spec.units // 1"},
		"podSelector": map[string]any{"replicaSelector": map[string]any{"keyPath": ".metadata.labels.unit"}},
	}
	if g.chance(2) {
		g.specs["units"] = g.Intn(4)
	}
	components := []any{root, group}
	for i := range 1 + g.Intn(3) {
		components = append(components, g.role(fmt.Sprintf("role%d", i)))
	}
	g.world.definition = definitionFrom(components, g.gangs(components[1:]))
	g.world.object = withHeader(map[string]any{"spec": g.specs, "status": map[string]any{"state": g.word()}})
	for i := range g.Intn(12) {
		g.pod(i)
	}
	return g.world
}

func (g *generator) chance(n int) bool { return g.Intn(n) == 0 }

func (g *generator) word() string { return []string{"a", "b", "c"}[g.Intn(3)] }

func (g *generator) status() map[string]any {
	return map[string]any{
		"phaseDefinition": map[string]any{"path": ".status.state"},
		"statusMappings": map[string]any{
			"running": []any{map[string]any{"byPhase": "a"}},
			"failed":  []any{map[string]any{"byExpression": map[string]any{"expression": `.status.state + ""`, "expectedResult": "b"}}},
		},
	}
}

// role makes a component, single or repeated, in one of the shapes, and what
// the object holds for it, which may be nothing.
func (g *generator) role(name string) map[string]any {
	owner := []string{"train", "group"}[g.Intn(2)]
	selector := map[string]any{"componentTypeSelector": map[string]any{"matchLabels": map[string]any{"role": name}}}
	role := map[string]any{"name": name, "ownerRef": owner, "podSelector": selector}
	at := ".spec." + name
	switch g.Intn(3) {
	case 0:
		if g.chance(5) {
			break
		}
		g.specs[name] = g.entry("")
		g.world.roles = append(g.world.roles, name)
	case 1:
		role["instanceIdPath"] = at + "[]?.name"
		selector["componentInstanceSelector"] = map[string]any{"idPath": ".metadata.labels.group"}
		at += "[]?"
		g.entries(name, func(entries map[string]any) any {
			var list []any
			for _, id := range []string{"a", "b", "c"} {
				if entries[id] != nil {
					list = append(list, entries[id])
				}
			}
			return list
		})
	case 2:
		role["instanceIdPath"] = at + " // {} | keys[]"
		selector["componentInstanceSelector"] = map[string]any{"idPath": ".metadata.labels.group"}
		at += "[]?"
		g.entries(name, func(entries map[string]any) any { return entries })
	}
	shapes := []map[string]any{
		{"podTemplateSpecPath": at + ".template"},
		{"podSpecPath": at + ".template.spec", "metadataPath": at + ".template.metadata"},
		{"fragmentedPodSpecDefinition": map[string]any{
			"labelsPath": at + ".template.metadata.labels", "schedulerNamePath": at + ".template.spec.schedulerName",
			"containersPath": at + ".template.spec.containers",
		}},
	}
	role["specDefinition"] = shapes[g.Intn(len(shapes))]
	if !g.chance(5) {
		role["scaleDefinition"] = map[string]any{"replicasPath": at + ".replicas // 1"}
		if g.chance(3) {
			role["scaleDefinition"].(map[string]any)["minReplicasPath"] = at + ".min"
		}
	}
	return role
}

func (g *generator) entries(name string, hold func(map[string]any) any) {
	entries := map[string]any{}
	for range g.Intn(4) {
		id := g.word()
		entries[id] = g.entry(id)
	}
	if len(entries) > 0 {
		g.specs[name] = hold(entries)
		g.world.roles = append(g.world.roles, name)
	}
}

func (g *generator) entry(id string) map[string]any {
	entry := map[string]any{"template": map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"own": "label"}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name":      "main",
			"resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": int64(g.Intn(9)), "cpu": fmt.Sprint(g.Intn(4))}},
		}}},
	}}
	if id != "" {
		entry["name"] = id
	}
	if g.chance(2) {
		entry["replicas"] = int64(g.Intn(6))
	}
	if g.chance(2) {
		entry["min"] = int64(g.Intn(3))
	}
	return entry
}

func (g *generator) gangs(components []any) any {
	keys := []string{".metadata.labels.set", ".metadata.labels.unit", `.metadata.labels.group // "none"`}
	var groups []any
	for i := range g.Intn(3) {
		members := []any{}
		for _, component := range components {
			if g.chance(3) {
				continue
			}
			member := map[string]any{"componentName": component.(map[string]any)["name"]}
			var own []any
			for _, key := range keys {
				if g.chance(3) {
					own = append(own, key)
				}
			}
			member["groupByKeyPaths"] = own
			if g.chance(4) {
				member["filters"] = []any{`.metadata.labels.set == "a"`}
			}
			members = append(members, member)
		}
		groups = append(groups, map[string]any{"name": fmt.Sprintf("gang%d", i), "members": members})
	}
	if len(groups) == 0 && g.chance(2) {
		return map[string]any{"podGroup": map[string]any{"name": "whole"}}
	}
	return map[string]any{"podGroups": groups}
}

func (g *generator) pod(i int) {
	labels := map[string]any{}
	for name, values := range map[string][]any{
		"role": {"role0", "role1", "role2", nil}, "group": {"a", "b", "c", nil}, "unit": {"0", "1", nil}, "set": {"a", "b", "a"},
	} {
		if value := values[g.Intn(len(values))]; value != nil {
			labels[name] = value
		}
	}
	pod := map[string]any{"name": fmt.Sprintf("p%d", i), "uid": fmt.Sprintf("pod-%d", i), "labels": labels}
	switch g.Intn(4) {
	case 0:
		pod["owners"] = []any{map[string]any{"uid": "other", "apiVersion": "example.dev/v1", "kind": "Train", "controller": true}}
		g.world.foreign[fmt.Sprintf("p%d", i)] = true
	case 1:
		pod["owners"] = []any{"root"}
	case 2:
		pod["owners"] = []any{"unknown"}
	}
	switch g.Intn(4) {
	case 0:
		pod["ready"] = g.chance(2)
	case 1:
		pod["status"] = map[string]any{"phase": "Succeeded"}
	case 2:
		pod["metadata"] = map[string]any{"deletionTimestamp": "2026-01-01T00:00:00Z"}
	}
	g.world.pods = append(g.world.pods, written(pod))
}
