package fleet

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// gpu is the resource that accelerators are asked for by.
const gpu = "nvidia.com/gpu"

// template is a pod of the size that real ones have: some environment, mounts
// and tolerations, and one GPU where it is wanted.
func template(labels map[string]string, gpus int) corev1.PodTemplateSpec {
	requests := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("4"),
		corev1.ResourceMemory: resource.MustParse("16Gi"),
	}
	if gpus > 0 {
		requests[gpu] = *resource.NewQuantity(int64(gpus), resource.DecimalSI)
	}
	var environment []corev1.EnvVar
	for i := range 12 {
		environment = append(environment, corev1.EnvVar{
			Name: fmt.Sprintf("SETTING_%02d", i), Value: fmt.Sprintf("/mnt/data/models/shard-%02d/checkpoint", i),
		})
	}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "main", Image: "registry.example.dev/train:2.1", Env: environment,
				Command:      []string{"python", "-m", "train", "--config", "/etc/train/config.yaml"},
				Resources:    corev1.ResourceRequirements{Requests: requests, Limits: requests},
				VolumeMounts: []corev1.VolumeMount{{Name: "scratch", MountPath: "/scratch"}, {Name: "shm", MountPath: "/dev/shm"}},
			}},
			Volumes: []corev1.Volume{
				{Name: "scratch", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
				{Name: "shm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}},
			},
			Tolerations: []corev1.Toleration{{Key: gpu, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}},
		},
	}
}

// unstructuredTemplate is the same for custom resources.
func unstructuredTemplate(gpus int) map[string]any {
	pod := template(nil, gpus)
	made, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&pod)
	if err != nil {
		panic(err) // the template is a literal
	}
	return made
}

// pod writes a ready pod of a template and returns it.
func (w *writer) pod(namespace, name string, owner metav1.OwnerReference, template corev1.PodTemplateSpec, annotations map[string]string) (*corev1.Pod, error) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: template.Labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{owner},
		},
		Spec: template.Spec,
	}
	number := w.pods.Add(1)
	pod.Spec.NodeName = fmt.Sprintf("node-%d", number%5000)
	client := w.typed.CoreV1().Pods(namespace)
	made, err := client.Create(w.ctx, pod, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("write pod %s: %w", name, err)
	}
	made.Status = readyStatus(pod.Spec.Containers[0].Image, number)
	if made, err = client.UpdateStatus(w.ctx, made, metav1.UpdateOptions{}); err != nil {
		return nil, fmt.Errorf("write the status of pod %s: %w", name, err)
	}
	return made, nil
}

// podSet writes pods in parallel that differ in their names and in what the
// label holds, "" for none, that has their index.
func (w *writer) podSet(namespace, prefix string, count int, owner metav1.OwnerReference, labels map[string]string, gpus int, indexLabel string) error {
	var running sync.WaitGroup
	failures := make([]error, count)
	for i := range count {
		own := maps.Clone(labels)
		if indexLabel != "" {
			own[indexLabel] = fmt.Sprint(i)
		}
		w.podSlots <- struct{}{}
		running.Go(func() {
			defer func() { <-w.podSlots }()
			_, failures[i] = w.pod(namespace, fmt.Sprintf("%s-%d", prefix, i), owner, template(own, gpus), nil)
		})
	}
	running.Wait()
	return errors.Join(failures...)
}

// readyStatus is what a kubelet writes for a pod that runs.
func readyStatus(image string, number int64) corev1.PodStatus {
	now := metav1.Now()
	var conditions []corev1.PodCondition
	for _, name := range []corev1.PodConditionType{
		corev1.PodScheduled, corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady,
	} {
		conditions = append(conditions, corev1.PodCondition{Type: name, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	address := fmt.Sprintf("10.%d.%d.%d", 64+number>>16&63, number>>8&255, number&255)
	started := true
	return corev1.PodStatus{
		Phase: corev1.PodRunning, Conditions: conditions, StartTime: &now,
		HostIP: "10.0.0.1", PodIP: address, PodIPs: []corev1.PodIP{{IP: address}},
		ContainerStatuses: []corev1.ContainerStatus{{
			Name: "main", Image: image, Ready: true, Started: &started,
			ImageID:     "registry.example.dev/train@sha256:5a1d8c4f0e6b7a39d2c1b0a9f8e7d6c5b4a392817060504030201000f0e0d0c0",
			ContainerID: fmt.Sprintf("containerd://%064x", number),
			State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		}},
	}
}
