package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/report"
	"github.com/workloadmap/wm/lint/rules"
)

// lintFormats are the output formats of wm lint.
var lintFormats = []string{"text", "json", "sarif", "junit", "github", "checkstyle"}

// lintOutput is one value of -o: a format, and the file to write it to, or
// standard output when file is empty.
type lintOutput struct{ format, file string }

// parseLintOutputs reads the values of -o, each FORMAT or FORMAT=FILE.
func parseLintOutputs(values []string) ([]lintOutput, error) {
	var outputs []lintOutput
	taken := map[string]string{}
	for _, value := range values {
		format, file, named := strings.Cut(value, "=")
		if !slices.Contains(lintFormats, format) {
			if near, ok := suggest.Nearest(format, lintFormats); ok {
				return nil, fmt.Errorf("unknown output format %q; did you mean %s?", format, near)
			}
			return nil, fmt.Errorf("unknown output format %q: use one of %s", format, strings.Join(lintFormats, ", "))
		}
		if named && file == "" {
			return nil, fmt.Errorf("-o %s names no file behind the =", value)
		}
		if file == "-" {
			file = ""
		}
		if other, twice := taken[file]; twice {
			place := file
			if place == "" {
				place = "standard output"
			}
			return nil, fmt.Errorf("-o %s and -o %s both write to %s; name another file with -o FORMAT=FILE", other, value, place)
		}
		taken[file] = value
		outputs = append(outputs, lintOutput{format, file})
	}
	return outputs, nil
}

// lintReports says how results are written.
type lintReports struct {
	outputs []lintOutput
	colour  bool
	failOn  lint.Severity
	rules   []lint.Rule
	version string
	folder  string
}

// newLintReports reads the flags about output.
func newLintReports(world World, output []string, failOn, colour string) (lintReports, error) {
	r := lintReports{rules: rules.All(), version: world.Version.Version, folder: world.Folder}
	var err error
	if r.outputs, err = parseLintOutputs(output); err != nil {
		return r, err
	}
	if r.failOn, err = parseFailOn(failOn); err != nil {
		return r, err
	}
	switch colour {
	case "auto":
		r.colour = world.Colour
	case "always":
		r.colour = true
	case "never":
	default:
		return r, fmt.Errorf("--color %q: use auto, always or never", colour)
	}
	return r, nil
}

func (r lintReports) reporter(o lintOutput) interface {
	Report(io.Writer, *lint.Result) error
} {
	switch o.format {
	case "json":
		return report.JSON{}
	case "sarif":
		return report.SARIF{Rules: r.rules, Version: r.version, Folder: r.folder}
	case "junit":
		return report.JUnit{FailOn: r.failOn}
	case "github":
		return report.GitHub{}
	case "checkstyle":
		return report.Checkstyle{}
	default:
		return report.Text{Colour: r.colour && o.file == ""}
	}
}

// write writes a result in every format. When none of them goes to standard
// output, the summary goes to standard error: a run that says nothing looks like
// one that found nothing.
func (r lintReports) write(world World, result *lint.Result) error {
	shown := false
	for _, o := range r.outputs {
		if o.file == "" {
			shown = true
			if err := r.reporter(o).Report(world.Stdout, result); err != nil {
				return err
			}
			continue
		}
		var content bytes.Buffer
		if err := r.reporter(o).Report(&content, result); err != nil {
			return err
		}
		if err := world.WriteFile(o.file, content.Bytes()); err != nil {
			return fmt.Errorf("write the findings as %s: %w", o.format, err)
		}
	}
	if !shown {
		fmt.Fprintln(world.Stderr, report.Summary(result))
	}
	return nil
}
