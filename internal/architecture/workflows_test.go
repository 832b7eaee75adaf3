package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/workloadmap/wm/source"
)

// workflow is what matters of a workflow for what a stranger can do with it.
type workflow struct {
	name, text  string
	value       map[string]any
	permissions any
	steps       []map[string]any
}

func readWorkflow(t *testing.T, name string) workflow {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../.github/workflows", name))
	if err != nil {
		t.Fatal(err)
	}
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 || len(documents) != 1 {
		t.Fatalf("%d documents, faults %v", len(documents), faults)
	}
	w := workflow{name: name, text: string(content)}
	w.value, _ = documents[0].Value().(map[string]any)
	w.permissions = w.value["permissions"]
	jobs, _ := w.value["jobs"].(map[string]any)
	for _, job := range jobs {
		job, _ := job.(map[string]any)
		steps, _ := job["steps"].([]any)
		for _, step := range steps {
			step, _ := step.(map[string]any)
			w.steps = append(w.steps, step)
		}
	}
	if len(w.steps) == 0 {
		t.Fatalf("%s has no steps", name)
	}
	return w
}

var pinned = regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)

// TestReviewOfStrangersPullRequests holds the two workflows of wm review against
// what makes them safe for pull requests from forks.
func TestReviewOfStrangersPullRequests(t *testing.T) {
	reading, posting := readWorkflow(t, "review.yaml"), readWorkflow(t, "review-comment.yaml")
	for _, w := range []workflow{reading, posting} {
		if strings.Contains(w.text, "pull_request_target") {
			t.Errorf("%s runs with the rights of the base on a stranger's request", w.name)
		}
		if strings.Contains(w.text, "secrets.") {
			t.Errorf("%s uses a secret", w.name)
		}
		for _, step := range w.steps {
			if run, _ := step["run"].(string); strings.Contains(run, "${{") {
				t.Errorf("%s: a branch's name could become part of the script\n%s", w.name, run)
			}
			if uses, _ := step["uses"].(string); uses != "" && !pinned.MatchString(uses) {
				t.Errorf("%s: %s is not pinned to a commit", w.name, uses)
			}
		}
	}

	// What reads the files of the pull request can write nothing, and runs none of them.
	if granted, _ := reading.permissions.(map[string]any); len(granted) != 1 || granted["contents"] != "read" {
		t.Errorf("review.yaml has the permissions %v", reading.permissions)
	}
	if strings.Contains(reading.text, "write") && regexp.MustCompile(`:\s*write\b`).MatchString(reading.text) {
		t.Error("review.yaml asks for a right to write")
	}
	for _, step := range reading.steps {
		with, _ := step["with"].(map[string]any)
		if uses, _ := step["uses"].(string); strings.HasPrefix(uses, "actions/checkout@") && with["persist-credentials"] != false {
			t.Errorf("review.yaml leaves the token in a checkout: %v", with)
		}
		if run, _ := step["run"].(string); step["working-directory"] == "head" && regexp.MustCompile(`(?m)^\s*(go|make|bash|sh|\./)\b`).MatchString(run) {
			t.Errorf("review.yaml runs something of the pull request:\n%s", run)
		}
	}

	// What may write comments gets no code at all.
	if granted, _ := posting.permissions.(map[string]any); granted == nil || len(granted) != 0 {
		t.Errorf("review-comment.yaml grants %v to all of its jobs", posting.permissions)
	}
	for _, step := range posting.steps {
		if step["uses"] != nil {
			t.Errorf("review-comment.yaml uses %v", step["uses"])
		}
		if run, _ := step["run"].(string); strings.Contains(run, "git ") || strings.Contains(run, "checkout") {
			t.Errorf("review-comment.yaml fetches code:\n%s", run)
		}
	}
}
