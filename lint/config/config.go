package config

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// Name is the name of the file.
const Name = ".wm.yaml"

// Config is what one file says. The zero value, and nil, says nothing.
type Config struct {
	// Severities replace those of the rules, by id.
	Severities map[string]lint.Severity
	// Off are the ids of rules that are not asked.
	Off map[string]bool
	// Exclude are patterns of what is passed over in folders.
	Exclude []Glob
	// CRDs are files and folders with CRDs, below the file's folder.
	CRDs []string
	// Dialects are the kinds of definition that may be used; nil is all.
	Dialects []string
	// Cases is the folder with the golden cases; empty when the file names none.
	Cases string

	// folder is where the file lies; working is the folder that relative names
	// start from, or empty.
	folder, working string
}

var errNoSeverity = errors.New("a severity is error, warning, info or off")

// In makes a configuration that says nothing yet, for the folder that relative
// names start from; it may be empty.
func In(working string) *Config {
	return &Config{folder: absolute(working, "."), working: working}
}

// Set changes the severity of a rule: error, warning, info or off. rules are all
// that there are.
func (c *Config) Set(id, word string, rules []lint.Rule) error {
	var ids []string
	for _, rule := range rules {
		ids = append(ids, rule.ID)
	}
	severity, ok := lint.ParseSeverity(word)
	switch {
	case !slices.Contains(ids, id):
		return fmt.Errorf("there is no rule `%s`%s", id, nearest(id, ids))
	case id == Fixed:
		return fmt.Errorf("the severity of %s cannot be changed: a file that cannot be read must not pass", id)
	case word != Off && !ok:
		return errNoSeverity
	}
	if c.Severities == nil {
		c.Severities, c.Off = map[string]lint.Severity{}, map[string]bool{}
	}
	delete(c.Off, id)
	delete(c.Severities, id)
	if word == Off {
		c.Off[id] = true
	} else {
		c.Severities[id] = severity
	}
	return nil
}

// WithSeverities returns a configuration whose severities are those of another one, and
// where that says nothing its own. The rest is its own.
func (c *Config) WithSeverities(other *Config) *Config {
	merged := Config{}
	if c != nil {
		merged = *c
	}
	merged.Severities, merged.Off = map[string]lint.Severity{}, map[string]bool{}
	for _, from := range []*Config{c, other} {
		if from == nil {
			continue
		}
		for id, severity := range from.Severities {
			merged.Severities[id] = severity
			delete(merged.Off, id)
		}
		for id := range from.Off {
			merged.Off[id] = true
		}
	}
	return &merged
}

// Rules returns the rules to ask, with the severities of the file, and the ids
// of those that are off. The rules given are not changed.
func (c *Config) Rules(rules []lint.Rule) (asked []lint.Rule, unasked []string) {
	if c == nil {
		return rules, nil
	}
	for _, rule := range rules {
		if c.Off[rule.ID] {
			unasked = append(unasked, rule.ID)
			continue
		}
		if severity, ok := c.Severities[rule.ID]; ok {
			rule.Severity = severity
		}
		asked = append(asked, rule)
	}
	return asked, unasked
}

// Excludes reports whether a file, or a folder with all that is in it, is
// passed over. What does not lie below the file's folder never is.
func (c *Config) Excludes(name string) bool {
	if c == nil || len(c.Exclude) == 0 {
		return false
	}
	below, ok := c.below(name)
	return ok && slices.ContainsFunc(c.Exclude, func(g Glob) bool { return g.Match(below) })
}

// below is a name relative to the file's folder.
func (c *Config) below(name string) (string, bool) {
	name = absolute(c.working, name)
	switch {
	case c.folder == ".":
		return name, !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../")
	case c.folder == "/":
		return strings.CutPrefix(name, "/")
	default:
		return strings.CutPrefix(name, c.folder+"/")
	}
}

// absolute completes a relative name with the folder it starts from, where that
// is known.
func absolute(working, name string) string {
	if working != "" && !path.IsAbs(name) {
		return path.Join(working, name)
	}
	return path.Clean(name)
}

// shown is the name that people read: relative where it lies below the folder
// that they are in.
func shown(working, name string) string {
	if below, ok := strings.CutPrefix(name, working+"/"); ok && working != "" {
		return below
	}
	return name
}
