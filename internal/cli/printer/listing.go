package printer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/jq"
	"github.com/workloadmap/wm/resolver"
)

// Row is one workload of a listing.
type Row struct {
	Workload *resolver.Workload
	// Object is what the workload was read from.
	Object map[string]any
	// Kind, Group and Singular name its type.
	Kind, Group, Singular string
}

// Formats of a listing beside the common ones.
const (
	Wide Format = "wide"
	Name Format = "name"
	// columns is custom-columns=...
	columns Format = "custom-columns"
)

// Listing writes workloads as rows, or adds them up.
type Listing struct {
	Rows []Row
	Now  func() time.Time
	// WithNamespace and WithType add columns; with types, totals follow.
	WithNamespace, WithType bool
	NoHeaders               bool
	// SortBy is "", gpus, age, name or phase; By is "", namespace, type or label=KEY.
	SortBy, By string

	format  Format
	columns []column
}

type column struct {
	heading string
	program *jq.Program
}

// Parse reads the value of -o and checks SortBy and By.
func (l *Listing) Parse(output string) error {
	if !slices.Contains([]string{"", "gpus", "age", "name", "phase"}, l.SortBy) {
		return fmt.Errorf("cannot sort by %q: use gpus, age, name or phase", l.SortBy)
	}
	if !slices.Contains([]string{"", "namespace", "type"}, l.By) && (!strings.HasPrefix(l.By, "label=") || l.By == "label=") {
		return fmt.Errorf("cannot add up by %q: use namespace, type or label=KEY", l.By)
	}
	if specification, found := strings.CutPrefix(output, string(columns)+"="); found {
		l.format = columns
		if l.By != "" {
			return fmt.Errorf("--by has its own columns: leave out -o %s", columns)
		}
		return l.parseColumns(specification)
	}
	offered := []Format{Text, Wide, JSON, YAML, Name}
	if l.By != "" {
		offered = []Format{Text, JSON, YAML}
	}
	var err error
	if l.format, err = ParseFormat(output, offered...); err != nil && l.By == "" {
		return fmt.Errorf("%w, or custom-columns=NAME:EXPRESSION and more after commas", err)
	}
	return err
}

func (l *Listing) parseColumns(specification string) error {
	for part := range strings.SplitSeq(specification, ",") {
		heading, expression, found := strings.Cut(part, ":")
		if !found || heading == "" || expression == "" {
			return fmt.Errorf("custom-columns: %q is no column: write NAME:EXPRESSION, such as GPUS:.resources.gpus", part)
		}
		program, err := jq.Compile(expression)
		if err != nil {
			return fmt.Errorf("custom-columns: column %s: %w", heading, err)
		}
		l.columns = append(l.columns, column{heading, program})
	}
	return nil
}

// Document reports whether the format is one for programs, which get an empty
// list where people get nothing.
func (l *Listing) Document() bool { return l.format == JSON || l.format == YAML }

// Write writes the rows.
func (l *Listing) Write(out io.Writer) error {
	l.sort()
	switch {
	case l.By != "":
		return l.writeSums(out)
	case l.Document():
		items := make([]*resolver.Workload, len(l.Rows))
		for i, row := range l.Rows {
			items[i] = withoutPods(row.Workload)
		}
		return Document(out, l.format, ListOf(items))
	case l.format == Name:
		for _, row := range l.Rows {
			line(out, "%s", row.typedName())
		}
		return nil
	case l.format == columns:
		return l.writeColumns(out)
	}
	return l.writeTable(out)
}

// typedName is what kubectl and wm take as TYPE/NAME.
func (r Row) typedName() string {
	name := r.Singular
	if r.Group != "" {
		name += "." + r.Group
	}
	return name + "/" + r.Workload.Name
}

// withoutPods is a workload as a list shows it.
func withoutPods(w *resolver.Workload) *resolver.Workload {
	shown := *w
	shown.Components = componentsWithoutPods(w.Components)
	shown.Gangs = slices.Clone(w.Gangs)
	for i := range shown.Gangs {
		shown.Gangs[i].Pods = nil
	}
	return &shown
}

func componentsWithoutPods(components []resolver.Component) []resolver.Component {
	shown := slices.Clone(components)
	for i := range shown {
		shown[i].Instances = slices.Clone(shown[i].Instances)
		for at := range shown[i].Instances {
			shown[i].Instances[at].Pods = nil
		}
		shown[i].Components = componentsWithoutPods(shown[i].Components)
	}
	return shown
}

// troubleFirst is the order of phases in which somebody has to look at them.
func troubleFirst() []v1alpha1.Phase {
	return []v1alpha1.Phase{
		v1alpha1.PhaseFailed, v1alpha1.PhaseDegraded, v1alpha1.PhaseUndefined, v1alpha1.PhaseInitializing, v1alpha1.PhaseResuming,
		v1alpha1.PhaseSuspending, v1alpha1.PhaseRunning, v1alpha1.PhaseSuspended, v1alpha1.PhaseCompleted,
	}
}

func (l *Listing) sort() {
	order := troubleFirst()
	slices.SortStableFunc(l.Rows, func(a, b Row) int {
		switch l.SortBy {
		case "gpus":
			return cmp.Compare(b.Workload.Resources.GPUs, a.Workload.Resources.GPUs)
		case "age":
			return cmp.Compare(created(a.Workload), created(b.Workload))
		case "name":
			return cmp.Compare(a.Workload.Name, b.Workload.Name)
		case "phase":
			return cmp.Compare(slices.Index(order, a.Workload.Phase), slices.Index(order, b.Workload.Phase))
		}
		return 0
	})
}

// created sorts as text, since the server writes all times in one form.
func created(w *resolver.Workload) string {
	if w.CreatedAt == nil {
		return "~"
	}
	return *w.CreatedAt
}

func (l *Listing) writeTable(out io.Writer) error {
	t := &columnTable{right: map[string]bool{"PODS": true, "GPUS": true, "AGE": true, "CPU": true, "MEMORY": true}}
	headings := []string{"NAME", "PHASE", "PODS", "GPUS", "AGE"}
	if l.WithType {
		headings = slices.Insert(headings, 1, "TYPE")
	}
	if l.WithNamespace {
		headings = slices.Insert(headings, 0, "NAMESPACE")
	}
	if l.format == Wide {
		headings = append(headings, "CPU", "MEMORY", "STATUS", "ACCELERATORS", "DEFINITION")
	}
	t.headings, t.hidden = headings, l.NoHeaders
	types := l.typeNames()
	for _, row := range l.Rows {
		w := row.Workload
		cells := []string{w.Name, string(w.Phase), number(w.Replicas.Ready) + "/" + number(w.Replicas.Desired), strconv.FormatInt(w.Resources.GPUs, 10), l.age(w.CreatedAt)}
		if l.WithType {
			cells = slices.Insert(cells, 1, types[row.Kind+"."+row.Group])
		}
		if l.WithNamespace {
			cells = slices.Insert(cells, 0, w.Namespace)
		}
		if l.format == Wide {
			cells = append(cells, quantities(&w.Resources, nil)[0], quantities(&w.Resources, nil)[1], native(w), accelerators(&w.Resources), w.Definition.Name)
		}
		t.rows = append(t.rows, cells)
	}
	if err := t.write(out); err != nil {
		return err
	}
	if l.WithType && !l.NoHeaders {
		fmt.Fprintln(out)
		line(out, "%s", l.total())
	}
	return nil
}

// typeNames are the kinds of the rows, with the group where two are called the same.
func (l *Listing) typeNames() map[string]string {
	groups := map[string][]string{}
	for _, row := range l.Rows {
		if !slices.Contains(groups[row.Kind], row.Group) {
			groups[row.Kind] = append(groups[row.Kind], row.Group)
		}
	}
	names := map[string]string{}
	for kind, of := range groups {
		for _, group := range of {
			names[kind+"."+group] = kind
			if len(of) > 1 && group != "" {
				names[kind+"."+group] = kind + "." + group
			}
		}
	}
	return names
}

func native(w *resolver.Workload) string {
	if w.NativePhase == nil || *w.NativePhase == "" {
		return "-"
	}
	return *w.NativePhase
}

// accelerators lists the devices asked for by name.
func accelerators(r *resolver.Resources) string {
	var parts []string
	for name, quantity := range r.Requests {
		if resolver.Accelerator(string(name)) {
			parts = append(parts, string(name)+"="+quantity.String())
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

// total is the line below all workloads: how many, and their GPUs by phase.
func (l *Listing) total() string {
	gpus := map[v1alpha1.Phase]int64{}
	var all int64
	var ready, desired tally
	for _, row := range l.Rows {
		w := row.Workload
		gpus[w.Phase] += w.Resources.GPUs
		all += w.Resources.GPUs
		ready.add(w.Replicas.Ready)
		desired.add(w.Replicas.Desired)
	}
	var parts []string
	for _, phase := range troubleFirst() {
		if gpus[phase] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", phase, gpus[phase]))
		}
	}
	workloads := int64(len(l.Rows))
	text := fmt.Sprintf("%s, pods %s/%s, %s", plural(&workloads, "workload"), ready, desired, plural(&all, "GPU"))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// tally adds up counts of which some may be unknown; then the sum is a least.
type tally struct {
	sum     int64
	unknown bool
}

func (t *tally) add(n *int64) {
	if n == nil {
		t.unknown = true
		return
	}
	t.sum += *n
}

func (t tally) String() string {
	if t.unknown {
		return fmt.Sprintf("%d+?", t.sum)
	}
	return strconv.FormatInt(t.sum, 10)
}

// age is the time since an object was made, in the two largest units as kubectl shows it.
func (l *Listing) age(at *string) string {
	if at == nil || l.Now == nil {
		return "?"
	}
	return ageSince(*at, l.Now())
}

func ageSince(at string, now time.Time) string {
	made, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "?"
	}
	age := max(0, now.Sub(made))
	switch days := int(age.Hours()) / 24; {
	case age < 2*time.Minute:
		return fmt.Sprintf("%ds", int(age.Seconds()))
	case age < 3*time.Hour:
		return fmt.Sprintf("%dm", int(age.Minutes()))
	case days < 2:
		return fmt.Sprintf("%dh", int(age.Hours()))
	case days < 2*365:
		return fmt.Sprintf("%dd", days)
	default:
		return fmt.Sprintf("%dy", days/365)
	}
}

// writeColumns evaluates the columns on each workload, as JSON shows it, with
// metadata, spec and status of its object beside.
func (l *Listing) writeColumns(out io.Writer) error {
	t := &columnTable{hidden: l.NoHeaders}
	for _, c := range l.columns {
		t.headings = append(t.headings, c.heading)
	}
	for _, row := range l.Rows {
		document, err := row.document()
		if err != nil {
			return err
		}
		in, err := jq.NewInput(document)
		if err != nil {
			return fmt.Errorf("custom-columns: %w", err)
		}
		cells := make([]string, len(l.columns))
		for i, c := range l.columns {
			cells[i] = c.cell(in)
		}
		t.rows = append(t.rows, cells)
	}
	return t.write(out)
}

func (r Row) document() (map[string]any, error) {
	content, err := json.Marshal(withoutPods(r.Workload))
	if err != nil {
		return nil, fmt.Errorf("custom-columns: %w", err)
	}
	document := map[string]any{}
	if err := json.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("custom-columns: %w", err)
	}
	for _, field := range []string{"metadata", "spec", "status"} {
		document[field] = r.Object[field]
	}
	return document, nil
}
