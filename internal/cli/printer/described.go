package printer

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/resolver"
)

// Described is a live workload with what its view does not hold.
type Described struct {
	*resolver.Workload
	// Why is what decided the phase; nil when it was not asked for.
	Why []resolver.Why `json:"why,omitempty"`
	// Warnings are events about the workload and its pods.
	Warnings []cluster.Warning `json:"warnings"`

	// Details are more about each pod, by name.
	Details map[string]PodDetail `json:"-"`
	Now     time.Time            `json:"-"`
	// MaxPods is how many pods are listed, those in trouble first; 0 lists all.
	MaxPods int `json:"-"`
}

// PodDetail is what a pod's line shows beside its state.
type PodDetail struct {
	Name, Created string
	Restarts      int64
	// GPUs is what the pod asks for; nil when that is not known.
	GPUs *int64
}

// DetailOf reads a pod in JSON form; GPUs stay unknown.
func DetailOf(pod map[string]any) PodDetail {
	metadata, _ := pod["metadata"].(map[string]any)
	status, _ := pod["status"].(map[string]any)
	detail := PodDetail{}
	detail.Name, _ = metadata["name"].(string)
	detail.Created, _ = metadata["creationTimestamp"].(string)
	containers, _ := status["containerStatuses"].([]any)
	for _, entry := range containers {
		container, _ := entry.(map[string]any)
		restarts, _ := container["restartCount"].(int64)
		detail.Restarts += restarts
	}
	return detail
}

// DescribedText writes workloads for people, an empty line between.
func DescribedText(out io.Writer, all []*Described) error {
	for i, d := range all {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := d.write(out); err != nil {
			return err
		}
	}
	return nil
}

func (d *Described) write(out io.Writer) error {
	folded := d.folded()
	if err := workload(out, folded); err != nil {
		return err
	}
	d.whyLines(out)
	d.presentLines(out)
	if err := d.podLines(out); err != nil {
		return err
	}
	return d.warningLines(out)
}

// folded is the workload as its tree shows it: without pods, which have a list
// of their own, without gangs, which are told with their pods, and with equal
// siblings in one line.
func (d *Described) folded() *resolver.Workload {
	shown := withoutPods(d.Workload)
	shown.Gangs = nil
	foldAll(shown.Components)
	return shown
}

// foldFrom is how many instances a role may have before equal ones are folded.
const foldFrom = 8

func foldAll(components []resolver.Component) {
	for i := range components {
		if len(components[i].Instances) > foldFrom {
			components[i].Instances = fold(components[i].Instances)
		}
		foldAll(components[i].Components)
	}
}

// fold puts neighbours that differ only in their ID into one line.
func fold(instances []resolver.Instance) []resolver.Instance {
	var folded []resolver.Instance
	for start := 0; start < len(instances); {
		stop := start + 1
		for stop < len(instances) && alike(&instances[start], &instances[stop]) {
			stop++
		}
		one := instances[start]
		if n := stop - start; n > 2 {
			one.ID = fmt.Sprintf("%s … %s (%d alike, each:)", one.ID, instances[stop-1].ID, n)
			folded = append(folded, one)
		} else {
			folded = append(folded, instances[start:stop]...)
		}
		start = stop
	}
	return folded
}

func alike(a, b *resolver.Instance) bool {
	return pods(a.Replicas.Ready, a.Replicas.Desired) == pods(b.Replicas.Ready, b.Replicas.Desired) &&
		slices.Equal(quantities(a.Total, nil), quantities(b.Total, nil)) && gpus(a.Total) == gpus(b.Total) && gpus(a.PerReplica) == gpus(b.PerReplica)
}

func gpus(r *resolver.Resources) int64 {
	if r == nil {
		return -1
	}
	return r.GPUs
}

// whyLines tell what decided each phase.
func (d *Described) whyLines(out io.Writer) {
	for _, why := range d.Why {
		if why.Field == "" {
			line(out, "why %s: no matcher of the definition holds", why.Phase)
			continue
		}
		line(out, "why %s: %s", why.Phase, why.Field)
		if why.NativePhase != "" {
			line(out, "  the framework says %q", why.NativePhase)
		}
		for _, condition := range why.Conditions {
			line(out, "  condition %s", conditionText(condition))
		}
		if why.Expression != "" {
			line(out, "  this expression gives %q:", why.Result)
			for text := range strings.Lines(why.Expression) {
				line(out, "    %s", strings.TrimRight(text, "\n"))
			}
		}
	}
	if d.Why != nil && len(d.Conditions) > 0 {
		line(out, "conditions of the object:")
		for _, condition := range d.Conditions {
			line(out, "  %s", conditionText(condition))
		}
	}
}

func conditionText(c resolver.Condition) string {
	text := c.Type + "=" + c.Status
	if c.Reason != "" {
		text += " (" + c.Reason + ")"
	}
	if c.Message != "" {
		text += ": " + strings.Join(strings.Fields(c.Message), " ")
	}
	return text
}

// presentLines tell of each gang how many pods are there, gangs that are alike
// in one line.
func (d *Described) presentLines(out io.Writer) {
	var order []string
	counts := map[string]int{}
	for _, gang := range d.Gangs {
		text := fmt.Sprintf("gang %s: %d there, %s needed (%s)", gang.Name, len(gang.Pods), number(gang.MinMember), members(gang.Members))
		if counts[text]++; counts[text] == 1 {
			order = append(order, text)
		}
	}
	for _, text := range order {
		if n := counts[text]; n > 1 {
			text = fmt.Sprintf("%d × %s", n, text)
		}
		line(out, "%s", text)
	}
}

// placedPod is a pod with the role that it has.
type placedPod struct {
	resolver.Pod
	role string
}

// placedPods are the pods in the order of roles.
func (d *Described) placedPods() []placedPod {
	var all []placedPod
	d.Walk(func(c *resolver.Component) bool {
		for _, instance := range c.Instances {
			for _, pod := range instance.Pods {
				role := c.Name
				if instance.ID != "" {
					role += "/" + instance.ID
				}
				if pod.Unit != "" {
					role += " unit " + pod.Unit
				}
				all = append(all, placedPod{pod, role})
			}
		}
		return true
	})
	return all
}

// podLines list pods below their roles. When there are too many those in
// trouble are kept, and the rest is counted by state.
func (d *Described) podLines(out io.Writer) error {
	all := d.placedPods()
	if len(all) == 0 {
		return nil
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return trouble(all[a].Pod) - trouble(all[b].Pod) })
	shown, rest := order, []int(nil)
	if d.MaxPods > 0 && len(order) > d.MaxPods {
		shown, rest = order[:d.MaxPods], order[d.MaxPods:]
	}
	slices.SortStableFunc(shown, func(a, b int) int { return roleOrder(all, a) - roleOrder(all, b) })
	fmt.Fprintln(out)
	t := &columnTable{
		headings: []string{"POD", "STATUS", "RESTARTS", "AGE", "GPUS", "NODE"},
		right:    map[string]bool{"RESTARTS": true, "AGE": true, "GPUS": true},
	}
	role := ""
	for _, at := range shown {
		pod := all[at]
		if pod.role != role {
			role = pod.role
			t.rows = append(t.rows, []string{role})
		}
		t.rows = append(t.rows, d.podCells(pod.Pod))
	}
	if err := t.write(out); err != nil {
		return err
	}
	if len(rest) > 0 {
		line(out, "and %d more: %s", len(rest), states(all, rest))
	}
	return nil
}

// roleOrder is the position of the first pod of the same role.
func roleOrder(all []placedPod, at int) int {
	return slices.IndexFunc(all, func(p placedPod) bool { return p.role == all[at].role })
}

func (d *Described) podCells(pod resolver.Pod) []string {
	detail := d.Details[pod.Name]
	node := pod.Node
	if node == "" {
		node = "-"
	}
	return []string{"  " + pod.Name, state(pod), strconv.FormatInt(detail.Restarts, 10), ageSince(detail.Created, d.Now), number(detail.GPUs), node}
}

// state is a pod's reason, else its phase, with the word that it is not ready
// where that is not plain from it.
func state(pod resolver.Pod) string {
	switch {
	case pod.Reason != "":
		return pod.Reason
	case pod.Phase == "Running" && !pod.Ready:
		return "Running, not ready"
	default:
		return pod.Phase
	}
}

// states counts pods by state.
func states(all []placedPod, of []int) string {
	counts := map[string]int{}
	var order []string
	for _, at := range of {
		word := state(all[at].Pod)
		if counts[word]++; counts[word] == 1 {
			order = append(order, word)
		}
	}
	for i, word := range order {
		order[i] = fmt.Sprintf("%d %s", counts[word], word)
	}
	return strings.Join(order, ", ")
}

// maxWarnings is how many warnings are shown.
const maxWarnings = 20

func (d *Described) warningLines(out io.Writer) error {
	if len(d.Warnings) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	line(out, "WARNINGS")
	for i, w := range d.Warnings {
		if i == maxWarnings {
			line(out, "  and %d more", len(d.Warnings)-maxWarnings)
			break
		}
		times := ""
		if w.Count > 1 {
			times = fmt.Sprintf(" ×%d", w.Count)
		}
		line(out, "  %s ago%s  %s %s  %s", ageSince(w.Last, d.Now), times, w.Kind, w.Name, w.Reason)
		for _, text := range wrap(strings.Join(strings.Fields(w.Message), " "), 76) {
			line(out, "    %s", text)
		}
	}
	return nil
}

// wrap breaks text between words into lines of at most width characters; a
// longer word has a line of its own.
func wrap(text string, width int) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(text) {
		switch {
		case current == "":
			current = word
		case len([]rune(current))+1+len([]rune(word)) <= width:
			current += " " + word
		default:
			lines = append(lines, current)
			current = word
		}
	}
	if current != "" {
		lines = append(lines, current)
	}
	return lines
}
