package lint

import (
	"slices"
	"strings"

	"github.com/workloadmap/wm/source"
)

// comment is a comment that starts with wm:, from there to the end of its line.
type comment struct {
	file   *source.File
	text   string
	offset int
	// alone says that nothing but the comment is on its line.
	alone bool
}

// stretch is a scalar of the file: what is in it is text, not comments.
type stretch struct {
	start, end int // bytes
	firstLine  int
	lastLine   int
}

// textsOf lists the scalars of all documents in file order. What stands behind
// an alias is listed where it is written, not once more.
func textsOf(file *source.File, documents []*source.Document) []stretch {
	var texts []stretch
	var visit func(source.Node)
	visit = func(node source.Node) {
		if _, alias := node.Anchor(); alias {
			return
		}
		switch node.Kind() {
		case source.Mapping:
			for key, value := range node.Fields() {
				visit(key)
				visit(value)
			}
		case source.Sequence:
			for item := range node.Items() {
				visit(item)
			}
		case source.Scalar:
			texts = append(texts, stretchOf(file, node))
		}
	}
	for _, document := range documents {
		visit(document.Root())
	}
	slices.SortFunc(texts, func(a, b stretch) int { return a.start - b.start })
	return texts
}

// stretchOf leaves the header of a block scalar out: a comment may follow it.
func stretchOf(file *source.File, node source.Node) stretch {
	where := node.Range()
	text := stretch{start: where.Start.Offset, end: where.End.Offset, firstLine: where.Start.Line, lastLine: where.End.Line}
	if node.Block() {
		content := file.Content()[text.start:text.end]
		if header := strings.IndexAny(string(content), "\r\n"); header >= 0 {
			text.start += header
		} else {
			text.start = text.end
		}
	}
	return text
}

// commentOf finds the comment of a line that starts with wm:.
func commentOf(file *source.File, number int, line string, texts []stretch) (comment, bool) {
	if !strings.Contains(line, "wm:") {
		return comment{}, false
	}
	begin := lineOffset(file, number)
	for at := 0; at < len(line); at++ {
		if line[at] != '#' || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' || inside(begin+at, texts) {
			continue
		}
		// The first # that is no text begins the line's only comment.
		text := strings.TrimLeft(line[at:], "# \t")
		if !strings.HasPrefix(text, "wm:") {
			return comment{}, false
		}
		return comment{
			file: file, text: strings.TrimRight(text, " \t"), offset: begin + len(line) - len(text),
			alone: strings.TrimSpace(line[:at]) == "",
		}, true
	}
	return comment{}, false
}

// lineOffset is where the text of a line begins, behind a byte order mark.
func lineOffset(file *source.File, number int) int {
	content := file.Content()
	low, high := 0, len(content)
	for low < high {
		middle := (low + high) / 2
		if file.Position(middle).Line < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return file.Position(low).Offset
}

func inside(offset int, texts []stretch) bool {
	i, found := slices.BinarySearchFunc(texts, offset, func(text stretch, offset int) int { return text.start - offset })
	if found {
		return offset < texts[i].end
	}
	return i > 0 && offset < texts[i-1].end
}

// lastLines maps the lines on which a text of several lines begins to the last
// one of it.
func lastLines(texts []stretch) map[int]int {
	ends := map[int]int{}
	for _, text := range texts {
		if text.lastLine > text.firstLine {
			ends[text.firstLine] = max(ends[text.firstLine], text.lastLine)
		}
	}
	return ends
}
