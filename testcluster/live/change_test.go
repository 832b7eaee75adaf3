package live

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/workloadmap/wm/testcluster"
	"github.com/workloadmap/wm/testcluster/proxy"
)

// watched runs wm through a proxy and returns what it wrote to the server.
func watched(t *testing.T, code int, arguments ...string) (testcluster.Result, []proxy.Request) {
	t.Helper()
	counting, kubeconfig, err := cluster.Proxied("writer", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	defer counting.Close()
	result := wmAs(t, kubeconfig, code, arguments...)
	var writes []proxy.Request
	for _, request := range counting.Requests() {
		if request.Method != http.MethodGet {
			writes = append(writes, request)
		}
		if request.Method == http.MethodPut {
			t.Errorf("a whole object is written: %s", request)
		}
	}
	return result, writes
}

func TestSuspendAndResume(t *testing.T) {
	ns := namespace(t)
	newJob(t, ns, "train", 2)
	pods := expect(t, ns, "job/train", want{phase: "Initializing", desired: 2, pods: 2}).Pods
	playAll(t, ns, pods, "")
	running := want{phase: "Running", desired: 2, ready: 2, pods: 2}
	expect(t, ns, "job/train", running)

	if _, writes := watched(t, 0, "suspend", "job/train", "-n", ns, "--dry-run=client"); len(writes) > 0 {
		t.Errorf("a dry run of the client's writes %v", writes)
	}
	_, writes := watched(t, 0, "suspend", "job/train", "-n", ns, "--dry-run=server")
	for _, write := range writes {
		if write.Query.Get("dryRun") != "All" {
			t.Errorf("a dry run writes %s", write)
		}
	}
	expect(t, ns, "job/train", running)

	// The controller deletes the pods of a suspended job.
	watched(t, 0, "suspend", "job/train", "-n", ns, "--yes", "--wait", "--timeout", "30s")
	if got := describe(t, ns, "job/train"); got.Phase != "Suspended" || len(got.Pods) != 0 {
		t.Errorf("after --wait the job is %s with %d pods", got.Phase, len(got.Pods))
	}
	watched(t, 0, "resume", "job/train", "-n", ns, "--yes")
	pods = expect(t, ns, "job/train", want{phase: "Initializing", desired: 2, pods: 2}).Pods
	playAll(t, ns, pods, "")
	expect(t, ns, "job/train", running)
}

func TestSet(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "web", 1)
	result, _ := watched(t, 0, "set", "deploy/web", "-n", ns, "--image", "main=registry.example.dev/main:2", "--yes")
	if !strings.Contains(result.Stdout+result.Stderr, "registry.example.dev/main:2") {
		t.Errorf("no difference is shown:\n%s%s", result.Stdout, result.Stderr)
	}
	changed, err := typed.AppsV1().Deployments(ns).Get(t.Context(), "web", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if image := changed.Spec.Template.Spec.Containers[0].Image; image != "registry.example.dev/main:2" {
		t.Errorf("the image is %s", image)
	}
}

// TestAdmissionRefusal has the API server itself refuse a change, in its words.
func TestAdmissionRefusal(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "web", 1)
	fail := admissionv1.Fail
	policy := &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "own-images"},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: &fail,
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
				RuleWithOperations: admissionv1.RuleWithOperations{
					Operations: []admissionv1.OperationType{admissionv1.Update},
					Rule:       admissionv1.Rule{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}},
				},
			}}},
			Validations: []admissionv1.Validation{{
				Expression: "object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.dev/'))",
				Message:    "images come from registry.example.dev",
			}},
		},
	}
	client := typed.AdmissionregistrationV1()
	if _, err := client.ValidatingAdmissionPolicies().Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &admissionv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "own-images"},
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: "own-images", ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
			MatchResources: &admissionv1.MatchResources{NamespaceSelector: &metav1.LabelSelector{
				MatchLabels: map[string]string{"kubernetes.io/metadata.name": ns},
			}},
		},
	}
	if _, err := client.ValidatingAdmissionPolicyBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	// A new policy takes a moment to be enforced.
	eventually(t, "the policy is enforced", func() error {
		result, err := testcluster.WM(t.Context(), cluster.Kubeconfig, "set", "deploy/web", "-n", ns, "--image", "main=elsewhere/main:2", "--dry-run=server", "--yes")
		if err == nil && result.Code == 0 {
			err = errNotYet
		}
		return err
	})
	result, err := testcluster.WM(t.Context(), cluster.Kubeconfig, "set", "deploy/web", "-n", ns, "--image", "main=elsewhere/main:2", "--yes")
	if err != nil {
		t.Fatal(err)
	}
	if result.Code == 0 || !strings.Contains(result.Stderr, "images come from registry.example.dev") {
		t.Errorf("exit code %d, standard error:\n%s", result.Code, result.Stderr)
	}
}

// TestRoleIsEnough applies what "wm rbac" prints and runs the commands with
// exactly those rights.
func TestRoleIsEnough(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "web", 1)
	newJob(t, ns, "train", 1)
	playAll(t, ns, expect(t, ns, "deploy/web", want{phase: "Initializing", desired: 1, pods: 1}).Pods, "")
	rayCluster(t, ns, "ray", 1)
	reading := [][]string{
		{"get", "deployment"}, {"get", "job"}, {"get", "raycluster"}, {"describe", "deployment/web", "--why"},
		{"describe", "raycluster/ray"}, {"gang", "raycluster/ray"},
	}
	writing := [][]string{
		{"set", "deployment/web", "--label", "release=2", "--yes"},
		{"suspend", "job/train", "--yes", "--wait"}, {"resume", "job/train", "--yes"},
	}
	reader := roleOf(t, ns, "role-reader", "rbac", "deployment", "job", "raycluster")
	for _, arguments := range reading {
		if result := wmAs(t, reader, 0, append(arguments, "-n", ns)...); result.Stderr != "" {
			t.Errorf("wm %s says\n%s", strings.Join(arguments, " "), result.Stderr)
		}
	}
	// Resuming what runs changes nothing, and needs no right.
	for _, arguments := range writing[:2] {
		result, err := testcluster.WM(t.Context(), reader, append(arguments, "-n", ns)...)
		if err != nil || result.Code == 0 || !strings.Contains(result.Stderr, "forbidden") {
			t.Errorf("wm %s without the right to write: exit code %d (%v)\n%s", strings.Join(arguments, " "), result.Code, err, result.Stderr)
		}
	}
	writer := roleOf(t, ns, "role-writer", "rbac", "deployment", "job", "raycluster", "--write")
	for _, arguments := range append(reading, writing...) {
		wmAs(t, writer, 0, append(arguments, "-n", ns)...)
	}
}

// roleOf applies the role that wm prints for the arguments, binds it to a new
// user in a namespace, and returns the user's kubeconfig.
func roleOf(t *testing.T, namespace, user string, arguments ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "role.yaml")
	printed := wm(t, 0, append(arguments, "--name", user)...).Stdout
	if err := os.WriteFile(file, []byte(printed), 0o600); err != nil {
		t.Fatal(err)
	}
	applied, err := testcluster.Run(t.Context(), cluster.Kubeconfig, os.Getenv("TESTCLUSTER_KUBEALL"), "kubectl", "apply", "-f", file, "-o", "name")
	if err != nil || applied.Code != 0 {
		t.Fatalf("apply the role (%v): %s\n%s", err, applied.Stderr, printed)
	}
	_, role, _ := strings.Cut(strings.TrimSpace(applied.Stdout), "/")
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
	}
	if _, err := typed.RbacV1().RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return kubeconfigOf(t, user)
}
