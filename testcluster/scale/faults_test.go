package scale

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workloadmap/wm/testcluster"
	"github.com/workloadmap/wm/testcluster/proxy"
)

// fault is one way in which a server or the way to it fails.
type fault struct {
	name      string
	rules     []proxy.Rule
	arguments []string
	// code is the exit code: 0 when the fault was got over, 1 with a part of
	// the result, 5 with nothing.
	code int
	// says are words that standard error has, one of them for each thing that
	// could not be read.
	says []string
	// missing are the kinds whose rows cannot be there.
	missing []string
	// atLeast and atMost bound the time that the command takes.
	atLeast, atMost time.Duration
}

var everything = []string{"get", "--all", "-A", "-o", "json"}

// page is a part of the address of every page of pods but the first.
const page = "/api/v1/pods?continue="

func faults() []fault {
	refused := func(status int, reason string) proxy.Fault {
		return proxy.Fault{Status: status, Reason: reason, Message: "the test says " + reason}
	}
	broken := refused(http.StatusInternalServerError, "InternalError")
	expired := refused(http.StatusUnauthorized, "Unauthorized")
	busy := refused(http.StatusTooManyRequests, "TooManyRequests")
	busy.RetryAfter = 2
	return []fault{
		{
			name:    "too many requests",
			rules:   []proxy.Rule{{Path: "/api/v1/pods", Times: 1, Fault: busy}},
			atLeast: 2 * time.Second,
		},
		{
			name:  "one server error",
			rules: []proxy.Rule{{Path: "/rayclusters", Times: 1, Fault: broken}},
		},
		{
			name:    "a kind that always fails",
			rules:   []proxy.Rule{{Path: "/rayclusters", Fault: broken}},
			code:    1,
			says:    []string{"rayclusters"},
			missing: []string{"RayCluster"},
		},
		{
			name: "half the kinds fail",
			rules: []proxy.Rule{
				{Path: "/rayclusters", Fault: broken}, {Path: "/pytorchjobs", Fault: broken}, {Path: "/jobsets", Fault: broken},
			},
			code:    1,
			says:    []string{"rayclusters", "pytorchjobs", "jobsets"},
			missing: []string{"RayCluster", "PyTorchJob", "JobSet"},
		},
		{
			name:  "a connection reset in the middle of a page",
			rules: []proxy.Rule{{Path: page, Times: 1, Fault: proxy.Fault{CutAfter: 1000}}},
		},
		{
			name:  "an answer cut in the middle of a page",
			rules: []proxy.Rule{{Path: page, Times: 1, Fault: proxy.Fault{CutAfter: 1000, StreamOnly: true}}},
		},
		{
			name:  "an expired continue token",
			rules: []proxy.Rule{{Path: page, Skip: 1, Times: 1, Fault: refused(http.StatusGone, "Expired")}},
		},
		{
			name:      "a slow kind",
			rules:     []proxy.Rule{{Path: "/rayclusters", Fault: proxy.Fault{Delay: time.Minute}}},
			arguments: append(slices.Clone(everything), "--request-timeout", "2s"),
			code:      1,
			says:      []string{"rayclusters"},
			missing:   []string{"RayCluster"},
			atMost:    20 * time.Second,
		},
		{
			name:      "a server that never answers",
			rules:     []proxy.Rule{{Fault: proxy.Fault{Delay: time.Minute}}},
			arguments: append(slices.Clone(everything), "--request-timeout", "2s"),
			code:      5,
			atMost:    20 * time.Second,
		},
		{
			name:  "expired credentials",
			rules: []proxy.Rule{{Fault: expired}},
			code:  5,
			says:  []string{"credentials"},
		},
		{
			name:  "credentials that expire on the way",
			rules: []proxy.Rule{{Path: "/pods", Fault: expired}},
			code:  1,
			says:  []string{"pods"},
		},
		{
			name:  "nothing but server errors",
			rules: []proxy.Rule{{Fault: broken}},
			code:  5,
		},
		{
			name:  "an owner deleted after its pods were listed",
			rules: []proxy.Rule{{Path: "/gadgets/", Fault: refused(http.StatusNotFound, "NotFound")}},
		},
	}
}

func TestFaults(t *testing.T) {
	faulty, kubeconfig, err := cluster.Proxied("reader", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	defer faulty.Close()
	for _, fault := range faults() {
		t.Run(fault.name, func(t *testing.T) {
			faulty.Reset(fault.rules...)
			arguments := fault.arguments
			if arguments == nil {
				arguments = everything
			}
			result, err := testcluster.WM(t.Context(), kubeconfig, arguments...)
			if err != nil {
				t.Fatal(err)
			}
			check(t, fault, result)
			checkHappened(t, fault, faulty.Requests())
		})
	}
}

// checkHappened makes sure that the command met the fault at all.
func checkHappened(t *testing.T, fault fault, requests []proxy.Request) {
	t.Helper()
	for _, rule := range fault.rules {
		met := false
		for _, request := range requests {
			at := request.Path + "?" + request.Query.Encode()
			met = met || strings.Contains(at, rule.Path) && request.Status == rule.Fault.Status
		}
		if !met {
			t.Errorf("no request for %q met the fault %+v", rule.Path, rule.Fault)
		}
	}
}

// check holds the result of listing everything against what the fault leaves.
func check(t *testing.T, fault fault, result testcluster.Result) {
	t.Helper()
	t.Logf("exit code %d after %.2f s; standard error:\n%s", result.Code, result.Took.Seconds(), head(result.Stderr))
	if strings.Contains(result.Stdout+result.Stderr, testcluster.Token) {
		t.Error("the bearer token is in the output")
	}
	if result.Code != fault.code {
		t.Errorf("exit code %d, want %d", result.Code, fault.code)
	}
	// One line for each thing that failed, and not one for each object of it.
	if lines := strings.Count(result.Stderr, "\n"); lines > max(len(fault.says), 1) {
		t.Errorf("standard error has %d lines for %d faults", lines, max(len(fault.says), 1))
	}
	for _, wanted := range fault.says {
		if !strings.Contains(result.Stderr, wanted) {
			t.Errorf("standard error does not say %q", wanted)
		}
	}
	if (fault.code == 0) != (result.Stderr == "") {
		t.Errorf("with exit code %d, standard error has %d bytes", fault.code, len(result.Stderr))
	}
	if result.Took < fault.atLeast {
		t.Errorf("took %v, less than the %v that the server asked for", result.Took, fault.atLeast)
	}
	if fault.atMost > 0 && result.Took > fault.atMost {
		t.Errorf("took %v, more than %v", result.Took, fault.atMost)
	}
	if fault.code == 5 {
		return
	}
	rows := rowsByKind(t, result.Stdout)
	wanted := wantedRows()
	for _, kind := range fault.missing {
		delete(wanted, kind)
	}
	for kind, count := range wanted {
		// Without their owner's list, pods of other kinds may be on their own.
		if kind != "Pod" && rows[kind] != count {
			t.Errorf("%d rows of %s, want %d", rows[kind], kind, count)
		}
	}
	for _, kind := range fault.missing {
		if rows[kind] != 0 {
			t.Errorf("%d rows of %s, which could not be read", rows[kind], kind)
		}
	}
}

func rowsByKind(t *testing.T, output string) map[string]int {
	t.Helper()
	var list struct{ Items []struct{ Kind string } }
	if err := json.Unmarshal([]byte(output), &list); err != nil {
		t.Fatalf("%v in:\n%s", err, head(output))
	}
	rows := map[string]int{}
	for _, item := range list.Items {
		rows[item.Kind]++
	}
	return rows
}

// wantedRows are the fleet's. A Job of a JobSet, a ReplicaSet of a Deployment
// and a StatefulSet of a LeaderWorkerSet are parts of those. Nothing covers
// Gadgets, so that their pods are on their own.
func wantedRows() map[string]int {
	return map[string]int{
		"RayCluster": size.Each + 1, "JobSet": size.Each, "PyTorchJob": size.Each, "LeaderWorkerSet": size.Each,
		"Deployment": size.Each, "Pod": 2 * size.Gadgets,
	}
}
