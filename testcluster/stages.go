package testcluster

import (
	"bytes"
	_ "embed"
	"fmt"

	nodes "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	heartbeat "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
	pods "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
	"sigs.k8s.io/yaml"
)

// Play is the annotation of a pod, or of its template, that says how far kwok
// plays it. Without one a pod becomes ready and stays so.
const Play = "testcluster.workloadmap.dev/play"

// The values of [Play].
const (
	// Hold leaves the pod pending on its node, until the annotation changes.
	Hold = "Hold"
	// Succeed ends the containers of a running pod with exit code 0.
	Succeed = "Succeed"
	// Fail ends them with exit code 1.
	Fail = "Fail"
	// Unready makes a running pod fail its readiness probe.
	Unready = "Unready"
)

// ownStages are the stages that the values of Play lead to.
//
//go:embed stages.yaml
var ownStages []byte

// kwokStages is the whole configuration of kwok. Its own pod-complete stage is
// not part of it: that ends every pod of a Job at once.
func kwokStages() ([]byte, error) {
	ready, err := unlessHeld(pods.DefaultPodReady)
	if err != nil {
		return nil, err
	}
	stages := [][]byte{
		[]byte(nodes.DefaultNodeInit),
		[]byte(heartbeat.DefaultNodeHeartbeatWithLease),
		ready,
		[]byte(pods.DefaultPodDelete),
		ownStages,
	}
	return bytes.Join(stages, []byte("\n---\n")), nil
}

// unlessHeld adds to kwok's stage that it leaves pods alone which are on hold.
func unlessHeld(stage string) ([]byte, error) {
	var parsed struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Spec       struct {
			ResourceRef map[string]any `json:"resourceRef"`
			Selector    struct {
				MatchExpressions []map[string]any `json:"matchExpressions"`
			} `json:"selector"`
			Next map[string]any `json:"next"`
		} `json:"spec"`
	}
	if err := yaml.UnmarshalStrict([]byte(stage), &parsed); err != nil {
		return nil, fmt.Errorf("read kwok's stage for ready pods: %w", err)
	}
	selector := &parsed.Spec.Selector
	selector.MatchExpressions = append(selector.MatchExpressions, map[string]any{
		"key":      fmt.Sprintf(".metadata.annotations[%q]", Play),
		"operator": "NotIn",
		"values":   []string{Hold},
	})
	made, err := yaml.Marshal(parsed)
	if err != nil {
		return nil, fmt.Errorf("write kwok's stage for ready pods: %w", err)
	}
	return made, nil
}
