package lint

import "github.com/workloadmap/wm/source"

// longestLine is the longest line in bytes that is kept. Longer ones are written by
// machines and shown to nobody, and a file that is one line of many megabytes must
// not cost them for each of its findings.
const longestLine = 32 << 10

// kept is what a result keeps of a file: of ten thousand files, most of whose
// text nobody asks for again, only the lines that findings are shown with.
type kept struct {
	lines map[int]string
	// content is the whole file when it can be repaired, else nil.
	content []byte
}

func keepOf(file *source.File, findings []Finding) *kept {
	k := &kept{lines: map[int]string{}}
	for _, f := range findings {
		if _, known := k.lines[f.Line]; !known {
			line := file.Line(f.Line)
			if len(line) > longestLine {
				line = ""
			}
			k.lines[f.Line] = line
		}
		if f.Fix != nil {
			k.content = file.Content()
		}
	}
	return k
}
