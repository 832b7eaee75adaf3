// Command registry lists the lint rules of a folder in a Go file, and starts new
// ones. It does not import the rules, so that it works while they do not compile.
// "make generate" and "make new-rule" run it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/workloadmap/wm/generators"
)

func main() {
	rules := flag.String("rules", "", "folder with the rules")
	output := flag.String("to", "", "Go file to write")
	id := flag.String("new", "", "id of a rule to start, such as WM299")
	name := flag.String("name", "", "name of the rule to start, such as owner-unknown")
	flag.Parse()
	if err := run(*rules, *output, *id, *name); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(rules, output, id, name string) error {
	if rules == "" || output == "" {
		return errors.New("name the folder with -rules and the file with -to")
	}
	if id != "" || name != "" {
		files, err := generators.NewRule(os.DirFS(rules), id, name)
		if err != nil {
			return err
		}
		for file, content := range files {
			if err := write(filepath.Join(rules, file), content); err != nil {
				return err
			}
		}
		fmt.Printf("%s is in %s: fill in its Go file, page and cases until go test ./%s passes, then run make generate\n", id, rules, filepath.Clean(rules))
	}
	registry, err := generators.RuleRegistry(os.DirFS(rules))
	if err != nil {
		return err
	}
	return write(output, registry)
}

func write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	return nil
}
