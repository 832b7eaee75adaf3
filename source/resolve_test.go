package source_test

import (
	"encoding/json"
	"testing"

	kubernetes "sigs.k8s.io/yaml"

	"github.com/workloadmap/wm/source"
)

// TestKeysAndTypes ties the package's own idea of plain scalars to sigs: each
// text stands as a value and as a key, and must be found under the name that
// sigs gives it. A type that differs would stop the document.
func TestKeysAndTypes(t *testing.T) {
	for _, text := range []string{
		"a", "y", "Y", "yes", "No", "on", "Off", "OFF", "n", "true", "False", "tRue",
		"0", "-0", "+1", "007", "08", "0o17", "0x1F", "0X1f", "-0x10", "0b101", "-0b11", "1_000", "1__0", "_1", "0_", "0x",
		"9223372036854775807", "-9223372036854775808", "1.0", "1.", ".5", "+.5", "-.5e3", "1e3", "1E-3", "3.14159265358979", "1.5_0", ".1_0", "0x1p-2", ".", "..", "-.", "1e400",
		"2026-01-01", "2026-01-01T00:00:00Z", "12:30:45", "1.2.3", "Null", "nUll", "=", "<", "1e", "+", "--1", "+-1", "0.1e+5", "100000000000000000000", "1e21", "123456789.125",
	} {
		content := []byte("? " + text + "\n: [" + text + "]\n")
		converted, err := kubernetes.YAMLToJSON(content)
		documents, faults := source.Parse("a.yaml", content)
		if err != nil {
			if len(documents) != 0 || len(faults) != 1 {
				t.Errorf("%s: sigs refuses it (%v), got %v", text, err, documents)
			}
			continue
		}
		if len(faults) > 0 {
			t.Errorf("%s: %v", text, faults)
			continue
		}
		var object map[string]any
		if err := json.Unmarshal(converted, &object); err != nil {
			t.Fatal(err)
		}
		for name := range object {
			n, matched := documents[0].Find(name, 0)
			if matched != 2 || n.Text() != text {
				t.Errorf("%s: not found under the key %q", text, name)
			}
		}
	}
}
