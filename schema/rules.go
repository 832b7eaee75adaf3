package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// rules is the part of the JSON Schema that messages speak about.
type rules struct {
	Type       string            `json:"type"`
	Const      string            `json:"const"`
	Enum       []string          `json:"enum"`
	MinItems   int               `json:"minItems"`
	Required   []string          `json:"required"`
	Properties map[string]*rules `json:"properties"`
	Items      *rules            `json:"items"`
	AllOf      []*rules          `json:"allOf"`
	If         *rules            `json:"if"`
	Then       *rules            `json:"then"`
	Ref        string            `json:"$ref"`
	Defs       map[string]*rules `json:"$defs"`
	// Additional is false where unknown fields are refused, an object where they
	// are described.
	Additional json.RawMessage `json:"additionalProperties"`
}

// formatRules reads the schema on the first violation: valid documents do not
// pay for it.
var formatRules = sync.OnceValue(func() *rules {
	root := &rules{}
	if err := json.Unmarshal(jsonSchema, root); err != nil {
		// The schema is part of the program, and a test reads it.
		panic(fmt.Errorf("read the JSON Schema: %w", err))
	}
	root.link(root.Defs)
	return root
})

// link puts the shared rules in the place of every reference to them, so that
// nothing else needs to know of references. The format is not recursive, so it
// ends.
func (r *rules) link(shared map[string]*rules) {
	if name, ok := strings.CutPrefix(r.Ref, "#/$defs/"); ok {
		*r = *shared[name]
	}
	for _, below := range r.Properties {
		below.link(shared)
	}
	if r.Items != nil {
		r.Items.link(shared)
	}
}

// at returns the rules for the value at path; empty ones where the schema has
// nothing to say, as inside metadata.
func (r *rules) at(path []any) *rules {
	for _, segment := range path {
		var next *rules
		switch segment := segment.(type) {
		case int:
			next = r.Items
		case string:
			next = r.Properties[segment]
			if next == nil && len(r.Additional) > 0 && r.Additional[0] == '{' {
				next = &rules{}
				if json.Unmarshal(r.Additional, next) != nil {
					return &rules{}
				}
			}
		}
		if next == nil {
			return &rules{}
		}
		r = next
	}
	return r
}

// closed says that the schema refuses fields it does not know.
func (r *rules) closed() bool { return string(r.Additional) == "false" }

// owners maps each field name of the format to the names of the fields whose
// objects have it, sorted and without duplicates.
var owners = sync.OnceValue(func() map[string][]string {
	found := map[string][]string{}
	collectOwners(formatRules(), "", found)
	return found
})
