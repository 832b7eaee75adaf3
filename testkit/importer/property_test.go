package importer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/importer"
)

// cluster makes objects as a cluster shows them, and remembers what tells which
// cluster it is.
type cluster struct {
	*rand.Rand
	uids, addresses, hosts []string
	nodes                  []string
}

func newCluster(seed uint64) *cluster {
	c := &cluster{Rand: rand.New(rand.NewPCG(seed, 5))}
	for range 1 + c.IntN(4) {
		node := c.pick(fmt.Sprintf("gpu-%02d.rack%d.dc.acme.io", c.IntN(100), c.IntN(10)), fmt.Sprintf("ip-10-%d-%d-%d.eu-west-1.compute.internal", c.IntN(256), c.IntN(256), c.IntN(256)),
			fmt.Sprintf("gke-pool-%08x-%04x", c.Uint32(), c.IntN(1<<16)), fmt.Sprintf("worker%d-acme", c.IntN(1000)))
		c.nodes = append(c.nodes, node)
		c.hosts = append(c.hosts, node)
	}
	return c
}

func (c *cluster) pick(choices ...string) string { return choices[c.IntN(len(choices))] }

func (c *cluster) uid() string {
	uid := fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", c.Uint32(), c.IntN(1<<16), c.IntN(1<<12), c.IntN(1<<12), c.Uint64()>>16)
	c.uids = append(c.uids, uid)
	return uid
}

func (c *cluster) address() string {
	address := fmt.Sprintf("10.%d.%d.%d", c.IntN(256), c.IntN(256), 1+c.IntN(254))
	if c.IntN(4) == 0 {
		address = fmt.Sprintf("fd00:%x::%x:%x", 1+c.IntN(1<<16-1), 1+c.IntN(1<<16-1), 1+c.IntN(1<<16-1))
	}
	c.addresses = append(c.addresses, address)
	return address
}

func (c *cluster) host() string {
	host := fmt.Sprintf("%s%d.%s", c.pick("registry", "metrics", "s3", "model"), c.IntN(1000), c.pick("acme.io", "corp.acme.com", "prod.acme.internal"))
	c.hosts = append(c.hosts, host)
	return host
}

func (c *cluster) image() string {
	return c.host() + c.pick("", ":5000") + "/" + c.pick("team", "team/ai") + "/" + c.pick("train", "vllm") + c.pick("", ":3", fmt.Sprintf("@sha256:%064x", c.Uint64()))
}

// plant hides identifiers where controllers and people write them.
func (c *cluster) plant(uid string, addresses ...string) []any {
	node := c.nodes[c.IntN(len(c.nodes))]
	texts := []string{"--id=" + uid, "pvc-" + uid, uid, strings.ToUpper(uid), "x_" + uid + "_y", strings.ReplaceAll(uid, "-", ""),
		"http://" + c.host() + ":8080/x", "s3://" + c.host(), "on " + node + ".", `{"node":"` + node + `"}`, "kube-proxy: " + node + "/x",
		"pulling " + c.image()}
	for _, address := range addresses {
		texts = append(texts, "dial tcp "+address+": refused", address+"/16", "["+address+"]", "--peer="+address)
		if !strings.Contains(address, ":") {
			texts = append(texts, address+":8080", strings.ReplaceAll(address, ".", "-")+".ns.pod.cluster.local", "http://"+address+"/x")
		}
	}
	planted := []any{}
	for range 1 + c.IntN(6) {
		planted = append(planted, texts[c.IntN(len(texts))])
	}
	return planted
}

func (c *cluster) metadata(name, uid string, owner map[string]any) map[string]any {
	metadata := map[string]any{
		"name": name, "namespace": "research", "uid": uid, "resourceVersion": fmt.Sprint(c.IntN(1 << 20)), "generation": 1 + c.IntN(9),
		"creationTimestamp": fmt.Sprintf("2026-%02d-%02dT%02d:00:00Z", 1+c.IntN(12), 1+c.IntN(28), c.IntN(24)),
		"labels":            map[string]any{"batch.kubernetes.io/controller-uid": uid, "job-name": name},
		"annotations":       map[string]any{"kubectl.kubernetes.io/last-applied-configuration": uid, "cni/ips": fmt.Sprint(c.plant(uid)), "n-" + uid: "x"},
		"managedFields":     []any{map[string]any{"manager": c.nodes[0]}},
	}
	if owner != nil {
		metadata["ownerReferences"] = []any{map[string]any{"apiVersion": "batch/v1", "kind": "Job", "controller": true, "name": owner["name"], "uid": owner["uid"]}}
	}
	return metadata
}

// workload is a Job and its pods at one moment: n objects.
func (c *cluster) workload(uid string, n int) (job map[string]any, pods []map[string]any) {
	metadata := c.metadata("train", uid, nil)
	peer := c.address()
	// A name without a dot is known for a node's only because a field says so.
	var nodes []any
	for _, node := range c.nodes {
		nodes = append(nodes, node)
	}
	affinity := map[string]any{"nodeAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": []any{
		map[string]any{"matchExpressions": []any{map[string]any{"key": "kubernetes.io/hostname", "operator": "In", "values": nodes}}}}}}}
	job = map[string]any{"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata,
		"spec": map[string]any{"parallelism": n, "template": map[string]any{"spec": map[string]any{"affinity": affinity,
			"containers": []any{map[string]any{"name": "main", "image": c.image(), "args": c.plant(uid, peer),
				"env": []any{map[string]any{"name": "PEER", "value": peer}}}}}}},
		"status": map[string]any{"active": c.IntN(n + 1), "byAddress": map[string]any{peer: c.plant(uid, peer)}}}
	for i := range n - 1 {
		address, node := c.address(), c.nodes[c.IntN(len(c.nodes))]
		id := c.uid()
		pods = append(pods, map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": c.metadata(fmt.Sprintf("train-%d", i), id, metadata),
			"spec": map[string]any{"nodeName": node, "containers": []any{map[string]any{"name": "main", "image": c.image(), "args": c.plant(id, address, peer)}}},
			"status": map[string]any{"phase": c.pick("Pending", "Running"), "podIP": address, "podIPs": []any{map[string]any{"ip": address}},
				"message": fmt.Sprint(c.plant(uid, address))}})
	}
	return job, pods
}

// watch is a watch of the workload through a few states.
func (c *cluster) watch(objects int) []byte {
	var events []any
	add := func(kind string, object map[string]any) {
		events = append(events, map[string]any{"type": kind, "object": object})
	}
	uid := c.uid()
	var before []map[string]any
	for range 1 + c.IntN(3) {
		job, pods := c.workload(uid, objects)
		add("MODIFIED", job)
		for _, pod := range before {
			add("DELETED", pod)
		}
		for _, pod := range pods {
			add("ADDED", pod)
		}
		before = pods
	}
	content, _ := json.Marshal(events)
	return content
}

// Scrubbing leaves no UID, address or host of at least 1,000 objects, and the
// same for each value: the Job's own UID is in every label and owner reference.
func TestNothingOfTheClusterIsLeft(t *testing.T) {
	set := catalogSet(t)
	objects := 0
	for seed := range uint64(140) {
		c := newCluster(seed)
		content := c.watch(4)
		imported := importWatch(t, set, content)
		var all strings.Builder
		for _, file := range imported.Files {
			all.Write(file.Content)
			objects += strings.Count(string(file.Content), "apiVersion: v1\nkind: Pod\n") + strings.Count(string(file.Content), "apiVersion: batch/v1\nkind: Job\n")
		}
		text := strings.ToLower(all.String())
		for _, original := range slices.Concat(c.uids, c.addresses, c.hosts) {
			for _, form := range []string{original, strings.ReplaceAll(original, "-", ""), strings.ReplaceAll(original, ".", "-")} {
				if at := strings.Index(text, strings.ToLower(form)); at >= 0 {
					t.Errorf("seed %d: %s is left: %q", seed, form, text[max(0, at-60):min(len(text), at+100)])
				}
			}
		}
		for _, gone := range []string{"managedfields", "resourceversion", "last-applied", "acme"} {
			if at := strings.Index(text, gone); at >= 0 {
				t.Errorf("seed %d: %s is left: %q", seed, gone, text[max(0, at-60):min(len(text), at+100)])
			}
		}
		if t.Failed() {
			return
		}
	}
	if objects < 1000 {
		t.Errorf("only %d objects were looked at", objects)
	}
}

// An imported case passes once it is judged, and imported again it has the same
// files.
func TestImportReplayImport(t *testing.T) {
	set := catalogSet(t)
	for seed := range uint64(40) {
		imported := importWatch(t, set, newCluster(seed).watch(3))
		files := fstest.MapFS{}
		dir := path.Join("fixtures", imported.Definition, imported.Name)
		for _, file := range imported.Files {
			files[path.Join(dir, file.Name)] = &fstest.MapFile{Data: file.Content}
		}
		report, err := testkit.Replay(context.Background(), testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set})
		want := path.Join(dir, "timeline.yaml") + ":2:5: frame frame-1: no expectation yet: state at least expect.phase, judged from the framework's own rules"
		if err != nil || len(report.Cases) != 1 || len(report.Cases[0].Failures) != 1 || report.Cases[0].Failures[0].Message != want {
			t.Fatalf("seed %d: a new case gives %+v, error %v; want only %s", seed, report, err, want)
		}
		judge(t, set, files, dir)
		again := importWatch(t, set, retell(t, files, dir))
		first, second := folder(imported), folder(again)
		if !maps.Equal(first, second) {
			for name := range first {
				if first[name] != second[name] {
					t.Errorf("seed %d: %s was\n%s\nand is\n%s", seed, name, first[name], second[name])
				}
			}
			t.Fatalf("seed %d: the files differ: %v and %v", seed, slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second)))
		}
		if len(again.Scrubbed) > 0 {
			t.Errorf("seed %d: an imported case was scrubbed again: %v", seed, again.Scrubbed)
		}
	}
}

// judge gives every frame the phase that the replay shows, so that it passes.
func judge(t *testing.T, set *resolver.Set, files fstest.MapFS, dir string) {
	t.Helper()
	held := files[path.Join(dir, "case.yaml")].Data
	files[path.Join(dir, "case.yaml")] = &fstest.MapFile{Data: []byte(strings.Replace(string(held), `description: ""`, "description: d", 1))}
	timeline := string(files[path.Join(dir, "timeline.yaml")].Data)
	defer func() { files[path.Join(dir, "timeline.yaml")] = &fstest.MapFile{Data: []byte(timeline)} }()
	judged := timeline
	for range strings.Count(timeline, "expect: {}") {
		for _, phase := range []string{"Initializing", "Running", "Degraded", "Failed"} {
			attempt := strings.Replace(judged, "expect: {}", "expect: {phase: "+phase+"}", 1)
			files[path.Join(dir, "timeline.yaml")] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(attempt, "expect: {}", "expect: {phase: Running}"))}
			if frame := fmt.Sprint("frame-", strings.Count(attempt, "expect: {phase")); !fails(t, set, files, frame) {
				judged = attempt
				break
			}
		}
	}
	files[path.Join(dir, "timeline.yaml")] = &fstest.MapFile{Data: []byte(judged)}
	options := testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set, Update: func(name string, content []byte) error {
		files[name] = &fstest.MapFile{Data: content}
		return nil
	}}
	report, err := testkit.Replay(context.Background(), options)
	if err != nil || report.Updated != 1 || report.Err() != nil {
		t.Fatalf("the judged case does not pass: %+v, error %v\n%s", report, err, judged)
	}
}

func fails(t *testing.T, set *resolver.Set, files fstest.MapFS, frame string) bool {
	t.Helper()
	report, err := testkit.Replay(context.Background(), testkit.Options{Files: files, Paths: []string{"fixtures"}, Definitions: set})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(report.Cases[0].Failures, func(f testkit.Failure) bool { return f.Frame == frame && f.Check == "expect.phase" })
}

// retell makes the watch that a case is of.
func retell(t *testing.T, files fstest.MapFS, dir string) []byte {
	t.Helper()
	var timeline struct {
		Frames []struct{ Object, Pods string } `json:"frames"`
	}
	if err := yaml.Unmarshal(files[path.Join(dir, "timeline.yaml")].Data, &timeline); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []map[string]any {
		if name == "" {
			return nil
		}
		documents, faults := source.Parse(name, files[path.Join(dir, name)].Data)
		if len(faults) > 0 {
			t.Fatal(faults[0])
		}
		var objects []map[string]any
		for _, document := range documents {
			objects = append(objects, document.Value().(map[string]any))
		}
		return objects
	}
	var events []any
	var before []map[string]any
	for _, frame := range timeline.Frames {
		events = append(events, map[string]any{"type": "MODIFIED", "object": read(frame.Object)[0]})
		for _, pod := range before {
			events = append(events, map[string]any{"type": "DELETED", "object": pod})
		}
		before = read(frame.Pods)
		for _, pod := range before {
			events = append(events, map[string]any{"type": "ADDED", "object": pod})
		}
	}
	content, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func importWatch(t *testing.T, set *resolver.Set, content []byte) *importer.Case {
	t.Helper()
	imported, err := importer.Import("watch.json", content, importer.Options{Definitions: set, Name: "generated"})
	if err != nil {
		t.Fatal(err)
	}
	return imported
}
