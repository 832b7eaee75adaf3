package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/resolver"
)

func newRBAC(world World) *cobra.Command {
	var definitions []string
	var write bool
	var name string
	cmd := &cobra.Command{
		Use:   "rbac [TYPE...]",
		Short: "Write the least ClusterRole that get, describe and gang need",
		Long: "TYPE is the kind, singular or plural, of what a definition reads, with .GROUP behind it where needed;\n" +
			"without one the role is for all definitions, as get --all needs it. The cluster is not asked.\n" +
			"Bind it with a RoleBinding for one namespace, or a ClusterRoleBinding for -A.",
		Example: "  wm rbac raycluster jobset --write | kubectl apply -f -",
		RunE: func(_ *cobra.Command, words []string) error {
			chosen, err := definitionsNamed(world, definitions, words)
			if err != nil {
				return err
			}
			// Through the printer's types this would show a creation time of null.
			role := cluster.Role(name, chosen, write)
			content, err := yaml.Marshal(map[string]any{
				"apiVersion": role.APIVersion, "kind": role.Kind,
				"metadata": map[string]any{"name": role.Name}, "rules": role.Rules,
			})
			if err != nil {
				return fmt.Errorf("write the role: %w", err)
			}
			_, err = world.Stdout.Write(content)
			return err
		},
	}
	cmd.Flags().StringArrayVar(&definitions, "definitions", nil, "file or directory with definitions that replace built-in ones (repeatable)")
	cmd.Flags().BoolVar(&write, "write", false, "also what set, suspend and resume need")
	cmd.Flags().StringVar(&name, "name", "workloadmap-reader", "name of the ClusterRole")
	return cmd
}

// definitionsNamed loads the definitions that words for types mean, those of
// all versions of a kind.
func definitionsNamed(world World, paths, words []string) ([]*v1alpha1.WorkloadMap, error) {
	byKind := map[v1alpha1.GroupVersionKind]resolver.Candidate{}
	all := catalog.Candidates()
	for _, path := range paths {
		more, err := catalog.Read(world.Files, []string{path}, world.Stdin)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	var order []v1alpha1.GroupVersionKind
	var known []string
	for _, candidate := range all {
		if _, seen := byKind[candidate.Kind]; !seen {
			order = append(order, candidate.Kind)
			known = append(known, strings.ToLower(candidate.Kind.Kind))
		}
		byKind[candidate.Kind] = candidate
	}
	wanted := map[v1alpha1.GroupVersionKind]bool{}
	for _, word := range words {
		found := false
		for _, kind := range order {
			if means(word, kind) {
				wanted[kind], found = true, true
			}
		}
		if !found {
			text := fmt.Sprintf("no definition reads a type %q", word)
			if nearest, ok := suggest.Nearest(strings.ToLower(word), known); ok {
				text += fmt.Sprintf("; did you mean %s?", nearest)
			}
			return nil, &exitError{code: exitNoDefinition, cause: fmt.Errorf("%s", text)}
		}
	}
	var chosen []*v1alpha1.WorkloadMap
	for _, kind := range order {
		if len(words) > 0 && !wanted[kind] {
			continue
		}
		definition, err := byKind[kind].Load()
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, definition)
	}
	return chosen, nil
}

func means(word string, kind v1alpha1.GroupVersionKind) bool {
	name, group, hasGroup := strings.Cut(strings.ToLower(word), ".")
	names := []string{strings.ToLower(kind.Kind), cluster.Plural(kind).Resource}
	return slices.Contains(names, name) && (!hasGroup || group == kind.Group)
}
