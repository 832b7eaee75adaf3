package resolver

import (
	"fmt"
)

// Pod is one pod of an instance.
type Pod struct {
	Name string `json:"name"`
	// Phase is status.phase; Pending when the pod has no status yet.
	Phase string `json:"phase"`
	// Reason is what keeps the pod from its purpose, in the words of kubectl's
	// STATUS column (CrashLoopBackOff, Init:0/1, Terminating), and Unschedulable;
	// "" when there is nothing to say beyond Phase.
	Reason string `json:"reason"`
	// Ready is whether the pod's Ready condition is True, also while it is being deleted.
	Ready bool `json:"ready"`
	// Node is "" until the pod is bound.
	Node string `json:"node"`
	// Unit is the replica unit that the pod belongs to; "" when the definition has no units.
	Unit string `json:"unit"`
}

// podState reads a pod's status. current is false for pods that have finished
// or are being deleted: they no longer stand for a replica.
func podState(pod map[string]any) (state Pod, current bool) {
	metadata := child(pod, "metadata")
	status := child(pod, "status")
	state = Pod{
		Name:  text(metadata["name"]),
		Phase: text(status["phase"]),
		Node:  text(child(pod, "spec")["nodeName"]),
	}
	if state.Phase == "" {
		state.Phase = "Pending"
	}
	finished := state.Phase == "Succeeded" || state.Phase == "Failed"
	deleting := metadata["deletionTimestamp"] != nil
	ready, _ := podCondition(status, "Ready")
	state.Ready = ready == "True"
	state.Reason = podReason(pod, status, state.Ready)
	switch {
	case deleting && text(status["reason"]) == "NodeLost":
		state.Reason = "Unknown"
	case deleting && !finished:
		state.Reason = "Terminating"
	}
	if state.Reason == state.Phase {
		state.Reason = ""
	}
	return state, !finished && !deleting
}

// podReason follows kubectl: the first init container that is not done, then,
// once the pod is initialized, the last word of the containers, else what the
// pod itself says. Unschedulable is what kubectl shows as Pending.
func podReason(pod, status map[string]any, ready bool) string {
	reason := text(status["phase"])
	if own := text(status["reason"]); own != "" {
		reason = own
	}
	switch _, why := podCondition(status, "PodScheduled"); why {
	case "SchedulingGated", "Unschedulable":
		reason = why
	}
	if initReason, initializing := initReason(pod, status); initializing {
		reason = initReason
		if initialized, _ := podCondition(status, "Initialized"); initialized != "True" {
			return reason
		}
	}
	return containerReason(status, reason, ready)
}

// containerReason looks at the containers from the last to the first, so that
// the first container in trouble has the word.
func containerReason(status map[string]any, reason string, ready bool) string {
	running := false
	statuses := list(status["containerStatuses"])
	for i := len(statuses) - 1; i >= 0; i-- {
		container := object(statuses[i])
		state := child(container, "state")
		waiting, terminated := child(state, "waiting"), child(state, "terminated")
		switch {
		case text(waiting["reason"]) != "":
			reason = text(waiting["reason"])
		case terminated != nil:
			reason = exitReason(terminated)
		case container["ready"] == true && state["running"] != nil:
			running = true
		}
	}
	if reason == "Completed" && running {
		if ready {
			return "Running"
		}
		return "NotReady"
	}
	return reason
}

// initReason describes the init container that the pod is at.
func initReason(pod, status map[string]any) (string, bool) {
	restartable := map[string]bool{}
	declared := list(child(pod, "spec")["initContainers"])
	for _, entry := range declared {
		container := object(entry)
		restartable[text(container["name"])] = container["restartPolicy"] == "Always"
	}
	for i, entry := range list(status["initContainerStatuses"]) {
		container := object(entry)
		state := child(container, "state")
		waiting, terminated := child(state, "waiting"), child(state, "terminated")
		exited, _ := number(terminated["exitCode"])
		switch {
		case terminated != nil && exited == 0:
			continue
		case restartable[text(container["name"])] && container["started"] == true:
			continue
		case terminated != nil:
			return "Init:" + exitReason(terminated), true
		case text(waiting["reason"]) != "" && text(waiting["reason"]) != "PodInitializing":
			return "Init:" + text(waiting["reason"]), true
		default:
			return fmt.Sprintf("Init:%d/%d", i, len(declared)), true
		}
	}
	return "", false
}

func exitReason(terminated map[string]any) string {
	if reason := text(terminated["reason"]); reason != "" {
		return reason
	}
	if signal, ok := number(terminated["signal"]); ok && signal != 0 {
		return fmt.Sprintf("Signal:%d", signal)
	}
	code, _ := number(terminated["exitCode"])
	return fmt.Sprintf("ExitCode:%d", code)
}

// podCondition returns status and reason of a condition, "" when it is absent.
func podCondition(status map[string]any, kind string) (value, reason string) {
	for _, entry := range list(status["conditions"]) {
		condition := object(entry)
		if condition["type"] == kind {
			return text(condition["status"]), text(condition["reason"])
		}
	}
	return "", ""
}

func child(parent map[string]any, field string) map[string]any { return object(parent[field]) }

func object(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

func list(value any) []any {
	list, _ := value.([]any)
	return list
}

func number(value any) (int64, bool) {
	switch value := value.(type) {
	case int64:
		return value, true
	case int:
		return int64(value), true
	case float64:
		return int64(value), true
	default:
		return 0, false
	}
}
