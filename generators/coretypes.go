package generators

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/workloadmap/wm/schema/index"
)

// view says whose eyes a core type is seen with.
type view int

const (
	// embedded is what CRD generators write into a CRD that contains the type.
	embedded view = iota
	// served adds what the API server knows of its own kinds: the enums of typed
	// constants, and the defaults in serverDefaults.
	served
)

// typeReader turns Go types of Kubernetes into schemas, by reflection for the
// structure and from the comments in their source for what tags do not say.
type typeReader struct {
	view    view
	markers *markerReader
	made    map[reflect.Type]*index.Schema
	// path leads to the type being read, to refuse one that contains itself.
	path []reflect.Type
}

func newTypeReader(v view, markers *markerReader) *typeReader {
	return &typeReader{view: v, markers: markers, made: map[reflect.Type]*index.Schema{}}
}

// special are types whose JSON is not what their fields suggest.
var special = map[reflect.Type]index.Schema{
	reflect.TypeFor[metav1.Time]():        {Kind: index.String, Format: index.DateTime},
	reflect.TypeFor[metav1.MicroTime]():   {Kind: index.String, Format: index.DateTime},
	reflect.TypeFor[metav1.Duration]():    {Kind: index.String},
	reflect.TypeFor[metav1.FieldsV1]():    {Kind: index.Object, Open: true},
	reflect.TypeFor[resource.Quantity]():  {Kind: index.IntOrString, Format: index.Quantity},
	reflect.TypeFor[intstr.IntOrString](): {Kind: index.IntOrString},
	reflect.TypeFor[[]byte]():             {Kind: index.String, Format: index.Byte},
}

func (r *typeReader) schema(t reflect.Type) (*index.Schema, error) {
	if t.Kind() == reflect.Pointer {
		return r.schema(t.Elem())
	}
	if made, ok := r.made[t]; ok {
		return made, nil
	}
	if slices.Contains(r.path, t) {
		return nil, fmt.Errorf("%s contains itself", t)
	}
	r.path = append(r.path, t)
	defer func() { r.path = r.path[:len(r.path)-1] }()
	made, err := r.read(t)
	if err != nil {
		return nil, err
	}
	r.made[t] = made
	return made, nil
}

func (r *typeReader) read(t reflect.Type) (*index.Schema, error) {
	if known, ok := special[t]; ok {
		return &known, nil
	}
	switch t.Kind() {
	case reflect.String:
		made := &index.Schema{Kind: index.String}
		if r.view == served {
			values, err := r.markers.enum(t)
			if err != nil {
				return nil, err
			}
			made.Enum = values
		}
		return made, nil
	case reflect.Bool:
		return &index.Schema{Kind: index.Boolean}, nil
	case reflect.Int32:
		return &index.Schema{Kind: index.Integer, Format: index.Int32}, nil
	case reflect.Int64:
		return &index.Schema{Kind: index.Integer, Format: index.Int64}, nil
	case reflect.Slice, reflect.Map:
		kind := index.List
		if t.Kind() == reflect.Map {
			kind = index.Map
		}
		element, err := r.schema(t.Elem())
		if err != nil {
			return nil, err
		}
		return &index.Schema{Kind: kind, Element: element}, nil
	case reflect.Struct:
		return r.object(t)
	}
	return nil, fmt.Errorf("%s: values of Go kind %s are not expected in a Kubernetes type", t, t.Kind())
}

func (r *typeReader) object(t reflect.Type) (*index.Schema, error) {
	made := &index.Schema{Kind: index.Object}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		below, err := r.schema(field.Type)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name(), field.Name, err)
		}
		if name == "" {
			made.Fields = append(made.Fields, below.Fields...)
			continue
		}
		markers, err := r.markers.field(t, field.Name)
		if err != nil {
			return nil, err
		}
		if below, err = r.place(t, name, below, markers); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name(), name, err)
		}
		made.Fields = append(made.Fields, index.Field{Name: name, Required: required(options, markers), Schema: below})
	}
	return made, nil
}

// required is the rule of CRD generators: a field is required unless its tag or
// its comment says that it may be left out.
func required(options string, markers []string) bool {
	for _, marker := range markers {
		switch marker {
		case "required", "kubebuilder:validation:Required":
			return true
		case "optional", "kubebuilder:validation:Optional", "nullable":
			return false
		}
	}
	return !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")
}

// place adds what a field's comment says about its type.
func (r *typeReader) place(owner reflect.Type, name string, s *index.Schema, markers []string) (*index.Schema, error) {
	placed := *s
	for _, marker := range markers {
		key, value, _ := strings.Cut(marker, "=")
		switch key {
		case "listMapKey":
			placed.Keys = append(slices.Clone(placed.Keys), value)
		case "nullable":
			placed.Nullable = true
		case "kubebuilder:validation:Enum":
			placed.Enum = nil
			for _, word := range strings.Split(value, ";") {
				placed.Enum = append(placed.Enum, word)
			}
		case "default":
			// A reference to a constant is not followed; CRD generators do not
			// write one either.
			if strings.HasPrefix(value, "ref(") {
				continue
			}
			filled, err := jsonValue(value)
			if err != nil {
				return nil, fmt.Errorf("default %s: %w", value, err)
			}
			placed.Default = filled
		}
	}
	if r.view == served {
		if filled, ok := fieldDefaults[owner.Name()+"."+name]; ok {
			placed.Default = filled
		}
	}
	return &placed, nil
}

func jsonValue(text string) (any, error) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, err
	}
	if number, ok := value.(float64); ok && number == float64(int64(number)) {
		return int64(number), nil
	}
	return value, nil
}
