package review_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/catalog"
	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
	"github.com/workloadmap/wm/testkit/mutation"
	"github.com/workloadmap/wm/testkit/review"
)

// planted are the definitions in which mistakes are planted.
var planted = []string{
	"batch-job-v1", "jobset-x-k8s-io-jobset-v1alpha2", "kubeflow-org-pytorchjob-v1",
	"leaderworkerset-x-k8s-io-leaderworkerset-v1", "ray-io-raycluster-v1",
	// The only one with gang filters.
	"nvidia-com-dynamographdeployment-v1alpha1",
}

// TestPlantedMistakes plants one mistake of each operator of testkit/mutation in
// each definition and wants the review to name its effect.
func TestPlantedMistakes(t *testing.T) {
	for _, name := range planted {
		t.Run(name, func(t *testing.T) {
			base := onDisk(t, name)
			chosen := onePerOperator(t, base, name)
			if len(chosen) < 12 {
				t.Errorf("only %d operators have a mistake that a case catches", len(chosen))
			}
			for _, mutant := range chosen {
				report := reviewOf(t, withCase(base, mutant.KilledBy), name, mutant)
				text := plain(report)
				for _, want := range effects(mutant) {
					if !regexp.MustCompile(`(?m)^` + want).MatchString(text) {
						t.Errorf("%s (%s): no line matches %s in\n%s", mutant.ID, mutant.Meaning, want, text)
					}
				}
				if !report.Failed() {
					t.Errorf("%s: nothing stands against the change:\n%s", mutant.ID, text)
				}
			}
		})
	}
}

// TestEveryMistakeIsNamed takes mistakes of all kinds, also those that no case
// catches: what the definition says differently does not depend on cases.
func TestEveryMistakeIsNamed(t *testing.T) {
	for _, name := range planted {
		content, err := fs.ReadFile(catalog.Files(), name+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		base := fstest.MapFS{"catalog/" + name + ".yaml": {Data: content}}
		documents, _ := source.Parse(name, content)
		mutants, err := mutation.Mutants(documents[0])
		if err != nil || len(mutants) < 50 {
			t.Fatalf("%d mistakes in %s, %v", len(mutants), name, err)
		}
		for i, mutant := range mutants {
			if i > 0 && i%4 != 0 && mutants[i-1].Operator == mutant.Operator {
				continue
			}
			said := reviewOf(t, base, name, *mutant).Definitions[0].Differences
			if len(said) == 0 || slices.ContainsFunc(said, func(d review.Difference) bool { return strings.Contains(d.Text, "is another value, or") }) {
				t.Errorf("%s of %s (%s) is not named: %v", mutant.ID, name, mutant.Meaning, said)
			}
		}
	}
}

// effects are what the review of a mistake must say: what the definition says
// differently, judged by the operator and the field, and a fact of a view that
// such a change moves.
func effects(m mutation.Mutant) []string {
	component, field, _ := strings.Cut(m.Field, ".")
	says := map[string]string{
		"drop-matcher":         `says: a workload is no longer PHASE when`,
		"swap-phase":           `says: a workload is \w+ instead of PHASE when`,
		"negate-matcher":       `says: a workload is PHASE under another condition`,
		"drop-condition":       `says: a workload is PHASE under another condition`,
		"change-word":          `says: a workload is PHASE under another condition`,
		"drop-path":            `says: .*(ROLE|framework's).* no longer read`,
		"drop-scale":           `says: .*replicas of ROLE (is|are) no longer known`,
		"swap-scale":           `says: .*replicas of ROLE (is|are) read differently`,
		"drop-selector":        `says: .*ROLE.*(no longer told|told apart|another value)`,
		"change-selector":      `says: .*ROLE.*(told by another|another value)`,
		"drop-gang-key":        `breaks: gang-key-changed: .*gangs? `,
		"change-gang-key":      `breaks: gang-key-changed: the gangs .* another key`,
		"drop-gang-member":     `(says: pods of .* no longer in the gang|breaks: gang-gone)`,
		"drop-filter":          `says: .* in the gang .*`,
		"negate-filter":        `says: which pods .* in the gang .* another filter`,
		"change-filter":        `says: which pods .* in the gang .* another filter`,
		"change-suspend-value": `breaks: suspend-changed: (suspending|resuming) ROLE writes`,
		"drop-suspend-action":  `breaks: suspend-changed: (suspending|resuming) ROLE writes`,
		"drop-topology":        `says: .* kept together in another way`,
	}[m.Operator]
	subjects := []struct{ field, says, view string }{
		{"statusMappings", `says: whether a workload is .* told by another expression`, `(phase|phases that match): `},
		{"phaseDefinition", `says: the framework's own phase is`, `(phase|the framework's own phase): `},
		{"conditionsDefinition", `says: the framework's conditions are`, `(phase|phases that match|condition \w+): `},
		{"replicasPath", `says: the number of replicas of ROLE is`, `(replicas|units) of ROLE.*: `},
		{"minReplicasPath", `says: the minimum replicas of ROLE are`, `minimum of ROLE.*: `},
		{"maxReplicasPath", `says: the maximum replicas of ROLE are`, `maximum of ROLE.*: `},
		{"fragmentedPodSpecDefinition", `says: the .* of ROLE pods (is|are) `, `(edits write|role ROLE|each ROLE|requests|problem).*: `},
		{"specDefinition", `says: the pods of ROLE are`, `(edits write|role ROLE|each ROLE|replicas of ROLE|pods).*: `},
		{"instanceIdPath", `says: the instances of ROLE are|breaks: instances-changed`, `role ROLE.*: `},
		{"podSelector", `says: .*ROLE.* told`, `(pods|gang).*: `},
		{"suspendDefinition", `breaks: suspend-changed: `, `(suspending|resuming) writes: `},
	}
	view := `.*gang.*: `
	for _, subject := range subjects {
		if strings.Contains(field, subject.field) {
			view = subject.view
			if says == "" {
				says = subject.says
			}
			break
		}
	}
	phase := ""
	for _, each := range v1alpha1.Phases() {
		if strings.Contains(field+".", "statusMappings."+each.Key()+".") {
			phase = string(each)
		}
	}
	if says == "" {
		says = `says: .*gang|breaks: gang`
	}
	words := strings.NewReplacer("PHASE", phase, "ROLE", regexp.QuoteMeta(component))
	return []string{words.Replace(says), words.Replace(`view \[.*\]: ` + view + `.* -> `)}
}

// withCase leaves out all cases but the one that catches a mistake.
func withCase(files fstest.MapFS, caught string) fstest.MapFS {
	name, _, _ := strings.Cut(caught, " at ")
	kept := fstest.MapFS{}
	for file, content := range files {
		if !strings.HasPrefix(file, "fixtures/") || strings.HasPrefix(file, "fixtures/"+name+"/") {
			kept[file] = content
		}
	}
	return kept
}

// onDisk takes a definition and its cases from the repository.
func onDisk(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	content, err := fs.ReadFile(catalog.Files(), name+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	files["catalog/"+name+".yaml"] = &fstest.MapFile{Data: content}
	names, err := source.List(source.OS(), []string{"../../fixtures/" + name})
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range names {
		content, err := fs.ReadFile(source.OS(), each)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(each, "../../")] = &fstest.MapFile{Data: content}
	}
	return files
}

// onePerOperator are mistakes that a case catches, the first of each operator.
func onePerOperator(t *testing.T, files fstest.MapFS, name string) []mutation.Mutant {
	t.Helper()
	candidates, err := catalog.Read(files, []string{"catalog"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := resolver.NewSet(candidates)
	if err != nil {
		t.Fatal(err)
	}
	report, err := mutation.Run(context.Background(), testkit.Options{
		Files: files, Paths: []string{"fixtures"}, Definitions: set,
		Written: func(resolver.DefinitionReference) (*source.Document, error) {
			file := "catalog/" + name + ".yaml"
			documents, _ := source.Parse(file, files[file].Data)
			return documents[0], nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var chosen []mutation.Mutant
	for _, mutant := range report.Definitions[0].Caught {
		known := func(other mutation.Mutant) bool { return other.Operator == mutant.Operator }
		if !slices.ContainsFunc(chosen, known) {
			chosen = append(chosen, mutant)
		}
	}
	return chosen
}

func reviewOf(t *testing.T, base fstest.MapFS, name string, mutant mutation.Mutant) *review.Report {
	t.Helper()
	head := fstest.MapFS{}
	for file, content := range base {
		head[file] = content
	}
	content, err := mutant.YAML()
	if err != nil {
		t.Fatal(err)
	}
	head["catalog/"+name+".yaml"] = &fstest.MapFile{Data: content}
	report, err := review.Compare(context.Background(), review.Options{
		Base: base, Head: head, Definitions: []string{"catalog"}, Cases: []string{"fixtures"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// plain writes what tests look at, one line each.
func plain(report *review.Report) string {
	var text strings.Builder
	for _, fault := range report.Faults {
		fmt.Fprintf(&text, "fault: %s\n", fault)
	}
	for _, d := range report.Definitions {
		fmt.Fprintf(&text, "%s: %s\n", d.Name, d.Change)
		for _, each := range d.Differences {
			fmt.Fprintf(&text, "says: %s\n", each.Text)
		}
		for _, each := range d.Breaks {
			fmt.Fprintf(&text, "breaks: %s: %s\n", each.Kind, each.Text)
		}
		for _, view := range d.Views {
			for _, fact := range view.Facts {
				fmt.Fprintf(&text, "view %s: %s: %s -> %s\n", view.Cases, fact.Name, fact.Before, fact.After)
			}
		}
	}
	return text.String()
}
