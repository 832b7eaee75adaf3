package generators

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// NewRule returns the files that a new rule starts with, by their path below the
// folder of the rules: the Go file, the page and a case. The id is free and the
// name new, or it is an error. The rule finds nothing yet, so the tests of its
// examples fail until somebody fills it in.
func NewRule(folder fs.FS, id, name string) (map[string][]byte, error) {
	if !regexp.MustCompile(`^WM[0-5]\d\d$`).MatchString(id) {
		return nil, fmt.Errorf("%q is not the id of a rule: WM0xx is about the file, WM1xx structure, WM2xx jq, WM3xx status, WM4xx pods and gangs, WM5xx catalog", id)
	}
	if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(name) {
		return nil, fmt.Errorf("%q is not the name of a rule: write the mistake in a few lower-case words with dashes, such as owner-unknown", name)
	}
	stem := strings.ToLower(id)
	same, err := fs.Glob(folder, stem+"_*")
	if err != nil {
		return nil, fmt.Errorf("look for rules: %w", err)
	}
	if len(same) > 0 {
		return nil, fmt.Errorf("%s is taken by %s: ids are never used again", id, same[0])
	}
	file := strings.ReplaceAll(name, "-", "_")
	if same, err = fs.Glob(folder, "wm???_"+file+".go"); err != nil {
		return nil, fmt.Errorf("look for rules: %w", err)
	}
	if len(same) > 0 {
		return nil, fmt.Errorf("there is a rule %s already, in %s", name, same[0])
	}
	words := strings.Split(name, "-")
	function := words[0]
	for _, word := range words[1:] {
		function += strings.ToUpper(word[:1]) + word[1:]
	}
	fill := strings.NewReplacer("{ID}", id, "{NAME}", name, "{FUNCTION}", function, "{EXAMPLE}", newRuleExample, "{FENCE}", "```")
	return map[string][]byte{
		stem + "_" + file + ".go":         []byte(fill.Replace(newRuleGo)),
		stem + "_" + file + ".md":         []byte(fill.Replace(newRulePage)),
		"testdata/" + id + "/cases.txtar": []byte(fill.Replace(newRuleCases)),
	}, nil
}

const newRuleGo = `package rules

import "github.com/workloadmap/wm/lint"

func {FUNCTION}() lint.Rule {
	return lint.Rule{
		ID: "{ID}", Name: "{NAME}", Severity: lint.Warning,
		Summary: "Say in one sentence what the rule finds.",
		Check: func(d *lint.Definition, report lint.Report) {
			for _, c := range d.Components {
				if c.Name == "say what is wrong" {
					report(d.Place(c), "say what is wrong", "say what to do")
				}
			}
		},
	}
}
`

const newRuleExample = `apiVersion: workloadmap.dev/v1alpha1
kind: WorkloadMap
metadata:
  name: example-com-trainer-v1
spec:
  structureDefinition:
    rootComponent:
      name: trainer
      kind: {group: example.com, version: v1, kind: Trainer}
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        statusMappings:
          running: [{byPhase: Running}]
`

const newRulePage = `## What it finds

Say what the rule finds, and where it stays silent.

## Why

Say what goes wrong for the user, and in which tool.

## Wrong

{FENCE}yaml
{EXAMPLE}    childComponents:
      - name: worker
#             ^^^^^^ write the mistake above, and here what the rule says of it
        ownerRef: trainer
{FENCE}

## Right

{FENCE}yaml
{EXAMPLE}{FENCE}
`

const newRuleCases = `Say what these cases are about. Names start with wrong or right.

-- wrong-write-a-name.yaml --
{EXAMPLE}    childComponents:
      - name: worker
#             ^^^^^^ write the mistake above, and here what the rule says of it
        ownerRef: trainer
-- right-write-a-name.yaml --
{EXAMPLE}`
