package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/workloadmap/wm/internal/cli/printer"
)

// Exit codes are a contract with scripts.
const (
	exitClean        = 0
	exitFindings     = 1 // lint findings, failed cases, a cluster that was read in part
	exitUsage        = 2 // wrong usage, unreadable input, unwritable output
	exitNotFound     = 3 // no workload in the input
	exitNoDefinition = 4 // no definition for the type
	exitRefused      = 5 // the cluster cannot be reached, or answers nothing
)

// exitError ends the command with a code. Without cause the command has
// already said what there is to say.
type exitError struct {
	code  int
	cause error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return ""
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// finish writes one line for each fault of a failed command and gives its exit
// code. A result that did not arrive outweighs everything else.
func finish(stderr io.Writer, err error, out *output) int {
	if out.err != nil {
		reason := out.err
		var pathError *fs.PathError
		if errors.As(reason, &pathError) {
			reason = pathError.Err
		}
		fmt.Fprintf(stderr, "error: cannot write the result: %v\n", reason)
		return exitUsage
	}
	if err == nil {
		return exitClean
	}
	// Whatever is not an exitError comes from parsing flags and arguments.
	failure := &exitError{code: exitUsage, cause: err}
	errors.As(err, &failure)
	if failure.cause != nil {
		for _, fault := range faults(failure.cause) {
			fmt.Fprintf(stderr, "error: %s\n", printer.Visible(fault, ""))
		}
	}
	return failure.code
}

// faults gives the text of each fault that an error joins. What stands before a
// joined error, such as a file's name, is put before each of its faults.
func faults(err error) []string {
	var inner []string
	switch err := err.(type) {
	case interface{ Unwrap() []error }:
		for _, joined := range err.Unwrap() {
			inner = append(inner, faults(joined)...)
		}
		return inner
	case interface{ Unwrap() error }:
		if err.Unwrap() != nil {
			inner = faults(err.Unwrap())
		}
	}
	if len(inner) < 2 {
		return []string{err.Error()}
	}
	before, found := strings.CutSuffix(err.Error(), errors.Unwrap(err).Error())
	if !found {
		return []string{err.Error()}
	}
	for i, fault := range inner {
		inner[i] = before + fault
	}
	return inner
}

// output is standard output that remembers when it could not be written, so
// that a full disk never looks like success.
type output struct {
	out io.Writer
	err error
}

func (o *output) Write(content []byte) (int, error) {
	n, err := o.out.Write(content)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}
