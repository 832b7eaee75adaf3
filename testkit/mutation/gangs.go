package mutation

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
)

// members visits the members of all pod groups.
func (o *original) members(visit func(group v1alpha1.PodGroup, member v1alpha1.PodGroupMember, path []any)) {
	hints := o.definition.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil {
		return
	}
	for g, group := range hints.GangScheduling.PodGroups {
		for m, member := range group.Members {
			visit(group, member, []any{"spec", "optimizationInstructions", "gangScheduling", "podGroups", g, "members", m})
		}
	}
}

// gangKeys forget a key, or read another label.
func gangKeys(o *original) []candidate {
	var proposed []candidate
	o.members(func(group v1alpha1.PodGroup, member v1alpha1.PodGroupMember, path []any) {
		for i, key := range member.GroupByKeyPaths {
			proposed = append(proposed, o.drop("drop-gang-key", group.Name, member.ComponentName+".groupByKeyPaths", below(path, "groupByKeyPaths", i),
				fmt.Sprintf("pods of %s with different %s are in one gang %s", member.ComponentName, short(key), group.Name)))
		}
	})
	return append(proposed, o.otherLabels("change-gang-key", v1alpha1.RoleGroupKey)...)
}

// gangFilters forget a filter, turn it around, or read another label.
func gangFilters(o *original) []candidate {
	var proposed []candidate
	o.members(func(group v1alpha1.PodGroup, member v1alpha1.PodGroupMember, path []any) {
		for i, filter := range member.Filters {
			at := below(path, "filters", i)
			proposed = append(proposed,
				o.drop("drop-filter", group.Name, member.ComponentName+".filters", at,
					fmt.Sprintf("pods of %s are in gang %s even when not %s", member.ComponentName, group.Name, short(filter))),
				o.replace("negate-filter", group.Name, member.ComponentName+".filters", at, "("+filter+") | not",
					fmt.Sprintf("pods of %s are in gang %s only when not %s", member.ComponentName, group.Name, short(filter))))
		}
	})
	return append(proposed, o.otherLabels("change-filter", v1alpha1.RoleFilter)...)
}

// gangMembers leave a role out of its gang.
func gangMembers(o *original) []candidate {
	var proposed []candidate
	o.members(func(group v1alpha1.PodGroup, member v1alpha1.PodGroupMember, path []any) {
		proposed = append(proposed, o.drop("drop-gang-member", group.Name, "members", path,
			fmt.Sprintf("the pods of %s are not in gang %s", member.ComponentName, group.Name)))
	})
	hints := o.definition.Spec.OptimizationInstructions
	if hints == nil || hints.GangScheduling == nil || hints.GangScheduling.PodGroup == nil {
		return proposed
	}
	return append(proposed, o.singleGang(hints.GangScheduling.PodGroup)...)
}

// singleGang drops the gang of the podGroup form, its parts, and where they may
// be placed.
func (o *original) singleGang(single *v1alpha1.PodGroupStructure) []candidate {
	path := []any{"spec", "optimizationInstructions", "gangScheduling", "podGroup"}
	proposed := []candidate{o.drop("drop-gang-member", single.Name, "podGroup", path, "the workload has no gang "+single.Name)}
	if single.Topology != nil {
		proposed = append(proposed, o.drop("drop-topology", single.Name, "topology", below(path, "topology"),
			fmt.Sprintf("gang %s may be placed anywhere", single.Name)))
	}
	for i, part := range single.SubGroups {
		at := below(path, "subGroups", i)
		proposed = append(proposed, o.drop("drop-gang-member", single.Name, "subGroups", at,
			fmt.Sprintf("the pods of %s are no part of gang %s", part.ComponentName, single.Name)))
		if part.Topology != nil {
			proposed = append(proposed, o.drop("drop-topology", single.Name, "subGroups.topology", below(at, "topology"),
				fmt.Sprintf("the pods of %s may be placed anywhere in gang %s", part.ComponentName, single.Name)))
		}
	}
	return proposed
}
