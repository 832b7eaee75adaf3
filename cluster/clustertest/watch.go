package clustertest

import (
	"encoding/json"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// event is one line of a watch.
type event struct {
	Type   string         `json:"type"`
	Object map[string]any `json:"object"`
}

// tell passes a change to the watchers. One that does not keep up misses it.
func (t *table) tell(change event) {
	for _, watcher := range t.watchers {
		select {
		case watcher <- change:
		default:
		}
	}
}

// watch sends every change from now on until the client goes away.
func (s *Server) watch(w http.ResponseWriter, request *http.Request, r Request) {
	kind, ok := s.kindAt(r)
	if !ok {
		refuse(w, 404, metav1.StatusReasonNotFound, "the server could not find the requested resource")
		return
	}
	changes := make(chan event, 100)
	s.mutex.Lock()
	held := s.table(kind)
	held.watchers = append(held.watchers, changes)
	s.mutex.Unlock()
	defer func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		held.watchers = slices.DeleteFunc(held.watchers, func(c chan event) bool { return c == changes })
	}()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(200)
	// A wrapped writer may hold what it is given back.
	flush := func() {
		if flusher, ok := w.(http.Flusher); ok {
			flusher.Flush()
		}
	}
	flush()
	encoder := json.NewEncoder(w)
	for {
		select {
		case <-request.Context().Done():
			return
		case change := <-changes:
			if len(choose([]map[string]any{change.Object}, r)) == 0 {
				continue
			}
			if encoder.Encode(change) != nil {
				return
			}
			flush()
		}
	}
}
