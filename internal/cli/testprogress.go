package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/workloadmap/wm/testkit"
)

// progressOf shows on a terminal how many cases are done, on one line that clear
// takes away again. Without a terminal both do nothing.
func progressOf(terminal io.Writer) (show testkit.Progress, clear func()) {
	if terminal == nil {
		return nil, func() {}
	}
	shown := -1
	show = func(done, total int) {
		// A line for each percent is enough for the eye.
		if share := 100 * done / max(total, 1); share != shown {
			shown = share
			fmt.Fprintf(terminal, "\r%d of %d cases", done, total)
		}
	}
	return show, func() {
		if shown >= 0 {
			fmt.Fprint(terminal, "\r\x1b[K")
		}
	}
}

// terminalOf is standard error when a person looks at it who has a terminal that
// can overwrite a line, else nil.
func terminalOf(stderr *os.File) io.Writer {
	info, err := stderr.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return stderr
}
