package architecture

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/workloadmap/wm/source"
)

// mapping reads a YAML file of the repository that holds an object.
func mapping(t *testing.T, name string) map[string]any {
	t.Helper()
	value, ok := parsed(t, name).(map[string]any)
	if !ok {
		t.Fatalf("%s holds no object", name)
	}
	return value
}

func parsed(t *testing.T, name string) any {
	t.Helper()
	content, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 || len(documents) != 1 {
		t.Fatalf("%s: %d documents, faults %v", name, len(documents), faults)
	}
	return documents[0].Value()
}

// runner are the expressions that name folders of the machine, not text from a
// request.
var runner = regexp.MustCompile(`^\$\{\{ runner\.temp \}\}`)

// TestLintActionOfStrangersPullRequests holds the action against what makes it
// safe on files from anybody: a released wm reads them, nothing of them runs.
func TestLintActionOfStrangersPullRequests(t *testing.T) {
	const name = ".github/actions/lint/action.yml"
	action := mapping(t, name)
	runs, _ := action["runs"].(map[string]any)
	steps, _ := runs["steps"].([]any)
	if runs["using"] != "composite" || len(steps) < 3 {
		t.Fatalf("%s is no composite action with steps", name)
	}
	script := ""
	for _, step := range steps {
		step, _ := step.(map[string]any)
		run, _ := step["run"].(string)
		script += run
		if strings.Contains(run, "${{") {
			t.Errorf("text of a request could become part of the script\n%s", run)
		}
		if uses, _ := step["uses"].(string); uses != "" && !pinned.MatchString(uses) {
			t.Errorf("%s is not pinned to a commit", uses)
		}
		if run != "" && step["shell"] != "bash" {
			t.Errorf("a script does not say that it is for bash:\n%s", run)
		}
		env, _ := step["env"].(map[string]any)
		if bin, named := env["GOBIN"].(string); named && !runner.MatchString(bin) {
			t.Errorf("wm is installed to %s, where files of the request may lie", bin)
		}
	}
	if !strings.Contains(script, `go install "github.com/workloadmap/wm/cmd/wm@$VERSION"`) {
		t.Error("wm is not a released one")
	}
	if built := regexp.MustCompile(`go (run|build|test|generate)|make |\./`).FindString(script); built != "" {
		t.Errorf("the scripts run %q", built)
	}
	if secret := regexp.MustCompile(`secrets\.|pull_request_target:`).FindString(script); secret != "" {
		t.Errorf("the scripts use %q", secret)
	}

	// Every input is declared, and every declared one is used.
	content, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	inputs, _ := action["inputs"].(map[string]any)
	used := map[string]bool{}
	for _, found := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(string(content), -1) {
		used[found[1]] = true
		if inputs[found[1]] == nil {
			t.Errorf("the input %s is not declared", found[1])
		}
	}
	for input := range inputs {
		if !used[input] {
			t.Errorf("nothing reads the input %s", input)
		}
	}
}

func TestPreCommitHook(t *testing.T) {
	hooks, _ := parsed(t, ".pre-commit-hooks.yaml").([]any)
	if len(hooks) != 1 {
		t.Fatalf("%d hooks", len(hooks))
	}
	hook, _ := hooks[0].(map[string]any)
	for field, want := range map[string]any{"id": "wm-lint", "entry": "wm lint", "language": "golang", "pass_filenames": false} {
		if hook[field] != want {
			t.Errorf("%s is %v, want %v", field, hook[field], want)
		}
	}
}
