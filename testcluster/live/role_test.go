package live

import (
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// TestLeastRole runs the reading commands with no more rights than their work
// needs: the kind itself, pods, events, and reading single objects of the kinds
// between the workload and its pods.
func TestLeastRole(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "web", 2)
	playAll(t, ns, expect(t, ns, "deploy/web", want{phase: "Initializing", desired: 2, pods: 2}).Pods, "")
	expect(t, ns, "deploy/web", want{phase: "Running", desired: 2, ready: 2, pods: 2})
	sets := rule("apps", "replicasets")
	sets.Verbs = []string{"get"}
	allow(t, "least", ns, rule("apps", "deployments"), rule("", "pods"), rule("events.k8s.io", "events"), rule("", "events"), sets)
	reader := kubeconfigOf(t, "least")
	for _, arguments := range [][]string{
		{"get", "deployment"}, {"get", "deployment", "web", "-o", "json"}, {"describe", "deployment/web", "--why"},
	} {
		result := wmAs(t, reader, 0, append(arguments, "-n", ns)...)
		if !strings.Contains(result.Stdout, "web") || !strings.Contains(result.Stdout, "Running") || result.Stderr != "" {
			t.Errorf("wm %s shows\n%s%s", strings.Join(arguments, " "), result.Stdout, result.Stderr)
		}
	}
	// The ReplicaSet's name is in the pods' owner references; that the set
	// belongs to the Deployment is not.
	without := []rbacv1.PolicyRule{rule("apps", "deployments"), rule("", "pods"), rule("", "events")}
	allow(t, "less", ns, without...)
	result := wmAs(t, kubeconfigOf(t, "less"), 1, "describe", "deployment/web", "-n", ns)
	if !strings.Contains(result.Stderr, "replicasets") {
		t.Errorf("standard error does not name what was missing:\n%s", result.Stderr)
	}
}

// TestOtherWorkloadsAreNoAffair reads a workload of one kind where pods of
// others run beside it, whose owners the user may not read.
func TestOtherWorkloadsAreNoAffair(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "web", 2)
	expect(t, ns, "deploy/web", want{phase: "Initializing", desired: 2, pods: 2})
	rayCluster(t, ns, "train", 1)
	allow(t, "ray-only", ns, rule("ray.io", "rayclusters"), rule("", "pods", "events"))
	reader := kubeconfigOf(t, "ray-only")
	for _, arguments := range [][]string{{"get", "raycluster"}, {"describe", "raycluster/train"}} {
		if result := wmAs(t, reader, 0, append(arguments, "-n", ns)...); result.Stderr != "" {
			t.Errorf("wm %s says\n%s", strings.Join(arguments, " "), result.Stderr)
		}
	}
}
