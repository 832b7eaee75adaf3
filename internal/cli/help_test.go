package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHelp holds the help of every command against testdata/help, so that a
// changed flag is a visible difference. (go test ./internal/cli -update)
func TestHelp(t *testing.T) {
	shown := map[string]string{}
	help(t, nil, shown)
	if len(shown) < 10 {
		t.Fatalf("found only %d commands", len(shown))
	}
	for name, text := range shown {
		file := filepath.Join("testdata/help", name)
		if *update {
			write(t, ".", file, text)
		}
		if approved, err := os.ReadFile(file); err != nil || string(approved) != text {
			t.Errorf("%s shows another help (%v): %s", file, err, text)
		}
	}
	entries, err := os.ReadDir("testdata/help")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, ok := shown[entry.Name()]; !ok {
			t.Errorf("testdata/help/%s is the help of no command", entry.Name())
		}
	}
}

// help collects the help of a command and of those that it lists.
func help(t *testing.T, words []string, shown map[string]string) {
	t.Helper()
	code, text, stderr := session(t.TempDir(), "", append(slices.Clone(words), "--help")...)
	if code != 0 || stderr != "" {
		t.Errorf("wm %s --help: exit code %d, stderr %q", strings.Join(words, " "), code, stderr)
	}
	if _, same, _ := session(t.TempDir(), "", append([]string{"help"}, words...)...); same != text {
		t.Errorf("wm help %s shows something else than --help", strings.Join(words, " "))
	}
	shown[strings.Join(append([]string{"wm"}, words...), "-")+".txt"] = text
	_, list, _ := strings.Cut(text, "Available Commands:\n")
	for line := range strings.Lines(list) {
		name, _, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found {
			break
		}
		help(t, append(slices.Clone(words), name), shown)
	}
}
