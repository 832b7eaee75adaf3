package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
)

// schemas are what SARIF is held against: our own excerpt of it and, where
// WM_SARIF_SCHEMA names a copy, the official schema of OASIS, which is not part
// of this repository.
func schemas(t *testing.T) map[string]map[string]any {
	t.Helper()
	names := []string{"testdata/sarif.schema.json"}
	if official := os.Getenv("WM_SARIF_SCHEMA"); official != "" {
		names = append(names, official)
	}
	read := map[string]map[string]any{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]any
		if err := json.Unmarshal(content, &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		read[name] = schema
	}
	return read
}

// validator knows the keywords that the schema of SARIF uses, and fails on
// others instead of passing over them.
type validator struct {
	root   map[string]any
	faults []string
}

func validate(schema map[string]any, value any) []string {
	v := &validator{root: schema}
	v.check("", schema, value)
	return v.faults
}

func (v *validator) fault(at, format string, arguments ...any) {
	v.faults = append(v.faults, at+": "+fmt.Sprintf(format, arguments...))
}

func (v *validator) check(at string, schema map[string]any, value any) {
	for keyword, wanted := range schema {
		switch keyword {
		case "$schema", "id", "title", "description", "default", "definitions", "properties":
		case "$ref":
			name := strings.TrimPrefix(wanted.(string), "#/definitions/")
			v.check(at, v.root["definitions"].(map[string]any)[name].(map[string]any), value)
		case "type":
			if !hasType(wanted, value) {
				v.fault(at, "%v is no %v", value, wanted)
			}
		case "enum":
			if !slices.Contains(wanted.([]any), value) {
				v.fault(at, "%v is none of %v", value, wanted)
			}
		case "required":
			object, _ := value.(map[string]any)
			for _, name := range wanted.([]any) {
				if _, has := object[name.(string)]; !has {
					v.fault(at, "%s is missing", name)
				}
			}
		case "additionalProperties":
			v.object(at, schema, wanted, value)
		case "items":
			list, _ := value.([]any)
			for i, item := range list {
				v.check(fmt.Sprintf("%s/%d", at, i), wanted.(map[string]any), item)
			}
		case "uniqueItems", "minItems":
			v.list(at, keyword, wanted, value)
		case "minimum":
			if number, ok := value.(float64); ok && number < wanted.(float64) {
				v.fault(at, "%v is less than %v", number, wanted)
			}
		case "maximum":
			if number, ok := value.(float64); ok && number > wanted.(float64) {
				v.fault(at, "%v is more than %v", number, wanted)
			}
		case "format":
			v.format(at, wanted.(string), value)
		case "anyOf":
			if !slices.ContainsFunc(wanted.([]any), func(one any) bool {
				tried := &validator{root: v.root}
				tried.check(at, one.(map[string]any), value)
				return len(tried.faults) == 0
			}) {
				v.fault(at, "none of %v holds", wanted)
			}
		default:
			v.fault(at, "the test does not know the keyword %s", keyword)
		}
	}
}

func (v *validator) object(at string, schema map[string]any, additional, value any) {
	properties, _ := schema["properties"].(map[string]any)
	object, _ := value.(map[string]any)
	for name, below := range object {
		switch known, ok := properties[name].(map[string]any); {
		case ok:
			v.check(at+"/"+name, known, below)
		case additional == false:
			v.fault(at, "%s is not allowed", name)
		case additional != true:
			v.check(at+"/"+name, additional.(map[string]any), below)
		}
	}
}

func (v *validator) list(at, keyword string, wanted, value any) {
	list, _ := value.([]any)
	if keyword == "minItems" && float64(len(list)) < wanted.(float64) {
		v.fault(at, "fewer than %v items", wanted)
	}
	seen := map[string]bool{}
	for _, item := range list {
		text := fmt.Sprint(item)
		if keyword == "uniqueItems" && wanted == true && seen[text] {
			v.fault(at, "%s is there twice", text)
		}
		seen[text] = true
	}
}

func (v *validator) format(at, format string, value any) {
	text, _ := value.(string)
	parsed, err := url.Parse(text)
	switch {
	case err != nil || strings.ContainsAny(text, " \"<>\\^`{|}") || !isASCII(text):
		v.fault(at, "%q is no %s", text, format)
	case format == "uri" && !parsed.IsAbs():
		v.fault(at, "%q is not absolute", text)
	}
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7e })
}

func hasType(wanted, value any) bool {
	if several, ok := wanted.([]any); ok {
		return slices.ContainsFunc(several, func(one any) bool { return hasType(one, value) })
	}
	switch value := value.(type) {
	case nil:
		return wanted == "null"
	case bool:
		return wanted == "boolean"
	case string:
		return wanted == "string"
	case float64:
		return wanted == "number" || wanted == "integer" && value == float64(int64(value))
	case []any:
		return wanted == "array"
	default:
		return wanted == "object"
	}
}

// The validator itself has to be able to say no.
func TestValidatorRefuses(t *testing.T) {
	schema := schemas(t)["testdata/sarif.schema.json"]
	for text, want := range map[string]string{
		`{"version": "2.1.0"}`:                                           "runs is missing",
		`{"version": "2.0.0", "runs": []}`:                               "is none of",
		`{"version": "2.1.0", "runs": {}}`:                               "is no array",
		`{"version": "2.1.0", "runs": [], "x": 1}`:                       "x is not allowed",
		`{"version": "2.1.0", "runs": [{"results": []}]}`:                "tool is missing",
		`{"version": "2.1.0", "runs": [], "$schema": "sarif.json"}`:      "is not absolute",
		`{"version": "2.1.0", "runs": [], "$schema": "https://a.b/c d"}`: "is no uri",
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "wm"}}, "results": [{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]}]}]}`: "0 is less than 1",
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "wm"}}, "results": [{"message": {"text": "m"}, "locations": [{"physicalLocation": {"region": {"startLine": 1}}}]}]}]}`:                                   "none of",
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "wm", "rules": [{"id": "a"}, {"id": "a"}]}}}]}`:                                                                                                          "is there twice",
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if faults := strings.Join(validate(schema, value), "\n"); !strings.Contains(faults, want) {
			t.Errorf("%s: got %q, want %q", text, faults, want)
		}
	}
}
