package types_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/workloadmap/wm/schema/types"
)

// openAPI is a schema as CRDs write it.
type openAPI struct {
	Type                 string              `json:"type"`
	Properties           map[string]*openAPI `json:"properties"`
	Required             []string            `json:"required"`
	Enum                 []any               `json:"enum"`
	Items                *openAPI            `json:"items"`
	AdditionalProperties *openAPI            `json:"additionalProperties"`
	Nullable             bool                `json:"nullable"`
	Default              json.RawMessage     `json:"default"`
	Open                 bool                `json:"x-kubernetes-preserve-unknown-fields"`
	IntOrString          bool                `json:"x-kubernetes-int-or-string"`
}

// crd is the schema of one place of a CRD.
type crd struct {
	*openAPI
	root bool
}

func kindsOfType(name string) types.Kinds {
	switch name {
	case "string":
		return types.String
	case "integer", "number":
		return types.Number
	case "boolean":
		return types.Boolean
	case "array":
		return types.Array
	case "object":
		return types.Object
	default:
		return types.AllKinds
	}
}

func (c crd) Kinds() types.Kinds {
	kinds := kindsOfType(c.Type)
	if c.IntOrString {
		kinds = types.Number | types.String
	}
	if c.Nullable {
		kinds |= types.Null
	}
	return kinds
}

func (c crd) Enum() []string {
	var texts []string
	for _, value := range c.openAPI.Enum {
		if text, ok := value.(string); ok {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return texts
}

func (c crd) Field(name string) (types.Field, bool) {
	if c.root && name == "metadata" {
		return types.Field{Schema: golang{reflect.TypeFor[metav1.ObjectMeta]()}}, true
	}
	field, ok := c.Properties[name]
	if !ok {
		return types.Field{}, false
	}
	return types.Field{Schema: crd{openAPI: field}, Optional: !slices.Contains(c.Required, name) && field.Default == nil}, true
}

func (c crd) FieldNames() []string { return slices.Sorted(maps.Keys(c.Properties)) }

func (c crd) Closed() bool {
	return c.Type == "object" && !c.Open && c.AdditionalProperties == nil && len(c.Properties) > 0
}

func (c crd) Values() types.Schema {
	if c.AdditionalProperties == nil {
		return nil
	}
	return crd{openAPI: c.AdditionalProperties}
}

func (c crd) Items() types.Schema {
	if c.openAPI.Items == nil {
		return nil
	}
	return crd{openAPI: c.openAPI.Items}
}

// golang is the schema of a Go type of Kubernetes.
type golang struct{ of reflect.Type }

func (g golang) bare() reflect.Type {
	if g.of.Kind() == reflect.Pointer {
		return g.of.Elem()
	}
	return g.of
}

func (g golang) Kinds() types.Kinds {
	switch t := g.bare(); t {
	case reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString]():
		return types.Number | types.String
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime]():
		return types.String
	case reflect.TypeFor[metav1.FieldsV1]():
		return types.AllKinds
	default:
		switch t.Kind() {
		case reflect.Bool:
			return types.Boolean
		case reflect.Int32, reflect.Int64:
			return types.Number
		case reflect.String:
			return types.String
		case reflect.Slice:
			if t.Elem().Kind() == reflect.Uint8 {
				return types.String
			}
			return types.Array
		case reflect.Map, reflect.Struct:
			return types.Object
		default:
			return types.AllKinds
		}
	}
}

func (g golang) Enum() []string { return nil }

// known remembers the fields of Go types, which are slow to find.
var known sync.Map // reflect.Type to map[string]types.Field

func (g golang) fields() map[string]types.Field {
	if held, ok := known.Load(g.bare()); ok {
		return held.(map[string]types.Field)
	}
	fields := g.readFields()
	known.Store(g.bare(), fields)
	return fields
}

func (g golang) readFields() map[string]types.Field {
	fields := map[string]types.Field{}
	if g.bare().Kind() != reflect.Struct {
		return fields
	}
	for i := range g.bare().NumField() {
		field := g.bare().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if strings.Contains(options, "inline") || name == "" && field.Anonymous {
			maps.Copy(fields, golang{field.Type}.fields())
		} else if name != "" && name != "-" {
			fields[name] = types.Field{Schema: golang{field.Type}, Optional: strings.Contains(options, "omitempty")}
		}
	}
	return fields
}

func (g golang) Field(name string) (types.Field, bool) {
	field, ok := g.fields()[name]
	return field, ok
}

func (g golang) FieldNames() []string { return slices.Sorted(maps.Keys(g.fields())) }

func (g golang) Closed() bool { return g.bare().Kind() == reflect.Struct && g.Kinds() == types.Object }

func (g golang) Values() types.Schema {
	if g.bare().Kind() != reflect.Map {
		return nil
	}
	return golang{g.bare().Elem()}
}

func (g golang) Items() types.Schema {
	if g.bare().Kind() != reflect.Slice {
		return nil
	}
	return golang{g.bare().Elem()}
}
