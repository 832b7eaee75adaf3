package generators

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workloadmap/wm/lint/config"
	"github.com/workloadmap/wm/lint/rules"
)

func TestConfigSchemaIsFresh(t *testing.T) {
	want, err := ConfigSchema(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(read(t, "../schema/config.schema.json"))); diff != "" {
		t.Errorf("schema/config.schema.json is stale, run make generate (-generated +file):\n%s", diff)
	}
}

// The schema has what the reader takes, no more and no less.
func TestConfigSchemaIsWhatIsRead(t *testing.T) {
	content, err := ConfigSchema(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		ID         string `json:"$id"`
		Properties map[string]struct {
			Description string
			Properties  map[string]struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(content, &schema); err != nil {
		t.Fatal(err)
	}
	if schema.ID != ConfigSchemaID {
		t.Errorf("$id is %q", schema.ID)
	}
	if len(schema.Properties) != len(config.Fields()) {
		t.Errorf("%d fields in the schema, %d are read", len(schema.Properties), len(config.Fields()))
	}
	severities := schema.Properties["severities"].Properties
	for _, rule := range rules.All() {
		settings, listed := severities[rule.ID]
		if listed != (rule.ID != config.Fixed) {
			t.Errorf("%s in the schema: %t", rule.ID, listed)
		}
		for _, word := range settings.Enum {
			if err := config.In("").Set(rule.ID, word, rules.All()); err != nil {
				t.Errorf("%s: %s is in the schema and not taken: %v", rule.ID, word, err)
			}
		}
	}
}
