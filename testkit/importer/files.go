package importer

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/source"
)

// unjudged stands at the head of what still has to be said by a person.
const unjudged = "# Say in expect what the framework's own rules make of this, and in description why.\n" +
	"# The case fails until then.\n"

// nameFrames gives frames the names of their recorded states, or numbers.
func (s *story) nameFrames() {
	width := len(fmt.Sprint(len(s.frames)))
	// The files of a case that are not frames, and the files of frames.
	taken := map[string]bool{"case": true, "golden": true, "timeline": true}
	for i, f := range s.frames {
		base := kebab(f.state)
		if base == "" {
			base = fmt.Sprintf("frame-%0*d", width, i+1)
		}
		f.name = base
		for n := 2; taken[f.name] || taken[f.name+"-pods"]; n++ {
			f.name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[f.name], taken[f.name+"-pods"] = true, true
	}
}

// kebab writes a state as a name of a file: RunningJobs is running-jobs.
func kebab(state string) string {
	var b strings.Builder
	var before rune
	for _, c := range state {
		switch {
		case c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c):
			c = '-'
			fallthrough
		case unicode.IsUpper(c) && unicode.IsLower(before):
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
		if c != '-' {
			b.WriteRune(unicode.ToLower(c))
		}
		before = c
	}
	return strings.Trim(b.String(), "-")
}

// files writes the case, its timeline and its objects.
func (s *story) files() ([]File, error) {
	var objects []File
	write := func(name string, list ...map[string]any) error {
		content, err := documents(name, list)
		objects = append(objects, File{Name: name, Content: content})
		return err
	}
	if !s.timeline {
		only := s.frames[0]
		head := unjudged + "description: \"\"\nprovenance: recorded\nobject: object.yaml\n"
		if err := write("object.yaml", only.root); err != nil {
			return nil, err
		}
		if len(only.others) > 0 {
			head += "pods: pods.yaml\n"
			if err := write("pods.yaml", only.others...); err != nil {
				return nil, err
			}
		}
		return append([]File{{Name: "case.yaml", Content: []byte(head + "expect: {}\n")}}, objects...), nil
	}
	var timeline strings.Builder
	timeline.WriteString("frames:\n")
	for i, f := range s.frames {
		fmt.Fprintf(&timeline, "  - name: %s\n", f.name)
		if err := f.writeActions(&timeline, i > 0); err != nil {
			return nil, err
		}
		fmt.Fprintf(&timeline, "    object: %s.yaml\n", f.name)
		if err := write(f.name+".yaml", f.root); err != nil {
			return nil, err
		}
		if len(f.others) > 0 {
			fmt.Fprintf(&timeline, "    pods: %s-pods.yaml\n", f.name)
			if err := write(f.name+"-pods.yaml", f.others...); err != nil {
				return nil, err
			}
		}
		if f.phase == "" {
			timeline.WriteString("    expect: {}\n")
		} else {
			fmt.Fprintf(&timeline, "    expect: {phase: %s}\n", f.phase)
		}
	}
	return append([]File{{Name: "case.yaml", Content: []byte(s.head())}, {Name: "timeline.yaml", Content: []byte(timeline.String())}}, objects...), nil
}

// head is case.yaml of a timeline. Where the recording says what to expect, it
// is also the reason.
func (s *story) head() string {
	var said []string
	for _, f := range s.frames {
		if f.phase != "" {
			said = append(said, string(f.phase))
		}
	}
	text := "provenance: recorded\ntimeline: timeline.yaml\n"
	if len(said) < len(s.frames) {
		text = strings.ReplaceAll(unjudged, "in expect", "in each frame's expect") + "description: \"\"\n" + text
	} else {
		text = "description: \"The recording judged its states: " + strings.Join(said, ", then ") + ".\"\n" + text
	}
	return text
}

// writeActions says what was done before the frame. Only suspend and resume are
// actions of definitions, and nothing comes before the first frame.
func (f *frame) writeActions(b *strings.Builder, follows bool) error {
	action := ""
	var after []string
	for _, text := range f.actions {
		word := strings.ToLower(text)
		if follows && (word == "suspend" || word == "resume") {
			action = word
			if len(f.actions) == 1 {
				break
			}
		}
		after = append(after, text)
	}
	if len(after) > 0 {
		content, err := yaml.Marshal(strings.Join(after, ", then "))
		if err != nil {
			return fmt.Errorf("write the actions: %w", err)
		}
		line := strings.TrimSuffix(string(content), "\n")
		fmt.Fprintf(b, "    after: %s\n", strings.ReplaceAll(line, "\n", "\n    "))
	}
	if action != "" {
		fmt.Fprintf(b, "    action: %s\n", action)
	}
	return nil
}

// documents writes objects and reads them again: a value that YAML would change
// is an error.
func documents(name string, objects []map[string]any) ([]byte, error) {
	var b strings.Builder
	for i, object := range objects {
		if i > 0 {
			b.WriteString("---\n")
		}
		content, err := yaml.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("write %s to %s: %w", title(object), name, err)
		}
		b.Write(content)
	}
	read, faults := source.Parse(name, []byte(b.String()))
	if len(faults) > 0 {
		return nil, faults[0]
	}
	for i, object := range objects {
		if i >= len(read) || !reflect.DeepEqual(read[i].Value(), any(object)) {
			return nil, fmt.Errorf("%s would not hold %s as it was read", name, title(object))
		}
	}
	return []byte(b.String()), nil
}
