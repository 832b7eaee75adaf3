package cli_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/workloadmap/wm/internal/cli"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the outputs shown in README.md")

// TestReadmeShowsRealOutput runs every command that README.md shows in a
// console block and compares what follows it.
func TestReadmeShowsRealOutput(t *testing.T) {
	t.Chdir("../..")
	content, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rebuilt strings.Builder
	rest, blocks := string(content), 0
	for {
		before, after, found := strings.Cut(rest, "```console\n")
		rebuilt.WriteString(before)
		if !found {
			break
		}
		shown, tail, closed := strings.Cut(after, "```\n")
		if !closed {
			t.Fatal("a console block is not closed")
		}
		line, _, _ := strings.Cut(shown, "\n")
		command, ok := strings.CutPrefix(line, "$ wm ")
		if !ok {
			t.Fatalf("a console block starts with %q, want $ wm ...", line)
		}
		real := line + "\n" + run(t, command)
		if shown != real && !*updateReadme {
			t.Errorf("README.md shows\n%s\nthe command prints\n%s\n(go test ./internal/cli -update-readme)", shown, real)
		}
		rebuilt.WriteString("```console\n" + real + "```\n")
		rest = tail
		blocks++
	}
	if blocks < 2 {
		t.Errorf("README.md has %d console blocks, want a described workload and a linted definition", blocks)
	}
	if *updateReadme {
		if err := os.WriteFile("README.md", []byte(rebuilt.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, command string) string {
	t.Helper()
	var out, errors bytes.Buffer
	world := cli.System()
	world.Stdin, world.Stdout, world.Stderr = strings.NewReader(""), &out, &errors
	cli.Run(context.Background(), strings.Fields(command), world)
	if errors.Len() > 0 {
		t.Errorf("wm %s says on standard error: %s", command, errors.String())
	}
	return out.String()
}
