package generators

import (
	"fmt"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/schema/index"
)

// coreKind is a kind of Kubernetes itself that gets an index.
type coreKind struct {
	group, version string
	goType         reflect.Type
	// defaults are what the API server fills into objects of this kind, by path,
	// beyond those in fieldDefaults.
	defaults map[string]any
}

// coreKinds lists the kinds with their defaults, as in the defaulting functions
// of Kubernetes' pkg/apis/apps/v1 and pkg/apis/batch/v1. They do not hold where
// the same Go type is part of something else: a CronJob's jobTemplate and a
// JobSet's are not filled in.
var coreKinds = []coreKind{
	{"", "v1", reflect.TypeFor[corev1.Pod](), nil},
	{"apps", "v1", reflect.TypeFor[appsv1.Deployment](), map[string]any{
		"spec.replicas": int64(1), "spec.revisionHistoryLimit": int64(10), "spec.progressDeadlineSeconds": int64(600),
	}},
	{"apps", "v1", reflect.TypeFor[appsv1.StatefulSet](), map[string]any{
		"spec.replicas": int64(1), "spec.revisionHistoryLimit": int64(10), "spec.podManagementPolicy": "OrderedReady",
	}},
	{"apps", "v1", reflect.TypeFor[appsv1.ReplicaSet](), map[string]any{"spec.replicas": int64(1)}},
	{"apps", "v1", reflect.TypeFor[appsv1.DaemonSet](), map[string]any{"spec.revisionHistoryLimit": int64(10)}},
	{"batch", "v1", reflect.TypeFor[batchv1.Job](), map[string]any{
		// completions stays absent when parallelism alone is set.
		"spec.parallelism": int64(1), "spec.backoffLimit": int64(6),
		"spec.completionMode": "NonIndexed", "spec.suspend": false,
	}},
	{"batch", "v1", reflect.TypeFor[batchv1.CronJob](), map[string]any{
		"spec.concurrencyPolicy": "Allow", "spec.suspend": false,
		"spec.successfulJobsHistoryLimit": int64(3), "spec.failedJobsHistoryLimit": int64(1),
	}},
}

// fieldDefaults are what the API server fills in wherever a core kind has the
// field, pod templates included (Kubernetes' pkg/apis/core/v1).
var fieldDefaults = map[string]any{
	"PodSpec.restartPolicy":                 "Always",
	"PodSpec.dnsPolicy":                     "ClusterFirst",
	"PodSpec.schedulerName":                 "default-scheduler",
	"PodSpec.terminationGracePeriodSeconds": int64(30),
	"PodSpec.enableServiceLinks":            true,
}

// libraryRoots are the types that custom resources embed; all types inside them
// are part of the library.
var libraryRoots = []reflect.Type{
	reflect.TypeFor[corev1.Pod](),
	reflect.TypeFor[corev1.PodTemplateSpec](),
	reflect.TypeFor[corev1.Service](),
	reflect.TypeFor[corev1.PersistentVolumeClaim](),
	reflect.TypeFor[corev1.ObjectReference](),
	reflect.TypeFor[appsv1.Deployment](),
	reflect.TypeFor[appsv1.StatefulSet](),
	reflect.TypeFor[appsv1.DaemonSet](),
	reflect.TypeFor[appsv1.ReplicaSet](),
	reflect.TypeFor[batchv1.Job](),
	reflect.TypeFor[batchv1.CronJob](),
	reflect.TypeFor[autoscalingv2.HorizontalPodAutoscaler](),
	reflect.TypeFor[networkingv1.Ingress](),
	reflect.TypeFor[metav1.Condition](),
}

// coreTypes makes the library of core types. release names the module version
// that they come from.
func coreTypes(release string, markers *markerReader) (*index.Library, error) {
	reader := newTypeReader(embedded, markers)
	for _, root := range libraryRoots {
		if _, err := reader.schema(root); err != nil {
			return nil, fmt.Errorf("read core types: %w", err)
		}
	}
	types := map[string]*index.Schema{}
	owners := map[string]reflect.Type{}
	for goType, made := range reader.made {
		if _, scalar := special[goType]; scalar || goType.Kind() != reflect.Struct {
			continue
		}
		name := goType.Name()
		// These are only ever parts of the fields around them.
		if name == "TypeMeta" {
			continue
		}
		if other, taken := owners[name]; taken {
			return nil, fmt.Errorf("%s.%s and %s.%s need different names", goType.PkgPath(), name, other.PkgPath(), name)
		}
		owners[name] = goType
		types[name] = made
	}
	return index.NewLibrary(release, types)
}

// kindsOf makes the indexes of Kubernetes' own kinds against a library.
func kindsOf(library *index.Library, markers *markerReader) ([]*index.Index, error) {
	reader := newTypeReader(served, markers)
	var made []*index.Index
	for _, kind := range coreKinds {
		root, err := reader.schema(kind.goType)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", kind.goType, err)
		}
		for path, value := range kind.defaults {
			if root, err = withDefault(root, strings.Split(path, "."), value); err != nil {
				return nil, fmt.Errorf("default of %s %s: %w", kind.goType.Name(), path, err)
			}
		}
		each, err := library.New(v1alpha1.GroupVersionKind{
			Group: kind.group, Version: kind.version, Kind: kind.goType.Name(),
		}, root)
		if err != nil {
			return nil, err
		}
		made = append(made, each)
	}
	return made, nil
}

// withDefault returns a copy of a schema with a default at a path.
func withDefault(s *index.Schema, path []string, value any) (*index.Schema, error) {
	changed := *s
	if len(path) == 0 {
		changed.Default = value
		return &changed, nil
	}
	changed.Fields = append([]index.Field(nil), s.Fields...)
	for i, field := range changed.Fields {
		if field.Name != path[0] {
			continue
		}
		below, err := withDefault(field.Schema, path[1:], value)
		if err != nil {
			return nil, err
		}
		changed.Fields[i].Schema = below
		return &changed, nil
	}
	return nil, fmt.Errorf("there is no field %q", path[0])
}
