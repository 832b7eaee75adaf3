// Package scale runs the wm binary against a real API server that holds as much
// as a large cluster does.
package scale

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/testcluster"
	"github.com/workloadmap/wm/testcluster/fleet"
	"github.com/workloadmap/wm/testcluster/proxy"
)

// eachVariable makes the fleet smaller or larger than the 1,000 workloads of
// each kind that the numbers of this package are for.
const eachVariable = "TESTCLUSTER_EACH"

// bigPods is the number of pods of the one large workload.
const bigPods = 2000

var (
	cluster *testcluster.Cluster
	size    = fleet.Size{Each: 1000, Big: bigPods, Gadgets: 5, Namespaces: 10}
	written fleet.Count
)

func TestMain(m *testing.M) {
	if each := os.Getenv(eachVariable); each != "" {
		var err error
		if size.Each, err = strconv.Atoi(each); err != nil {
			fmt.Fprintf(os.Stderr, "%s is %q, not a number\n", eachVariable, each)
			os.Exit(2)
		}
	}
	os.Exit(testcluster.Main(testcluster.Options{ServersOnly: true}, func(started *testcluster.Cluster) int {
		cluster = started
		fmt.Printf("servers ready after %.1f s\n", started.Ready.Seconds())
		if err := load(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "fill the cluster:", err)
			return 1
		}
		return m.Run()
	}))
}

func load(ctx context.Context) error {
	if err := cluster.Install(ctx, fleet.Kinds...); err != nil {
		return err
	}
	config, err := cluster.Config()
	if err != nil {
		return err
	}
	if written, err = fleet.Load(ctx, config, size); err != nil {
		return err
	}
	fmt.Printf("wrote %d workloads, %d pods and %d objects between in %.0f s\n",
		written.Workloads, written.Pods, written.Others, written.Took.Seconds())
	for _, name := range slices.Sorted(maps.Keys(cluster.Memory())) {
		fmt.Printf("  %s: %d MB\n", name, cluster.Memory()[name]>>20)
	}
	return nil
}

// measured is one run of wm with what it asked the server.
type measured struct {
	testcluster.Result
	requests []proxy.Request
	// own is the time beyond the server's own answers.
	own time.Duration
}

// attempts is how often a command is run for its numbers: the first run warms
// the server's caches, and a machine with other things to do is slow by turns.
const attempts = 4

// run runs wm through a counting proxy until it is within the limits, and
// returns the last run.
func run(t *testing.T, within func(measured) bool, arguments ...string) measured {
	t.Helper()
	counting, kubeconfig, err := cluster.Proxied("reader", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	defer counting.Close()
	var last measured
	for range attempts {
		counting.Reset()
		if last.Result, err = testcluster.WM(t.Context(), kubeconfig, arguments...); err != nil {
			t.Fatal(err)
		}
		if last.Code != 0 || last.Stderr != "" {
			t.Fatalf("wm %s: exit code %d, standard error:\n%s", strings.Join(arguments, " "), last.Code, head(last.Stderr))
		}
		last.requests = counting.Requests()
		last.own = last.Took - proxy.ServerTime(last.requests)
		t.Logf("wm %s: %d requests, %.2f s (%.2f s beyond the server's answers, %.2f s of CPU), %d MB",
			strings.Join(arguments, " "), len(last.requests), last.Took.Seconds(), last.own.Seconds(), last.CPU.Seconds(), last.Memory>>20)
		if within(last) {
			break
		}
	}
	return last
}

func head(text string) string { return text[:min(len(text), 2000)] }

// The limits of listing everything.
const (
	mostMemory = 600 << 20
	mostOwn    = 3 * time.Second
)

func TestGetAll(t *testing.T) {
	result := run(t, func(m measured) bool { return m.own <= mostOwn && m.Memory <= mostMemory }, "get", "--all", "-A", "-o", "json")
	if result.Memory > mostMemory {
		t.Errorf("%d MB of memory; the limit is %d MB", result.Memory>>20, mostMemory>>20)
	}
	if result.own > mostOwn {
		t.Errorf("%.2f s beyond the server's own answers; the limit is %v", result.own.Seconds(), mostOwn)
	}
	var list struct {
		Items []struct {
			Kind      string
			Resources struct{ GPUs float64 }
			Replicas  struct{ Desired, Ready *int }
			Phase     string
		}
		Count int
	}
	if err := json.Unmarshal([]byte(result.Stdout), &list); err != nil {
		t.Fatal(err)
	}
	rows, gpus, ready := map[string]int{}, 0, 0
	for _, item := range list.Items {
		rows[item.Kind]++
		gpus += int(item.Resources.GPUs)
		if item.Replicas.Ready != nil {
			ready += *item.Replicas.Ready
		}
		if item.Phase != "Running" {
			t.Errorf("a %s is %s, not Running", item.Kind, item.Phase)
			break
		}
	}
	wanted := wantedRows()
	if !maps.Equal(rows, wanted) {
		t.Errorf("rows by kind are %v, want %v", rows, wanted)
	}
	if gpus != written.GPUs {
		t.Errorf("%d GPUs, want %d", gpus, written.GPUs)
	}
	if ready != written.Pods {
		t.Errorf("%d pods are ready, want %d: each pod counts once", ready, written.Pods)
	}
}

// TestGetAllRequests counts: discovery aside, one list for each kind (and one
// more for each further page), and one read for each distinct owner that no
// list brought.
func TestGetAllRequests(t *testing.T) {
	requests := run(t, once, "get", "--all", "-A").requests
	lists, pages, reads, discovery := map[string]int{}, map[string]int{}, map[string]int{}, 0
	for _, request := range requests {
		parts := strings.Split(strings.Trim(request.Path, "/"), "/")
		last := parts[len(parts)-1]
		switch {
		case request.Discovery():
			discovery++
		case strings.Contains(request.Path, "/namespaces/"):
			reads[request.Path]++
		case request.Query.Get("continue") != "":
			pages[last]++
		default:
			lists[last]++
		}
	}
	t.Logf("%d requests of discovery, %d lists, further pages %v, %d reads", discovery, len(lists), pages, len(reads))
	for kind, count := range lists {
		if count != 1 {
			t.Errorf("%s are listed %d times", kind, count)
		}
	}
	if further := (written.Pods - 1) / 500; pages["pods"] > further {
		t.Errorf("%d further pages of pods; %d hold all %d", pages["pods"], further, written.Pods)
	}
	if len(reads) != size.Gadgets {
		t.Errorf("%d owners are read one by one; only the %d gadgets are in no list", len(reads), size.Gadgets)
	}
	for path, count := range reads {
		if count != 1 {
			t.Errorf("%s is read %d times", path, count)
		}
	}
	if discovery > 3 {
		t.Errorf("%d requests of discovery; the aggregated form needs 2", discovery)
	}
}

// once is satisfied with the first run.
func once(measured) bool { return true }

func TestDescribeLargeWorkload(t *testing.T) {
	const limit = 2 * time.Second
	result := run(t, func(m measured) bool { return m.Took <= limit }, "describe", "raycluster/big", "-n", "team-0")
	if result.Took > limit {
		t.Errorf("took %.2f s, %.2f s of them beyond the server's own answers; the limit is %v",
			result.Took.Seconds(), result.own.Seconds(), limit)
	}
	if !strings.Contains(result.Stdout, "Running") {
		t.Errorf("the phase is missing:\n%s", head(result.Stdout))
	}
	// Far fewer lines than pods: equal siblings are folded.
	if lines := strings.Count(result.Stdout, "\n"); lines > 200 {
		t.Errorf("%d lines for %d pods", lines, bigPods)
	}
	result = run(t, once, "describe", "raycluster/big", "-n", "team-0", "-o", "json")
	var view struct {
		Phase     string
		Resources struct{ GPUs float64 }
		Replicas  struct{ Desired, Ready *int }
	}
	if err := json.Unmarshal([]byte(result.Stdout), &view); err != nil {
		t.Fatal(err)
	}
	if view.Phase != "Running" || view.Resources.GPUs != bigPods-1 || view.Replicas.Ready == nil || *view.Replicas.Ready != bigPods {
		t.Errorf("phase %s, %v GPUs, %v ready", view.Phase, view.Resources.GPUs, view.Replicas.Ready)
	}
}
