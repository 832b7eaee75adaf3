package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workloadmap/wm/lint"
)

// some rules, as few as the cases need.
func someRules() []lint.Rule {
	var some []lint.Rule
	for _, id := range []string{"WM001", "WM101", "WM102", "WM103", "WM104", "WM105"} {
		some = append(some, lint.Rule{ID: id, Severity: lint.Error})
	}
	return some
}

func read(t *testing.T, text string) (*Config, error) {
	t.Helper()
	return Read(fstest.MapFS{Name: {Data: []byte(text)}}, "", Name, someRules())
}

// testdata/bad holds files that are refused, with all that is said about them.
func TestBadFiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/bad/*")
	if err != nil || len(archives) < 5 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(content)
			if len(archive.Files) != 2 || archive.Files[0].Name != Name || archive.Files[1].Name != "errors" {
				t.Fatalf("a case is a %s and the errors", Name)
			}
			_, fault := read(t, string(archive.Files[0].Data))
			if fault == nil {
				t.Fatal("the file was accepted")
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), fault.Error()+"\n"); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEmptyFilesSayNothing(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "{}\n"} {
		c, err := read(t, text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		asked, unasked := c.Rules(someRules())
		if len(asked) != len(someRules()) || len(unasked) != 0 || c.Excludes("a.yaml") || c.Dialects != nil || c.Cases != "" || len(c.CRDs) != 0 {
			t.Errorf("%q says something: %+v", text, c)
		}
	}
}

func TestSettings(t *testing.T) {
	c, err := read(t, `
severities: {WM101: off, WM102: warning, WM103: "off", WM104: info}
exclude: [generated, "*.tmpl.yaml"]
crds: [crds, a/../b.yaml]
dialects: [Karta, WorkloadMap]
cases: ./fixtures/
`)
	if err != nil {
		t.Fatal(err)
	}
	asked, unasked := c.Rules(someRules())
	severities := map[string]lint.Severity{}
	for _, rule := range asked {
		severities[rule.ID] = rule.Severity
	}
	want := map[string]lint.Severity{"WM001": lint.Error, "WM102": lint.Warning, "WM104": lint.Info, "WM105": lint.Error}
	if diff := cmp.Diff(want, severities); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"off", unasked, []string{"WM101", "WM103"}},
		{"crds", c.CRDs, []string{"crds", "b.yaml"}},
		{"dialects", c.Dialects, []string{"Karta", "WorkloadMap"}},
		{"cases", c.Cases, "fixtures"},
		{"excluded", c.Excludes("x/a.tmpl.yaml"), true},
		{"not excluded", c.Excludes("x/a.yaml"), false},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
	for _, rule := range someRules() {
		if rule.Severity != lint.Error {
			t.Error("the rules that were given have changed")
		}
	}
}

// What flags say wins, rule by rule; the rest of the file stays.
func TestFlagsWin(t *testing.T) {
	file, err := read(t, "severities: {WM101: off, WM102: info, WM103: off, WM104: info}\ndialects: [Karta]\n")
	if err != nil {
		t.Fatal(err)
	}
	flags := In("")
	for id, word := range map[string]string{"WM101": "warning", "WM102": "off"} {
		if err := flags.Set(id, word, someRules()); err != nil {
			t.Fatal(err)
		}
	}
	merged := file.WithSeverities(flags)
	if diff := cmp.Diff(map[string]bool{"WM102": true, "WM103": true}, merged.Off); diff != "" {
		t.Error(diff)
	}
	asked, _ := merged.Rules(someRules())
	severities := map[string]lint.Severity{}
	for _, rule := range asked {
		severities[rule.ID] = rule.Severity
	}
	want := map[string]lint.Severity{"WM001": lint.Error, "WM101": lint.Warning, "WM104": lint.Info, "WM105": lint.Error}
	if diff := cmp.Diff(want, severities); diff != "" {
		t.Error(diff)
	}
	if len(merged.Dialects) != 1 {
		t.Error("the dialects are gone")
	}
	if diff := cmp.Diff(map[string]bool{"WM101": true, "WM103": true}, file.Off); diff != "" {
		t.Errorf("the file has changed: %s", diff)
	}
	var none *Config
	if off := none.WithSeverities(flags).Off; !off["WM102"] {
		t.Error("flags without a file do nothing")
	}
}

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"vendor", []string{"vendor", "vendor/a.yaml", "a/vendor", "a/vendor/b/c.yaml"}, []string{"vendors/a.yaml", "a/vendor.yaml"}},
		{"vendor/", []string{"vendor/a.yaml", "a/vendor/b.yaml"}, []string{"a.yaml"}},
		{"./vendor", []string{"vendor", "vendor/a.yaml"}, []string{"a/vendor/b.yaml"}},
		{"*.tmpl.yaml", []string{"a.tmpl.yaml", "x/y/a.tmpl.yaml"}, []string{"a.yaml", "tmpl.yaml"}},
		{"a/*.yaml", []string{"a/b.yaml"}, []string{"a/b/c.yaml", "x/a/b.yaml"}},
		{"a/**/z.yaml", []string{"a/z.yaml", "a/b/z.yaml", "a/b/c/z.yaml"}, []string{"z.yaml", "b/a/z.yaml", "a/b/y.yaml"}},
		{"a/**", []string{"a/b", "a/b/c.yaml"}, []string{"a", "b/a/c"}},
		{"**/b", []string{"b", "a/b", "a/b/c"}, []string{"c", "bb"}},
		{"**", []string{"a", "a/b"}, nil},
		{"[ab].yaml", []string{"a.yaml", "x/b.yaml"}, []string{"c.yaml"}},
		{"?.yaml", []string{"a.yaml", "é.yaml"}, []string{"ab.yaml"}},
	} {
		g, err := ParseGlob(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, name := range c.yes {
			if !g.Match(name) {
				t.Errorf("%s does not match %s", c.pattern, name)
			}
		}
		for _, name := range c.no {
			if g.Match(name) {
				t.Errorf("%s matches %s", c.pattern, name)
			}
		}
	}
	// Patterns that make a matcher try everything again and again.
	hostile, err := ParseGlob(strings.Repeat("**/", 300) + "*a*a*a*a*a*b")
	if err != nil {
		t.Fatal(err)
	}
	if hostile.Match(strings.Repeat("aaaaaaaaaa/", 300)) {
		t.Error("a b was found where there is none")
	}
}

func TestFind(t *testing.T) {
	files := fstest.MapFS{
		"a/.wm.yaml":         {},
		"a/b/c/d.yaml":       {},
		"a/repo/.git/HEAD":   {},
		"a/repo/x/y.yaml":    {},
		"a/own/.wm.yaml":     {},
		"a/own/.git/HEAD":    {},
		"a/own/x/y.yaml":     {},
		"root/x.yaml":        {},
		"a/worktree/.git":    {},
		"a/worktree/z.yaml":  {},
		"rooted/.wm.yaml/no": {},
	}
	for first, want := range map[string]string{
		"a/b/c/d.yaml":      "a/.wm.yaml",
		"a/b/c":             "a/.wm.yaml",
		"a/b/missing.yaml":  "a/.wm.yaml",
		"a":                 "a/.wm.yaml",
		"a/repo/x/y.yaml":   "",
		"a/worktree/z.yaml": "",
		"a/own/x":           "a/own/.wm.yaml",
		"root/x.yaml":       "",
		".":                 "",
		"-":                 "",
		"../x":              "",
		"../../x":           "",
	} {
		got, err := Find(files, "", first)
		if got != want || err != nil {
			t.Errorf("from %s: %q, %v; want %q", first, got, err, want)
		}
	}
}

// From the folder that one is in, the search goes up beyond it, and names stay
// those that people know.
func TestFindAboveTheWorkingFolder(t *testing.T) {
	directory := t.TempDir()
	write(t, directory, "repo/.git/HEAD", "")
	write(t, directory, "repo/.wm.yaml", "exclude: [sub/generated]\n")
	write(t, directory, "repo/sub/a.yaml", "")
	write(t, directory, ".wm.yaml", "exclude: [never]\n")
	files := osFiles(directory + "/repo/sub")
	name, err := Find(files, directory+"/repo/sub", "a.yaml")
	if err != nil || name != directory+"/repo/.wm.yaml" {
		t.Fatalf("found %q, %v", name, err)
	}
	c, err := Read(files, directory+"/repo/sub", name, someRules())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"generated/a.yaml":                    true,
		"./generated":                         true,
		"../sub/generated/a.yaml":             true,
		directory + "/repo/sub/generated/a":   true,
		"a.yaml":                              false,
		"../generated/a.yaml":                 false,
		"../../sub/generated/a.yaml":          false,
		directory + "/other/generated/a.yaml": false,
	} {
		if c.Excludes(name) != want {
			t.Errorf("%s excluded: %t", name, !want)
		}
	}
	if name, err := Find(files, directory+"/repo", "sub"); err != nil || name != Name {
		t.Errorf("found %q, %v; want the name that people know", name, err)
	}
}

// A configuration from a stranger reads nothing outside of its folder: not the
// file itself, and not the CRDs that it names.
func TestLinksAreNotFollowed(t *testing.T) {
	directory := t.TempDir()
	write(t, directory, "secret.yaml", "password: x\n")
	write(t, directory, "secrets/crd.yaml", "password: x\n")
	write(t, directory, "linked/a.yaml", "")
	link(t, directory, "../secret.yaml", "linked/.wm.yaml")
	_, err := Find(osFiles(directory), directory, "linked/a.yaml")
	if err == nil || err.Error() != "linked/.wm.yaml is a symbolic link, which is not followed; name the file with --config" {
		t.Errorf("got %v", err)
	}

	write(t, directory, "repo/real/a.txt", "")
	link(t, directory, "../secret.yaml", "repo/file.yaml")
	link(t, directory, "../secrets", "repo/folder")
	link(t, directory, "../../secret.yaml", "repo/real/crd.yaml")
	for _, crds := range []string{"file.yaml", "folder", "folder/crd.yaml", "real"} {
		write(t, directory, "repo/.wm.yaml", "crds: ["+crds+"]\n")
		c, err := Read(osFiles(directory), directory, "repo/.wm.yaml", someRules())
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Schemas(osFiles(directory), lint.BuiltIn())
		if err == nil || !strings.Contains(err.Error(), "symbolic link") || !strings.HasPrefix(err.Error(), "crds of repo/.wm.yaml: ") {
			t.Errorf("%s: %v", crds, err)
		}
	}
}

// osFiles reads names relative to a folder.
type osFiles string

func (f osFiles) Open(name string) (fs.File, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(string(f), name)
	}
	return os.Open(name)
}

func write(t *testing.T, directory, name, content string) {
	t.Helper()
	name = filepath.Join(directory, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, directory, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(directory, name)); err != nil {
		t.Fatal(err)
	}
}
