package openapi

import (
	"fmt"
	"slices"

	"github.com/workloadmap/wm/source"
)

// place is a value of a document together with the way to it, so that a fault can
// say where it is.
type place struct {
	document *source.Document
	// value is nil where there is nothing.
	value   any
	parent  *place
	segment any
}

// field is the value of a key; its value is nil when there is no such key.
func (p place) field(key string) place {
	object, _ := p.value.(map[string]any)
	return place{document: p.document, value: object[key], parent: &p, segment: key}
}

func (p place) items() []place {
	list, _ := p.value.([]any)
	items := make([]place, len(list))
	for i, item := range list {
		items[i] = place{document: p.document, value: item, parent: &p, segment: i}
	}
	return items
}

func (p place) text() string {
	text, _ := p.value.(string)
	return text
}

func (p place) isTrue() bool { return p.value == true }

func (p place) isObject() bool {
	_, ok := p.value.(map[string]any)
	return ok
}

func (p place) isList() bool {
	_, ok := p.value.([]any)
	return ok
}

// texts are the elements of a list of texts.
func (p place) texts() ([]string, error) {
	if p.value == nil {
		return nil, nil
	}
	if !p.isList() {
		return nil, p.fault("%v has to be a list of names", p.segment)
	}
	var texts []string
	for _, item := range p.items() {
		text, ok := item.value.(string)
		if !ok {
			return nil, item.fault("a name is needed here")
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// fault says what is wrong here, at the nearest place around that is written.
func (p place) fault(format string, arguments ...any) error {
	var path []any
	for at := &p; at.parent != nil; at = at.parent {
		path = append(path, at.segment)
	}
	slices.Reverse(path)
	node, reached := p.document.Find(path...)
	where := node.Range()
	if reached < len(path) && node.Kind() != source.Scalar {
		// What is missing has no place: its owner's key stands for it.
		where = node.KeyRange()
	}
	return &source.Error{File: p.document.File(), Range: where, Message: fmt.Sprintf(format, arguments...)}
}
