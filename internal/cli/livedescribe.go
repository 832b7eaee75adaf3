package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/resolver"
)

// describeLive are the flags of describe for a cluster.
type describeLive struct {
	clusterFlags
	why, watch, allNamespaces bool
	pods                      int
}

func (f *describeLive) register(cmd *cobra.Command) {
	f.clusterFlags.register(cmd)
	cmd.Flags().BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "look for the names in all namespaces")
	cmd.Flags().BoolVar(&f.why, "why", false, "show what decided the phase (clusters only)")
	cmd.Flags().BoolVarP(&f.watch, "watch", "w", false, "draw anew when something changes (clusters only)")
	cmd.Flags().IntVar(&f.pods, "pods", 20, "how many pods to list, those in trouble first; 0 lists all (clusters only)")
}

// given names a flag for clusters that was set; "" when none was.
func (f *describeLive) given(cmd *cobra.Command) string {
	for _, name := range []string{"why", "watch", "pods", "all-namespaces"} {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return f.clusterFlags.given(cmd)
}

func (f *describeLive) run(ctx context.Context, world World, files *workloadFlags, arguments []string) error {
	format, err := printer.ParseFormat(files.output, printer.Text, printer.JSON, printer.YAML)
	if err != nil {
		return err
	}
	names, err := parseNames(arguments)
	if err != nil {
		return err
	}
	if f.allNamespaces && f.namespace != "" {
		return errors.New("give -n or -A, not both")
	}
	opened, err := openCluster(ctx, world, &f.clusterFlags, files.definitions)
	if err != nil {
		return err
	}
	queries, err := f.queries(world, opened, names)
	if err != nil {
		return err
	}
	draw := func() error { return f.draw(ctx, world, opened, queries, format) }
	if !f.watch {
		return draw()
	}
	whole := cluster.Query{Namespace: queries[0].Namespace}
	for _, query := range queries {
		whole.Types = append(whole.Types, query.Types...)
	}
	return watchDescribe(ctx, world, opened.client, whole, draw)
}

// queries are one for each type that was named.
func (f *describeLive) queries(world World, opened *live, names []workloadName) ([]cluster.Query, error) {
	var queries []cluster.Query
	for _, asked := range together(names) {
		kind, err := opened.find(world, asked.kind)
		if err != nil {
			return nil, err
		}
		query := cluster.Query{Types: []cluster.Type{kind}, Namespace: opened.client.Namespace, KeepPods: true}
		if !f.allNamespaces {
			query.Names = asked.names
			queries = append(queries, query)
			continue
		}
		query.Namespace = ""
		for _, name := range asked.names {
			query.Fields = "metadata.name=" + name
			queries = append(queries, query)
		}
	}
	return queries, nil
}

// draw reads workloads and shows them.
func (f *describeLive) draw(ctx context.Context, world World, opened *live, queries []cluster.Query, format printer.Format) error {
	all := &cluster.Result{}
	for _, query := range queries {
		result := opened.client.Read(ctx, query)
		if len(query.Names) == 0 && len(result.Found) == 0 && len(result.Faults) == 0 {
			name := strings.TrimPrefix(query.Fields, "metadata.name=")
			result.Missing = []error{fmt.Errorf("no %s is named %s in any namespace", query.Types[0].Resource, name)}
		}
		all.Found = append(all.Found, result.Found...)
		all.Faults = append(all.Faults, result.Faults...)
		all.Missing = append(all.Missing, result.Missing...)
		all.Answered += result.Answered
	}
	described := make([]*printer.Described, len(all.Found))
	for i, found := range all.Found {
		var faults []error
		described[i], faults = f.describe(ctx, world, opened, found)
		all.Faults = append(all.Faults, faults...)
	}
	if len(described) == 0 {
		return readFailure(all)
	}
	var err error
	if format == printer.Text {
		err = printer.DescribedText(world.Stdout, described)
	} else {
		err = printer.Results(world.Stdout, format, described)
	}
	if err != nil {
		return err
	}
	return readFailure(all)
}

// asked are the names of one type.
type asked struct {
	kind  string
	names []string
}

// together joins neighbouring names of one type, so that their pods are listed once.
func together(names []workloadName) []asked {
	var all []asked
	for _, name := range names {
		if last := len(all) - 1; last >= 0 && all[last].kind == name.kind {
			all[last].names = append(all[last].names, name.name)
			continue
		}
		all = append(all, asked{name.kind, []string{name.name}})
	}
	return all
}

// describe adds to a workload what its view does not hold: the state of its
// pods, warnings, and why its phase is what it is.
func (f *describeLive) describe(ctx context.Context, world World, opened *live, found cluster.Found) (*printer.Described, []error) {
	var faults []error
	described := &printer.Described{Workload: found.Workload, Now: world.Now(), MaxPods: f.pods, Details: map[string]printer.PodDetail{}}
	podGPUs := gpusOf(ctx, opened.set)
	for _, pod := range found.Pods {
		detail := printer.DetailOf(pod)
		detail.GPUs = podGPUs(pod)
		described.Details[detail.Name] = detail
	}
	if f.why {
		reasons, err := found.Type.Resolver.Why(ctx, found.Object)
		if err != nil {
			faults = append(faults, err)
		}
		described.Why = reasons
	}
	var err error
	if described.Warnings, err = opened.client.Warnings(ctx, found); err != nil {
		faults = append(faults, err)
	}
	return described, faults
}

// gpusOf counts what pods really ask for, with the definition of Pod; unknown
// without one.
func gpusOf(ctx context.Context, set *resolver.Set) func(map[string]any) *int64 {
	match, err := set.Find(v1alpha1.GroupVersionKind{Version: "v1", Kind: "Pod"})
	return func(pod map[string]any) *int64 {
		if err != nil {
			return nil
		}
		view, err := match.Resolver.Resolve(ctx, pod)
		if err != nil {
			return nil
		}
		return &view.Resources.GPUs
	}
}

// errDescribeWhat says what describe needs.
var errDescribeWhat = errors.New("name a workload, such as raycluster/train, or a file with -f")
