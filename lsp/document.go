package lsp

import (
	"context"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// document is one document that the editor has open.
type document struct {
	uri     string
	version int
	text    text
	// due is when the findings have to be sent; zero when they have been.
	due time.Time
	// current is what is known of text; nil until somebody asks.
	current *analysis
	// readable is the last analysis that has a definition; nil until there is one.
	readable *analysis
}

// analysis is what is known of one text.
type analysis struct {
	text     text
	findings []lint.Finding
	// file is nil when the text could not be read at all.
	file *lint.File
}

// analyze returns what is known of the document's text as it is now.
func (s *server) analyze(ctx context.Context, d *document) *analysis {
	if d.current == nil {
		d.current = s.analyzeText(ctx, d.uri, d.text, s.options.Lint.Rules)
		if len(d.current.definitions()) > 0 {
			d.readable = d.current
		}
	}
	return d.current
}

func (a *analysis) definitions() []*lint.Definition {
	if a == nil || a.file == nil {
		return nil
	}
	return a.file.Definitions
}

// analyzeText checks one text as the only file of a folder: then a file that
// has no definitions is passed over, as editors open many.
func (s *server) analyzeText(ctx context.Context, uri string, t text, rules []lint.Rule) *analysis {
	a := &analysis{text: t}
	name := fileName(uri)
	options := s.options.Lint
	options.Files, options.Paths, options.Stdin, options.Exclude = oneFile{name, t.content}, []string{"."}, nil, nil
	// A rule is shown the definitions, decoded and with their places.
	options.Rules = append(slices.Clone(rules), lint.Rule{
		ID:        "lsp",
		CheckFile: func(file *lint.File, _ lint.Report) { a.file = file },
	})
	// The error tells of files that cannot be read and of folders without
	// definitions. A text that is typed right now is neither.
	result, _ := lint.Run(ctx, options)
	if excluded := s.options.Lint.Exclude; a.mayBeDefinition() && (excluded == nil || !excluded(filePath(uri))) {
		a.findings = result.Findings
	}
	return a
}

// mayBeDefinition tells documents that are meant for wm from the other YAML
// that an editor opens, such as templates that are not even YAML.
func (a *analysis) mayBeDefinition() bool {
	if len(a.definitions()) > 0 {
		return true
	}
	for _, d := range v1alpha1.Dialects() {
		if strings.Contains(a.text.content, d.Kind) || strings.Contains(a.text.content, d.APIVersion) {
			return true
		}
	}
	return a.file != nil && len(a.file.Faults) == 0
}

// filePath is the name of the file that the document is kept in.
func filePath(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" {
		return fileName(uri)
	}
	return filepath.FromSlash(parsed.Path)
}

// fileName is a name for the document's content that is read as YAML or JSON.
func fileName(uri string) string {
	name := "document.yaml"
	if parsed, err := url.Parse(uri); err == nil {
		base := path.Base(parsed.Path)
		switch path.Ext(base) {
		case ".yaml", ".yml", ".json":
			if fs.ValidPath(base) && !strings.HasPrefix(base, ".") {
				name = base
			}
		}
	}
	return name
}

// definitionAt finds the definition that an offset lies in: of a stream, the
// last one that starts before it. A half-written document may have none; then
// it is taken from the text without the cursor's line, from an earlier text, or
// from as much of what stands before the line as can be read.
func (s *server) definitionAt(ctx context.Context, d *document, offset int) *lint.Definition {
	if found := nearestDefinition(s.analyze(ctx, d), offset); found != nil {
		return found
	}
	line := d.text.position(offset).Line
	from := d.text.starts[line]
	behind := from + len(d.text.line(line))
	candidates := []string{d.text.content[:from] + strings.Repeat(" ", behind-from) + d.text.content[behind:]}
	for back := 1; back <= line; back *= 2 {
		candidates = append(candidates, d.text.content[:d.text.starts[line-back+1]])
	}
	if d.readable != nil && !hasMarker(d.text.content) {
		candidates = candidates[:1]
	}
	for _, content := range candidates {
		// Nobody asks for the findings of these.
		a := s.analyzeText(ctx, d.uri, newText(content), nil)
		if found := nearestDefinition(a, min(offset, len(content))); found != nil {
			return found
		}
	}
	return nearestDefinition(d.readable, offset)
}

// nearestDefinition looks no further than the document of the stream that the
// offset is in: another one may be of another kind.
func nearestDefinition(a *analysis, offset int) *lint.Definition {
	var found *lint.Definition
	for _, definition := range a.definitions() {
		if definition.Root.Range().Start.Offset <= offset || found == nil {
			found = definition
		}
	}
	if found == nil {
		return nil
	}
	first, last := order(found.Root.Range().Start.Offset, offset)
	if last <= len(a.text.content) && hasMarker(a.text.content[first:last]) {
		return nil
	}
	return found
}

func order(a, b int) (int, int) { return min(a, b), max(a, b) }

// hasMarker reports whether a new document starts within a text.
func hasMarker(between string) bool {
	return strings.Contains(between, "\n---") || strings.HasPrefix(between, "---")
}

// nodeAt finds the deepest value at an offset, or the value whose key is there.
func nodeAt(node source.Node, offset int) (found source.Node, onKey bool) {
	found = node
	for {
		next, key := childAt(found, offset)
		if !next.Exists() {
			return found, false
		}
		found = next
		if key {
			return found, true
		}
	}
}

func childAt(node source.Node, offset int) (child source.Node, onKey bool) {
	for _, value := range node.Fields() {
		if within(value.KeyRange(), offset) {
			return value, true
		}
		if within(value.Range(), offset) {
			return value, false
		}
	}
	for item := range node.Items() {
		if within(item.Range(), offset) {
			return item, false
		}
	}
	return source.Node{}, false
}

func within(r source.Range, offset int) bool {
	return r.Start.Offset <= offset && offset <= r.End.Offset
}
