package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/cli/printer"
)

// getFlags are the flags of wm get.
type getFlags struct {
	clusterFlags
	all, allNamespaces bool
	labels, fields     string
	phases             []string
	sortBy, by, output string
	noHeaders, watch   bool
	definitions        []string
	chosenPhases       []v1alpha1.Phase
}

func newGet(world World) *cobra.Command {
	var flags getFlags
	cmd := &cobra.Command{
		Use:   "get (TYPE [NAME...] | --all)",
		Short: "List the workloads of a cluster: phase, pods and GPUs",
		Long: "List the workloads of a cluster. TYPE is a plural, singular or short name, or a kind, as kubectl takes it.\n" +
			"--all lists workloads of every type that has a definition; an object that another workload owns is not\n" +
			"listed, so that each pod counts once. GPUS is what a workload asks for, whether or not it runs.\n" +
			"--by adds up what the workloads ask for that are neither suspended, completed nor failed.",
		Example: "  wm get raycluster\n  wm get --all -A --sort-by gpus\n  wm get --all -A --by namespace\n" +
			"  wm get pytorchjob --phase Failed,Degraded -o name\n" +
			"  wm get jobset -o custom-columns=NAME:.name,PHASE:.phase,OWNER:.metadata.labels.owner",
		RunE: func(cmd *cobra.Command, arguments []string) error {
			return runGet(cmd.Context(), world, &flags, arguments)
		},
	}
	flags.clusterFlags.register(cmd)
	completeFromCluster(world, cmd, false, &flags.clusterFlags)
	cmd.Flags().BoolVar(&flags.all, "all", false, "list workloads of every type that has a definition")
	cmd.Flags().BoolVarP(&flags.allNamespaces, "all-namespaces", "A", false, "look into all namespaces")
	cmd.Flags().StringVarP(&flags.labels, "selector", "l", "", "label selector on the workload objects")
	cmd.Flags().StringVar(&flags.fields, "field-selector", "", "field selector on the workload objects")
	cmd.Flags().StringSliceVar(&flags.phases, "phase", nil, "list only workloads in these phases")
	cmd.Flags().StringVar(&flags.sortBy, "sort-by", "", "sort by gpus (most first), age (oldest first), name or phase (in trouble first)")
	cmd.Flags().StringVar(&flags.by, "by", "", "add up by namespace, type or label=KEY instead of listing")
	cmd.Flags().StringVarP(&flags.output, "output", "o", string(printer.Text), "output format: text, wide, json, yaml, name or custom-columns=NAME:EXPRESSION,...")
	cmd.Flags().BoolVarP(&flags.watch, "watch", "w", false, "go on with the workloads that change")
	cmd.Flags().BoolVar(&flags.noHeaders, "no-headers", false, "leave out the line of headings, and the totals")
	cmd.Flags().StringArrayVar(&flags.definitions, "definitions", nil, "file or directory with definitions that replace built-in ones (repeatable)")
	return cmd
}

func runGet(ctx context.Context, world World, flags *getFlags, arguments []string) error {
	rows, err := flags.check(world, arguments)
	if err != nil {
		return err
	}
	opened, err := openCluster(ctx, world, &flags.clusterFlags, flags.definitions)
	if err != nil {
		return err
	}
	query := cluster.Query{Namespace: opened.client.Namespace, Labels: flags.labels, Fields: flags.fields, Roots: flags.all}
	if flags.allNamespaces {
		query.Namespace = ""
	}
	var uncovered []error
	if flags.all {
		query.Types, uncovered = opened.types.Covered()
	} else {
		kind, err := opened.find(world, arguments[0])
		if err != nil {
			return err
		}
		query.Types, query.Names = []cluster.Type{kind}, arguments[1:]
	}
	if flags.watch {
		return watchGet(ctx, world, opened, query, flags, rows)
	}
	result := opened.client.Read(ctx, query)
	result.Faults = append(uncovered, result.Faults...)
	rows.Rows = rowsOf(result.Found, flags.chosenPhases)
	if len(rows.Rows) == 0 && len(result.Missing)+len(result.Faults) == 0 {
		fmt.Fprintln(world.Stderr, printer.Visible(nothingFound(flags, query), ""))
	}
	world.note(unreadValues(rows.Rows))
	if len(rows.Rows) > 0 || rows.Document() && result.Answered > 0 {
		if err := rows.Write(world.Stdout); err != nil {
			return err
		}
	}
	return readFailure(result)
}

// check refuses flags that do not fit together, and says how to print.
func (f *getFlags) check(world World, arguments []string) (*printer.Listing, error) {
	switch {
	case f.all && len(arguments) > 0:
		return nil, fmt.Errorf("--all lists every type: leave out %s", arguments[0])
	case !f.all && len(arguments) == 0:
		return nil, errors.New("name a type, such as raycluster, or give --all")
	case f.all && f.fields != "":
		return nil, errors.New("--field-selector needs a type: the types have no fields in common")
	case f.allNamespaces && f.namespace != "":
		return nil, errors.New("give -n or -A, not both")
	case f.allNamespaces && len(arguments) > 1:
		return nil, errors.New("a workload cannot be named in all namespaces: give -n")
	case len(arguments) > 1 && (f.labels != "" || f.fields != ""):
		return nil, errors.New("give names or a selector, not both")
	}
	for _, word := range arguments {
		if strings.Contains(word, "/") {
			return nil, fmt.Errorf("%q is no type: write wm get TYPE NAME", word)
		}
	}
	if err := f.parsePhases(); err != nil {
		return nil, err
	}
	listing := &printer.Listing{
		Now: world.Now, WithNamespace: f.allNamespaces, WithType: f.all, NoHeaders: f.noHeaders, SortBy: f.sortBy, By: f.by,
	}
	if err := listing.Parse(f.output); err != nil {
		return nil, err
	}
	if f.watch && (f.by != "" || listing.Document()) {
		return nil, errors.New("--watch shows rows: leave out --by, -o json and -o yaml")
	}
	return listing, nil
}

// parsePhases takes phases in any case.
func (f *getFlags) parsePhases() error {
	known := v1alpha1.HeadlinePhases()
	for _, word := range f.phases {
		at := slices.IndexFunc(known, func(p v1alpha1.Phase) bool { return strings.EqualFold(string(p), word) })
		if at < 0 {
			words := make([]string, len(known))
			for i, phase := range known {
				words[i] = string(phase)
			}
			return fmt.Errorf("there is no phase %q: use %s", word, strings.Join(words, ", "))
		}
		f.chosenPhases = append(f.chosenPhases, known[at])
	}
	return nil
}

func rowsOf(found []cluster.Found, phases []v1alpha1.Phase) []printer.Row {
	rows := []printer.Row{}
	for _, f := range found {
		if len(phases) > 0 && !slices.Contains(phases, f.Workload.Phase) {
			continue
		}
		rows = append(rows, printer.Row{
			Workload: f.Workload, Object: f.Object, Kind: f.Type.Kind, Group: f.Type.Group, Singular: f.Type.Singular,
		})
	}
	return rows
}

// unreadValues tells of workloads whose figures may be wrong, since something
// in them could not be read.
func unreadValues(rows []printer.Row) []string {
	var names []string
	for _, row := range rows {
		if len(row.Workload.Problems) > 0 {
			names = append(names, strings.ToLower(row.Kind)+"/"+row.Workload.Name)
		}
	}
	const named = 3
	switch n := len(names); {
	case n == 0:
		return nil
	case n > named:
		names = append(names[:named], fmt.Sprintf("%d more", n-named))
	}
	return []string{"not everything could be read of " + strings.Join(names, ", ") + "; wm describe tells what"}
}

func nothingFound(flags *getFlags, query cluster.Query) string {
	what := "workloads"
	if !flags.all {
		what = query.Types[0].Resource.String()
	}
	if len(flags.phases) > 0 {
		what += " in phase " + strings.Join(flags.phases, ", ")
	}
	if query.Namespace == "" {
		return "no " + what + " found"
	}
	return fmt.Sprintf("no %s found in namespace %s", what, query.Namespace)
}
