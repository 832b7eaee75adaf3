package mutation

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/source"
	"github.com/workloadmap/wm/testkit"
)

// mark says of a mutant that no object can tell it from the definition.
type mark struct {
	reason string
	// where is file:line:column of the mutant's name.
	where string
}

type marks map[string]mark

// equivalents reads the lists beside the cases of a definition.
func equivalents(files fs.FS, cases []*testkit.LoadedCase) (marks, error) {
	all := marks{}
	for _, folder := range folders(cases) {
		name := path.Join(folder, testkit.EquivalentsFile)
		content, err := source.Read(files, name, nil)
		if err != nil {
			if _, missing := fs.Stat(files, name); errors.Is(missing, fs.ErrNotExist) {
				continue
			}
			return nil, err
		}
		documents, faults := source.Parse(name, content)
		if len(faults) > 0 {
			return nil, faults[0]
		}
		for _, document := range documents {
			if err := document.Unambiguous(); err != nil {
				return nil, err
			}
			if err := all.read(document); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (m marks) read(document *source.Document) error {
	fail := func(node source.Node, format string, arguments ...any) error {
		return &source.Error{File: document.File(), Range: node.Range(), Message: fmt.Sprintf(format, arguments...)}
	}
	if document.Root().Kind() != source.Sequence {
		return fail(document.Root(), "a list of {mutant, reason} is needed here")
	}
	for item := range document.Root().Items() {
		if item.Kind() != source.Mapping {
			return fail(item, "a mapping with mutant and reason is needed here")
		}
		for key, value := range item.Fields() {
			if key.Text() != "mutant" && key.Text() != "reason" {
				return fail(key, "unknown field %s; known are mutant, reason", key.Text())
			}
			if value.Tag() != "!!str" {
				return fail(value, "a string is needed here")
			}
		}
		id, _ := item.Find("mutant")
		reason, _ := item.Find("reason")
		name := strings.TrimSpace(id.Text())
		switch {
		case id.Kind() != source.Scalar || name == "":
			return fail(item, "mutant is missing: name the mutant as wm test --mutate shows it")
		case reason.Kind() != source.Scalar || strings.TrimSpace(reason.Text()) == "":
			return fail(item, "reason is missing: say why no object can tell %s from the definition", name)
		}
		if before, twice := m[name]; twice {
			return fail(id, "%s is marked at %s too", name, before.where)
		}
		start := id.Range().Start
		m[name] = mark{reason: reason.Text(), where: fmt.Sprintf("%s:%d:%d", document.File().Name(), start.Line, start.Column)}
	}
	return nil
}

// check reports the marks that name no mutant: the definition has changed, and
// with it perhaps the reason.
func (m marks) check(mutants []*Mutant) error {
	var names []string
	for _, mutant := range mutants {
		names = append(names, mutant.ID)
	}
	var faults []error
	for _, name := range sortedKeys(m) {
		if slices.Contains(names, name) {
			continue
		}
		help := "the definition has changed there, or it was never one"
		if nearest, ok := suggest.Nearest(name, names); ok {
			help = "did you mean " + nearest + "?"
		}
		faults = append(faults, fmt.Errorf("%s: %s is no mutant; %s", m[name].where, name, help))
	}
	return errors.Join(faults...)
}
