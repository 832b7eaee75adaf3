package git_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/workloadmap/wm/internal/git"
)

// repository makes a repository with one commit, and changes it afterwards.
func repository(t *testing.T) (folder string, run git.Runner) {
	t.Helper()
	folder = t.TempDir()
	run = git.In(folder)
	for name, content := range map[string]string{
		"catalog/a.yaml":           "a: 1\n",
		"catalog/deep/er/b.json":   "{}",
		"catalog/empty.yaml":       "",
		"catalog/read me ü\tx.yml": "odd: name\r\n",
		"catalog/note.txt":         "not wanted",
		"catalog/.gitattributes":   "*.yaml export-ignore eol=crlf\n",
		"other/c.yaml":             "c: 1\n",
	} {
		write(t, filepath.Join(folder, name), content)
	}
	if err := os.Symlink("a.yaml", filepath.Join(folder, "catalog/link.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first"},
	} {
		if _, err := run(context.Background(), nil, arguments...); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(folder, "catalog/a.yaml"), "a: 2\n")
	return folder, run
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTreeIsTheCommitAsItWas(t *testing.T) {
	_, run := repository(t)
	commit, err := git.Commit(context.Background(), run, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := git.Tree(context.Background(), run, commit, []string{"./catalog", "nowhere"}, git.IsData)
	if err != nil {
		t.Fatal(err)
	}
	// Neither attributes nor line endings of a checkout have a say.
	want := map[string]string{
		"catalog/a.yaml": "a: 1\n", "catalog/deep/er/b.json": "{}", "catalog/empty.yaml": "", "catalog/read me ü\tx.yml": "odd: name\r\n",
	}
	found := map[string]string{}
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		found[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		if found[name] != content {
			t.Errorf("%s holds %q, want %q", name, found[name], content)
		}
	}
	if len(found) != len(want) {
		t.Errorf("found %v", found)
	}
	if err := fstest.TestFS(tree, "catalog/a.yaml", "catalog/deep/er/b.json"); err != nil {
		t.Error(err)
	}
}

func TestTreeOfTheWholeFolder(t *testing.T) {
	folder, _ := repository(t)
	run := git.In(filepath.Join(folder, "catalog"))
	tree, err := git.Tree(context.Background(), run, "HEAD", []string{"."}, git.IsData)
	if err != nil {
		t.Fatal(err)
	}
	// Names are relative to the current folder, as those of the working tree are.
	if content, err := fs.ReadFile(tree, "deep/er/b.json"); err != nil || string(content) != "{}" {
		t.Errorf("%q, %v", content, err)
	}
	if _, err := fs.Stat(tree, "c.yaml"); err == nil {
		t.Error("a file outside the current folder is there")
	}
}

func TestFaults(t *testing.T) {
	_, run := repository(t)
	for ref, want := range map[string]string{
		"nowhere":         "there is no commit nowhere here",
		"--output=x":      "is not the name of a commit",
		"":                "is not the name of a commit",
		"HEAD:catalog":    "there is no commit",
		"HEAD\nHEAD":      "there is no commit",
		"HEAD --git-dir=": "there is no commit",
	} {
		if commit, err := git.Commit(context.Background(), run, ref); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want an error with %q", ref, commit, err, want)
		}
	}
	if _, err := git.Commit(context.Background(), git.In(t.TempDir()), "HEAD"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside a repository: %v", err)
	}
	for _, name := range []string{"../catalog", "/etc", "a/../../b"} {
		_, err := git.Tree(context.Background(), run, "HEAD", []string{name}, git.IsData)
		if err == nil || !strings.Contains(err.Error(), "outside the current folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A program that is not git, or one that is cut off, must not give half a tree.
func TestAnswersThatAreNotUnderstood(t *testing.T) {
	const listing = "100644 blob 01\ta.yaml\x00"
	for batch, want := range map[string]string{
		"01 missing\n":        "git answers",
		"01 blob 9\nabc\n":    "git answers",
		"01 blob -1\nabc\n":   "git answers",
		"":                    "git answers",
		"01 blob ninety\nx\n": "git answers",
	} {
		run := func(_ context.Context, _ []byte, arguments ...string) ([]byte, error) {
			if arguments[0] == "cat-file" {
				return []byte(batch), nil
			}
			return []byte(listing), nil
		}
		if _, err := git.Tree(context.Background(), run, "HEAD", []string{"."}, git.IsData); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", batch, err)
		}
	}
}
