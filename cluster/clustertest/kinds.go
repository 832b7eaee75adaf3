package clustertest

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is one version of a kind that the server serves.
type Kind struct {
	Group, Version, Kind string
	Plural               string
	ShortNames           []string
	ClusterScoped        bool
	// Stale marks an API group whose own server does not answer.
	Stale bool
}

// Resource is the kind's place in URLs.
func (k Kind) Resource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: k.Version, Resource: k.Plural}
}

func (k Kind) groupVersion() string { return k.Resource().GroupVersion().String() }

// StandardKinds are core kinds and the frameworks that tests use, in the order
// of their groups in discovery.
func StandardKinds() []Kind {
	return []Kind{
		{Version: "v1", Kind: "Pod", Plural: "pods", ShortNames: []string{"po"}},
		{Version: "v1", Kind: "Event", Plural: "events", ShortNames: []string{"ev"}},
		{Version: "v1", Kind: "Service", Plural: "services", ShortNames: []string{"svc"}},
		{Version: "v1", Kind: "ConfigMap", Plural: "configmaps", ShortNames: []string{"cm"}},
		{Version: "v1", Kind: "Secret", Plural: "secrets"},
		{Version: "v1", Kind: "Namespace", Plural: "namespaces", ShortNames: []string{"ns"}, ClusterScoped: true},
		{Version: "v1", Kind: "Node", Plural: "nodes", ShortNames: []string{"no"}, ClusterScoped: true},
		{Group: "apps", Version: "v1", Kind: "Deployment", Plural: "deployments", ShortNames: []string{"deploy"}},
		{Group: "apps", Version: "v1", Kind: "ReplicaSet", Plural: "replicasets", ShortNames: []string{"rs"}},
		{Group: "apps", Version: "v1", Kind: "StatefulSet", Plural: "statefulsets", ShortNames: []string{"sts"}},
		{Group: "batch", Version: "v1", Kind: "Job", Plural: "jobs"},
		{Group: "batch", Version: "v1", Kind: "CronJob", Plural: "cronjobs", ShortNames: []string{"cj"}},
		{Group: "batch.volcano.sh", Version: "v1alpha1", Kind: "Job", Plural: "jobs", ShortNames: []string{"vcjob"}},
		{Group: "example.dev", Version: "v1", Kind: "Zork", Plural: "zorks"},
		{Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet", Plural: "jobsets"},
		{Group: "leaderworkerset.x-k8s.io", Version: "v1", Kind: "LeaderWorkerSet", Plural: "leaderworkersets", ShortNames: []string{"lws"}},
		{Group: "ray.io", Version: "v1", Kind: "RayCluster", Plural: "rayclusters"},
		{Group: "ray.io", Version: "v1", Kind: "RayJob", Plural: "rayjobs"},
		{Group: "trainer.kubeflow.org", Version: "v1alpha1", Kind: "TrainJob", Plural: "trainjobs"},
	}
}

func (s *Server) kindAt(r Request) (Kind, bool) {
	for _, kind := range s.kinds {
		if kind.Group == r.Group && kind.Version == r.Version && kind.Plural == r.Resource {
			return kind, true
		}
	}
	return Kind{}, false
}

func (s *Server) kindOf(apiVersion, kind string) (Kind, bool) {
	for _, held := range s.kinds {
		if held.groupVersion() == apiVersion && held.Kind == kind {
			return held, true
		}
	}
	return Kind{}, false
}

func singular(kind Kind) string { return strings.ToLower(kind.Kind) }
