package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workloadmap/wm/internal/suggest"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/config"
	"github.com/workloadmap/wm/source"
)

// lintSettings are the flags that say what is checked and how; they win over
// what the configuration says.
type lintSettings struct {
	config       string
	noConfig     bool
	severities   []string
	exclude      []string
	forceExclude bool
	crds         []string
	cases        string
}

func (s *lintSettings) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.config, "config", "", "configuration to use instead of the .wm.yaml in the folder of the first path or above")
	flags.BoolVar(&s.noConfig, "no-config", false, "use no configuration")
	flags.StringArrayVar(&s.severities, "severity", nil, "RULE=error|warning|info|off, as in WM304=off (repeatable)")
	flags.StringArrayVar(&s.exclude, "exclude", nil, "pattern of files and folders to pass over, from the current folder (repeatable)")
	flags.BoolVar(&s.forceExclude, "force-exclude", false, "pass over excluded files also when they are named")
	flags.StringVar(&s.cases, "cases", "", "folder with golden cases: also check that each definition has some, and that each matcher needs one")
	flags.StringArrayVar(&s.crds, "crd", nil, "file or folder with CRDs or indexes to check paths against (repeatable)")
}

// options completes what lint needs to know: rules are all that there are.
func (s *lintSettings) options(ctx context.Context, world World, paths []string, rules []lint.Rule) (lint.Options, error) {
	file, err := s.read(world, paths, rules)
	if err != nil {
		return lint.Options{}, err
	}
	flags, err := s.flags(world, rules)
	if err != nil {
		return lint.Options{}, err
	}
	schemas, err := file.Schemas(world.Files, lint.BuiltIn())
	if err != nil {
		return lint.Options{}, err
	}
	if len(s.crds) > 0 {
		if schemas, err = lint.WithCRDs(world.Files, s.crds, world.Stdin, schemas); err != nil {
			return lint.Options{}, err
		}
	}
	exclude := func(name string) bool { return file.Excludes(name) || flags.Excludes(name) }
	if s.forceExclude {
		paths = keep(world, paths, exclude)
	}
	options := lint.Options{
		Files: world.Files, Paths: paths, Stdin: world.Stdin, Schemas: schemas, Exclude: exclude,
	}
	if file != nil {
		options.Dialects = file.Dialects
	}
	folder := s.cases
	if folder == "" && file != nil {
		folder = file.Cases
	}
	options.Cases, err = newLintCases(ctx, world, folder)
	if err != nil {
		return lint.Options{}, err
	}
	options.Rules, options.Unasked = file.WithSeverities(flags).Rules(rules)
	return options, nil
}

// read finds and reads the configuration; nil when there is none.
func (s *lintSettings) read(world World, paths []string, rules []lint.Rule) (*config.Config, error) {
	name := s.config
	switch {
	case s.noConfig && name != "":
		return nil, errors.New("--config and --no-config contradict each other")
	case s.noConfig:
		return nil, nil
	case name == "":
		var err error
		if name, err = config.Find(world.Files, world.Folder, paths[0]); err != nil || name == "" {
			return nil, err
		}
	}
	return config.Read(world.Files, world.Folder, name, rules)
}

// flags are the flags as a configuration of the current folder.
func (s *lintSettings) flags(world World, rules []lint.Rule) (*config.Config, error) {
	made := config.In(world.Folder)
	for _, value := range s.severities {
		id, word, _ := strings.Cut(value, "=")
		if err := made.Set(id, word, rules); err != nil {
			return nil, fmt.Errorf("--severity %s: %w", value, err)
		}
	}
	for _, pattern := range s.exclude {
		glob, err := config.ParseGlob(pattern)
		if err != nil {
			return nil, fmt.Errorf("--exclude %s: %w", pattern, err)
		}
		made.Exclude = append(made.Exclude, glob)
	}
	return made, nil
}

// keep drops the paths that are excluded themselves or lie in an excluded folder.
func keep(world World, paths []string, exclude func(string) bool) []string {
	kept := slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return name != source.Stdin && exclude(name) })
	if dropped := len(paths) - len(kept); dropped > 0 {
		is, was := "are", "were"
		if dropped == 1 {
			is, was = "is", "was"
		}
		world.note([]string{fmt.Sprintf("%d of the paths named %s excluded and %s not checked", dropped, is, was)})
	}
	return kept
}

// parseFailOn reads the value of --fail-on.
func parseFailOn(word string) (lint.Severity, error) {
	severity, ok := lint.ParseSeverity(word)
	if ok {
		return severity, nil
	}
	words := []string{lint.Error.String(), lint.Warning.String(), lint.Info.String()}
	if near, ok := suggest.Nearest(word, words); ok {
		return 0, fmt.Errorf("--fail-on %q is no severity; did you mean %s?", word, near)
	}
	return 0, fmt.Errorf("--fail-on %q is no severity: use one of %s", word, strings.Join(words, ", "))
}
