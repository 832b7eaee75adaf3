package rules

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
)

func conditionInverted() lint.Rule {
	return lint.Rule{
		ID: "WM312", Name: "condition-inverted", Severity: lint.Error,
		Summary: "A condition whose True is bad news is taken for good news, or the other way round.",
		Check: func(d *lint.Definition, report lint.Report) {
			root := d.Map.Spec.StructureDefinition.RootComponent.Kind
			if root == nil {
				return
			}
			bad := badConditions(root.Group, root.Kind)
			for _, m := range matchers(d) {
				if !m.component.Root {
					continue
				}
				for i, c := range m.ByConditions {
					at := m.at("byConditions", i)
					if slices.Contains(bad, c.Type) && !d.Misspelt(at, "status") {
						judgeInverted(d, m, i, report)
					}
				}
			}
		},
	}
}

func judgeInverted(d *lint.Definition, m matcher, i int, report lint.Report) {
	c := m.ByConditions[i]
	good := m.phase == v1alpha1.PhaseRunning || m.phase == v1alpha1.PhaseCompleted
	bad := m.phase == v1alpha1.PhaseFailed || m.phase == v1alpha1.PhaseDegraded || m.phase == v1alpha1.PhaseSuspended
	status := d.Node(m.at("byConditions", i, "status"))
	where := m.at("byConditions", i, "status")
	if !status.Exists() {
		where = m.at("byConditions", i, "type")
	}
	switch {
	case good && c.Status == "True":
		report(d.Mark(where), fmt.Sprintf("`%s` is True when something is wrong, so this is not `%s`", c.Type, m.phase.Key()),
			`write status: "False", or wait for another condition`)
	// Beside other conditions, False may well tell two bad states apart.
	case bad && c.Status == "False" && len(m.ByConditions) == 1 && m.ByPhase == "" && m.ByExpression == nil && c.Reason == "":
		report(d.Mark(where), fmt.Sprintf("`%s` is False when all is well, so this is not `%s`", c.Type, m.phase.Key()), `write status: "True"`)
	}
}

// badConditions are the conditions of a kind whose True is bad news. Sources are
// the operators' API types and controllers: Grove v0.1, KubeRay v1.6, KServe
// v0.20, NIM operator v3.1, Kueue v0.19, AppWrapper v1.2, and Kubernetes.
func badConditions(group, kind string) []string {
	switch group + "/" + kind {
	case "grove.io/PodCliqueSet", "grove.io/PodClique", "grove.io/PodCliqueScalingGroup":
		return []string{"MinAvailableBreached", "TopologyLevelsUnavailable"}
	case "ray.io/RayCluster", "apps/Deployment", "apps/ReplicaSet":
		return []string{"ReplicaFailure"}
	case "serving.kserve.io/InferenceService":
		return []string{"Stopped"}
	case "apps.nvidia.com/NIMService":
		return []string{"Failed"}
	case "kueue.x-k8s.io/Workload":
		return []string{"Evicted", "Preempted"}
	case "workload.codeflare.dev/AppWrapper":
		return []string{"Unhealthy"}
	case "scheduling.run.ai/PodGroup":
		return []string{"UnschedulableOnNodePool"}
	default:
		return nil
	}
}
