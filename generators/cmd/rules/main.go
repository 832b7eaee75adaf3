// Command rules writes the reference of lint rules and the JSON Schema of the
// configuration, which lists them. "make generate" runs it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/workloadmap/wm/generators"
	"github.com/workloadmap/wm/lint/rules"
)

func main() {
	folder := flag.String("folder", "", "folder to write to; pages of rules that no longer exist are removed")
	schema := flag.String("config-schema", "", "JSON Schema of .wm.yaml to write")
	flag.Parse()
	if err := errors.Join(run(*folder), writeConfigSchema(*schema)); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	if folder == "" {
		return errors.New("name the folder with -folder")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder for the rules: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(folder, "WM*.md"))
	if err != nil {
		return fmt.Errorf("look for old pages: %w", err)
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("remove an old page: %w", err)
		}
	}
	for _, page := range generators.RulePages(rules.All()) {
		if err := os.WriteFile(filepath.Join(folder, page.Name), page.Content, 0o644); err != nil {
			return fmt.Errorf("write a page: %w", err)
		}
	}
	return nil
}

func writeConfigSchema(name string) error {
	if name == "" {
		return errors.New("name the JSON Schema of the configuration with -config-schema")
	}
	content, err := generators.ConfigSchema(rules.All())
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		return fmt.Errorf("write the JSON Schema of the configuration: %w", err)
	}
	return nil
}
