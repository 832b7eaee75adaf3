package clustertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// table holds the objects of one resource, by namespace and name.
type table struct {
	objects  []map[string]any
	made     Generated
	watchers []chan event
}

// Generated are objects that are made when they are asked for, so that many of
// them take no memory.
type Generated interface {
	// Len is how many there are.
	Len() int
	// Object makes one; for pods a *corev1.Pod, else a map in JSON form.
	Object(i int) any
}

// Add stores an object, replacing one of the same name. An object without UID
// or creation time gets them.
func (s *Server) Add(t testing.TB, object map[string]any) {
	t.Helper()
	kind, ok := s.kindOf(fmt.Sprint(object["apiVersion"]), fmt.Sprint(object["kind"]))
	if !ok {
		t.Fatalf("the test server does not serve %v %v", object["apiVersion"], object["kind"])
	}
	metadata, _ := object["metadata"].(map[string]any)
	if metadata["namespace"] == nil && !kind.ClusterScoped {
		metadata["namespace"] = "default"
	}
	if metadata["uid"] == nil {
		metadata["uid"] = fmt.Sprintf("%s-%v", strings.ToLower(kind.Kind), metadata["name"])
	}
	if metadata["creationTimestamp"] == nil {
		metadata["creationTimestamp"] = "2026-01-01T00:00:00Z"
	}
	s.put(kind, object)
}

// put stores an object and tells watchers.
func (s *Server) put(kind Kind, object map[string]any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.version++
	object["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(s.version)
	held := s.table(kind)
	at, found := slices.BinarySearchFunc(held.objects, keyOf(object), func(o map[string]any, key string) int { return strings.Compare(keyOf(o), key) })
	change := event{Type: "ADDED", Object: object}
	if found {
		held.objects[at] = object
		change.Type = "MODIFIED"
	} else {
		held.objects = slices.Insert(held.objects, at, object)
	}
	held.tell(change)
}

// Delete removes an object.
func (s *Server) Delete(kind Kind, namespace, name string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	held := s.table(kind)
	held.objects = slices.DeleteFunc(held.objects, func(o map[string]any) bool {
		if keyOf(o) != namespace+"/"+name {
			return false
		}
		held.tell(event{Type: "DELETED", Object: o})
		return true
	})
}

// Generate makes the objects of a kind when they are asked for.
func (s *Server) Generate(kind Kind, made Generated) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.table(kind).made = made
}

// Object finds what is stored; nil when it is not there.
func (s *Server) Object(kind Kind, namespace, name string) map[string]any {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, object := range s.table(kind).objects {
		if keyOf(object) == namespace+"/"+name {
			return object
		}
	}
	return nil
}

func (s *Server) table(kind Kind) *table {
	// All versions of a kind show the same objects.
	key := kind.Plural + "." + kind.Group
	if s.tables[key] == nil {
		s.tables[key] = &table{}
	}
	return s.tables[key]
}

func keyOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	return namespace + "/" + fmt.Sprint(metadata["name"])
}

func (s *Server) get(w http.ResponseWriter, r Request) {
	kind, ok := s.kindAt(r)
	if !ok {
		refuse(w, 404, metav1.StatusReasonNotFound, "the server could not find the requested resource")
		return
	}
	object := s.Object(kind, r.Namespace, r.Name)
	if object == nil {
		refuse(w, 404, metav1.StatusReasonNotFound, fmt.Sprintf("%s %q not found", strings.TrimSuffix(r.Resource+"."+r.Group, "."), r.Name))
		return
	}
	if r.Metadata {
		object = partial(object)
	}
	write(w, 200, object)
}

func partial(object map[string]any) map[string]any {
	return map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": object["metadata"]}
}

// list answers one page. Generated objects are not filtered.
func (s *Server) list(w http.ResponseWriter, request *http.Request, r Request) {
	kind, ok := s.kindAt(r)
	if !ok {
		refuse(w, 404, metav1.StatusReasonNotFound, "the server could not find the requested resource")
		return
	}
	s.mutex.Lock()
	held, version := s.table(kind), strconv.Itoa(s.version)
	stored, made := slices.Clone(held.objects), held.made
	s.mutex.Unlock()
	var at func(int) any
	var n int
	if made != nil {
		n, at = made.Len(), made.Object
	} else {
		chosen := choose(stored, r)
		n, at = len(chosen), func(i int) any { return chosen[i] }
	}
	start, _ := strconv.Atoi(r.Continue)
	stop := n
	if r.Limit > 0 {
		stop = min(n, start+r.Limit)
	}
	about := metav1.ListMeta{ResourceVersion: version}
	if stop < n {
		about.Continue = strconv.Itoa(stop)
		left := int64(n - stop)
		about.RemainingItemCount = &left
	}
	items := make([]any, 0, stop-start)
	for i := start; i < stop; i++ {
		items = append(items, at(i))
	}
	if kind.Kind == "Pod" && !r.Metadata && strings.Contains(request.Header.Get("Accept"), "application/vnd.kubernetes.protobuf") {
		writePods(w, items, about)
		return
	}
	listKind, apiVersion := kind.Kind+"List", kind.groupVersion()
	if r.Metadata {
		listKind, apiVersion = "PartialObjectMetadataList", "meta.k8s.io/v1"
		for i := range items {
			items[i] = partial(items[i].(map[string]any))
		}
	}
	write(w, 200, map[string]any{"apiVersion": apiVersion, "kind": listKind, "metadata": about, "items": items})
}

func choose(objects []map[string]any, r Request) []map[string]any {
	selector, err := labels.Parse(r.LabelMatch)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(objects, func(object map[string]any) bool {
		metadata, _ := object["metadata"].(map[string]any)
		held := labels.Set{}
		values, _ := metadata["labels"].(map[string]any)
		for key, value := range values {
			held[key] = fmt.Sprint(value)
		}
		return r.Namespace != "" && metadata["namespace"] != r.Namespace || !selector.Matches(held) || !fieldsMatch(object, r.FieldSelector)
	})
}

func fieldsMatch(object map[string]any, selector string) bool {
	for part := range strings.SplitSeq(selector, ",") {
		path, want, found := strings.Cut(part, "=")
		if !found {
			continue
		}
		var at any = object
		for field := range strings.SplitSeq(path, ".") {
			held, _ := at.(map[string]any)
			at = held[field]
		}
		if fmt.Sprint(at) != strings.TrimPrefix(want, "=") {
			return false
		}
	}
	return true
}

// writePods answers in the protobuf encoding: a magic number, then an envelope.
func writePods(w http.ResponseWriter, items []any, about metav1.ListMeta) {
	list := corev1.PodList{ListMeta: about, Items: make([]corev1.Pod, len(items))}
	for i, item := range items {
		if pod, typed := item.(*corev1.Pod); typed {
			list.Items[i] = *pod
			continue
		}
		content, err := json.Marshal(item)
		if err == nil {
			err = json.Unmarshal(content, &list.Items[i])
		}
		if err != nil {
			refuse(w, 500, metav1.StatusReasonInternalError, err.Error())
			return
		}
	}
	content, err := list.Marshal()
	if err != nil {
		refuse(w, 500, metav1.StatusReasonInternalError, err.Error())
		return
	}
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "PodList"}, Raw: content}
	body, err := envelope.Marshal()
	if err != nil {
		refuse(w, 500, metav1.StatusReasonInternalError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
	_, _ = w.Write([]byte{'k', '8', 's', 0})
	_, _ = w.Write(body)
}
