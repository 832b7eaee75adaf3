package importer

import (
	"fmt"
	"strings"

	"github.com/workloadmap/wm/source"
)

// event is one thing that the input tells, in its order.
type event struct {
	// object is the state of an object; nil for an action.
	object map[string]any
	where  string
	// deleted is set when object is the last state before the object went away.
	deleted bool
	// watched is set for states that a watch reported.
	watched bool
	// pods are the pods and other objects that a recorded state comes with.
	pods []map[string]any
	// state and phases are what the recording says of the object.
	state  string
	phases []string
	// recorded is set for the states of a recording.
	recorded bool
	// action is what a recording says was done to the workload.
	action string
}

// identity tells objects apart: a workload that is made again is another one.
// All states of a recording are of one workload, whatever its name: recorders
// rename.
func (e event) identity() string {
	if e.recorded {
		return "the recorded workload"
	}
	return identity(e.object)
}

// reader turns documents into events.
type reader struct {
	name   string
	events []event
	// recorded is set when the input is a recording.
	recorded bool
	// first is the object of a recording's first state.
	first map[string]any
	notes []string
}

// place is a value of a document and where it is written.
type place struct {
	document *source.Document
	node     source.Node
	value    any
}

func (p place) fail(format string, arguments ...any) error {
	return &source.Error{File: p.document.File(), Range: p.node.Range(), Message: fmt.Sprintf(format, arguments...)}
}

func (p place) where() string {
	start := p.node.Range().Start
	return fmt.Sprintf("%s:%d:%d", p.document.File().Name(), start.Line, start.Column)
}

// field is a field of a mapping; its value is nil when it is not there.
func (p place) field(name string) place {
	object, _ := p.value.(map[string]any)
	node, _ := p.node.Find(name)
	return place{p.document, node, object[name]}
}

// items are the values of a list.
func (p place) items() []place {
	list, _ := p.value.([]any)
	places := make([]place, len(list))
	for i, value := range list {
		node, _ := p.node.Find(i)
		places[i] = place{p.document, node, value}
	}
	return places
}

func (p place) text() string {
	text, _ := p.value.(string)
	return text
}

func (r *reader) read(documents []*source.Document) error {
	for _, document := range documents {
		if err := document.Unambiguous(); err != nil {
			return err
		}
		if err := r.value(place{document, document.Root(), document.Value()}); err != nil {
			return err
		}
	}
	if len(r.events) == 0 {
		return fmt.Errorf("%s holds no object to make a case of", r.name)
	}
	return nil
}

// value reads a document, or an item of a list.
func (r *reader) value(p place) error {
	if r.recorded {
		return p.fail("a recording stands alone, here is something after it")
	}
	switch value := p.value.(type) {
	case []any:
		return r.each(p.items())
	case map[string]any:
		_, isWatch := value["object"].(map[string]any)
		_, hasEvents := value["events"].([]any)
		switch {
		case value["apiVersion"] != nil:
		case hasEvents:
			return r.recording(p)
		case isWatch && p.field("type").text() != "":
			return r.watched(p)
		}
	}
	objects, err := r.objects(p)
	for _, object := range objects {
		r.events = append(r.events, event{object: object.value.(map[string]any), where: object.where()})
	}
	return err
}

func (r *reader) each(places []place) error {
	for _, p := range places {
		if err := r.value(p); err != nil {
			return err
		}
	}
	return nil
}

// objects gives an object, or those of a list as kubectl writes it.
func (r *reader) objects(p place) ([]place, error) {
	object, ok := p.value.(map[string]any)
	if !ok {
		return nil, p.fail("this is neither a Kubernetes object nor an event of a watch or recording")
	}
	kind := p.field("kind").text()
	if _, isList := object["items"].([]any); isList && strings.HasSuffix(kind, "List") {
		var all []place
		for _, item := range p.field("items").items() {
			objects, err := r.objects(item)
			if err != nil {
				return nil, err
			}
			all = append(all, objects...)
		}
		return all, nil
	}
	if p.field("apiVersion").text() == "" || kind == "" {
		return nil, p.fail("this is not a Kubernetes object: apiVersion and kind are needed")
	}
	metadata, ok := object["metadata"].(map[string]any)
	if name, _ := metadata["name"].(string); !ok || name == "" {
		return nil, p.fail("this %s has no metadata.name: a cluster shows one", kind)
	}
	return []place{p}, nil
}

func (r *reader) watched(p place) error {
	kind := p.field("type").text()
	switch kind {
	case "BOOKMARK":
		return nil
	case "ERROR":
		return p.fail("the watch ended with an error here: %s", p.field("object").field("message").text())
	case "ADDED", "MODIFIED", "DELETED":
	default:
		return p.field("type").fail("%q is not one of ADDED, MODIFIED, DELETED, BOOKMARK, ERROR", kind)
	}
	objects, err := r.objects(p.field("object"))
	for _, object := range objects {
		r.events = append(r.events, event{object: object.value.(map[string]any), where: object.where(),
			watched: true, deleted: kind == "DELETED"})
	}
	return err
}

func (r *reader) recording(p place) error {
	if r.recorded || len(r.events) > 0 {
		return p.fail("a recording stands alone, here is something before it")
	}
	r.recorded = true
	if p.field("success").value == false {
		r.notes = append(r.notes, "the recording says that its flow did not succeed")
	}
	for _, item := range p.field("events").items() {
		kind := item.field("kind")
		var err error
		switch kind.text() {
		case "STATE":
			err = r.state(item)
		case "ACTION":
			err = r.action(item)
		default:
			err = item.fail("an event is of kind STATE or ACTION")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) state(p place) error {
	held := p.field("object")
	if held.value == nil {
		return p.fail("a STATE has the workload in object, there is none")
	}
	objects, err := r.objects(held)
	if err != nil {
		return err
	}
	if len(objects) != 1 {
		return p.fail("a recorded state has one object, here are %d", len(objects))
	}
	recorded := event{object: objects[0].value.(map[string]any), where: objects[0].where(), recorded: true, state: p.field("state").text()}
	switch first := r.first; {
	case first == nil:
		r.first = recorded.object
	case first["kind"] != recorded.object["kind"] || first["apiVersion"] != recorded.object["apiVersion"]:
		return held.fail("this state is of a %v, the ones before are of a %v", recorded.object["kind"], first["kind"])
	}
	for _, phase := range p.field("phases").items() {
		recorded.phases = append(recorded.phases, phase.text())
	}
	pods := p.field("pods")
	places := pods.items()
	if _, isList := pods.value.(map[string]any); isList {
		places = []place{pods}
	}
	for _, pod := range places {
		objects, err := r.objects(pod)
		if err != nil {
			return err
		}
		for _, object := range objects {
			recorded.pods = append(recorded.pods, object.value.(map[string]any))
		}
	}
	r.events = append(r.events, recorded)
	return nil
}

// action reads what was done. Recorders name it differently.
func (r *reader) action(p place) error {
	for _, name := range []string{"action", "name", "type", "description"} {
		if text := p.field(name).text(); text != "" {
			r.events = append(r.events, event{action: text, where: p.where()})
			return nil
		}
	}
	return p.fail("an ACTION says in action what was done")
}
