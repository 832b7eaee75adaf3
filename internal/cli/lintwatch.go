package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/workloadmap/wm/internal/cli/printer"
	"github.com/workloadmap/wm/internal/cli/watch"
	"github.com/workloadmap/wm/lint"
	"github.com/workloadmap/wm/lint/config"
	"github.com/workloadmap/wm/source"
)

// lintWatch is one `wm lint --watch`: it checks everything once and then each
// file that changes, until it is interrupted.
type lintWatch struct {
	world   World
	reports lintReports
	// options reads the configuration and completes what lint needs to know.
	options func() (lint.Options, error)
	current lint.Options
	// fixes says that the user also asked for repairs.
	fixes bool
	// bad are the files that have findings that count, or cannot be read, with
	// the exit code that each of them means.
	bad map[string]int
}

// run watches until the context ends. Its error carries the exit code that a
// run over everything would have then.
func (l *lintWatch) run(ctx context.Context) error {
	if err := l.possible(); err != nil {
		return err
	}
	l.bad = map[string]int{}
	watcher, err := watch.Start(l.world.Folder, l.current.Paths, l.skips)
	if err != nil {
		return err
	}
	defer watcher.Close() //nolint:errcheck // the process ends with it
	if err := l.check(ctx, nil); err != nil {
		return err
	}
	for {
		l.say("watching for changes; interrupt to end")
		batch, err := watcher.Next(ctx)
		if ctx.Err() != nil {
			return l.verdict()
		}
		if err != nil {
			return err
		}
		if err := l.react(ctx, batch); err != nil {
			return err
		}
	}
}

// possible refuses what does not go together with watching.
func (l *lintWatch) possible() error {
	if slices.Contains(l.current.Paths, source.Stdin) {
		return errors.New("--watch watches files and folders; standard input cannot change")
	}
	if l.fixes {
		return errors.New("--watch cannot repair: it would change a file that is open in an editor; use --fix alone")
	}
	for _, o := range l.reports.outputs {
		if o.file != "" {
			return fmt.Errorf("--watch reports only what changes, and so writes no file; leave %s out of -o", o.file)
		}
	}
	return nil
}

// skips follows the configuration as it is now.
func (l *lintWatch) skips(name string) bool {
	return l.current.Exclude != nil && l.current.Exclude(name)
}

// react checks what a batch says has changed.
func (l *lintWatch) react(ctx context.Context, batch watch.Batch) error {
	for _, gone := range batch.Gone {
		maps.DeleteFunc(l.bad, func(name string, _ int) bool {
			return name == gone || strings.HasSuffix(gone, "/") && strings.HasPrefix(name, gone)
		})
	}
	isConfiguration := func(name string) bool { return path.Base(name) == config.Name }
	if slices.ContainsFunc(slices.Concat(batch.Changed, batch.Gone), isConfiguration) {
		next, err := l.options()
		if err != nil {
			l.say("the configuration has changed and cannot be used; the one before stays")
			finish(l.world.Stderr, err, &output{})
			return nil
		}
		l.current, batch.All = next, true
	}
	var err error
	switch {
	case batch.All:
		l.say("checking everything again")
		err = l.check(ctx, nil)
	case len(batch.Changed) > 0:
		l.say(someOf(batch.Changed) + " changed")
		err = l.check(ctx, batch.Changed)
	default:
		l.say(someOf(batch.Gone) + " removed")
	}
	l.remind(batch)
	return err
}

// only narrows what is checked to some files, which are named and passed over
// exactly as before.
func only(options lint.Options, changed []string) lint.Options {
	wanted := map[string]bool{}
	for _, name := range changed {
		for name = path.Clean(name); !wanted[name]; name = path.Dir(name) {
			wanted[name] = true
		}
	}
	exclude := options.Exclude
	options.Exclude = func(name string) bool {
		return !wanted[path.Clean(name)] || exclude != nil && exclude(name)
	}
	options.Paths = slices.DeleteFunc(slices.Clone(options.Paths), func(name string) bool { return !wanted[path.Clean(name)] })
	return options
}

// check runs the rules over everything, or over the files of changed, reports,
// and keeps what it means for the exit code. The error is that nobody can read
// the report; what the end of the context cut short is not reported.
func (l *lintWatch) check(ctx context.Context, changed []string) error {
	options := l.current
	if changed != nil {
		options = only(options, changed)
	}
	result, unread := lint.Run(ctx, options)
	if ctx.Err() != nil {
		return nil
	}
	maps.DeleteFunc(l.bad, func(name string, _ int) bool { return changed == nil || slices.Contains(changed, name) })
	for _, f := range result.Findings {
		if f.Severity >= l.reports.failOn {
			l.bad[path.Clean(f.File)] = exitFindings
		}
	}
	unread = withoutBarren(unread)
	if unread != nil {
		l.blame(ctx, options)
	}
	if err := l.reports.write(l.world, result); err != nil {
		return err
	}
	for _, kind := range result.Unknown {
		fmt.Fprintf(l.world.Stderr, "note: no schema is known of %s, so paths into it were not checked\n", kind)
	}
	if unread != nil {
		finish(l.world.Stderr, unread, &output{})
	}
	return nil
}

// withoutBarren leaves out that a folder has no definitions: its author may be
// about to write one, and a change of other files is none of lint's business.
func withoutBarren(unread error) error {
	joined, ok := unread.(interface{ Unwrap() []error })
	if !ok {
		return unread
	}
	return errors.Join(slices.DeleteFunc(slices.Clone(joined.Unwrap()), func(err error) bool {
		return errors.Is(err, lint.ErrNoDefinitions)
	})...)
}

// blame finds out which files cannot be read, by halves: most can.
func (l *lintWatch) blame(ctx context.Context, options lint.Options) {
	options.Rules, options.Schemas = nil, nil
	for _, name := range options.Paths {
		files, err := source.List(options.Files, []string{name}, options.Exclude)
		if err != nil {
			l.bad[path.Clean(name)] = exitUsage
			continue
		}
		l.blameSome(ctx, options, files)
	}
}

func (l *lintWatch) blameSome(ctx context.Context, options lint.Options, files []string) {
	if len(files) == 0 || ctx.Err() != nil {
		return
	}
	if _, unread := lint.Run(ctx, only(options, files)); withoutBarren(unread) == nil {
		return
	}
	if len(files) == 1 {
		l.bad[path.Clean(files[0])] = exitUsage
		return
	}
	l.blameSome(ctx, options, files[:len(files)/2])
	l.blameSome(ctx, options, files[len(files)/2:])
}

// remind names the files that were bad before and have not been touched: the
// report that stands above it is silent about them.
func (l *lintWatch) remind(batch watch.Batch) {
	var others []string
	for _, name := range slices.Sorted(maps.Keys(l.bad)) {
		if !batch.All && !slices.Contains(batch.Changed, name) {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		fmt.Fprintln(l.world.Stderr, "note: there are still problems in", printer.Visible(someOf(others), ""))
	}
}

// verdict is the exit code of everything that is known when the watch ends.
func (l *lintWatch) verdict() error {
	code := exitClean
	for _, each := range l.bad {
		code = max(code, each)
	}
	if code == exitClean {
		return nil
	}
	return &exitError{code: code}
}

// say separates one report from the next.
func (l *lintWatch) say(what string) {
	fmt.Fprintf(l.world.Stderr, "---- %s\n", printer.Visible(what, ""))
}

// someOf names a few of many.
func someOf(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
}
