package printer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/resolver"
)

// Sum is what the workloads of one namespace, type or label value ask for.
type Sum struct {
	// Key is the namespace, the type or the label's value, null for workloads without the label.
	Key *string `json:"key"`
	// Workloads counts all; Active those that are neither suspended, completed
	// nor failed. The rest counts active ones only.
	Workloads int `json:"workloads"`
	Active    int `json:"active"`
	// Ready and Desired count pods; null when one workload's are unknown.
	Ready     *int64             `json:"ready"`
	Desired   *int64             `json:"desired"`
	Resources resolver.Resources `json:"resources"`

	ready, desired tally
}

func active(phase v1alpha1.Phase) bool {
	return phase != v1alpha1.PhaseSuspended && phase != v1alpha1.PhaseCompleted && phase != v1alpha1.PhaseFailed
}

// sums adds up the rows, most GPUs first.
func (l *Listing) sums() []*Sum {
	byKey := map[string]*Sum{}
	var all []*Sum
	for _, row := range l.Rows {
		key, present := l.keyOf(row)
		id := strconv.FormatBool(present) + key
		if byKey[id] == nil {
			byKey[id] = &Sum{Resources: resolver.Resources{Requests: corev1.ResourceList{}}}
			if present {
				byKey[id].Key = &key
			}
			all = append(all, byKey[id])
		}
		byKey[id].add(row.Workload)
	}
	for _, sum := range all {
		sum.Ready, sum.Desired = sum.ready.known(), sum.desired.known()
	}
	slices.SortStableFunc(all, func(a, b *Sum) int {
		return cmp.Or(cmp.Compare(b.Resources.GPUs, a.Resources.GPUs), cmp.Compare(a.label(), b.label()))
	})
	return all
}

func (t tally) known() *int64 {
	if t.unknown {
		return nil
	}
	return &t.sum
}

func (l *Listing) keyOf(row Row) (key string, present bool) {
	switch l.By {
	case "namespace":
		return row.Workload.Namespace, true
	case "type":
		return strings.TrimSuffix(row.Kind+"."+row.Group, "."), true
	}
	metadata, _ := row.Object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	key, present = labels[strings.TrimPrefix(l.By, "label=")].(string)
	return key, present
}

func (s *Sum) add(w *resolver.Workload) {
	s.Workloads++
	if !active(w.Phase) {
		return
	}
	s.Active++
	s.ready.add(w.Replicas.Ready)
	s.desired.add(w.Replicas.Desired)
	s.Resources.GPUs += w.Resources.GPUs
	for name, quantity := range w.Resources.Requests {
		held := s.Resources.Requests[name]
		held.Add(quantity)
		s.Resources.Requests[name] = held
	}
}

func (s *Sum) label() string {
	if s.Key == nil {
		return "<none>"
	}
	return *s.Key
}

func (l *Listing) writeSums(out io.Writer) error {
	all := l.sums()
	if l.Document() {
		return Document(out, l.format, ListOf(all))
	}
	whole := resolver.Workload{Resources: resolver.Resources{Requests: corev1.ResourceList{}}}
	for _, sum := range all {
		for name, quantity := range sum.Resources.Requests {
			whole.Resources.Requests[name] = quantity
		}
	}
	others := slices.DeleteFunc(otherResources(&whole), func(name string) bool { return !resolver.Accelerator(name) })
	t := &columnTable{hidden: l.NoHeaders, right: map[string]bool{}}
	heading := strings.ToUpper(strings.TrimPrefix(l.By, "label="))
	t.headings = append([]string{heading, "WORKLOADS", "ACTIVE", "PODS", "GPUS", "CPU", "MEMORY"}, others...)
	for _, name := range t.headings[1:] {
		t.right[name] = true
	}
	total := &Sum{Resources: resolver.Resources{Requests: corev1.ResourceList{}}}
	for _, sum := range all {
		t.rows = append(t.rows, sum.cells(sum.label(), others))
		total.merge(sum)
	}
	if !l.NoHeaders {
		t.rows = append(t.rows, total.cells("TOTAL", others))
	}
	return t.write(out)
}

func (s *Sum) merge(other *Sum) {
	s.Workloads += other.Workloads
	s.Active += other.Active
	s.ready = tally{s.ready.sum + other.ready.sum, s.ready.unknown || other.ready.unknown}
	s.desired = tally{s.desired.sum + other.desired.sum, s.desired.unknown || other.desired.unknown}
	s.Resources.GPUs += other.Resources.GPUs
	for name, quantity := range other.Resources.Requests {
		held := s.Resources.Requests[name]
		held.Add(quantity)
		s.Resources.Requests[name] = held
	}
}

func (s *Sum) cells(label string, others []string) []string {
	return append([]string{
		label, strconv.Itoa(s.Workloads), strconv.Itoa(s.Active),
		fmt.Sprintf("%s/%s", s.ready, s.desired), strconv.FormatInt(s.Resources.GPUs, 10),
	}, quantities(&s.Resources, others)...)
}
