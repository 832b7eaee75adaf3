package live

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/workloadmap/wm/testcluster"
)

func TestDeployment(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "web", 3)
	// The controller reports Available False and a rollout in progress.
	pending := expect(t, ns, "deployment/web", want{phase: "Initializing", desired: 3, pods: 3})
	for _, pod := range pending.Pods {
		if pod.Node == "" || pod.Phase != "Pending" {
			t.Errorf("pod %s is %s on node %q; the scheduler has bound it", pod.Name, pod.Phase, pod.Node)
		}
	}
	playAll(t, ns, pending.Pods, "")
	running := expect(t, ns, "deploy/web", want{phase: "Running", desired: 3, ready: 3, pods: 3})

	// The rollout is done, so one unavailable pod is damage and no start.
	play(t, ns, running.Pods[0].Name, testcluster.Unready)
	expect(t, ns, "deploy/web", want{phase: "Degraded", desired: 3, ready: 2, pods: 3})
	if err := typed.CoreV1().Pods(ns).Delete(t.Context(), running.Pods[0].Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	var replaced view
	eventually(t, "another pod", func() error {
		replaced = expect(t, ns, "deploy/web", want{phase: "Degraded", desired: 3, ready: 2, pods: 3})
		for _, pod := range replaced.Pods {
			if pod.Name == running.Pods[0].Name {
				return errNotYet
			}
		}
		return nil
	})
	playAll(t, ns, replaced.Pods, "")
	expect(t, ns, "deploy/web", want{phase: "Running", desired: 3, ready: 3, pods: 3})

	// A second ReplicaSet: with maxSurge 25% one pod more than wanted for a moment.
	patchTemplate(t, ns, "web", `{"spec":{"template":{"metadata":{"labels":{"release":"2"}}}}}`)
	expect(t, ns, "deploy/web", want{phase: "Running", desired: 3, ready: 3, pods: 4})
	eventually(t, "the rollout goes on", func() error {
		playAll(t, ns, describe(t, ns, "deploy/web").Pods, "")
		return updated(t, ns, "web", 3)
	})
	expect(t, ns, "deploy/web", want{phase: "Running", desired: 3, ready: 3, pods: 3})

	// Nothing is wanted and nothing is missing.
	patchTemplate(t, ns, "web", `{"spec":{"replicas":0}}`)
	expect(t, ns, "deploy/web", want{phase: "Running"})
}

func TestDeploymentThatHangs(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "stuck", 2, func(d *appsv1.Deployment) {
		d.Spec.ProgressDeadlineSeconds = ptr.To[int32](2)
	})
	expect(t, ns, "deploy/stuck", want{phase: "Failed", desired: 2, pods: 2})
}

func TestUnschedulablePodsSayWhy(t *testing.T) {
	ns := namespace(t)
	newDeployment(t, ns, "huge", 1, func(d *appsv1.Deployment) {
		asked := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("17")}
		d.Spec.Template.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: asked, Limits: asked}
	})
	eventually(t, "the scheduler's verdict", func() error {
		events, err := typed.CoreV1().Events(ns).List(t.Context(), metav1.ListOptions{FieldSelector: "reason=FailedScheduling"})
		if err == nil && len(events.Items) == 0 {
			err = errNotYet
		}
		return err
	})
	stuck := expect(t, ns, "deploy/huge", want{phase: "Initializing", desired: 1, pods: 1})
	if pod := stuck.Pods[0]; pod.Reason != "Unschedulable" || pod.Node != "" {
		t.Errorf("the pod has reason %q and node %q", pod.Reason, pod.Node)
	}
	text := wm(t, 0, "describe", "deploy/huge", "-n", ns).Stdout
	for _, wanted := range []string{"FailedScheduling", "Insufficient nvidia.com/gpu", "17"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("%q is missing from:\n%s", wanted, text)
		}
	}
}

func TestStatefulSet(t *testing.T) {
	ns := namespace(t)
	newStatefulSet(t, ns, "db", 3)
	// Pods come one after the other, each when the one before it is ready.
	first := expect(t, ns, "statefulset/db", want{phase: "Initializing", desired: 3, pods: 1})
	playAll(t, ns, first.Pods, "")
	second := expect(t, ns, "sts/db", want{phase: "Initializing", desired: 3, ready: 1, pods: 2})
	playAll(t, ns, second.Pods, "")
	// With all three made, the counters no longer tell a start from a loss:
	// the definition says so, and reads either as Degraded.
	third := expect(t, ns, "sts/db", want{phase: "Degraded", desired: 3, ready: 2, pods: 3})
	playAll(t, ns, third.Pods, "")
	running := expect(t, ns, "sts/db", want{phase: "Running", desired: 3, ready: 3, pods: 3})
	play(t, ns, running.Pods[2].Name, testcluster.Unready)
	expect(t, ns, "sts/db", want{phase: "Degraded", desired: 3, ready: 2, pods: 3})
}

func TestDaemonSet(t *testing.T) {
	ns := namespace(t)
	newDaemonSet(t, ns, "agent")
	// One pod for each of the cluster's three nodes.
	pending := expect(t, ns, "daemonset/agent", want{phase: "Initializing", desired: 3, pods: 3})
	playAll(t, ns, pending.Pods, "")
	running := expect(t, ns, "ds/agent", want{phase: "Running", desired: 3, ready: 3, pods: 3})
	play(t, ns, running.Pods[0].Name, testcluster.Unready)
	expect(t, ns, "ds/agent", want{phase: "Degraded", desired: 3, ready: 2, pods: 3})
}

func TestJob(t *testing.T) {
	ns := namespace(t)
	newJob(t, ns, "train", 2)
	// Both pods are active, which includes pending ones; neither is ready.
	pending := expect(t, ns, "job/train", want{phase: "Initializing", desired: 2, pods: 2})
	playAll(t, ns, pending.Pods, "")
	expect(t, ns, "job/train", want{phase: "Running", desired: 2, ready: 2, pods: 2})
	// One completion is still missing, so one pod is still wanted.
	play(t, ns, pending.Pods[0].Name, testcluster.Succeed)
	expect(t, ns, "job/train", want{phase: "Running", desired: 1, ready: 1, pods: 2})
	play(t, ns, pending.Pods[1].Name, testcluster.Succeed)
	expect(t, ns, "job/train", want{phase: "Completed", pods: 2})
}

func TestJobThatFails(t *testing.T) {
	ns := namespace(t)
	newJob(t, ns, "bad", 2)
	pending := expect(t, ns, "job/bad", want{phase: "Initializing", desired: 2, pods: 2})
	playAll(t, ns, pending.Pods, "")
	expect(t, ns, "job/bad", want{phase: "Running", desired: 2, ready: 2, pods: 2})
	// With a backoff limit of 0 one failure ends the job, and its controller
	// deletes the other pod.
	play(t, ns, pending.Pods[0].Name, testcluster.Fail)
	expect(t, ns, "job/bad", want{phase: "Failed", pods: 1})
	text := wm(t, 0, "describe", "job/bad", "-n", ns, "--why").Stdout
	if !strings.Contains(text, "BackoffLimitExceeded") {
		t.Errorf("--why does not name the reason of the condition:\n%s", text)
	}
}

func TestCronJob(t *testing.T) {
	ns := namespace(t)
	cron := &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: "nightly"},
		Spec: batchv1.CronJobSpec{
			Schedule: "* * * * *", ConcurrencyPolicy: batchv1.ForbidConcurrent,
			JobTemplate: batchv1.JobTemplateSpec{Spec: jobSpec(2)},
		},
	}
	if _, err := typed.BatchV1().CronJobs(ns).Create(t.Context(), cron, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	// The schedule's next minute may be a minute away, or be over already.
	if time.Now().Second() < 55 {
		expect(t, ns, "cronjob/nightly", want{phase: "Initializing", desired: 2})
	}
	// Its pods belong to a Job that belongs to it.
	started := expectWithin(t, 75*time.Second, ns, "cj/nightly", want{phase: "Running", desired: 2, pods: 2})
	playAll(t, ns, started.Pods, "")
	expect(t, ns, "cj/nightly", want{phase: "Running", desired: 2, ready: 2, pods: 2})
	// Suspending a CronJob keeps the next Job from starting; the one that runs goes on.
	patch := []byte(`{"spec":{"suspend":true}}`)
	if _, err := typed.BatchV1().CronJobs(ns).Patch(t.Context(), "nightly", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	expect(t, ns, "cj/nightly", want{phase: "Suspending", desired: 2, ready: 2, pods: 2})
	playAll(t, ns, started.Pods, testcluster.Succeed)
	expect(t, ns, "cj/nightly", want{phase: "Suspended", desired: 2, pods: 2})
}
