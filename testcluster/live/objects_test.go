package live

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/workloadmap/wm/testcluster"
)

func namespaceObject(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

var selector = map[string]string{"app": "it"}

// held is a template of pods that stay pending on their nodes until a test
// plays them.
func held(gpus int64, restart corev1.RestartPolicy) corev1.PodTemplateSpec {
	container := corev1.Container{Name: "main", Image: "registry.example.dev/main:1"}
	if gpus > 0 {
		asked := corev1.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI)}
		container.Resources = corev1.ResourceRequirements{Requests: asked, Limits: asked}
	}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: selector, Annotations: map[string]string{testcluster.Play: testcluster.Hold}},
		Spec:       corev1.PodSpec{RestartPolicy: restart, Containers: []corev1.Container{container}},
	}
}

func newDeployment(t *testing.T, namespace, name string, replicas int32, change ...func(*appsv1.Deployment)) {
	t.Helper()
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: selector},
			Template: held(0, corev1.RestartPolicyAlways),
		},
	}
	for _, f := range change {
		f(deployment)
	}
	if _, err := typed.AppsV1().Deployments(namespace).Create(t.Context(), deployment, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func newStatefulSet(t *testing.T, namespace, name string, replicas int32) {
	t.Helper()
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: name, Selector: &metav1.LabelSelector{MatchLabels: selector},
			Template: held(0, corev1.RestartPolicyAlways),
		},
	}
	if _, err := typed.AppsV1().StatefulSets(namespace).Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func newDaemonSet(t *testing.T, namespace, name string) {
	t.Helper()
	set := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: selector}, Template: held(0, corev1.RestartPolicyAlways),
		},
	}
	if _, err := typed.AppsV1().DaemonSets(namespace).Create(t.Context(), set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// jobSpec is a job of as many pods at once as it needs in all, of one GPU each,
// that gives up at the first failure.
func jobSpec(pods int32) batchv1.JobSpec {
	template := held(1, corev1.RestartPolicyNever)
	template.Labels = nil
	return batchv1.JobSpec{
		Parallelism: &pods, Completions: &pods, BackoffLimit: ptr.To[int32](0), Template: template,
	}
}

func newJob(t *testing.T, namespace, name string, pods int32, change ...func(*batchv1.Job)) {
	t.Helper()
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: jobSpec(pods)}
	for _, f := range change {
		f(job)
	}
	if _, err := typed.BatchV1().Jobs(namespace).Create(t.Context(), job, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
