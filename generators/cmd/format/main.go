// Command format writes what is generated from the CRD of the format: the JSON
// Schema and the field reference. "make generate" runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/workloadmap/wm/generators"
)

func main() {
	crd := flag.String("crd", "", "CRD manifest to read")
	schema := flag.String("schema", "", "JSON Schema to write")
	reference := flag.String("reference", "", "field reference to write")
	flag.Parse()
	if err := run(*crd, *schema, *reference); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(crd, schema, reference string) error {
	manifest, err := os.ReadFile(crd)
	if err != nil {
		return fmt.Errorf("read the CRD: %w", err)
	}
	if err := write(schema, manifest, generators.JSONSchema); err != nil {
		return err
	}
	return write(reference, manifest, generators.FieldReference)
}

func write(path string, crd []byte, generate func([]byte) ([]byte, error)) error {
	content, err := generate(crd)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", path, err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("write a generated file: %w", err)
	}
	return nil
}
