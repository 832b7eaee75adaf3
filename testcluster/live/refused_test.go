package live

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/workloadmap/wm/testcluster"
)

// object makes a custom resource.
func object(t *testing.T, kind testcluster.Kind, namespace, name string, spec map[string]any) *unstructured.Unstructured {
	t.Helper()
	made := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	made.SetGroupVersionKind(kind.GroupVersionKind)
	made.SetName(name)
	made, err := custom.Resource(kind.Resource()).Namespace(namespace).Create(t.Context(), made, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// podTemplate is one container with one GPU.
func podTemplate() map[string]any {
	return map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
		"name": "main", "image": "registry.example.dev/main:1",
		"resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "1"}},
	}}}}
}

func rayCluster(t *testing.T, namespace, name string, workers int64) *unstructured.Unstructured {
	t.Helper()
	return object(t, testcluster.RayCluster, namespace, name, map[string]any{
		"headGroupSpec": map[string]any{"template": podTemplate()},
		"workerGroupSpecs": []any{map[string]any{
			"groupName": "gpu", "replicas": workers, "maxReplicas": workers, "template": podTemplate(),
		}},
	})
}

func jobSet(t *testing.T, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	return object(t, testcluster.JobSet, namespace, name, map[string]any{
		"replicatedJobs": []any{map[string]any{
			"name": "workers", "template": map[string]any{"spec": map[string]any{"template": podTemplate()}},
		}},
	})
}

// allow gives a user rules in one namespace, or in all with "".
func allow(t *testing.T, user, namespace string, rules ...rbacv1.PolicyRule) {
	t.Helper()
	name := metav1.ObjectMeta{Name: user}
	subjects := []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}}
	reference := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: user}
	client := typed.RbacV1()
	role := &rbacv1.ClusterRole{ObjectMeta: name, Rules: rules}
	if _, err := client.ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var err error
	if namespace == "" {
		binding := &rbacv1.ClusterRoleBinding{ObjectMeta: name, Subjects: subjects, RoleRef: reference}
		_, err = client.ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{})
	} else {
		binding := &rbacv1.RoleBinding{ObjectMeta: name, Subjects: subjects, RoleRef: reference}
		_, err = client.RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	// Tests share the cluster, not its roles.
	t.Cleanup(func() {
		_ = client.ClusterRoles().Delete(context.Background(), user, metav1.DeleteOptions{})
		_ = client.ClusterRoleBindings().Delete(context.Background(), user, metav1.DeleteOptions{})
	})
}

func kubeconfigOf(t *testing.T, user string) string {
	t.Helper()
	file, err := cluster.User(user)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func rule(group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: resources, Verbs: []string{"get", "list", "watch"}}
}

func TestForbiddenKinds(t *testing.T) {
	ns := namespace(t)
	rayCluster(t, ns, "train", 2)
	jobSet(t, ns, "sweep")
	allow(t, "ray-reader", ns, rule("ray.io", "rayclusters"), rule("", "pods"))
	reader := kubeconfigOf(t, "ray-reader")
	result := wmAs(t, reader, 1, "get", "--all", "-n", ns)
	if !strings.Contains(result.Stdout, "train") || strings.Contains(result.Stdout, "sweep") {
		t.Errorf("the listing is\n%s", result.Stdout)
	}
	for _, kind := range []string{"jobsets", "pytorchjobs", "deployments", "cronjobs"} {
		if strings.Count(result.Stderr, kind+" ") == 0 && strings.Count(result.Stderr, kind+".") == 0 {
			t.Errorf("standard error does not name %s:\n%s", kind, result.Stderr)
		}
	}
	if result := wmAs(t, reader, 0, "get", "raycluster", "-n", ns); !strings.Contains(result.Stdout, "train") {
		t.Errorf("the listing is\n%s", result.Stdout)
	}
	// The server's own words name the user and what is missing.
	result = wmAs(t, reader, 5, "get", "jobset", "-n", ns)
	for _, wanted := range []string{`User "ray-reader" cannot list resource "jobsets"`, ns} {
		if !strings.Contains(result.Stderr, wanted) {
			t.Errorf("standard error lacks %s:\n%s", wanted, result.Stderr)
		}
	}
}

func TestForbiddenNamespaces(t *testing.T) {
	ns := namespace(t)
	rayCluster(t, ns, "train", 2)
	allow(t, "own-namespace", ns, rule("ray.io", "rayclusters"), rule("", "pods", "events"))
	reader := kubeconfigOf(t, "own-namespace")
	wmAs(t, reader, 0, "get", "raycluster", "-n", ns)
	for _, arguments := range [][]string{
		{"get", "raycluster", "-A"}, {"get", "raycluster", "-n", "kube-system"}, {"get", "--all", "-A"},
		{"describe", "raycluster/train", "-n", "kube-system"},
	} {
		if result := wmAs(t, reader, 5, arguments...); !strings.Contains(result.Stderr, "forbidden") {
			t.Errorf("wm %s says\n%s", strings.Join(arguments, " "), result.Stderr)
		}
	}
}

func TestForbiddenPods(t *testing.T) {
	ns := namespace(t)
	rayCluster(t, ns, "train", 2)
	allow(t, "no-pods", ns, rule("ray.io", "rayclusters"))
	reader := kubeconfigOf(t, "no-pods")
	for _, arguments := range [][]string{{"describe", "raycluster/train", "-n", ns}, {"get", "raycluster", "-n", ns}} {
		result := wmAs(t, reader, 1, arguments...)
		// What the object says is known: a head and two workers of one GPU each.
		if !strings.Contains(result.Stdout, "train") || !strings.Contains(result.Stdout, "3") {
			t.Errorf("wm %s shows\n%s", strings.Join(arguments, " "), result.Stdout)
		}
		if !strings.Contains(result.Stderr, "pods") {
			t.Errorf("wm %s does not name pods:\n%s", strings.Join(arguments, " "), result.Stderr)
		}
	}
}

func TestNotFound(t *testing.T) {
	ns := namespace(t)
	for _, arguments := range [][]string{
		{"describe", "raycluster/none"}, {"get", "raycluster", "none"}, {"describe", "deploy/none"},
	} {
		result := wm(t, 3, append(arguments, "-n", ns)...)
		if !strings.Contains(result.Stderr, "none") || !strings.Contains(result.Stderr, "not found") {
			t.Errorf("wm %s says\n%s", strings.Join(arguments, " "), result.Stderr)
		}
	}
	// An empty namespace is no failure.
	wm(t, 0, "get", "--all", "-n", ns)
	// A kind that is served, and that no definition reads.
	wm(t, 4, "get", "configmaps", "-n", ns)
}

func TestKindWithoutServedVersion(t *testing.T) {
	ns := namespace(t)
	kind := testcluster.Kind{
		GroupVersionKind: schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "TFJob"}, Plural: "tfjobs", Unserved: true,
	}
	if err := cluster.Install(t.Context(), kind); err != nil {
		t.Fatal(err)
	}
	result, err := testcluster.WM(t.Context(), cluster.Kubeconfig, "get", "tfjob", "-n", ns)
	if err != nil || result.Code == 0 || !strings.Contains(result.Stderr, "TFJob") || !strings.Contains(result.Stderr, "serve") {
		t.Errorf("exit code %d (%v): %s", result.Code, err, result.Stderr)
	}
	rayCluster(t, ns, "train", 1)
	if result := wm(t, 0, "get", "--all", "-n", ns); !strings.Contains(result.Stdout, "train") || result.Stderr != "" {
		t.Errorf("the listing is\n%s%s", result.Stdout, result.Stderr)
	}
}

// TestConversionWebhookDown stores an object in one version and then has the
// server convert it by a webhook that nobody runs.
func TestConversionWebhookDown(t *testing.T) {
	ns := namespace(t)
	old := testcluster.Kind{
		GroupVersionKind: schema.GroupVersionKind{Group: "agents.x-k8s.io", Version: "v1alpha1", Kind: "Sandbox"}, Plural: "sandboxes",
	}
	if err := cluster.Install(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = custom.Resource(testcluster.CRDs).Delete(context.Background(), "sandboxes.agents.x-k8s.io", metav1.DeleteOptions{})
	})
	object(t, old, ns, "desk", map[string]any{"podTemplate": podTemplate()})
	rayCluster(t, ns, "train", 1)
	version := func(name string, storage bool) map[string]any {
		made := map[string]any{}
		for key, value := range old.Definition().Object["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any) {
			made[key] = value
		}
		made["name"], made["storage"] = name, storage
		return made
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{
		"versions": []any{version("v1alpha1", false), version("v1beta1", true)},
		"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{
			"conversionReviewVersions": []any{"v1"}, "clientConfig": map[string]any{"url": "https://127.0.0.1:1/convert"},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = custom.Resource(testcluster.CRDs).Patch(t.Context(), "sandboxes.agents.x-k8s.io", types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	current := old.Resource()
	current.Version = "v1beta1"
	eventually(t, "the webhook is asked", func() error {
		_, err := custom.Resource(current).Namespace(ns).List(t.Context(), metav1.ListOptions{})
		if err == nil || !strings.Contains(err.Error(), "conversion webhook") {
			return fmt.Errorf("listing says %w", err)
		}
		return nil
	})
	result := wm(t, 1, "get", "--all", "-n", ns)
	if !strings.Contains(result.Stdout, "train") {
		t.Errorf("the listing is\n%s", result.Stdout)
	}
	for _, wanted := range []string{"sandboxes", "conversion webhook"} {
		if !strings.Contains(result.Stderr, wanted) {
			t.Errorf("standard error lacks %q:\n%s", wanted, result.Stderr)
		}
	}
	wm(t, 5, "get", "sandbox", "-n", ns)
}
