package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workloadmap/wm/testcluster"
)

// TestTypeWords takes the words for a type that kubectl takes, as the server's
// discovery tells them, and the kind that a definition names.
func TestTypeWords(t *testing.T) {
	ns := namespace(t)
	rayCluster(t, ns, "train", 1)
	object(t, testcluster.LeaderWorkerSet, ns, "llm", map[string]any{
		"replicas": int64(1), "leaderWorkerTemplate": map[string]any{"size": int64(2), "workerTemplate": podTemplate()},
	})
	newDeployment(t, ns, "web", 1)
	for name, words := range map[string][]string{
		"train": {"raycluster", "rayclusters", "RayCluster", "RAYCLUSTERS", "rayclusters.ray.io", "rayclusters.v1.ray.io"},
		"llm":   {"lws", "leaderworkerset", "leaderworkersets.leaderworkerset.x-k8s.io"},
		"web":   {"deploy", "deployment", "deployments", "deployments.apps", "deployments.v1.apps"},
	} {
		for _, word := range words {
			result := wm(t, 0, "get", word, "-n", ns, "-o", "name")
			if !strings.HasSuffix(strings.TrimSpace(result.Stdout), "/"+name) {
				t.Errorf("wm get %s lists %q, want %s", word, result.Stdout, name)
			}
		}
	}
}

// TestPlugin runs wm by way of kubectl.
func TestPlugin(t *testing.T) {
	ns := namespace(t)
	rayCluster(t, ns, "train", 1)
	folder := t.TempDir()
	if err := os.Symlink(os.Getenv("TESTCLUSTER_WM"), filepath.Join(folder, "kubectl-wm")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	result, err := testcluster.Run(t.Context(), cluster.Kubeconfig, os.Getenv("TESTCLUSTER_KUBEALL"), "kubectl", "wm", "get", "raycluster", "-n", ns)
	if err != nil {
		t.Fatal(err)
	}
	if result.Code != 0 || !strings.Contains(result.Stdout, "train") {
		t.Errorf("exit code %d\n%s%s", result.Code, result.Stdout, result.Stderr)
	}
}
