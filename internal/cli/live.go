package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/resolver"
)

// clusterFlags are the flags of every command that reaches a cluster, named as kubectl's.
type clusterFlags struct {
	kubeconfig, context, namespace string
	timeout                        string
}

func (f *clusterFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.kubeconfig, "kubeconfig", "", "kubeconfig file to find the cluster with")
	cmd.Flags().StringVar(&f.context, "context", "", "context of the kubeconfig")
	cmd.Flags().StringVarP(&f.namespace, "namespace", "n", "", "namespace; the context's by default")
	cmd.Flags().StringVar(&f.timeout, "request-timeout", "30s", "how long to wait for the answer to one request; 0 waits for ever")
}

// given names a flag that was set; "" when none was.
func (f *clusterFlags) given(cmd *cobra.Command) string {
	for _, name := range []string{"kubeconfig", "context", "namespace", "request-timeout"} {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// connect prepares a client; it asks the server nothing yet.
func (f *clusterFlags) connect(world World) (*cluster.Client, error) {
	timeout, err := parseTimeout(f.timeout)
	if err != nil {
		return nil, err
	}
	if world.Connect == nil {
		return nil, &exitError{code: exitRefused, cause: errors.New("no cluster is configured: set KUBECONFIG or give --kubeconfig")}
	}
	client, err := world.Connect(cluster.Access{
		Kubeconfig: f.kubeconfig, Context: f.context, Namespace: f.namespace, Timeout: timeout,
		UserAgent: "wm/" + world.Version.Version,
	})
	if err != nil {
		return nil, &exitError{code: exitRefused, cause: err}
	}
	return client, nil
}

// parseTimeout takes a duration or, as kubectl does, a whole number of seconds.
func parseTimeout(text string) (time.Duration, error) {
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, nil
	}
	timeout, err := time.ParseDuration(text)
	if err != nil || timeout < 0 {
		return 0, fmt.Errorf("--request-timeout %q is no duration: write 30s or 2m, or 0 for none", text)
	}
	return timeout, nil
}

// live is a cluster with the definitions that its objects are read with.
type live struct {
	client *cluster.Client
	set    *resolver.Set
	types  *cluster.Types
}

// openCluster connects, reads the definitions and looks up what the cluster serves.
func openCluster(ctx context.Context, world World, flags *clusterFlags, definitions []string) (*live, error) {
	client, err := flags.connect(world)
	if err != nil {
		return nil, err
	}
	set, err := clusterSet(ctx, world, client, definitions)
	if err != nil {
		return nil, err
	}
	types, err := client.Types(ctx, set)
	if err != nil {
		return nil, &exitError{code: exitRefused, cause: err}
	}
	return &live{client: client, set: set, types: types}, nil
}

// find looks up the type that a word means and tells when it was a choice.
func (l *live) find(world World, word string) (cluster.Type, error) {
	kind, err := l.types.Find(word)
	if err != nil {
		return cluster.Type{}, typeFailure(err)
	}
	if len(kind.Also) > 0 {
		world.note([]string{fmt.Sprintf("%s is read as %s; it can also mean %s", word, kind.Resource, strings.Join(kind.Also, ", "))})
	}
	if kind.OtherVersion {
		world.note([]string{fmt.Sprintf("no definition for %s of %s, read with %s", kind.Version, kind.Resource, kind.Resolver.Definition().Name)})
	}
	return kind, nil
}

// typeFailure gives the exit code for a type that cannot be read.
func typeFailure(err error) error {
	var unserved *cluster.UnservedError
	var undefined *resolver.NoDefinitionError
	switch {
	case errors.As(err, &unserved) && len(unserved.Kinds) > 0:
		return &exitError{code: exitNotFound, cause: err}
	case errors.As(err, &unserved), errors.As(err, &undefined):
		return &exitError{code: exitNoDefinition, cause: err}
	}
	return &exitError{code: exitUsage, cause: err}
}

// readFailure picks the exit code of a read: what is missing outweighs what
// could not be read, unless that was everything.
func readFailure(result *cluster.Result) error {
	err := errors.Join(slices.Concat(result.Missing, result.Faults)...)
	switch {
	case err == nil:
		return nil
	case len(result.Faults) > 0 && result.Answered == 0:
		return &exitError{code: exitRefused, cause: err}
	case len(result.Missing) > 0:
		return &exitError{code: exitNotFound, cause: err}
	}
	return &exitError{code: exitFindings, cause: err}
}

// workloadName is TYPE/NAME on a command line.
type workloadName struct{ kind, name string }

// parseNames reads TYPE/NAME..., or TYPE NAME..., as kubectl does.
func parseNames(arguments []string) ([]workloadName, error) {
	var names []workloadName
	if len(arguments) > 1 && !strings.Contains(arguments[0], "/") {
		for _, name := range arguments[1:] {
			if strings.Contains(name, "/") {
				return nil, fmt.Errorf("%q is no name: write TYPE NAME..., or TYPE/NAME for each", name)
			}
			names = append(names, workloadName{arguments[0], name})
		}
		return names, nil
	}
	for _, argument := range arguments {
		kind, name, found := strings.Cut(argument, "/")
		if extension := path.Ext(argument); slices.Contains([]string{".yaml", ".yml", ".json"}, extension) {
			return nil, fmt.Errorf("%q names no workload; files are named with -f", argument)
		}
		if !found || kind == "" || name == "" || strings.Contains(name, "/") {
			return nil, fmt.Errorf("%q names no workload: write TYPE/NAME, such as raycluster/train", argument)
		}
		names = append(names, workloadName{kind, name})
	}
	return names, nil
}
