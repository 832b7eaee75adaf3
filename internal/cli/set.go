package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// setFlags are the changes that wm set offers.
type setFlags struct {
	component, instance          string
	schedulerName, priorityClass string
	labels, annotations          []string
	images, requests, limits     []string
	patch                        string
}

func newSet(world World) *cobra.Command {
	var flags workloadFlags
	var set setFlags
	var onCluster changeLive
	cmd := &cobra.Command{
		Use:   "set (TYPE/NAME... | -f FILE)",
		Short: "Change the pods of a workload through its definition",
		Long: "Change labels, scheduler, images or requests of a workload's pods wherever its framework keeps them.\n" +
			suspendLong,
		Example: "  wm set raycluster/train --label team=research --dry-run=server\n" +
			"  wm set -f raycluster.yaml --scheduler-name kai-scheduler --label team=research\n" +
			"  wm set -f raycluster.yaml --component worker --instance h100 --request nvidia.com/gpu=4",
		RunE: func(cmd *cobra.Command, arguments []string) error {
			inCluster, err := liveOrFiles(arguments, &flags, onCluster.given(cmd))
			if err != nil {
				return err
			}
			if set.instance != "" && set.component == "" {
				return errors.New("--instance names an instance of a role: name the role with --component")
			}
			if set.empty() {
				return errors.New("name a change, such as --label team=research; wm set --help shows all")
			}
			patch, err := set.parse()
			if err != nil {
				return err
			}
			target := resolver.Target{Component: set.component, Instance: set.instance}
			change := func(ctx context.Context, r *resolver.Resolver, object map[string]any) (*resolver.Edit, error) {
				return r.Edit(ctx, object, target, patch)
			}
			if inCluster {
				return onCluster.run(cmd.Context(), world, &flags, arguments, change, nil)
			}
			return runChange(cmd.Context(), world, &flags, change)
		},
	}
	flags.register(cmd)
	onCluster.register(cmd, false)
	cmd.Flags().StringVar(&set.component, "component", "", "change only this role")
	cmd.Flags().StringVar(&set.instance, "instance", "", "change only this instance of a role")
	cmd.Flags().StringVar(&set.schedulerName, "scheduler-name", "", "scheduler of the pods")
	cmd.Flags().StringVar(&set.priorityClass, "priority-class", "", "priority class of the pods")
	cmd.Flags().StringArrayVar(&set.labels, "label", nil, "KEY=VALUE to set on the pods (repeatable)")
	cmd.Flags().StringArrayVar(&set.annotations, "annotation", nil, "KEY=VALUE to set on the pods (repeatable)")
	cmd.Flags().StringArrayVar(&set.images, "image", nil, "[CONTAINER=]IMAGE (repeatable)")
	cmd.Flags().StringArrayVar(&set.requests, "request", nil, "[CONTAINER:]RESOURCE=QUANTITY (repeatable)")
	cmd.Flags().StringArrayVar(&set.limits, "limit", nil, "[CONTAINER:]RESOURCE=QUANTITY (repeatable)")
	cmd.Flags().StringVar(&set.patch, "patch", "", "merge patch of a pod template, in YAML or JSON")
	completeFromCluster(world, cmd, true, &onCluster.clusterFlags)
	return cmd
}

// empty reports that no flag asks for a change.
func (f *setFlags) empty() bool {
	lists := slices.Concat(f.labels, f.annotations, f.images, f.requests, f.limits)
	return len(lists) == 0 && f.schedulerName == "" && f.priorityClass == "" && f.patch == ""
}

// parse turns the flags into a patch of the pods.
func (f *setFlags) parse() (resolver.Patch, error) {
	patch := resolver.Patch{SchedulerName: f.schedulerName, PriorityClassName: f.priorityClass}
	var err error
	if patch.Labels, err = keyValues("label", f.labels); err != nil {
		return patch, err
	}
	if patch.Annotations, err = keyValues("annotation", f.annotations); err != nil {
		return patch, err
	}
	if patch.Containers, err = f.containers(); err != nil {
		return patch, err
	}
	if f.patch == "" {
		return patch, nil
	}
	documents, faults := source.Parse("--patch", []byte(f.patch))
	if len(faults) > 0 {
		return patch, faults[0]
	}
	if len(documents) != 1 {
		return patch, fmt.Errorf("--patch needs one object")
	}
	template, ok := documents[0].Value().(map[string]any)
	if !ok {
		return patch, fmt.Errorf("--patch needs an object with metadata or spec")
	}
	patch.Template = template
	return patch, nil
}

func (f *setFlags) containers() (map[string]resolver.ContainerPatch, error) {
	containers := map[string]resolver.ContainerPatch{}
	for _, text := range f.images {
		name, image, named := strings.Cut(text, "=")
		if !named {
			name, image = "", text
		}
		change := containers[name]
		change.Image = image
		containers[name] = change
	}
	for _, text := range f.requests {
		if err := addQuantity(containers, "request", text, func(c *resolver.ContainerPatch) *corev1.ResourceList { return &c.Requests }); err != nil {
			return nil, err
		}
	}
	for _, text := range f.limits {
		if err := addQuantity(containers, "limit", text, func(c *resolver.ContainerPatch) *corev1.ResourceList { return &c.Limits }); err != nil {
			return nil, err
		}
	}
	return containers, nil
}

func addQuantity(containers map[string]resolver.ContainerPatch, flag, text string, list func(*resolver.ContainerPatch) *corev1.ResourceList) error {
	container, rest, named := strings.Cut(text, ":")
	if !named {
		container, rest = "", text
	}
	name, value, ok := strings.Cut(rest, "=")
	quantity, err := resource.ParseQuantity(value)
	if !ok || name == "" || err != nil {
		return fmt.Errorf("--%s %s: want [CONTAINER:]RESOURCE=QUANTITY, such as main:cpu=500m", flag, text)
	}
	change := containers[container]
	if *list(&change) == nil {
		*list(&change) = corev1.ResourceList{}
	}
	(*list(&change))[corev1.ResourceName(name)] = quantity
	containers[container] = change
	return nil
}

func keyValues(flag string, texts []string) (map[string]string, error) {
	values := map[string]string{}
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--%s %s: want KEY=VALUE", flag, text)
		}
		values[key] = value
	}
	return values, nil
}
