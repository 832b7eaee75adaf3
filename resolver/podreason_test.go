package resolver_test

import (
	"context"
	"testing"

	"github.com/workloadmap/wm/resolver"
)

// TestPodReasons is kubectl's STATUS column, worked out from the rules of its
// printer. "" stands for a status that is just the phase; Unschedulable, which
// kubectl prints as Pending, is our own.
func TestPodReasons(t *testing.T) {
	compiled := compile(t, definitionFrom([]any{
		map[string]any{"name": "train", "specDefinition": map[string]any{"podSpecPath": ".spec"}},
	}, nil))
	for name, test := range map[string]struct{ pod, reason string }{
		"no status yet":             {`{}`, ""},
		"pending":                   {`status: {phase: Pending, conditions: [{type: PodScheduled, status: "True"}]}`, ""},
		"unschedulable":             {`status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}`, "Unschedulable"},
		"gated":                     {`status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: SchedulingGated}]}`, "SchedulingGated"},
		"running":                   {`status: {phase: Running, containerStatuses: [{ready: true, state: {running: {}}}]}`, ""},
		"running but not ready":     {`status: {phase: Running, containerStatuses: [{ready: false, state: {running: {}}}]}`, ""},
		"creating":                  {`status: {phase: Pending, containerStatuses: [{state: {waiting: {reason: ContainerCreating}}}]}`, "ContainerCreating"},
		"waiting without a word":    {`status: {phase: Pending, containerStatuses: [{state: {waiting: {}}}]}`, ""},
		"crash loop":                {`status: {phase: Running, containerStatuses: [{state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error}}}]}`, "CrashLoopBackOff"},
		"image pull back-off":       {`status: {phase: Pending, containerStatuses: [{state: {waiting: {reason: ImagePullBackOff}}}]}`, "ImagePullBackOff"},
		"image pull error":          {`status: {phase: Pending, containerStatuses: [{state: {waiting: {reason: ErrImagePull}}}]}`, "ErrImagePull"},
		"out of memory":             {`status: {phase: Failed, containerStatuses: [{state: {terminated: {reason: OOMKilled, exitCode: 137}}}]}`, "OOMKilled"},
		"error":                     {`status: {phase: Failed, containerStatuses: [{state: {terminated: {reason: Error, exitCode: 1}}}]}`, "Error"},
		"exit code alone":           {`status: {phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 3}}}]}`, "ExitCode:3"},
		"signal alone":              {`status: {phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 137, signal: 9}}}]}`, "Signal:9"},
		"completed":                 {`status: {phase: Succeeded, containerStatuses: [{state: {terminated: {reason: Completed, exitCode: 0}}}]}`, "Completed"},
		"first container speaks":    {`status: {phase: Running, containerStatuses: [{state: {waiting: {reason: First}}}, {state: {waiting: {reason: Second}}}]}`, "First"},
		"one done, one runs, ready": {`status: {phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{state: {terminated: {reason: Completed}}}, {ready: true, state: {running: {}}}]}`, ""},
		"one done, one runs":        {`status: {phase: Running, conditions: [{type: Ready, status: "False"}], containerStatuses: [{state: {terminated: {reason: Completed}}}, {ready: true, state: {running: {}}}]}`, "NotReady"},
		"one failed, one runs":      {`status: {phase: Running, containerStatuses: [{state: {terminated: {reason: Error}}}, {ready: true, state: {running: {}}}]}`, "Error"},
		"evicted":                   {`status: {phase: Failed, reason: Evicted}`, "Evicted"},
		"node lost":                 {`status: {phase: Running, reason: NodeLost}`, "NodeLost"},
		"unknown":                   {`status: {phase: Unknown}`, ""},
		"deleting":                  {`{metadata: {deletionTimestamp: x}, status: {phase: Running, containerStatuses: [{state: {waiting: {reason: CrashLoopBackOff}}}]}}`, "Terminating"},
		"deleting on a lost node":   {`{metadata: {deletionTimestamp: x}, status: {phase: Running, reason: NodeLost}}`, "Unknown"},
		"failed on a lost node":     {`{metadata: {deletionTimestamp: x}, status: {phase: Failed, reason: NodeLost}}`, "Unknown"},
		"deleting and done":         {`{metadata: {deletionTimestamp: x}, status: {phase: Succeeded, containerStatuses: [{state: {terminated: {reason: Completed}}}]}}`, "Completed"},
		"init at the start":         {`{spec: {initContainers: [{name: a}, {name: b}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {running: {}}}, {name: b, state: {waiting: {reason: PodInitializing}}}], containerStatuses: [{state: {waiting: {reason: PodInitializing}}}]}}`, "Init:0/2"},
		"init waits for its turn":   {`{spec: {initContainers: [{name: a}, {name: b}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {terminated: {exitCode: 0, reason: Completed}}}, {name: b, state: {waiting: {reason: PodInitializing}}}]}}`, "Init:1/2"},
		"init crash loop":           {`{spec: {initContainers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {waiting: {reason: CrashLoopBackOff}}}], containerStatuses: [{state: {waiting: {reason: PodInitializing}}}]}}`, "Init:CrashLoopBackOff"},
		"init image pull":           {`{spec: {initContainers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {waiting: {reason: ImagePullBackOff}}}]}}`, "Init:ImagePullBackOff"},
		"init failed":               {`{spec: {initContainers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {terminated: {exitCode: 1, reason: Error}}}]}}`, "Init:Error"},
		"init exit code alone":      {`{spec: {initContainers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {terminated: {exitCode: 1}}}]}}`, "Init:ExitCode:1"},
		"init signal alone":         {`{spec: {initContainers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {terminated: {exitCode: 137, signal: 9}}}]}}`, "Init:Signal:9"},
		"init done":                 {`{spec: {initContainers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: a, state: {terminated: {exitCode: 0}}}], containerStatuses: [{state: {waiting: {reason: PodInitializing}}}]}}`, "PodInitializing"},
		"sidecar started":           {`{spec: {initContainers: [{name: a, restartPolicy: Always}, {name: b}]}, status: {phase: Pending, initContainerStatuses: [{name: a, started: true, state: {running: {}}}, {name: b, state: {running: {}}}]}}`, "Init:1/2"},
		"sidecar not started":       {`{spec: {initContainers: [{name: a, restartPolicy: Always}, {name: b}]}, status: {phase: Pending, initContainerStatuses: [{name: a, started: false, state: {running: {}}}]}}`, "Init:0/2"},
		"sidecar beside the pod":    {`{spec: {initContainers: [{name: a, restartPolicy: Always}]}, status: {phase: Running, initContainerStatuses: [{name: a, started: true, ready: true, state: {running: {}}}], containerStatuses: [{ready: true, state: {running: {}}}]}}`, ""},
		"sidecar breaks later":      {`{spec: {initContainers: [{name: a, restartPolicy: Always}]}, status: {phase: Running, conditions: [{type: Initialized, status: "True"}], initContainerStatuses: [{name: a, started: false, state: {waiting: {reason: CrashLoopBackOff}}}], containerStatuses: [{ready: true, state: {running: {}}}]}}`, "Init:CrashLoopBackOff"},
		"main breaks beside it":     {`{spec: {initContainers: [{name: a, restartPolicy: Always}]}, status: {phase: Running, conditions: [{type: Initialized, status: "True"}], initContainerStatuses: [{name: a, started: false, state: {running: {}}}], containerStatuses: [{state: {waiting: {reason: CrashLoopBackOff}}}]}}`, "CrashLoopBackOff"},
	} {
		t.Run(name, func(t *testing.T) {
			pod := withHeader(parseYAML(t, "pod", []byte(test.pod)).(map[string]any))
			workload, err := compiled.Resolve(context.Background(), withHeader(map[string]any{"spec": map[string]any{}}),
				resolver.WithPods([]map[string]any{pod}))
			if err != nil {
				t.Fatal(err)
			}
			if got := workload.Components[0].Instances[0].Pods[0].Reason; got != test.reason {
				t.Errorf("got %q, want %q", got, test.reason)
			}
		})
	}
}
