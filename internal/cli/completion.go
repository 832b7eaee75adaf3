package cli

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/cluster"
)

// completionLimit bounds what completion asks of a cluster: a shell that hangs
// on the tab key is worse than one that offers nothing.
const completionLimit = 2 * time.Second

// completeFromCluster offers types, then names, of the live cluster, and
// namespaces, roles and instances for the flags of these names. Whatever goes
// wrong, nothing is offered and nothing is said.
func completeFromCluster(world World, cmd *cobra.Command, slashed bool, flags *clusterFlags) {
	world.Stderr = io.Discard
	type offer func(ctx context.Context, opened *live, arguments []string, begun string) []string
	complete := func(offer offer) cobra.CompletionFunc {
		return func(cmd *cobra.Command, arguments []string, begun string) ([]string, cobra.ShellCompDirective) {
			ctx, cancel := context.WithTimeout(cmd.Context(), completionLimit)
			defer cancel()
			found := make(chan []string, 1)
			go func() {
				limited := *flags
				limited.timeout = completionLimit.String()
				opened, err := openCluster(ctx, world, &limited, nil)
				if err != nil {
					found <- nil
					return
				}
				found <- offer(ctx, opened, arguments, begun)
			}()
			directive := cobra.ShellCompDirectiveNoFileComp
			if slashed && !strings.Contains(begun, "/") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
			select {
			case words := <-found:
				return beginning(words, begun), directive
			case <-ctx.Done():
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
		}
	}
	cmd.ValidArgsFunction = complete(func(ctx context.Context, opened *live, arguments []string, begun string) []string {
		kind, _, slash := strings.Cut(begun, "/")
		switch {
		case slash:
			return namesOf(ctx, opened, kind, kind+"/")
		case len(arguments) > 0 && !strings.Contains(arguments[0], "/"):
			return namesOf(ctx, opened, arguments[0], "")
		case !slashed:
			return opened.types.Words()
		}
		var words []string
		for _, word := range opened.types.Words() {
			words = append(words, word+"/")
		}
		return words
	})
	offers := map[string]offer{
		"namespace": func(ctx context.Context, opened *live, _ []string, _ string) []string {
			items, _, err := opened.client.MetadataList(ctx, cluster.Resource{Version: "v1", Kind: "Namespace", Plural: "namespaces"}, "", 1)
			if err != nil {
				return nil
			}
			var names []string
			for _, item := range items {
				names = append(names, item.Name)
			}
			return names
		},
		"component": func(_ context.Context, opened *live, arguments []string, _ string) []string {
			if kind, ok := firstType(opened, arguments); ok {
				return kind.Resolver.ComponentNames()
			}
			return nil
		},
		"instance": instancesOf,
	}
	for name, offer := range offers {
		if cmd.Flags().Lookup(name) != nil {
			// It fails only for a flag that is not there or has a function already.
			_ = cmd.RegisterFlagCompletionFunc(name, complete(offer))
		}
	}
}

func firstType(opened *live, arguments []string) (cluster.Type, bool) {
	if len(arguments) == 0 {
		return cluster.Type{}, false
	}
	word, _, _ := strings.Cut(arguments[0], "/")
	kind, err := opened.types.Find(word)
	return kind, err == nil
}

func namesOf(ctx context.Context, opened *live, word, before string) []string {
	kind, err := opened.types.Find(word)
	if err != nil {
		return nil
	}
	items, _, err := opened.client.MetadataList(ctx, kind.Resource, opened.client.Namespace, 1)
	if err != nil {
		return nil
	}
	var names []string
	for _, item := range items {
		names = append(names, before+item.Name)
	}
	return names
}

// instancesOf are the instances of all roles of the first workload named.
func instancesOf(ctx context.Context, opened *live, arguments []string, _ string) []string {
	kind, ok := firstType(opened, arguments)
	names, err := parseNames(arguments)
	if !ok || err != nil || len(names) == 0 {
		return nil
	}
	object, err := opened.client.Get(ctx, kind.Resource, opened.client.Namespace, names[0].name)
	if err != nil {
		return nil
	}
	view, err := kind.Resolver.Resolve(ctx, object)
	if err != nil {
		return nil
	}
	var instances []string
	for _, component := range view.Components {
		for _, instance := range component.Instances {
			if instance.ID != "" {
				instances = append(instances, instance.ID)
			}
		}
	}
	return instances
}

func beginning(words []string, begun string) []string {
	var matching []string
	for _, word := range words {
		if strings.HasPrefix(word, begun) {
			matching = append(matching, word)
		}
	}
	return matching
}
