package fleet

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/workloadmap/wm/testcluster"
)

// rayCluster has a head without a GPU and one group of workers with one each.
func (w *writer) rayCluster(name, namespace string, pods int) error {
	workers := pods - 1
	owner, err := w.custom(testcluster.RayCluster, namespace, name, map[string]any{
		"rayVersion":    "2.46.0",
		"headGroupSpec": map[string]any{"rayStartParams": map[string]any{}, "template": unstructuredTemplate(0)},
		"workerGroupSpecs": []any{map[string]any{
			"groupName": "gpu", "replicas": int64(workers), "minReplicas": int64(workers), "maxReplicas": int64(workers),
			"rayStartParams": map[string]any{}, "template": unstructuredTemplate(1),
		}},
	}, map[string]any{
		"state": "ready", "desiredWorkerReplicas": int64(workers), "availableWorkerReplicas": int64(workers),
		"readyWorkerReplicas": int64(workers),
		"conditions": []any{
			condition("HeadPodReady", "HeadPodRunningAndReady"), condition("RayClusterProvisioned", "AllPodRunningAndReadyFirstTime"),
		},
	})
	if err != nil {
		return err
	}
	w.gpus.Add(int64(workers))
	labels := map[string]string{"ray.io/cluster": name, "ray.io/is-ray-node": "yes", "ray.io/node-type": "head", "ray.io/group": "headgroup"}
	if _, err := w.pod(namespace, name+"-head", owner, template(labels, 0), nil); err != nil {
		return err
	}
	labels = map[string]string{"ray.io/cluster": name, "ray.io/is-ray-node": "yes", "ray.io/node-type": "worker", "ray.io/group": "gpu"}
	return w.podSet(namespace, name+"-gpu-worker", workers, owner, labels, 1, "")
}

// jobSet has one role of two Jobs with five pods each.
func (w *writer) jobSet(name, namespace string) error {
	owner, err := w.custom(testcluster.JobSet, namespace, name, map[string]any{
		"replicatedJobs": []any{map[string]any{
			"name": "workers", "replicas": int64(2),
			"template": map[string]any{"spec": map[string]any{
				"parallelism": int64(5), "completions": int64(5), "completionMode": "Indexed", "template": unstructuredTemplate(1),
			}},
		}},
	}, map[string]any{
		"replicatedJobsStatus": []any{map[string]any{
			"name": "workers", "ready": int64(2), "active": int64(2), "succeeded": int64(0), "failed": int64(0), "suspended": int64(0),
		}},
	})
	if err != nil {
		return err
	}
	w.gpus.Add(10)
	for i := range 2 {
		labels := map[string]string{
			"jobset.sigs.k8s.io/jobset-name": name, "jobset.sigs.k8s.io/replicatedjob-name": "workers",
			"jobset.sigs.k8s.io/job-index": fmt.Sprint(i),
		}
		if err := w.job(namespace, fmt.Sprintf("%s-workers-%d", name, i), owner, labels); err != nil {
			return err
		}
	}
	return nil
}

// job has five ready pods.
func (w *writer) job(namespace, name string, owner metav1.OwnerReference, labels map[string]string) error {
	pod := template(labels, 1)
	pod.Spec.RestartPolicy = corev1.RestartPolicyNever
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels, OwnerReferences: []metav1.OwnerReference{owner}},
		Spec: batchv1.JobSpec{
			Parallelism: ptr.To[int32](5), Completions: ptr.To[int32](5),
			CompletionMode: ptr.To(batchv1.IndexedCompletion), Template: pod,
		},
	}
	client := w.typed.BatchV1().Jobs(namespace)
	made, err := client.Create(w.ctx, job, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("write job %s: %w", name, err)
	}
	w.others.Add(1)
	now := metav1.Now()
	made.Status = batchv1.JobStatus{Active: 5, Ready: ptr.To[int32](5), StartTime: &now, UncountedTerminatedPods: &batchv1.UncountedTerminatedPods{}}
	if made, err = client.UpdateStatus(w.ctx, made, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("write the status of job %s: %w", name, err)
	}
	return w.podSet(namespace, name, 5, reference(made, batchv1.SchemeGroupVersion.WithKind("Job")), labels, 1,
		"batch.kubernetes.io/job-completion-index")
}

// pyTorchJob has a master and nine workers.
func (w *writer) pyTorchJob(name, namespace string) error {
	replica := func(count int64) map[string]any {
		return map[string]any{"replicas": count, "restartPolicy": "OnFailure", "template": unstructuredTemplate(1)}
	}
	owner, err := w.custom(testcluster.PyTorchJob, namespace, name, map[string]any{
		"pytorchReplicaSpecs": map[string]any{"Master": replica(1), "Worker": replica(9)},
	}, map[string]any{
		"conditions":      []any{condition("Created", "PyTorchJobCreated"), condition("Running", "PyTorchJobRunning")},
		"replicaStatuses": map[string]any{"Master": map[string]any{"active": int64(1)}, "Worker": map[string]any{"active": int64(9)}},
	})
	if err != nil {
		return err
	}
	w.gpus.Add(10)
	for role, count := range map[string]int{"master": 1, "worker": 9} {
		labels := map[string]string{"training.kubeflow.org/job-name": name, "training.kubeflow.org/replica-type": role}
		if err := w.podSet(namespace, name+"-"+role, count, owner, labels, 1, "training.kubeflow.org/replica-index"); err != nil {
			return err
		}
	}
	return nil
}

// leaderWorkerSet has two groups of a leader and four workers. The workers'
// StatefulSets are owned by the leader pods.
func (w *writer) leaderWorkerSet(name, namespace string) error {
	owner, err := w.custom(testcluster.LeaderWorkerSet, namespace, name, map[string]any{
		"replicas": int64(2), "startupPolicy": "LeaderCreated",
		"leaderWorkerTemplate": map[string]any{"size": int64(5), "workerTemplate": unstructuredTemplate(1)},
	}, map[string]any{
		"replicas": int64(2), "readyReplicas": int64(2), "updatedReplicas": int64(2),
		"conditions": []any{condition("Available", "AllGroupsReady")},
	})
	if err != nil {
		return err
	}
	w.gpus.Add(10)
	labels := map[string]string{"leaderworkerset.sigs.k8s.io/name": name}
	leaders, err := w.statefulSet(namespace, name, 2, owner, labels)
	if err != nil {
		return err
	}
	for group := range 2 {
		inGroup := map[string]string{
			"leaderworkerset.sigs.k8s.io/name": name, "leaderworkerset.sigs.k8s.io/group-index": fmt.Sprint(group),
			"leaderworkerset.sigs.k8s.io/worker-index": "0",
		}
		leader, err := w.pod(namespace, fmt.Sprintf("%s-%d", name, group), leaders, template(inGroup, 1), nil)
		if err != nil {
			return err
		}
		set, err := w.statefulSet(namespace, leader.Name, 4, reference(leader, corev1.SchemeGroupVersion.WithKind("Pod")), inGroup)
		if err != nil {
			return err
		}
		for worker := 1; worker <= 4; worker++ {
			own := maps.Clone(inGroup)
			own["leaderworkerset.sigs.k8s.io/worker-index"] = fmt.Sprint(worker)
			podName := fmt.Sprintf("%s-%d", leader.Name, worker)
			annotations := map[string]string{"leaderworkerset.sigs.k8s.io/leader-name": leader.Name}
			if _, err := w.pod(namespace, podName, set, template(own, 1), annotations); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) statefulSet(namespace, name string, replicas int32, owner metav1.OwnerReference, labels map[string]string) (metav1.OwnerReference, error) {
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels, OwnerReferences: []metav1.OwnerReference{owner}},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: name, PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template(labels, 1),
		},
	}
	client := w.typed.AppsV1().StatefulSets(namespace)
	made, err := client.Create(w.ctx, set, metav1.CreateOptions{})
	if err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("write stateful set %s: %w", name, err)
	}
	w.others.Add(1)
	made.Status = appsv1.StatefulSetStatus{
		ObservedGeneration: made.Generation, Replicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
		CurrentReplicas: replicas, UpdatedReplicas: replicas, CurrentRevision: name + "-1", UpdateRevision: name + "-1",
	}
	if made, err = client.UpdateStatus(w.ctx, made, metav1.UpdateOptions{}); err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("write the status of stateful set %s: %w", name, err)
	}
	return reference(made, appsv1.SchemeGroupVersion.WithKind("StatefulSet")), nil
}

// deployment has ten pods without GPUs behind one ReplicaSet.
func (w *writer) deployment(name, namespace string) error {
	labels := map[string]string{"app": name}
	pod := template(labels, 0)
	const replicas = 10
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name, "team": namespace}},
		Spec:       appsv1.DeploymentSpec{Replicas: ptr.To[int32](replicas), Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: pod},
	}
	client := w.typed.AppsV1().Deployments(namespace)
	made, err := client.Create(w.ctx, deployment, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("write deployment %s: %w", name, err)
	}
	now := metav1.Now()
	made.Status = appsv1.DeploymentStatus{
		ObservedGeneration: made.Generation, Replicas: replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
		Conditions: []appsv1.DeploymentCondition{
			{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable", LastUpdateTime: now, LastTransitionTime: now},
			{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue, Reason: "NewReplicaSetAvailable", LastUpdateTime: now, LastTransitionTime: now},
		},
	}
	if made, err = client.UpdateStatus(w.ctx, made, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("write the status of deployment %s: %w", name, err)
	}
	owner := reference(made, appsv1.SchemeGroupVersion.WithKind("Deployment"))
	labels = map[string]string{"app": name, "pod-template-hash": "6d4cf56db6"}
	set := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name + "-6d4cf56db6", Labels: labels, OwnerReferences: []metav1.OwnerReference{owner}},
		Spec:       appsv1.ReplicaSetSpec{Replicas: ptr.To[int32](replicas), Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template(labels, 0)},
	}
	sets := w.typed.AppsV1().ReplicaSets(namespace)
	madeSet, err := sets.Create(w.ctx, set, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("write replica set %s: %w", set.Name, err)
	}
	w.others.Add(1)
	madeSet.Status = appsv1.ReplicaSetStatus{ObservedGeneration: madeSet.Generation, Replicas: replicas, FullyLabeledReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas}
	if madeSet, err = sets.UpdateStatus(w.ctx, madeSet, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("write the status of replica set %s: %w", set.Name, err)
	}
	return w.podSet(namespace, set.Name, replicas, reference(madeSet, appsv1.SchemeGroupVersion.WithKind("ReplicaSet")), labels, 0, "")
}

// gadget is owned by nothing and owns two pods.
func (w *writer) gadget(name, namespace string) error {
	owner, err := w.custom(Gadget, namespace, name, map[string]any{"size": int64(2)}, nil)
	if err != nil {
		return err
	}
	w.others.Add(1)
	return w.podSet(namespace, name, 2, owner, map[string]string{"gadget": name}, 0, "")
}

// condition is True since a while ago.
func condition(name, reason string) map[string]any {
	return map[string]any{
		"type": name, "status": "True", "reason": reason, "message": "",
		"lastTransitionTime": "2026-01-01T00:00:00Z", "lastUpdateTime": "2026-01-01T00:00:00Z",
	}
}
