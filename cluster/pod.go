package cluster

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// KeptOfPods are the places of a pod that definitions may look at without the
// pod being read whole. Beside them what decides the state and the requests of
// a pod is kept.
func KeptOfPods() []string {
	return []string{
		".metadata.name", ".metadata.generateName", ".metadata.namespace", ".metadata.uid", ".metadata.labels", ".metadata.annotations",
		".metadata.ownerReferences", ".metadata.creationTimestamp", ".metadata.deletionTimestamp",
		".spec.nodeName", ".spec.containers[].name", ".spec.initContainers[].name", ".status.phase", ".status.reason",
	}
}

// pod is a pod, whole or cut down to what is read of it: of 50,000 pods the
// rest would take gigabytes.
type pod struct {
	node
	whole map[string]any
	cut   *cutPod
}

// cutPod is what is kept of a pod.
type cutPod struct {
	generateName, nodeName  string
	created, deleted        string
	labels, annotations     map[string]string
	spec                    map[string]any // shared by pods with the same spec
	phase, reason           string
	conditions              []corev1.PodCondition
	containers, initiations []corev1.ContainerStatus
}

// specs shares the parts of pod specs that many pods have in common.
type specs map[string]map[string]any

// cut keeps of a pod what is read of it.
func (s specs) cut(p *corev1.Pod) (*pod, error) {
	spec, err := s.spec(&p.Spec)
	if err != nil {
		return nil, err
	}
	kept := &cutPod{
		generateName: p.GenerateName, nodeName: p.Spec.NodeName, created: timeText(&p.CreationTimestamp), deleted: timeText(p.DeletionTimestamp),
		labels: p.Labels, annotations: p.Annotations, spec: spec,
		phase: string(p.Status.Phase), reason: p.Status.Reason, conditions: p.Status.Conditions,
		containers: cutStatuses(p.Status.ContainerStatuses), initiations: cutStatuses(p.Status.InitContainerStatuses),
	}
	return &pod{node: nodeOfMeta("v1", "Pod", &p.ObjectMeta), cut: kept}, nil
}

// spec keeps what decides the requests of a pod.
func (s specs) spec(full *corev1.PodSpec) (map[string]any, error) {
	kept := corev1.PodSpec{
		Containers: cutContainers(full.Containers), InitContainers: cutContainers(full.InitContainers),
		Overhead: full.Overhead, Resources: full.Resources, ResourceClaims: full.ResourceClaims, RestartPolicy: full.RestartPolicy,
		SchedulerName: full.SchedulerName, PriorityClassName: full.PriorityClassName,
	}
	key, err := kept.Marshal()
	if err != nil {
		return nil, err
	}
	if shared, ok := s[string(key)]; ok {
		return shared, nil
	}
	content, err := json.Marshal(&kept)
	if err != nil {
		return nil, err
	}
	var value map[string]any
	if err := utiljson.Unmarshal(content, &value); err != nil {
		return nil, err
	}
	s[string(key)] = value
	return value, nil
}

func cutContainers(full []corev1.Container) []corev1.Container {
	if full == nil {
		return nil
	}
	kept := make([]corev1.Container, len(full))
	for i := range full {
		kept[i] = corev1.Container{Name: full[i].Name, Resources: full[i].Resources, RestartPolicy: full[i].RestartPolicy}
	}
	return kept
}

func cutStatuses(full []corev1.ContainerStatus) []corev1.ContainerStatus {
	kept := make([]corev1.ContainerStatus, len(full))
	for i, status := range full {
		kept[i] = corev1.ContainerStatus{Name: status.Name, Ready: status.Ready, Started: status.Started, RestartCount: status.RestartCount, State: status.State}
	}
	return kept
}

// value is the pod in JSON form.
func (p *pod) value() map[string]any {
	if p.whole != nil {
		return p.whole
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": p.metadata(), "spec": p.spec(), "status": p.status()}
}

func (p *pod) metadata() map[string]any {
	metadata := map[string]any{"name": p.name, "namespace": p.namespace, "uid": p.uid}
	set(metadata, "generateName", p.cut.generateName)
	set(metadata, "creationTimestamp", p.cut.created)
	set(metadata, "deletionTimestamp", p.cut.deleted)
	if len(p.cut.labels) > 0 {
		metadata["labels"] = texts(p.cut.labels)
	}
	if len(p.cut.annotations) > 0 {
		metadata["annotations"] = texts(p.cut.annotations)
	}
	if len(p.owners) > 0 {
		metadata["ownerReferences"] = p.ownersValue()
	}
	return metadata
}

func (p *pod) spec() map[string]any {
	spec := make(map[string]any, len(p.cut.spec)+1)
	for field, value := range p.cut.spec {
		spec[field] = value
	}
	set(spec, "nodeName", p.cut.nodeName)
	return spec
}

func (p *pod) status() map[string]any {
	status := map[string]any{}
	set(status, "phase", p.cut.phase)
	set(status, "reason", p.cut.reason)
	if len(p.cut.conditions) > 0 {
		conditions := make([]any, len(p.cut.conditions))
		for i := range p.cut.conditions {
			held := &p.cut.conditions[i]
			condition := map[string]any{"type": string(held.Type), "status": string(held.Status)}
			set(condition, "reason", held.Reason)
			set(condition, "message", held.Message)
			set(condition, "lastTransitionTime", timeText(&held.LastTransitionTime))
			conditions[i] = condition
		}
		status["conditions"] = conditions
	}
	if len(p.cut.containers) > 0 {
		status["containerStatuses"] = statusesValue(p.cut.containers)
	}
	if len(p.cut.initiations) > 0 {
		status["initContainerStatuses"] = statusesValue(p.cut.initiations)
	}
	return status
}

func statusesValue(statuses []corev1.ContainerStatus) []any {
	values := make([]any, len(statuses))
	for i := range statuses {
		held := &statuses[i]
		value := map[string]any{"name": held.Name, "ready": held.Ready, "restartCount": int64(held.RestartCount), "state": stateValue(&held.State)}
		if held.Started != nil {
			value["started"] = *held.Started
		}
		values[i] = value
	}
	return values
}

func stateValue(state *corev1.ContainerState) map[string]any {
	value := map[string]any{}
	switch {
	case state.Running != nil:
		running := map[string]any{}
		set(running, "startedAt", timeText(&state.Running.StartedAt))
		value["running"] = running
	case state.Waiting != nil:
		waiting := map[string]any{}
		set(waiting, "reason", state.Waiting.Reason)
		set(waiting, "message", state.Waiting.Message)
		value["waiting"] = waiting
	case state.Terminated != nil:
		ended := map[string]any{"exitCode": int64(state.Terminated.ExitCode)}
		set(ended, "reason", state.Terminated.Reason)
		set(ended, "message", state.Terminated.Message)
		if state.Terminated.Signal != 0 {
			ended["signal"] = int64(state.Terminated.Signal)
		}
		value["terminated"] = ended
	}
	return value
}

func set(object map[string]any, field, text string) {
	if text != "" {
		object[field] = text
	}
}

func texts(held map[string]string) map[string]any {
	values := make(map[string]any, len(held))
	for name, text := range held {
		values[name] = text
	}
	return values
}

func timeText(at *metav1.Time) string {
	if at == nil || at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// pods lists pods, each cut down unless they are wanted whole.
func (c *Client) pods(ctx context.Context, selection Selection, whole bool) ([]*pod, error) {
	if whole {
		objects, err := c.objects(ctx, podResource(), selection, nil)
		all := make([]*pod, len(objects))
		for i, object := range objects {
			all[i] = &pod{node: nodeOf(object), whole: object}
		}
		return all, err
	}
	decoder := &podDecoder{shared: specs{}}
	err := c.pages(ctx, "list pods"+inNamespace(selection.Namespace), selection.options(),
		func(ctx context.Context, options metav1.ListOptions) (string, error) {
			answer := c.core.Get().Namespace(selection.Namespace).Resource("pods").VersionedParams(&options, c.parameters).Do(ctx)
			if err := answer.Error(); err != nil {
				return "", err
			}
			return decoder.take(answer)
		}, decoder.restart, nil)
	pods, decoded := decoder.finish()
	if err == nil && decoded != nil {
		err = c.fault("list pods"+inNamespace(selection.Namespace), decoded)
	}
	return pods, err
}

func podResource() Resource {
	return Resource{Version: "v1", Kind: "Pod", Plural: "pods", Singular: "pod", Namespaced: true}
}
