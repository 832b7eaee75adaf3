package clustertest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Write is one change that a client sent.
type Write struct {
	Request
	ContentType, FieldManager string
	DryRun                    bool
	Body                      []byte
}

// Writes makes the server take JSON patches of objects, with the checks that a
// real one makes of resourceVersion, and server-side applies of new objects.
// seen gets each write before it is answered.
func (s *Server) Writes(seen func(Write)) {
	s.Handle(func(w http.ResponseWriter, request *http.Request, r Request) bool {
		if r.Verb != "patch" {
			return false
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			refuse(w, 400, metav1.StatusReasonBadRequest, err.Error())
			return true
		}
		query := request.URL.Query()
		write := Write{
			Request: r, ContentType: request.Header.Get("Content-Type"), FieldManager: query.Get("fieldManager"),
			DryRun: query.Get("dryRun") == metav1.DryRunAll, Body: body,
		}
		seen(write)
		s.patch(w, write)
		return true
	})
}

func (s *Server) patch(w http.ResponseWriter, r Write) {
	kind, served := s.kindAt(r.Request)
	if !served {
		refuse(w, 404, metav1.StatusReasonNotFound, "the server could not find the requested resource")
		return
	}
	var object map[string]any
	if r.ContentType == "application/json-patch+json" {
		object = clone(s.Object(kind, r.Namespace, r.Name))
		if object == nil {
			refuse(w, 404, metav1.StatusReasonNotFound, fmt.Sprintf("%s %q not found", kind.Plural, r.Name))
			return
		}
		before := object["metadata"].(map[string]any)["resourceVersion"]
		if err := patchJSON(object, r.Body); err != nil {
			refuse(w, 422, metav1.StatusReasonInvalid, err.Error())
			return
		}
		if object["metadata"].(map[string]any)["resourceVersion"] != before {
			refuse(w, 409, metav1.StatusReasonConflict, fmt.Sprintf("Operation cannot be fulfilled on %s.%s %q: the object has been modified; "+
				"please apply your changes to the latest version and try again", kind.Plural, kind.Group, r.Name))
			return
		}
	} else if err := json.Unmarshal(r.Body, &object); err != nil {
		refuse(w, 415, metav1.StatusReasonUnsupportedMediaType, "only JSON is understood")
		return
	}
	if !r.DryRun {
		s.put(kind, object)
	}
	write(w, 200, object)
}

// clone is nil for an object that is not there.
func clone(object map[string]any) map[string]any {
	content, _ := json.Marshal(object)
	var made map[string]any
	_ = json.Unmarshal(content, &made)
	return made
}

// patchJSON carries out add, replace and remove of a JSON patch.
func patchJSON(object map[string]any, body []byte) error {
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(body, &operations); err != nil {
		return err
	}
	for _, operation := range operations {
		steps := strings.Split(strings.TrimPrefix(operation.Path, "/"), "/")
		for i, step := range steps {
			steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		}
		if _, err := patchAt(object, steps, operation.Op, operation.Value); err != nil {
			return fmt.Errorf("%s %s: %w", operation.Op, operation.Path, err)
		}
	}
	return nil
}

// patchAt gives the value with the operation done below it.
func patchAt(at any, steps []string, op string, value any) (any, error) {
	step, last := steps[0], len(steps) == 1
	switch at := at.(type) {
	case map[string]any:
		held, found := at[step]
		switch {
		case !found && !(last && op == "add"):
			return nil, fmt.Errorf("nothing is at %s", step)
		case last && op == "remove":
			delete(at, step)
			return at, nil
		case last:
			at[step] = value
			return at, nil
		}
		changed, err := patchAt(held, steps[1:], op, value)
		at[step] = changed
		return at, err
	case []any:
		i, err := strconv.Atoi(step)
		if step == "-" {
			i, err = len(at), nil
		}
		switch {
		case err != nil || i < 0 || i > len(at) || i == len(at) && !(last && op == "add"):
			return nil, fmt.Errorf("the list has no entry %s", step)
		case last && op == "remove":
			return slices.Delete(at, i, i+1), nil
		case last && op == "add":
			return slices.Insert(at, i, value), nil
		case last:
			at[i] = value
			return at, nil
		}
		at[i], err = patchAt(at[i], steps[1:], op, value)
		return at, err
	}
	return nil, fmt.Errorf("nothing is below %s", step)
}
