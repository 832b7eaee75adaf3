// Package architecture holds no code: its test keeps the borders between the
// packages of this module.
package architecture

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/workloadmap/wm"

// layers orders the packages from the bottom up: a package imports only
// packages that stand above it in this list, or in its own folder. Every
// package of the module has to be listed.
var layers = []string{
	"internal/suggest",
	"internal/git",
	"api",
	"source",
	"jq",
	"schema",
	"resolver",
	"catalog",
	"lint",
	"lsp",
	"testkit",
	"testkit/importer",
	"testkit/review",
	"generators",
	"cluster",
	"internal/manifest",
	"internal/cli",
	"cmd/wm",
	"internal/architecture",
}

// doors names the only packages that may import a third-party engine.
var doors = map[string][]string{
	"github.com/itchyny/gojq":           {"jq"},
	"github.com/santhosh-tekuri":        {"schema"},
	"go.yaml.in/yaml":                   {"source"},
	"gopkg.in/yaml":                     {},
	"k8s.io/client-go":                  {"cluster", "testkit/conformance"},
	"github.com/spf13/cobra":            {"internal/cli"},
	"k8s.io/component-helpers":          {"resolver"},
	"github.com/rogpeppe/go-internal":   {"testkit", "internal/cli", "source", "lint", "jq", "schema", "resolver"},
	"sigs.k8s.io/controller-tools":      {},
	"github.com/spf13/pflag":            {"internal/cli"},
	"sigs.k8s.io/yaml":                  {"api", "schema", "source", "testkit", "internal/cli", "generators"},
	"github.com/mattn/go-runewidth":     {"lint"},
	"github.com/fsnotify/fsnotify":      {"internal/cli/watch"},
	"golang.org/x/sync":                 {"lint", "testkit", "cluster"},
	"sigs.k8s.io/controller-runtime":    {},
	"sigs.k8s.io/structured-merge-diff": {"resolver", "cluster"},
}

type sourceFile struct {
	name    string // relative to the module root
	folder  string
	imports []string
	// outside is set for tests written from outside their package: like any
	// user they may bring what stands above it.
	outside bool
}

func TestImportsPointDownwards(t *testing.T) {
	for _, file := range sourceFiles(t) {
		from := layerOf(file.folder)
		if from < 0 {
			t.Errorf("%s: folder %s has no layer; add it to layers", file.name, file.folder)
			continue
		}
		for _, imported := range file.imports {
			folder, ok := strings.CutPrefix(imported, module+"/")
			if !ok || file.outside {
				continue
			}
			to := layerOf(folder)
			if to < 0 {
				t.Errorf("%s imports %s, whose folder has no layer", file.name, folder)
			}
			if to > from {
				t.Errorf("%s imports %s, which stands above %s", file.name, folder, layers[from])
			}
		}
	}
}

func TestEachEngineHasOneDoor(t *testing.T) {
	used := map[string]bool{}
	for _, file := range sourceFiles(t) {
		for _, imported := range file.imports {
			for engine, allowed := range doors {
				if !within(imported, engine) {
					continue
				}
				used[engine] = true
				if !withinAny(file.folder, allowed) {
					t.Errorf("%s imports %s; only %s may", file.name, imported, strings.Join(allowed, ", "))
				}
			}
		}
	}
	for _, engine := range []string{"github.com/itchyny/gojq", "github.com/santhosh-tekuri", "go.yaml.in/yaml", "github.com/spf13/cobra"} {
		if !used[engine] {
			t.Errorf("nothing imports %s: this test looks at the wrong files", engine)
		}
	}
}

// layerOf finds the layer of a folder: the innermost, where one is in another.
func layerOf(folder string) int {
	found := -1
	for i, layer := range layers {
		if within(folder, layer) && (found < 0 || len(layer) > len(layers[found])) {
			found = i
		}
	}
	return found
}

// within reports whether a path is a folder or below it; a major version
// directly behind the name (yaml/v4) counts as below.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/") || strings.HasPrefix(path, folder+".v")
}

func withinAny(path string, folders []string) bool {
	for _, folder := range folders {
		if within(path, folder) {
			return true
		}
	}
	return false
}

func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	root := os.DirFS("../..")
	var files []sourceFile
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." {
			_, ownModule := fs.Stat(root, path.Join(name, "go.mod"))
			if strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || ownModule == nil {
				return fs.SkipDir
			}
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", name), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		file := sourceFile{
			name:    name,
			folder:  path.Dir(name),
			outside: strings.HasSuffix(name, "_test.go") && strings.HasSuffix(parsed.Name.Name, "_test"),
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			file.imports = append(file.imports, imported)
		}
		files = append(files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
