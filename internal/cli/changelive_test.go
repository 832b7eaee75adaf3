package cli_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/internal/cli"
	"github.com/workloadmap/wm/schema"
	"sigs.k8s.io/yaml"
)

var rayCluster = clustertest.Kind{Group: "ray.io", Version: "v1", Kind: "RayCluster", Plural: "rayclusters"}

// suspended is the switch of the stored RayCluster, nil when it is not set.
func suspended(server *clustertest.Server) any {
	return server.Object(rayCluster, "a", "train")["spec"].(map[string]any)["suspend"]
}

func writable(t *testing.T) (*clustertest.Server, *[]clustertest.Write) {
	t.Helper()
	server := liveWorld(t)
	var writes []clustertest.Write
	server.Writes(func(w clustertest.Write) { writes = append(writes, w) })
	return server, &writes
}

func TestSuspendLive(t *testing.T) {
	for _, test := range []struct {
		flags  string
		writes int
		code   int
		want   any
	}{
		{"--yes", 1, 0, true},
		{"--dry-run=client", 0, 0, nil},
		{"--dry-run=server", 1, 0, nil},
		{"", 0, 2, nil}, // standard input is empty: not confirmed
		{"-o yaml", 0, 2, nil},
	} {
		t.Run(test.flags, func(t *testing.T) {
			server, writes := writable(t)
			code, stdout, stderr := liveSession(t, server, append([]string{"suspend", "raycluster/train"}, strings.Fields(test.flags)...)...)
			if code != test.code || len(*writes) != test.writes || suspended(server) != test.want {
				t.Errorf("exit code %d, %d writes, suspend %v\n%s%s", code, len(*writes), suspended(server), stdout, stderr)
			}
			if test.flags != "-o yaml" && !strings.Contains(stdout, "+  suspend: true") {
				t.Errorf("no difference is shown:\n%s", stdout)
			}
			for _, w := range *writes {
				if w.FieldManager != "wm" || w.ContentType != "application/json-patch+json" || w.DryRun != (test.want == nil) {
					t.Errorf("written as %s with %s, dry run %v", w.FieldManager, w.ContentType, w.DryRun)
				}
			}
		})
	}
}

// TestConflict changes the object between the read and the patch.
func TestConflict(t *testing.T) {
	server := liveWorld(t)
	server.Writes(func(clustertest.Write) {
		server.Add(t, server.Object(rayCluster, "a", "train"))
	})
	code, _, stderr := liveSession(t, server, "suspend", "raycluster/train", "--yes")
	if code != 5 || !strings.Contains(stderr, "the object has been modified; please apply your changes to the latest version") || suspended(server) != nil {
		t.Errorf("exit code %d, stderr %q, suspend %v", code, stderr, suspended(server))
	}
}

func TestAdmissionRefusal(t *testing.T) {
	server, _ := writable(t)
	const words = `admission webhook "quota.example.dev" denied the request: team red may not change this`
	server.Fail(func(r clustertest.Request) *clustertest.Failure {
		if r.Verb != "patch" {
			return nil
		}
		return &clustertest.Failure{Status: clustertest.Status(400, "BadRequest", words)}
	})
	code, _, stderr := liveSession(t, server, "set", "raycluster/train", "--label", "a=b", "--yes")
	if code != 5 || !strings.Contains(stderr, words) {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}

// TestWaitTimesOut waits for a phase that no controller brings about.
func TestWaitTimesOut(t *testing.T) {
	server, _ := writable(t)
	code, _, stderr := liveSession(t, server, "suspend", "raycluster/train", "--yes", "--wait", "--timeout", "50ms")
	if code != 1 || !strings.Contains(stderr, "was changed, but after 50ms its phase is still") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}

func TestGangLive(t *testing.T) {
	code, stdout, stderr := liveSession(t, liveWorld(t), "gang", "raycluster/train")
	if code != 0 || !strings.Contains(stdout, "train") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// granted reads a ClusterRole and says which requests it allows.
func granted(t *testing.T, role string) func(clustertest.Request) *clustertest.Failure {
	t.Helper()
	var parsed struct {
		Rules []struct{ APIGroups, Resources, Verbs []string }
	}
	if err := yaml.Unmarshal([]byte(role), &parsed); err != nil || len(parsed.Rules) == 0 {
		t.Fatalf("no role: %v\n%s", err, role)
	}
	return func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == "" {
			return nil
		}
		for _, rule := range parsed.Rules {
			if slices.Contains(rule.APIGroups, r.Group) && slices.Contains(rule.Resources, r.Resource) && slices.Contains(rule.Verbs, r.Verb) {
				return nil
			}
		}
		return clustertest.Forbidden(r)
	}
}

// TestRole runs commands with no more rights than wm rbac gives for the types
// whose pods are in the namespace: pods are read together, and so are their owners.
func TestRole(t *testing.T) {
	for command, types := range map[string]string{
		"get raycluster": "RayClusters.ray.io", "get --all": "", "get --all -A": "",
		"describe raycluster/train --why": "raycluster", "describe jobset/sweep": "jobset", "describe deploy/web": "deployment",
		"gang raycluster/train":                  "raycluster",
		"suspend raycluster/train --yes":         "raycluster --write",
		"resume raycluster/train --yes":          "raycluster --write",
		"set raycluster/train --label a=b --yes": "raycluster --write",
	} {
		t.Run(command, func(t *testing.T) {
			server, _ := writable(t)
			_, role, _ := liveRBAC(t, types)
			server.Fail(granted(t, role))
			code, stdout, stderr := liveSession(t, server, strings.Fields(command)...)
			if code != 0 || strings.Contains(stderr, "forbidden") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
	server, _ := writable(t)
	_, role, _ := liveRBAC(t, "raycluster")
	server.Fail(granted(t, role))
	if code, _, stderr := liveSession(t, server, "suspend", "raycluster/train", "--yes"); code != 5 || !strings.Contains(stderr, "forbidden") {
		t.Errorf("suspend without --write: exit code %d, stderr %q", code, stderr)
	}
}

func liveRBAC(t *testing.T, types string) (code int, stdout, stderr string) {
	t.Helper()
	return outside(t, "wm", append([]string{"rbac"}, strings.Fields(types)...)...)
}

// outside runs a command without a cluster, under a program name.
func outside(t *testing.T, program string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	world := cli.World{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Files: folder(t.TempDir()), Program: program}
	code = cli.Run(context.Background(), arguments, world)
	return code, out.String(), errors.String()
}

func TestPlugin(t *testing.T) {
	if _, stdout, _ := outside(t, "/usr/bin/kubectl-wm", "get", "--help"); !strings.Contains(stdout, "kubectl wm get") {
		t.Errorf("help of the plugin:\n%s", stdout)
	}
	if _, stdout, _ := outside(t, "wm", "get", "--help"); strings.Contains(stdout, "kubectl wm get") {
		t.Errorf("help of wm:\n%s", stdout)
	}
}

func TestCRD(t *testing.T) {
	if _, stdout, _ := outside(t, "wm", "crd", "print"); stdout != string(schema.CRD()) {
		t.Error("wm crd print does not write the CRD")
	}
	crd := clustertest.Kind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Plural: "customresourcedefinitions", ClusterScoped: true}
	server := clustertest.Start(t, clustertest.Kinds(crd))
	var writes []clustertest.Write
	server.Writes(func(w clustertest.Write) { writes = append(writes, w) })
	code, stdout, stderr := liveSession(t, server, "crd", "install")
	if code != 0 || len(writes) != 1 || writes[0].ContentType != "application/apply-patch+yaml" || writes[0].Name != "workloadmaps.workloadmap.dev" || writes[0].FieldManager != "wm" {
		t.Errorf("exit code %d, writes %v\n%s%s", code, writes, stdout, stderr)
	}
}

// TestClusterDefinitions puts a usable and a broken definition into the cluster.
func TestClusterDefinitions(t *testing.T) {
	kinds := append(clustertest.StandardKinds(), clustertest.Kind{Group: "workloadmap.dev", Version: "v1alpha1", Kind: "WorkloadMap", Plural: "workloadmaps", ClusterScoped: true})
	server := clustertest.Start(t, clustertest.Kinds(kinds...))
	server.AddYAML(t, `
apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: zork}
spec: {structureDefinition: {rootComponent: {name: zork, kind: {group: example.dev, version: v1, kind: Zork}, statusDefinition: {phaseDefinition: {path: .status.phase}, statusMappings: {}}}}}
---
apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata: {name: broken}
spec: {structureDefinition: {rootComponent: {name: broken}}}
---
apiVersion: example.dev/v1
kind: Zork
metadata: {name: one, namespace: a}
`)
	code, stdout, stderr := liveSession(t, server, "get", "zork")
	if code != 0 || !strings.Contains(stdout, "one") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if !strings.Contains(stderr, "workloadmaps.workloadmap.dev/broken: its root component has no kind") {
		t.Errorf("the broken definition is not told about: %q", stderr)
	}
}

func TestCompletion(t *testing.T) {
	server := liveWorld(t)
	t.Setenv("KUBECONFIG", server.Kubeconfig(t, "a"))
	for line, want := range map[string]string{
		"describe rayc": "raycluster/", "describe raycluster/t": "raycluster/train", "get rayclust": "raycluster", "get raycluster tr": "train",
		"set raycluster/train --component wor": "worker", "set raycluster/train --component worker --instance sm": "small",
	} {
		var out bytes.Buffer
		world := cli.World{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &bytes.Buffer{}, Files: folder(t.TempDir()), Connect: cluster.Connect}
		cli.Run(context.Background(), append([]string{"__complete"}, strings.Fields(line)...), world)
		if first, _, _ := strings.Cut(out.String(), "\n"); first != want {
			t.Errorf("%s: completes to %q, want %q", line, first, want)
		}
	}
}
