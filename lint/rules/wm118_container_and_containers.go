package rules

import (
	"fmt"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/lint"
)

// containerAndContainers leaves alone two paths to different places: an object
// may describe one container beside a list of others.
func containerAndContainers() lint.Rule {
	return lint.Rule{
		ID: "WM118", Name: "container-and-containers", Severity: lint.Warning,
		Summary: "A role in fragments reads a container both alone and in a list.",
		Check: func(d *lint.Definition, report lint.Report) {
			lists := map[string]jq.Path{}
			// In the order of expressions, the list of a role comes before the container.
			for _, e := range d.Expressions {
				if e.Program == nil || e.Role != v1alpha1.RoleFragmentContainers && e.Role != v1alpha1.RoleFragmentContainer {
					continue
				}
				role := fmt.Sprint(e.Path[:len(e.Path)-1]...)
				if e.Role == v1alpha1.RoleFragmentContainers {
					if place, plain := e.Program.Path(); plain {
						lists[role] = place
					}
				} else if place, both := lists[role]; both && e.Program.MayRead(place) {
					report(d.Key(e.Path), fmt.Sprintf("component `%s` has this container in `containersPath` already, and the requests of both are added up", e.Component),
						"remove `containerPath`, which is for a container that is in no list")
				}
			}
		},
	}
}
