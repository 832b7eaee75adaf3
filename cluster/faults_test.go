package cluster_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/cluster/clustertest"
)

const trainLine = "RayCluster a/train Running ready 2 of 3 gpus 8\n"

// rayServer has one RayCluster with its head and a worker.
func rayServer(t *testing.T, options ...clustertest.Option) *clustertest.Server {
	t.Helper()
	server := clustertest.Start(t, options...)
	server.AddYAML(t, rayCluster+rayPod("head", "head", "raycluster-train")+rayPod("w1", "worker", "raycluster-train"))
	return server
}

// once fails the first n requests that are of a verb and resource.
func once(n int32, verb, resource string, failure *clustertest.Failure) func(clustertest.Request) *clustertest.Failure {
	var seen atomic.Int32
	return func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == verb && r.Resource == resource && seen.Add(1) <= n {
			return failure
		}
		return nil
	}
}

func serverError(code int, message string) *clustertest.Failure {
	return &clustertest.Failure{Status: clustertest.Status(code, metav1.StatusReasonInternalError, message)}
}

// TestPassingFaults are those that a second try gets over, so that nobody notices.
func TestPassingFaults(t *testing.T) {
	tooMany := &clustertest.Failure{Status: clustertest.Status(429, metav1.StatusReasonTooManyRequests, "too many requests"), RetryAfter: 1}
	for name, fail := range map[string]func(clustertest.Request) *clustertest.Failure{
		"429 with Retry-After":  once(1, "list", "rayclusters", tooMany),
		"500":                   once(2, "list", "pods", serverError(500, "etcd stumbled")),
		"503":                   once(1, "list", "pods", &clustertest.Failure{Status: clustertest.Status(503, metav1.StatusReasonServiceUnavailable, "later")}),
		"reset within a page":   once(2, "list", "rayclusters", &clustertest.Failure{Reset: true}),
		"reset within the pods": once(1, "list", "pods", &clustertest.Failure{Reset: true}),
		"slow server":           once(1, "list", "pods", &clustertest.Failure{Delay: 300 * time.Millisecond}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := rayServer(t)
			server.Fail(fail)
			start := time.Now()
			if got := told(ask(t, server.Client(t), "raycluster", cluster.Query{Namespace: "a"})); got != trainLine {
				t.Errorf("got %s", got)
			}
			if took := time.Since(start); name == "429 with Retry-After" && took < time.Second {
				t.Errorf("took %v, the server asked to wait for a second", took)
			}
		})
	}
}

func TestDiscoveryIsTriedAgain(t *testing.T) {
	server := rayServer(t)
	var seen atomic.Int32
	server.Fail(func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == "" && seen.Add(1) == 1 {
			return serverError(500, "starting")
		}
		return nil
	})
	if got := told(ask(t, server.Client(t), "raycluster", cluster.Query{Namespace: "a"})); got != trainLine {
		t.Errorf("got %s", got)
	}
}

// TestExpiredContinue has the snapshot of a paged list expire: the list begins
// anew, and at last is asked for in one piece, so that each pod counts once.
func TestExpiredContinue(t *testing.T) {
	for _, expirations := range []int{1, 100} {
		t.Run(fmt.Sprint(expirations), func(t *testing.T) {
			server := rayServer(t)
			for i := range 1200 {
				server.AddYAML(t, rayPod(fmt.Sprintf("x%04d", i), "worker", "raycluster-train"))
			}
			var seen atomic.Int32
			server.Fail(func(r clustertest.Request) *clustertest.Failure {
				if r.Resource == "pods" && r.Continue != "" && int(seen.Add(1)) <= expirations {
					return &clustertest.Failure{Status: clustertest.Status(410, metav1.StatusReasonExpired, "the provided continue parameter is too old")}
				}
				return nil
			})
			if got, want := told(ask(t, server.Client(t), "raycluster", cluster.Query{Namespace: "a"})), "RayCluster a/train Running ready 1202 of 3 gpus 8\n"; got != want {
				t.Errorf("got %swant %s", got, want)
			}
		})
	}
}

// TestLastingFaults are told by name, with everything else beside.
func TestLastingFaults(t *testing.T) {
	const rayJob = "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {name: nightly, namespace: a}\n---\n"
	for name, c := range map[string]struct {
		fail func(clustertest.Request) *clustertest.Failure
		want string
	}{
		"a forbidden kind": {
			func(r clustertest.Request) *clustertest.Failure {
				if r.Resource == "rayjobs" {
					return clustertest.Forbidden(r)
				}
				return nil
			},
			trainLine + `fault: cannot list rayjobs.ray.io in namespace a: rayjobs.ray.io is forbidden: User "tester" cannot list resource "rayjobs" in API group "ray.io" in the namespace "a"` + "\n",
		},
		"forbidden pods": {
			func(r clustertest.Request) *clustertest.Failure {
				if r.Resource == "pods" {
					return clustertest.Forbidden(r)
				}
				return nil
			},
			"RayCluster a/train Running ready ? of 3 gpus 8\nRayJob a/nightly Initializing ready ? of 1 gpus 0\n" +
				`fault: cannot list pods in namespace a: pods is forbidden: User "tester" cannot list resource "pods" in API group "" in the namespace "a"` + "\n",
		},
		"a kind without a served version": {
			func(r clustertest.Request) *clustertest.Failure {
				if r.Resource == "rayjobs" {
					return &clustertest.Failure{Status: clustertest.Status(404, metav1.StatusReasonNotFound, "the server could not find the requested resource")}
				}
				return nil
			},
			trainLine + "fault: cannot list rayjobs.ray.io in namespace a: the server could not find the requested resource\n",
		},
		"a conversion webhook that is down": {
			func(r clustertest.Request) *clustertest.Failure {
				if r.Resource == "rayjobs" {
					return serverError(500, `conversion webhook for ray.io/v1, Kind=RayJob failed: Post "https://hook.ray.svc:443/convert": connection refused`)
				}
				return nil
			},
			trainLine + `fault: cannot list rayjobs.ray.io in namespace a: conversion webhook for ray.io/v1, Kind=RayJob failed: Post "https://hook.ray.svc:443/convert": connection refused` + "\n",
		},
		"connections that always break": {
			func(r clustertest.Request) *clustertest.Failure {
				if r.Resource == "rayjobs" {
					return &clustertest.Failure{Reset: true}
				}
				return nil
			},
			trainLine + "fault: cannot list rayjobs.ray.io in namespace a: the connection broke while the answer was read\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := rayServer(t)
			server.AddYAML(t, rayJob)
			server.Fail(c.fail)
			if got := told(askAll(t, server.Client(t), cluster.Query{Namespace: "a"})); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestHalfTheKindsFail has every second kind fail: the others are shown.
func TestHalfTheKindsFail(t *testing.T) {
	server := rayServer(t)
	server.Fail(func(r clustertest.Request) *clustertest.Failure {
		if r.Verb == "list" && (r.Group == "apps" || r.Group == "batch" || r.Group == "batch.volcano.sh") {
			return serverError(500, "broken")
		}
		return nil
	})
	result := askAll(t, server.Client(t), cluster.Query{Namespace: "a"})
	if len(result.Found) != 1 || len(result.Faults) != 6 || result.Answered == 0 {
		t.Errorf("got %s", told(result))
	}
}

func TestExpiredCredentials(t *testing.T) {
	server := rayServer(t)
	config := server.Config()
	config.BearerToken = "an-old-token-0123"
	client, err := cluster.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Types(context.Background(), catalogSet(t))
	if cluster.ReasonOf(err) != cluster.Unauthorized || strings.Contains(err.Error(), "an-old-token") {
		t.Errorf("got %v", err)
	}
}

// TestCredentialsExpireOnTheWay has them refused after discovery.
func TestCredentialsExpireOnTheWay(t *testing.T) {
	server := rayServer(t)
	client := server.Client(t)
	if _, err := client.Resources(context.Background()); err != nil {
		t.Fatal(err)
	}
	server.Fail(func(clustertest.Request) *clustertest.Failure {
		return &clustertest.Failure{Status: clustertest.Status(401, metav1.StatusReasonUnauthorized, "token for "+clustertest.Token+" is expired")}
	})
	result := ask(t, client, "raycluster", cluster.Query{Namespace: "a"})
	if result.Answered != 0 || len(result.Faults) != 1 || cluster.ReasonOf(result.Faults[0]) != cluster.Unauthorized {
		t.Errorf("got %s", told(result))
	}
	if strings.Contains(told(result), clustertest.Token) {
		t.Errorf("shows the token: %s", told(result))
	}
}

func TestNobodyListens(t *testing.T) {
	server := clustertest.Start(t)
	config := server.Config()
	config.Host = "https://127.0.0.1:1"
	client, err := cluster.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Types(context.Background(), catalogSet(t))
	if cluster.ReasonOf(err) != cluster.Unreachable || !strings.Contains(err.Error(), "the cluster at https://127.0.0.1:1 cannot be reached: ") {
		t.Errorf("got %v", err)
	}
}

// TestNothingHangs has the server never answer: after the time limit of the
// requests that run, nothing else is tried.
func TestNothingHangs(t *testing.T) {
	kinds := clustertest.StandardKinds()
	for _, kind := range catalogSet(t).Kinds() {
		if !slices.ContainsFunc(kinds, func(k clustertest.Kind) bool { return k.Group == kind.Group && k.Kind == kind.Kind }) {
			kinds = append(kinds, clustertest.Kind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind, Plural: strings.ToLower(kind.Kind) + "s"})
		}
	}
	server := rayServer(t, clustertest.Kinds(kinds...))
	config := server.Config()
	config.Timeout = 300 * time.Millisecond
	client, err := cluster.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Resources(context.Background()); err != nil {
		t.Fatal(err)
	}
	server.Fail(func(clustertest.Request) *clustertest.Failure { return &clustertest.Failure{Hang: true} })
	start := time.Now()
	result := askAll(t, client, cluster.Query{Namespace: "a"})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	// Those that run when the first time is up, and as many that begin until the last of these gives up.
	if n := len(server.Requests()); n > 16 {
		t.Errorf("asked %d times a server that does not answer", n)
	}
	if result.Answered != 0 || len(result.Faults) < 30 || !strings.Contains(told(result), "no answer within 300ms") {
		t.Errorf("got %s", told(result))
	}
}

// TestStaleGroup has the server behind one API group not answer discovery.
func TestStaleGroup(t *testing.T) {
	for name, legacy := range map[string]bool{"aggregated": false, "legacy": true} {
		t.Run(name, func(t *testing.T) {
			kinds := clustertest.StandardKinds()
			for i := range kinds {
				kinds[i].Stale = kinds[i].Group == "jobset.x-k8s.io" || kinds[i].Group == "example.dev"
			}
			options := []clustertest.Option{clustertest.Kinds(kinds...)}
			if legacy {
				options = append(options, clustertest.LegacyDiscovery())
			}
			server := rayServer(t, options...)
			got := told(askAll(t, server.Client(t), cluster.Query{Namespace: "a"}))
			// No definition reads a kind of example.dev, so nobody misses it.
			if !strings.HasPrefix(got, trainLine+"fault: cannot look up what jobset.x-k8s.io/v1alpha2 serves: ") || strings.Contains(got, "example.dev") {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestInterrupt(t *testing.T) {
	server := rayServer(t)
	client := server.Client(t)
	types, err := client.Types(context.Background(), catalogSet(t))
	if err != nil {
		t.Fatal(err)
	}
	kind, err := types.Find("raycluster")
	if err != nil {
		t.Fatal(err)
	}
	server.Fail(func(clustertest.Request) *clustertest.Failure { return &clustertest.Failure{Hang: true} })
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	result := client.Read(ctx, cluster.Query{Types: []cluster.Type{kind}, Namespace: "a"})
	if got, want := told(result), "fault: cannot list rayclusters.ray.io in namespace a: interrupted\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}
