// Package importer makes cases for testkit from what a cluster showed: the
// output of kubectl get, a watch, or a recording. It replaces everything that
// tells which cluster it was, and never writes an expectation of its own: what
// is right has to be said by a person, or by the recording that a person judged.
//
// Three kinds of input are read, in YAML or JSON:
//
//   - objects, one document each or in a List: one workload, its pods and what
//     stands between them. The case has a single object.
//   - a watch: the same objects again and again, or {type: MODIFIED, object: ...}
//     events. The case is a timeline with a frame for each state of the root.
//   - a recording, events: [{kind: STATE, object, state, phases, pods},
//     {kind: ACTION, action}]. The case is a timeline, and expects the recorded
//     states that are phases.
//
// # What is replaced
//
// Every value is replaced by the same new value wherever it stands, also inside
// longer texts and keys: labels, environment, arguments, messages. The same
// input gives the same case, and an imported case imported again is unchanged,
// since replacements are left as they are.
//
//   - UIDs become 00000000-0000-4000-8000-000000000001 and so on.
//   - Times are moved by one distance, so that the root is created at the start
//     of 2026: order and durations stay.
//   - Nodes become node-1, other hosts (of URLs, ingresses, addresses)
//     host-1.example. Names inside the cluster stay, its domain becomes
//     cluster.local. A host that is also the domain of an API group or of a
//     label stays too: it names an API.
//   - IP addresses become those of the networks kept for documentation.
//   - Images lose registry and repository: registry.corp/team/train:3 is train:3.
//     Digests and container IDs are numbered.
//   - E-mail addresses become user-1@example.com. Values that look like
//     credentials, by their form or by the name of their variable, become
//     "redacted".
//   - managedFields, resourceVersion, selfLink and the annotations that repeat
//     the applied object are dropped.
//
// Names and namespaces stay, and so do labels: definitions attribute pods by
// them.
package importer

import (
	"fmt"
	"regexp"

	"github.com/workloadmap/wm/resolver"
	"github.com/workloadmap/wm/source"
)

// Options say what case to make.
type Options struct {
	// Definitions find the workload among the objects: the case stands under the
	// definition that reads it.
	Definitions *resolver.Set
	// Name is the name of the case, of lowercase letters, digits and dashes.
	Name string
}

// Case is an imported case, not yet written anywhere.
type Case struct {
	// Definition is the name of the definition that reads the workload.
	Definition string
	Name       string
	// Files are the files of the case's folder, case.yaml first.
	Files []File
	// Scrubbed says what was replaced or dropped, in a fixed order; kinds of
	// which there was nothing are left out.
	Scrubbed []Count
	// Notes tell what of the input is not in the case, one line each.
	Notes []string
}

// File is one file of a case. Name has no folder.
type File struct {
	Name    string
	Content []byte
}

// Count is how much of one kind was replaced.
type Count struct {
	// What is the kind, in the number of Values, such as "UIDs".
	What string
	// Values counts different originals, Places where they stood. Of what is
	// dropped both are the number of fields.
	Values, Places int
}

// MultipleError says that the input holds more than one workload, where a case
// is about one.
type MultipleError struct {
	// Workloads are "KIND NAME (WHERE)", in the order of the input.
	Workloads []string
}

func (e *MultipleError) Error() string {
	return fmt.Sprintf("%d workloads where a case is about one: %s", len(e.Workloads), joined(e.Workloads))
}

// StrayError says that an object belongs to another that the input lacks, so
// that it may or may not be part of the workload.
type StrayError struct {
	Where, Kind, Name, OwnerKind, OwnerName string
}

func (e *StrayError) Error() string {
	return fmt.Sprintf("%s: %s %s belongs to %s %s, which is not among the objects: add it, or take %s away",
		e.Where, e.Kind, e.Name, e.OwnerKind, e.OwnerName, e.Name)
}

var caseName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Import makes a case from a stream. The name is where the content came from,
// for messages. Broken documents, and objects of which it is unclear whether
// they belong to the workload, are errors: *source.Error, *MultipleError,
// *StrayError, or a *resolver.NoDefinitionError when no definition reads any.
func Import(name string, content []byte, options Options) (*Case, error) {
	if !caseName.MatchString(options.Name) {
		return nil, fmt.Errorf("%q is no name for a case: lowercase letters, digits and dashes, such as workers-lost", options.Name)
	}
	documents, faults := source.Parse(name, content)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	r := reader{name: name}
	if err := r.read(documents); err != nil {
		return nil, err
	}
	story, err := r.story(options.Definitions)
	if err != nil {
		return nil, err
	}
	imported := &Case{Definition: story.definition, Name: options.Name}
	if imported.Scrubbed, err = scrub(story.frames); err != nil {
		return nil, fmt.Errorf("scrub %s: %w", name, err)
	}
	story.compact()
	story.nameFrames()
	imported.Notes = story.notes
	if imported.Files, err = story.files(); err != nil {
		return nil, fmt.Errorf("write the case: %w", err)
	}
	return imported, nil
}
