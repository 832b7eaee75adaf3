package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
	"github.com/workloadmap/wm/internal/cli"
)

// TestLiveFailures pins exit codes and messages: 2 for a wrong command line, 3
// for what is not there, 4 without a definition, 5 when nothing could be read,
// 1 when something could not.
func TestLiveFailures(t *testing.T) {
	forbidden := func(resources ...string) func(clustertest.Request) *clustertest.Failure {
		return func(r clustertest.Request) *clustertest.Failure {
			for _, resource := range resources {
				if r.Resource == resource {
					return clustertest.Forbidden(r)
				}
			}
			return nil
		}
	}
	unauthorized := func(clustertest.Request) *clustertest.Failure {
		return &clustertest.Failure{Status: clustertest.Status(401, metav1.StatusReasonUnauthorized, "Unauthorized")}
	}
	for _, c := range []struct {
		words  string
		fail   func(clustertest.Request) *clustertest.Failure
		code   int
		stdout string // what standard output has to hold; "" wants none
		stderr string
	}{
		{"get", nil, 2, "", "error: name a type, such as raycluster, or give --all"},
		{"get --all raycluster", nil, 2, "", "error: --all lists every type: leave out raycluster"},
		{"get raycluster/train", nil, 2, "", `error: "raycluster/train" is no type: write wm get TYPE NAME`},
		{"get raycluster -A -n a", nil, 2, "", "error: give -n or -A, not both"},
		{"get raycluster --phase Runing", nil, 2, "", `error: there is no phase "Runing": use Failed, `},
		{"get raycluster --sort-by size", nil, 2, "", `error: cannot sort by "size": use gpus, age, name or phase`},
		{"get raycluster --by owner", nil, 2, "", `error: cannot add up by "owner": use namespace, type or label=KEY`},
		{"get raycluster -o xml", nil, 2, "", `error: unknown output format "xml": use one of text, wide, json, yaml, name, or custom-columns=NAME:EXPRESSION and more after commas`},
		{"get raycluster -o custom-columns=NAME", nil, 2, "", `error: custom-columns: "NAME" is no column`},
		{"get raycluster -o custom-columns=NAME:.a.[", nil, 2, "", "error: custom-columns: column NAME: "},
		{"get raycluster --request-timeout soon", nil, 2, "", `error: --request-timeout "soon" is no duration: write 30s or 2m, or 0 for none`},
		{"get raycluster --context other", nil, 5, "", `has no context "other"`},
		{"describe", nil, 2, "", "error: name a workload, such as raycluster/train, or a file with -f"},
		{"describe train", nil, 2, "", `error: "train" names no workload: write TYPE/NAME, such as raycluster/train`},
		{"describe raycluster/train -f x.yaml", nil, 2, "", "error: name workloads of a cluster or files with -f, not both"},
		{"get raycluster -n nowhere", nil, 0, "", "no rayclusters.ray.io found in namespace nowhere"},
		{"get raycluster -n nowhere -o json", nil, 0, `"count": 0`, "no rayclusters.ray.io found in namespace nowhere"},
		{"get raycluster nobody", nil, 3, "", `error: cannot read rayclusters.ray.io nobody in namespace a: rayclusters.ray.io "nobody" not found`},
		{"get raycluster nobody train", nil, 3, "train", `rayclusters.ray.io "nobody" not found`},
		{"describe raycluster/nobody", nil, 3, "", `rayclusters.ray.io "nobody" not found`},
		{"describe raycluster/nobody -A", nil, 3, "", "error: no rayclusters.ray.io is named nobody in any namespace"},
		{"describe raycluster/parked -A", nil, 0, "RayCluster b/parked  Suspended", ""},
		{"describe pytorchjob/x", nil, 3, "", "error: the cluster does not serve kubeflow.org PyTorchJob: its CRD is not installed, or serves no version"},
		{"describe zork/x", nil, 4, "", "error: no definition for example.dev/v1 Zork"},
		{"get rayclutser", nil, 4, "", `error: the cluster serves no type "rayclutser"; did you mean raycluster?`},
		{"get raycluster", unauthorized, 5, "", "error: cannot look up what the cluster serves: the cluster does not accept these credentials: "},
		{"get raycluster", forbidden("rayclusters"), 5, "", "error: cannot list rayclusters.ray.io in namespace a: rayclusters.ray.io is forbidden: "},
		{"get --all", forbidden("rayjobs"), 1, "train", "error: cannot list rayjobs.ray.io in namespace a: rayjobs.ray.io is forbidden: "},
		{"get raycluster", forbidden("pods"), 1, "train      Degraded   ?/3", "error: cannot list pods in namespace a: pods is forbidden: "},
		{"describe raycluster/train", forbidden("events"), 1, "train", "error: cannot list events in namespace a: events is forbidden: "},
		{"get job", nil, 0, "sweep-workers-0", "note: job is read as jobs.batch; it can also mean jobs.batch.volcano.sh"},
	} {
		t.Run(c.words, func(t *testing.T) {
			server := liveWorld(t)
			server.Fail(c.fail)
			code, stdout, stderr := liveSession(t, server, strings.Fields(c.words)...)
			if code != c.code || !strings.Contains(stderr, c.stderr) || !strings.Contains(stdout, c.stdout) || c.stdout == "" && stdout != "" {
				t.Errorf("exit code %d, stdout %q, stderr %q; want code %d, %q, %q", code, stdout, stderr, c.code, c.stdout, c.stderr)
			}
			if strings.Contains(stdout+stderr, clustertest.Token) {
				t.Error("shows the token")
			}
		})
	}
}

// TestKubeconfigFaults never quote from a kubeconfig, which holds credentials.
func TestKubeconfigFaults(t *testing.T) {
	const secret = "secret-token-0123456789"
	for name, c := range map[string]struct{ content, want string }{
		"broken":           {"users: [{name: x, user: {token: " + secret, "is not a kubeconfig"},
		"wrong types":      {"apiVersion: v1\nkind: Config\nusers: {token: " + secret + "}", "is not a kubeconfig"},
		"no such cluster":  {"apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: gone, user: x}}]\nusers: [{name: x, user: {token: " + secret + "}}]", "names a cluster \"gone\" that is not there"},
		"empty":            {"apiVersion: v1\nkind: Config\n", "no cluster is configured"},
		"no such file":     {"", "cannot read kubeconfig "},
		"nobody listens":   {"apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: x}}]\nclusters: [{name: k, cluster: {server: 'https://me:" + secret + "@127.0.0.1:1'}}]\nusers: [{name: x, user: {token: " + secret + "}}]", "the cluster at https://127.0.0.1:1 cannot be reached: "},
		"a certificate":    {"apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: x}}]\nclusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: x, user: {client-certificate-data: c2VjcmV0LXRva2VuLTAxMjM0NTY3ODk=, client-key-data: c2VjcmV0LXRva2VuLTAxMjM0NTY3ODk=}}]", "error: "},
		"not even a map":   {secret, "is not a kubeconfig"},
		"a missing plugin": {"apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: x}}]\nclusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: x, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never, env: [{name: T, value: " + secret + "}]}}}]", "no-such-plugin"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config")
			if c.content != "" {
				if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			world := cli.World{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Files: folder(t.TempDir()), Connect: cluster.Connect}
			code := cli.Run(context.Background(), []string{"get", "raycluster", "--kubeconfig", file, "--request-timeout", "5s"}, world)
			if code != 5 || stdout.Len() > 0 || !strings.Contains(stderr.String(), c.want) || strings.Contains(stderr.String(), secret) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want code 5, %q", code, stdout.String(), stderr.String(), c.want)
			}
			for _, word := range []string{"unmarshal", "runtime error", "v1."} {
				if strings.Contains(stderr.String(), word) {
					t.Errorf("speaks of %s: %s", word, stderr.String())
				}
			}
		})
	}
}
