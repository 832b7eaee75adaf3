package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/manifest"
)

// Values of --dry-run, as kubectl's.
const (
	dryRunNone   = "none"
	dryRunClient = "client"
	dryRunServer = "server"
)

// waitPause is how often --wait looks at the workload.
const waitPause = time.Second

// changeLive are the flags of commands that change workloads of a cluster.
type changeLive struct {
	clusterFlags
	dryRun  string
	yes     bool
	wait    bool
	timeout time.Duration
}

func (f *changeLive) register(cmd *cobra.Command, canWait bool) {
	f.clusterFlags.register(cmd)
	cmd.Flags().StringVar(&f.dryRun, "dry-run", dryRunNone, "none, client (only show the change) or server (have the server check it too); clusters only")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "change without asking (clusters only)")
	if canWait {
		cmd.Flags().BoolVar(&f.wait, "wait", false, "wait until the workload's phase shows the change (clusters only)")
		cmd.Flags().DurationVar(&f.timeout, "timeout", 5*time.Minute, "how long --wait waits at most")
	}
}

// given names a flag for clusters that was set; "" when none was.
func (f *changeLive) given(cmd *cobra.Command) string {
	for _, name := range []string{"dry-run", "yes", "wait", "timeout"} {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return f.clusterFlags.given(cmd)
}

// liveOrFiles decides what a command works on. Names of workloads mean a
// cluster, -f means files, and both or neither is a mistake.
func liveOrFiles(arguments []string, files *workloadFlags, given string) (onCluster bool, err error) {
	switch {
	case len(arguments) > 0 && len(files.files) > 0:
		return false, errors.New("name workloads of a cluster or files with -f, not both")
	case len(arguments) > 0:
		return true, nil
	case len(files.files) == 0:
		return false, errDescribeWhat
	case given != "":
		return false, fmt.Errorf("--%s is for workloads of a cluster, -f reads files", given)
	}
	return false, nil
}

// reached says whether a phase is the one that --wait waits for.
type reached func(phases []v1alpha1.Phase) bool

func isSuspended(phases []v1alpha1.Phase) bool {
	return slices.Contains(phases, v1alpha1.PhaseSuspended)
}

func isResumed(phases []v1alpha1.Phase) bool { return !isSuspended(phases) }

// planned is one workload with what would change in it.
type planned struct {
	kind   cluster.Type
	change manifest.Changed
}

func (p planned) title() string { return p.change.Object.Where }

// run changes the named workloads: all are read and all edits are made before
// the first is sent, so that a refusal leaves everything as it was.
func (f *changeLive) run(ctx context.Context, world World, files *workloadFlags, arguments []string, change manifest.Change, done reached) error {
	format, err := printer.ParseFormat(files.output, printer.Text, printer.JSON, printer.YAML)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{dryRunNone, dryRunClient, dryRunServer}, f.dryRun) {
		return fmt.Errorf("--dry-run %q: write none, client or server", f.dryRun)
	}
	if f.wait && f.dryRun != dryRunNone {
		return errors.New("--wait has nothing to wait for with --dry-run")
	}
	if format != printer.Text && f.dryRun == dryRunNone && !f.yes {
		return fmt.Errorf("-o %s shows no difference to confirm: add --yes or --dry-run", format)
	}
	names, err := parseNames(arguments)
	if err != nil {
		return err
	}
	opened, err := openCluster(ctx, world, &f.clusterFlags, files.definitions)
	if err != nil {
		return err
	}
	plans, err := plan(ctx, world, opened, names, change)
	if err != nil {
		return err
	}
	if format == printer.Text {
		for _, p := range plans {
			if err := printer.Edit(world.Stdout, p.title(), p.change.Object.Value, p.change.Edit); err != nil {
				return err
			}
		}
	}
	if f.dryRun == dryRunNone && !f.yes && anyChange(plans) && !confirmed(world) {
		return &exitError{code: exitUsage, cause: errors.New("nothing was changed: answer y, or give --yes")}
	}
	return f.carryOut(ctx, world, opened, plans, format, done)
}

// plan reads the workloads and makes the edits, without sending any.
func plan(ctx context.Context, world World, opened *live, names []workloadName, change manifest.Change) ([]planned, error) {
	var plans []planned
	for _, name := range names {
		kind, err := opened.find(world, name.kind)
		if err != nil {
			return nil, err
		}
		object, err := opened.client.Get(ctx, kind.Resource, opened.client.Namespace, name.name)
		if err != nil {
			return nil, clusterFailure(err)
		}
		title := kind.Resource.String() + "/" + name.name
		edit, err := change(ctx, kind.Resolver, object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		plans = append(plans, planned{kind, manifest.Changed{Object: manifest.Object{Where: title, Value: object}, Edit: edit}})
	}
	return plans, nil
}

func anyChange(plans []planned) bool {
	return slices.ContainsFunc(plans, func(p planned) bool { return len(p.change.Edit.Changes) > 0 })
}

// confirmed asks once for all changes; the end of input is no.
func confirmed(world World) bool {
	fmt.Fprint(world.Stderr, "Make this change? [y/N] ")
	line, err := bufio.NewReader(world.Stdin).ReadString('\n')
	if err != nil && line == "" {
		fmt.Fprintln(world.Stderr)
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line)))
}

// carryOut sends the changes one after the other. It stops at the first that
// the server does not take, and says which were made before.
func (f *changeLive) carryOut(ctx context.Context, world World, opened *live, plans []planned, format printer.Format, done reached) error {
	var objects []map[string]any
	var made []string
	for _, p := range plans {
		object := p.change.Edit.Object
		if len(p.change.Edit.Changes) > 0 && f.dryRun != dryRunClient {
			var err error
			object, err = opened.client.Patch(ctx, p.kind.Resource, p.change.Object.Value, p.change.Edit.JSONPatch(), f.dryRun == dryRunServer)
			if err != nil {
				if len(made) > 0 {
					world.note([]string{"changed before this: " + strings.Join(made, ", ")})
				}
				return clusterFailure(err)
			}
			made = append(made, p.title())
			fmt.Fprintln(world.Stderr, p.title(), map[bool]string{true: "accepted (server dry run)", false: "changed"}[f.dryRun == dryRunServer])
		}
		objects = append(objects, object)
	}
	if format != printer.Text {
		if err := printer.Objects(world.Stdout, format, objects); err != nil {
			return err
		}
	}
	if !f.wait || done == nil {
		return nil
	}
	return f.await(ctx, world, opened, plans, done)
}

// await looks at each workload until its phase is the one waited for.
func (f *changeLive) await(ctx context.Context, world World, opened *live, plans []planned, done reached) error {
	limited, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	for _, p := range plans {
		name, _ := p.change.Object.Value["metadata"].(map[string]any)["name"].(string)
		last := "unknown"
		for {
			object, err := opened.client.Get(limited, p.kind.Resource, opened.client.Namespace, name)
			if limited.Err() == nil && err != nil {
				return clusterFailure(err)
			}
			if err == nil {
				view, err := p.kind.Resolver.Resolve(limited, object)
				if err != nil && limited.Err() == nil {
					return fmt.Errorf("%s: %w", p.title(), err)
				}
				if err == nil {
					if done(view.MatchedPhases) {
						fmt.Fprintf(world.Stderr, "%s is %s\n", p.title(), view.Phase)
						break
					}
					last = string(view.Phase)
				}
			}
			if !pause(limited, waitPause) {
				return &exitError{code: exitFindings, cause: fmt.Errorf("%s was changed, but after %s its phase is still %s", p.title(), f.timeout, last)}
			}
		}
	}
	return nil
}

// pause reports false when the context ends first.
func pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// clusterFailure gives the exit code for one request that failed.
func clusterFailure(err error) error {
	switch reason := cluster.ReasonOf(err); reason {
	case cluster.NotFound:
		return &exitError{code: exitNotFound, cause: err}
	case "":
		return err
	}
	return &exitError{code: exitRefused, cause: err}
}
