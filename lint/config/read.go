package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/workloadmap/wm/api/v1alpha1"
	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/source"
)

// Field is a field of the file.
type Field struct {
	Name string
	// Description is what the field is for, in a few sentences.
	Description string

	read func(*reader, source.Node)
}

// Fields are the fields of the file, sorted by name.
func Fields() []Field {
	return []Field{
		{"cases", "Folder with the golden cases of the definitions, relative to this file and below its folder.", (*reader).cases},
		{"crds", "Files and folders with CustomResourceDefinitions or indexes, relative to this file and below its folder. The paths of definitions are checked against them, before the built-in indexes.", (*reader).crds},
		{"dialects", "Kinds of definition that may be used here. All may when this is left out.", (*reader).dialects},
		{"exclude", "Patterns of files and folders that are passed over. Without a slash a pattern is a name at any depth, with one a path from the folder of this file; ** stands for any number of folders.", (*reader).exclude},
		{"severities", "Severities of rules by their ids: error, warning, info, or off. WM001, which finds files that cannot be read, stays an error.", (*reader).severities},
	}
}

// Off is the word that switches a rule off.
const Off = "off"

// Fixed is the rule whose severity stays: a file that cannot be read must never
// pass for one without mistakes.
const Fixed = "WM001"

// maxEntries bounds each list: every file is compared with every pattern.
const maxEntries = 1000

// Read reads the file with a name. rules are all that there are. The error joins
// everything that is wrong, each with its place in the file.
func Read(files fs.FS, working, name string, rules []lint.Rule) (*Config, error) {
	content, err := source.Read(files, name, nil)
	if err != nil {
		return nil, err
	}
	r := &reader{
		file: source.NewFile(name, content), rules: rules,
		config: &Config{folder: path.Dir(absolute(working, name)), working: working},
	}
	documents, faults := source.Parse(name, content)
	for _, fault := range faults {
		r.faults = append(r.faults, fault)
	}
	if len(documents) > 1 {
		r.fault(documents[1].Root().Range(), "a configuration is one document")
	}
	if len(documents) > 0 {
		for _, duplicate := range documents[0].Duplicates() {
			r.fault(duplicate.Second, "`%s` is in this mapping already, at %s", duplicate.Key, duplicate.First)
		}
		r.document(documents[0].Root())
	}
	if err := errors.Join(r.faults...); err != nil {
		return nil, err
	}
	return r.config, nil
}

// reader fills a configuration in and collects what is wrong.
type reader struct {
	file   *source.File
	rules  []lint.Rule
	config *Config
	faults []error
}

func (r *reader) fault(where source.Range, format string, arguments ...any) {
	r.faults = append(r.faults, &source.Error{File: r.file, Range: where, Message: fmt.Sprintf(format, arguments...)})
}

func (r *reader) document(root source.Node) {
	if root.Kind() != source.Mapping {
		r.fault(root.Range(), "a configuration is an object with fields, not a %s", root.Kind())
		return
	}
	fields := Fields()
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	for key, value := range root.Fields() {
		i := slices.Index(names, key.Text())
		if i < 0 {
			r.fault(key.Range(), "unknown field `%s`%s", key.Text(), nearest(key.Text(), names))
			continue
		}
		fields[i].read(r, value)
	}
}

// nearest is the end of a message about an unknown word.
func nearest(word string, known []string) string {
	if near, ok := suggest.Nearest(word, known); ok {
		return "; did you mean `" + near + "`?"
	}
	if len(known) > 10 {
		return ""
	}
	return "; use one of " + strings.Join(known, ", ")
}

func (r *reader) severities(node source.Node) {
	if node.Kind() != source.Mapping {
		r.fault(node.Range(), "severities is an object: rule ids with error, warning, info or off")
		return
	}
	for key, value := range node.Fields() {
		word := ""
		if value.Kind() == source.Scalar {
			// As it was written: YAML takes a plain off for false.
			word = value.Text()
		}
		if err := r.config.Set(key.Text(), word, r.rules); err != nil {
			where := key.Range()
			if errors.Is(err, errNoSeverity) {
				where = value.Range()
			}
			r.fault(where, "%v", err)
		}
	}
}

// texts are the items of a list of strings, with their places.
func (r *reader) texts(field string, node source.Node) []source.Node {
	if node.Kind() != source.Sequence {
		r.fault(node.Range(), "%s is a list of strings", field)
		return nil
	}
	var items []source.Node
	for item := range node.Items() {
		if !isText(item) {
			r.fault(item.Range(), "%s is a list of strings; this is none", field)
			continue
		}
		if len(items) == maxEntries {
			r.fault(item.Range(), "%s has more than %d entries", field, maxEntries)
			break
		}
		items = append(items, item)
	}
	return items
}

func isText(node source.Node) bool { return node.Kind() == source.Scalar && node.Tag() == "!!str" }

func (r *reader) exclude(node source.Node) {
	for _, item := range r.texts("exclude", node) {
		glob, err := ParseGlob(item.Text())
		if err != nil {
			r.fault(item.Range(), "%v", err)
			continue
		}
		r.config.Exclude = append(r.config.Exclude, glob)
	}
}

func (r *reader) crds(node source.Node) {
	for _, item := range r.texts("crds", node) {
		if below, ok := r.below(item); ok {
			r.config.CRDs = append(r.config.CRDs, below)
		}
	}
}

func (r *reader) cases(node source.Node) {
	if !isText(node) {
		r.fault(node.Range(), "cases is a string: the folder with the cases")
		return
	}
	r.config.Cases, _ = r.below(node)
}

// below completes a path of the file, which may not lead out of its folder.
func (r *reader) below(item source.Node) (string, bool) {
	text := item.Text()
	if text == "" || path.IsAbs(text) || strings.ContainsAny(text, "\\\x00") || !fs.ValidPath(path.Clean(text)) {
		r.fault(item.Range(), "a path is relative to the folder of this file and may not lead out of it")
		return "", false
	}
	return shown(r.config.working, path.Join(r.config.folder, text)), true
}

func (r *reader) dialects(node source.Node) {
	var kinds []string
	for _, dialect := range v1alpha1.Dialects() {
		kinds = append(kinds, dialect.Kind)
	}
	r.config.Dialects = []string{}
	for _, item := range r.texts("dialects", node) {
		if !slices.Contains(kinds, item.Text()) {
			r.fault(item.Range(), "there is no dialect `%s`%s", item.Text(), nearest(item.Text(), kinds))
			continue
		}
		r.config.Dialects = append(r.config.Dialects, item.Text())
	}
	if node.Kind() == source.Sequence && len(r.config.Dialects) == 0 && len(r.faults) == 0 {
		r.fault(node.Range(), "dialects names no kind of definition; leave it out to allow all")
	}
}
