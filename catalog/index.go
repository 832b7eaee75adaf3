package catalog

import "github.com/workloadmap/wm/api/v1alpha1"

// index lists the definition files, sorted by name. It saves reading every
// file to find the one for an object; a test holds it against the files.
var index = []Entry{
	{"apps-deployment-v1", v1alpha1.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}},
	{"batch-job-v1", v1alpha1.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}},
	{"jobset-x-k8s-io-jobset-v1alpha2", v1alpha1.GroupVersionKind{Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet"}},
	{"kubeflow-org-pytorchjob-v1", v1alpha1.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "PyTorchJob"}},
	{"leaderworkerset-x-k8s-io-leaderworkerset-v1", v1alpha1.GroupVersionKind{Group: "leaderworkerset.x-k8s.io", Version: "v1", Kind: "LeaderWorkerSet"}},
	{"ray-io-raycluster-v1", v1alpha1.GroupVersionKind{Group: "ray.io", Version: "v1", Kind: "RayCluster"}},
}
