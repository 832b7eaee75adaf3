package lint

import "testing"

func TestNearDialect(t *testing.T) {
	for _, c := range []struct {
		apiVersion, kind string
		want             string
	}{
		{"workloadmap.dev/v1beta1", "WorkloadMap", "workloadmap"},
		{"workloadmap.dev/v1alpha1", "WorkLoadMap", "workloadmap"},
		{"workloadmap.dev/v1alpha1", "Workloadmaps", "workloadmap"},
		{"workloadmap.dev/v1alpha1", "Definition", "workloadmap"},
		{"workloadmap.dev/v1alpha1", "", "workloadmap"},
		{"workloadsmap.dev/v1alpha1", "WorkloadMpa", "workloadmap"},
		{"", "WorkloadMap", "workloadmap"},
		{"", "karta", "karta"},
		{"run.ai/v1alpha1", "karta", "karta"},
		{"run.ai/v1alpha1", "Kartas", "karta"},
		{"optimization.nvidia.com/v1alpha1", "ResourceInterfaces", "resourceinterface"},
		// Other objects of the world.
		{"kueue.x-k8s.io/v1beta1", "Workload", ""},
		{"run.ai/v1alpha1", "Project", ""},
		{"run.ai/v2alpha1", "TrainingWorkload", ""},
		{"optimization.nvidia.com/v1alpha1", "SomethingElse", ""},
		{"v1", "ConfigMap", ""},
		{"apps/v1", "Deployment", ""},
		{"example.com/v1", "Kart", ""},
		{"", "", ""},
		{"", "Workload", ""},
		{"", "Kar", ""},
		{"v1", "List", ""},
	} {
		dialect, _ := NearDialect(c.apiVersion, c.kind)
		if dialect.Name != c.want {
			t.Errorf("%q %q is near %q, want %q", c.apiVersion, c.kind, dialect.Name, c.want)
		}
	}
}
