// Package fleet fills an API server with workloads as a large cluster has them:
// objects of five kinds, what their operators make of them, pods with owner
// references, and the statuses of all that. Nothing needs to run: whatever a
// controller would write is written here.
package fleet

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/workloadmap/wm/testcluster"
)

// How many workloads, and how many pods of all of them, are written at a time.
const (
	writers    = 16
	podWriters = 48
)

// Gadget is a kind that no definition covers.
var Gadget = testcluster.Kind{
	GroupVersionKind: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Gadget"},
	Plural:           "gadgets",
}

// Kinds are the custom resources that Load writes.
var Kinds = []testcluster.Kind{
	testcluster.RayCluster, testcluster.JobSet, testcluster.PyTorchJob, testcluster.LeaderWorkerSet, Gadget,
}

// Size is how much Load writes.
type Size struct {
	// Each is the number of workloads of each of the five kinds. All have ten
	// pods but RayClusters, which have eight.
	Each int
	// Big is the number of pods of one more RayCluster, named "big".
	Big int
	// Gadgets is the number of objects of an uncovered kind, with two pods each.
	Gadgets int
	// Namespaces is how many the workloads are spread over, named team-0 and so on.
	Namespaces int
}

// Count is what Load has written.
type Count struct {
	Workloads, Pods int
	// Others are the objects between workloads and pods.
	Others int
	// GPUs is what the workloads ask for.
	GPUs int
	Took time.Duration
}

// Load writes a fleet. The cluster has to serve Kinds.
func Load(ctx context.Context, config *rest.Config, size Size) (Count, error) {
	w, err := newWriter(ctx, config)
	if err != nil {
		return Count{}, err
	}
	begin := time.Now()
	for i := range size.Namespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespaceOf(size, i)}}
		if _, err := w.typed.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return Count{}, fmt.Errorf("write a namespace: %w", err)
		}
	}
	w.workload(func() error { return w.rayCluster("big", namespaceOf(size, 0), size.Big) })
	for i := range size.Each {
		namespace := namespaceOf(size, i)
		w.workload(func() error { return w.rayCluster(fmt.Sprintf("ray-%04d", i), namespace, 8) })
		w.workload(func() error { return w.jobSet(fmt.Sprintf("jobs-%04d", i), namespace) })
		w.workload(func() error { return w.pyTorchJob(fmt.Sprintf("torch-%04d", i), namespace) })
		w.workload(func() error { return w.leaderWorkerSet(fmt.Sprintf("llm-%04d", i), namespace) })
		w.workload(func() error { return w.deployment(fmt.Sprintf("web-%04d", i), namespace) })
	}
	for i := range size.Gadgets {
		w.run(func() error { return w.gadget(fmt.Sprintf("gadget-%04d", i), namespaceOf(size, i)) })
	}
	err = w.wait()
	return Count{
		Workloads: int(w.workloads.Load()), Pods: int(w.pods.Load()), Others: int(w.others.Load()),
		GPUs: int(w.gpus.Load()), Took: time.Since(begin),
	}, err
}

func namespaceOf(size Size, i int) string { return fmt.Sprintf("team-%d", i%size.Namespaces) }

// writer writes objects in parallel until the first failure.
type writer struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	dynamic dynamic.Interface
	typed   kubernetes.Interface

	slots, podSlots               chan struct{}
	running                       sync.WaitGroup
	workloads, pods, others, gpus atomic.Int64
}

func newWriter(ctx context.Context, config *rest.Config) (*writer, error) {
	w := &writer{slots: make(chan struct{}, writers), podSlots: make(chan struct{}, podWriters)}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	var err error
	if w.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, err
	}
	fast := rest.CopyConfig(config)
	fast.ContentType = "application/vnd.kubernetes.protobuf"
	fast.AcceptContentTypes = fast.ContentType
	w.typed, err = kubernetes.NewForConfig(fast)
	return w, err
}

func (w *writer) workload(write func() error) {
	w.workloads.Add(1)
	w.run(write)
}

// run writes one workload once a writer is free.
func (w *writer) run(write func() error) {
	select {
	case w.slots <- struct{}{}:
	case <-w.ctx.Done():
		return
	}
	w.running.Go(func() {
		defer func() { <-w.slots }()
		if err := write(); err != nil {
			w.cancel(err)
		}
	})
}

func (w *writer) wait() error {
	w.running.Wait()
	defer w.cancel(nil)
	return context.Cause(w.ctx)
}

// custom writes a custom resource with its status and returns its reference.
func (w *writer) custom(kind testcluster.Kind, namespace, name string, spec, status map[string]any) (metav1.OwnerReference, error) {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	object.SetGroupVersionKind(kind.GroupVersionKind)
	object.SetNamespace(namespace)
	object.SetName(name)
	object.SetLabels(map[string]string{"team": namespace})
	client := w.dynamic.Resource(kind.Resource()).Namespace(namespace)
	made, err := client.Create(w.ctx, object, metav1.CreateOptions{})
	if err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("write %s %s: %w", kind.Kind, name, err)
	}
	if status != nil {
		made.Object["status"] = status
		if _, err := client.UpdateStatus(w.ctx, made, metav1.UpdateOptions{}); err != nil {
			return metav1.OwnerReference{}, fmt.Errorf("write the status of %s %s: %w", kind.Kind, name, err)
		}
	}
	return reference(made, kind.GroupVersionKind), nil
}

// reference is how a controller names the owner of what it makes.
func reference(owner metav1.Object, kind schema.GroupVersionKind) metav1.OwnerReference {
	return *metav1.NewControllerRef(owner, kind)
}
