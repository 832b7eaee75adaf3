package cli

import "os"

// coloursOf reports whether what is written to a file should have colours. The
// variables are those of no-color.org and bixense.com/clicolors.
func coloursOf(stdout *os.File, getenv func(string) string) bool {
	info, err := stdout.Stat()
	return coloured(err == nil && info.Mode()&os.ModeCharDevice != 0, getenv)
}

func coloured(terminal bool, getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" {
		return false
	}
	for _, name := range []string{"FORCE_COLOR", "CLICOLOR_FORCE"} {
		if value := getenv(name); value != "" && value != "0" {
			return true
		}
	}
	return terminal && getenv("TERM") != "dumb" && getenv("CLICOLOR") != "0"
}
