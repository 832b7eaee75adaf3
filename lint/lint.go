package lint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/workloadmap/wm/source"
)

// Options say what to check, and with which rules.
type Options struct {
	// Files reads the paths.
	Files fs.FS
	// Paths are files, folders, and "-" for Stdin.
	Paths []string
	// Stdin may be nil when no path is "-".
	Stdin io.Reader
	// Rules are asked in this order; the order does not show in the result.
	Rules []Rule
	// Schemas knows the objects that definitions read; nil knows none, and then
	// nothing is said about types.
	Schemas Schemas
	// Unasked are the ids of rules that exist and are not among Rules, so that a
	// comment may name them.
	Unasked []string
	// Dialects are the kinds of definition that may be used, "Karta"; nil is all.
	Dialects []string
	// Cases knows the golden cases of the definitions; nil asks for none, and then
	// the rules about a catalog are silent.
	Cases Cases
	// Exclude drops files and whole folders that are found in a folder; it may be
	// nil. A file that is named itself is checked all the same.
	Exclude func(name string) bool
	// Workers is how many files are checked at the same time; 0 is one for each
	// processor.
	Workers int
}

// Result is what came out of a run.
type Result struct {
	// Findings are sorted by file, line, column and rule.
	Findings []Finding
	// Files is how many files were read, Definitions how many definitions they
	// hold.
	Files       int
	Definitions int
	// Ignored is how many findings comments in the files silenced.
	Ignored int
	// Unknown are the root kinds for which no schema was known, sorted: their
	// definitions were not checked against one.
	Unknown []string

	// sources holds what is kept of the files that have findings, by name.
	sources map[string]*kept
}

// Line returns a line on which a finding starts, without its line break; empty
// when it has more than 32 KiB.
func (r *Result) Line(file string, line int) string {
	if f := r.sources[file]; f != nil {
		return f.lines[line]
	}
	return ""
}

// Failed reports whether there is a finding worse than an info.
func (r *Result) Failed() bool { return r.Reaches(Warning) }

// Reaches reports whether there is a finding of a severity, or a worse one.
func (r *Result) Reaches(severity Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity >= severity })
}

// ErrNoDefinitions is wrapped by the errors for folders without definitions.
var ErrNoDefinitions = errors.New("no definitions")

// Run checks files. In a folder, files and documents that are no definitions
// are passed over; a file that is named itself must hold one.
//
// The error joins what could not be read, one line each: files that are
// missing, too large, empty or not text, and folders without a definition. The
// result is complete for everything else and never nil.
func Run(ctx context.Context, options Options) (*Result, error) {
	in, faults := collect(options)
	outcomes := make([]outcome, len(in.files))
	run := newRun(options)
	group, ctx := errgroup.WithContext(ctx)
	workers := options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group.SetLimit(workers)
	for i, file := range in.files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			outcomes[i] = check(options, file, run)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return &Result{}, fmt.Errorf("lint stopped: %w", err)
	}
	result := &Result{sources: map[string]*kept{}}
	for i, o := range outcomes {
		if o.err != nil {
			faults = append(faults, o.err)
			continue
		}
		result.Files += o.files
		result.Definitions += o.definitions
		result.Ignored += o.ignored
		if len(o.findings) > 0 {
			result.Findings = append(result.Findings, o.findings...)
			result.sources[in.files[i].name] = o.kept
		}
	}
	result.Findings = sorted(result.Findings)
	result.Unknown = run.unknownKinds()
	faults = append(faults, run.unreadCases()...)
	faults = append(faults, in.barren(outcomes)...)
	return result, errors.Join(faults...)
}

// input is what the paths stand for.
type input struct {
	files []inputFile
	// folders maps each path that is a folder to its files.
	folders []inputFolder
}

type inputFile struct {
	name string
	// folder is the path that it was found in.
	folder string
	named  bool
}

type inputFolder struct {
	path  string
	files []int
}

// collect expands the paths. A file that several paths lead to is there once,
// and named if one of them names it.
func collect(options Options) (input, []error) {
	var in input
	var faults []error
	index := map[string]int{}
	for _, p := range options.Paths {
		names, err := source.List(options.Files, []string{p}, options.Exclude)
		if err != nil {
			faults = append(faults, err)
		}
		// A folder lists its files, a file only itself.
		named := len(names) == 1 && names[0] == p
		folder := inputFolder{path: p}
		for _, name := range names {
			i, known := index[path.Clean(name)]
			if !known {
				i = len(in.files)
				index[path.Clean(name)] = i
				in.files = append(in.files, inputFile{name: name, folder: p})
			}
			in.files[i].named = in.files[i].named || named
			folder.files = append(folder.files, i)
		}
		// Of what could not be listed nothing is known.
		if !named && err == nil {
			in.folders = append(in.folders, folder)
		}
	}
	return in, faults
}

// barren is an error for each folder in which there was nothing to check: the
// silence of a run that looked in the wrong place must not pass for success.
func (in input) barren(outcomes []outcome) []error {
	var faults []error
	for _, folder := range in.folders {
		fruitful := false
		for _, i := range folder.files {
			o := outcomes[i]
			fruitful = fruitful || o.definitions > 0 || len(o.findings) > 0 || o.err != nil
		}
		if !fruitful {
			faults = append(faults, fmt.Errorf("%w in %s", ErrNoDefinitions, folder.path))
		}
	}
	return faults
}

// outcome is what came out of one file.
type outcome struct {
	// kept is nil for a file without findings.
	kept               *kept
	findings           []Finding
	files, definitions int
	ignored            int
	// faults is how many documents could not be read.
	faults int
	err    error
}

func check(options Options, in inputFile, run *run) outcome {
	if !in.named {
		if err := confined(options.Files, in.folder, in.name); err != nil {
			return outcome{err: err}
		}
	}
	content, err := source.Read(options.Files, in.name, options.Stdin)
	if err != nil {
		return outcome{err: err}
	}
	return checkContent(options, in, content, run)
}

func checkContent(options Options, in inputFile, content []byte, run *run) outcome {
	file := newFile(in.name, content, in.named, run)
	if len(file.Faults) == 1 && !isText(content) {
		return outcome{err: fmt.Errorf("cannot read %w", file.Faults[0])}
	}
	if in.named && len(file.Faults)+len(file.Definitions)+len(file.Others) == 0 {
		return outcome{err: fmt.Errorf("%s is empty: a definition is needed", display(in.name))}
	}
	o := outcome{files: 1, definitions: len(file.Definitions), faults: len(file.Faults)}
	for _, rule := range options.Rules {
		log := ruleLog{rule: rule, file: in.name, outcome: &o}
		if rule.CheckFile != nil {
			rule.CheckFile(file, log.report)
		}
		if rule.Check != nil {
			for _, definition := range file.Definitions {
				rule.Check(definition, log.report)
			}
		}
		log.close()
	}
	o.obey(in.name, content, file, options)
	if len(o.findings) > 0 {
		o.kept = keepOf(source.NewFile(in.name, content), o.findings)
	}
	return o
}

// obey drops what comments of the file silence, and asks what is wrong with the
// comments.
func (o *outcome) obey(name string, content []byte, file *File, options Options) {
	// Most files have no such comment, and need not be searched for them.
	if !bytes.Contains(content, []byte("wm:")) {
		return
	}
	ignores := ignoresOf(source.NewFile(name, content), file.documents, options)
	if len(ignores) == 0 {
		return
	}
	before := len(o.findings)
	o.findings = silence(o.findings, ignores)
	o.ignored = before - len(o.findings)
	// Where a document cannot be read, nothing is known of its comments, and a
	// comment elsewhere may be about it.
	if len(file.Faults) > 0 {
		return
	}
	for _, rule := range options.Rules {
		if rule.CheckIgnores == nil {
			continue
		}
		rule.CheckIgnores(ignores, func(where source.Range, message, help string, edits ...source.TextEdit) {
			o.findings = append(o.findings, newFinding(rule, name, where, message, help, edits))
		})
	}
}

func display(name string) string {
	if name == source.Stdin {
		return "standard input"
	}
	return name
}

// isText tells broken YAML, which has a place in the file, from files that are
// something else altogether.
func isText(content []byte) bool {
	return bytes.IndexByte(content, 0) < 0 && utf8.Valid(content)
}
