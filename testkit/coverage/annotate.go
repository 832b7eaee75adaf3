package coverage

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// File is an annotated copy of a file with definitions.
type File struct {
	// Name is that of the original.
	Name    string
	Content string
}

// Annotated copies the files of the definitions, with a comment above every field
// that holds an item: how many cases exercise it, or that none does. Of branches and
// enum values it lists those that are missing, a branch with how many lines below
// the field it stands. The copies mean the same as the originals. They are sorted by name; a JSON file, which has no
// comments, is an error.
func (r *Report) Annotated() ([]File, error) {
	byName := map[string][]*Definition{}
	var names []string
	for i := range r.Definitions {
		d := &r.Definitions[i]
		if byName[d.File] == nil {
			names = append(names, d.File)
		}
		byName[d.File] = append(byName[d.File], d)
	}
	slices.Sort(names)
	files := make([]File, len(names))
	for i, name := range names {
		if path.Ext(name) == ".json" {
			return nil, fmt.Errorf("%s is JSON, which has no comments: write the definition in YAML to annotate it", name)
		}
		files[i] = File{Name: name, Content: annotate(byName[name])}
	}
	return files, nil
}

func annotate(definitions []*Definition) string {
	byLine := map[int][]*Item{}
	for _, d := range definitions {
		for i := range d.Items {
			byLine[d.Items[i].line] = append(byLine[d.Items[i].line], &d.Items[i])
		}
	}
	content := string(definitions[0].document.File().Content())
	var text strings.Builder
	number := 0
	for line := range strings.Lines(content) {
		number++
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		end := "\n"
		if strings.HasSuffix(line, "\r\n") {
			end = "\r\n"
		}
		for _, remark := range remarks(byLine[number]) {
			text.WriteString(indent + "# " + remark + end)
		}
		text.WriteString(line)
	}
	return text.String()
}

// remarks are what is said above a line about the items whose fields begin there.
func remarks(items []*Item) []string {
	var lines []string
	fields := map[string]bool{}
	for _, item := range items {
		fields[item.Where] = true
	}
	for _, kind := range Kinds() {
		var own []*Item
		for _, item := range items {
			if item.Kind == kind {
				own = append(own, item)
			}
		}
		switch {
		case len(own) == 0:
		case kind == Branch || kind == EnumValue:
			lines = append(lines, summary(kind, own))
		default:
			for _, item := range own {
				remark := counted(item)
				if len(fields) > 1 {
					remark = item.Where[strings.LastIndexByte(item.Where, '.')+1:] + ": " + remark
				}
				lines = append(lines, remark)
			}
		}
	}
	return lines
}

func counted(item *Item) string {
	switch n := len(item.Cases); n {
	case 0:
		return "NOT COVERED"
	case 1:
		return "covered by 1 case"
	default:
		return fmt.Sprintf("covered by %d cases", n)
	}
}

// summary is one line about many items of a field, with those that are missing.
func summary(kind Kind, items []*Item) string {
	var missing []string
	named := ""
	for _, item := range items {
		switch {
		case item.Covered():
		case kind == EnumValue && item.Expression == named:
			missing = append(missing, strconv.Quote(item.Value))
		case kind == EnumValue:
			named = item.Expression
			missing = append(missing, fmt.Sprintf("%s is %q", named, item.Value))
		case item.Place.Line > item.line:
			missing = append(missing, fmt.Sprintf("%s (%d below)", short(item.Expression), item.Place.Line-item.line))
		default:
			missing = append(missing, short(item.Expression))
		}
	}
	noun := "branches"
	if kind == EnumValue {
		noun = "enum values"
	}
	line := fmt.Sprintf("%d of %d %s covered", len(items)-len(missing), len(items), noun)
	if len(missing) > 0 {
		line += "; NOT COVERED: " + strings.Join(missing, ", ")
	}
	return line
}

// short is jq on one line, cut where it is long.
func short(text string) string {
	const most = 40
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return string(runes)
}
