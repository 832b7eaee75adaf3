package generators

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// markerReader reads what the comments of Kubernetes' Go types say: "+optional",
// "+listMapKey=name", "+enum". They are what CRD generators go by, and compiled
// types do not have them.
type markerReader struct {
	packages map[string]*packageMarkers
}

type packageMarkers struct {
	// fields are the markers of a field, by "Type.Field".
	fields map[string][]string
	// enums are the types marked as enums.
	enums map[string]bool
	// constants are the values of typed string constants, by type.
	constants map[string][]any
}

func newMarkerReader() *markerReader {
	return &markerReader{packages: map[string]*packageMarkers{}}
}

func (r *markerReader) field(t reflect.Type, field string) ([]string, error) {
	p, err := r.read(t.PkgPath())
	if err != nil {
		return nil, err
	}
	markers, known := p.fields[t.Name()+"."+field]
	if !known {
		return nil, fmt.Errorf("the source of %s does not have a field %s", t, field)
	}
	return markers, nil
}

// alwaysEnums are types that are enums without saying so: the API documents their
// constants as the only values.
var alwaysEnums = map[string]bool{"k8s.io/api/core/v1.ConditionStatus": true}

// enum lists the values of an enum type; other types have none.
func (r *markerReader) enum(t reflect.Type) ([]any, error) {
	if t.PkgPath() == "" {
		return nil, nil
	}
	p, err := r.read(t.PkgPath())
	if err != nil {
		return nil, err
	}
	if !p.enums[t.Name()] && !alwaysEnums[t.PkgPath()+"."+t.Name()] {
		return nil, nil
	}
	values := p.constants[t.Name()]
	if len(values) == 0 {
		return nil, fmt.Errorf("enum %s has no constants", t)
	}
	return values, nil
}

// read parses a package of the module's dependencies from where the Go command
// keeps its source.
func (r *markerReader) read(path string) (*packageMarkers, error) {
	if known, ok := r.packages[path]; ok {
		return known, nil
	}
	found, err := build.Default.Import(path, ".", 0)
	if err != nil {
		return nil, fmt.Errorf("find the source of %s: %w", path, err)
	}
	made := &packageMarkers{fields: map[string][]string{}, enums: map[string]bool{}, constants: map[string][]any{}}
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(found.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("read the source of %s: %w", path, err)
		}
		for _, declaration := range file.Decls {
			if general, ok := declaration.(*ast.GenDecl); ok {
				made.add(general)
			}
		}
	}
	r.packages[path] = made
	return made, nil
}

func (p *packageMarkers) add(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			comments := []*ast.CommentGroup{spec.Doc}
			if len(declaration.Specs) == 1 {
				comments = append(comments, declaration.Doc)
			}
			for _, marker := range markersOf(comments...) {
				if marker == "enum" {
					p.enums[spec.Name.Name] = true
				}
			}
			if structure, ok := spec.Type.(*ast.StructType); ok {
				p.addFields(spec.Name.Name, structure)
			}
		case *ast.ValueSpec:
			p.addConstants(spec)
		}
	}
}

func (p *packageMarkers) addFields(owner string, structure *ast.StructType) {
	for _, field := range structure.Fields.List {
		markers := markersOf(field.Doc)
		for _, name := range field.Names {
			p.fields[owner+"."+name.Name] = markers
		}
		if len(field.Names) == 0 {
			p.fields[owner+"."+embeddedName(field.Type)] = markers
		}
	}
}

// addConstants takes constants that are written with their type and a literal.
func (p *packageMarkers) addConstants(spec *ast.ValueSpec) {
	named, ok := spec.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, value := range spec.Values {
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		if decoded, err := strconv.Unquote(literal.Value); err == nil {
			p.constants[named.Name] = append(p.constants[named.Name], decoded)
		}
	}
}

func embeddedName(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.Ident:
		return expression.Name
	case *ast.SelectorExpr:
		return expression.Sel.Name
	case *ast.StarExpr:
		return embeddedName(expression.X)
	}
	return ""
}

// markersOf are the lines that start with a plus, without it.
func markersOf(groups ...*ast.CommentGroup) []string {
	var markers []string
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			if marker, ok := strings.CutPrefix(line, "+"); ok {
				markers = append(markers, strings.TrimSpace(marker))
			}
		}
	}
	return markers
}
