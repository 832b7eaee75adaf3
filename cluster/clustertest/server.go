package clustertest

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/source"
)

// Token is the credential that a client made for the server sends.
const Token = "clustertest-token-0123456789"

// Request is what one HTTP request asks for.
type Request struct {
	// Verb is a Kubernetes verb: get, list, watch, create, update, patch, delete; discovery has "".
	Verb                      string
	Group, Version, Resource  string
	Namespace, Name           string
	Subresource               string
	Path                      string
	Limit                     int
	Continue                  string
	Metadata                  bool // only metadata is wanted
	FieldSelector, LabelMatch string
}

// String is the request in one line, for messages of tests.
func (r Request) String() string {
	if r.Verb == "" {
		return "discovery " + r.Path
	}
	words := []string{r.Verb, strings.TrimSuffix(r.Resource+"."+r.Group, ".")}
	if r.Metadata {
		words = append(words, "metadata")
	}
	if r.Namespace != "" {
		words = append(words, "-n", r.Namespace)
	}
	if r.Name != "" {
		words = append(words, r.Name)
	}
	if r.Continue != "" {
		words = append(words, "continued")
	}
	return strings.Join(words, " ")
}

// Failure is how a request is answered other than asked for.
type Failure struct {
	// Status is an answer of the API server; its Code is the HTTP status.
	Status *metav1.Status
	// RetryAfter is the header of that name in seconds, when above 0.
	RetryAfter int
	// Reset breaks the connection after half of the body.
	Reset bool
	// Hang waits until the client goes away.
	Hang bool
	// Delay waits before the right answer.
	Delay time.Duration
}

// Server is an API server for tests.
type Server struct {
	URL string

	web    *httptest.Server
	kinds  []Kind
	legacy bool

	mutex    sync.Mutex
	tables   map[string]*table
	version  int
	log      []Request
	failWith func(Request) *Failure
	handlers []func(http.ResponseWriter, *http.Request, Request) bool
}

// Option changes how a server starts.
type Option func(*Server)

// Kinds replaces the kinds that the server serves.
func Kinds(kinds ...Kind) Option { return func(s *Server) { s.kinds = kinds } }

// LegacyDiscovery makes the server answer discovery as those before 1.26 do.
func LegacyDiscovery() Option { return func(s *Server) { s.legacy = true } }

// Start runs a server until the test ends.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	s := &Server{kinds: StandardKinds(), tables: map[string]*table{}, version: 1000}
	for _, option := range options {
		option(s)
	}
	// kubeconfigs are trusted with credentials only over TLS, and real servers speak HTTP/2.
	s.web = httptest.NewUnstartedServer(s)
	s.web.EnableHTTP2 = true
	s.web.StartTLS()
	s.URL = s.web.URL
	t.Cleanup(func() {
		s.web.CloseClientConnections()
		s.web.Close()
	})
	return s
}

// Fail asks for each request how it fails; nil answers it rightly. It replaces
// what was set before.
func (s *Server) Fail(how func(Request) *Failure) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failWith = how
}

// Handle adds a handler that may answer a request before the server does.
func (s *Server) Handle(handler func(http.ResponseWriter, *http.Request, Request) bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.handlers = append(s.handlers, handler)
}

// Requests are those since the last call, discovery left out.
func (s *Server) Requests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	taken := slices.DeleteFunc(s.log, func(r Request) bool { return r.Verb == "" })
	s.log = nil
	return taken
}

// Config connects to the server.
func (s *Server) Config() *rest.Config {
	return &rest.Config{Host: s.URL, BearerToken: Token, Timeout: 10 * time.Second, TLSClientConfig: rest.TLSClientConfig{CAData: s.authority()}}
}

// authority is the certificate that clients trust the server by, in PEM.
func (s *Server) authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.web.Certificate().Raw})
}

// Client connects to the server.
func (s *Server) Client(t testing.TB) *cluster.Client {
	t.Helper()
	client, err := cluster.NewClient(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Kubeconfig writes a kubeconfig for the server, with a namespace for its context.
func (s *Server) Kubeconfig(t testing.TB, namespace string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	content := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: test,
clusters: [{name: test, cluster: {server: %q, certificate-authority-data: %s}}],
users: [{name: test, user: {token: %q}}],
contexts: [{name: test, context: {cluster: test, user: test, namespace: %q}}]}
`, s.URL, base64.StdEncoding.EncodeToString(s.authority()), Token, namespace)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// AddYAML stores the objects of a YAML stream.
func (s *Server) AddYAML(t testing.TB, stream string) {
	t.Helper()
	documents, faults := source.Parse("stream.yaml", []byte(stream))
	for _, fault := range faults {
		t.Fatal(fault)
	}
	for _, document := range documents {
		object, isObject := document.Value().(map[string]any)
		if !isObject {
			t.Fatalf("document %d is no object", document.Index())
		}
		s.Add(t, object)
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r := parse(request)
	s.mutex.Lock()
	s.log = append(s.log, r)
	how, handlers := s.failWith, slices.Clone(s.handlers)
	s.mutex.Unlock()
	if request.Header.Get("Authorization") != "Bearer "+Token {
		refuse(w, 401, metav1.StatusReasonUnauthorized, "Unauthorized")
		return
	}
	if how != nil {
		if failure := how(r); failure != nil && failure.answer(w, request, s) {
			return
		}
	}
	for _, handler := range handlers {
		if handler(w, request, r) {
			return
		}
	}
	s.answer(w, request, r)
}

func (s *Server) answer(w http.ResponseWriter, request *http.Request, r Request) {
	switch r.Verb {
	case "":
		s.discovery(w, request)
	case "get":
		s.get(w, r)
	case "list":
		s.list(w, request, r)
	case "watch":
		s.watch(w, request, r)
	default:
		refuse(w, 405, metav1.StatusReasonMethodNotAllowed, "the server does not allow this method on the requested resource")
	}
}

// answer fails a request; false when it was only delayed.
func (f *Failure) answer(w http.ResponseWriter, request *http.Request, s *Server) bool {
	switch {
	case f.Hang:
		<-request.Context().Done()
	case f.Reset:
		half := &halved{}
		s.answer(half, request, parse(request))
		half.cut(w)
	case f.Status != nil:
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
		}
		write(w, int(f.Status.Code), f.Status)
	default:
		time.Sleep(f.Delay)
		return false
	}
	return true
}

// halved is an answer that breaks off in the middle.
type halved struct {
	header http.Header
	body   []byte
}

func (h *halved) Header() http.Header {
	if h.header == nil {
		h.header = http.Header{}
	}
	return h.header
}

func (h *halved) Write(content []byte) (int, error) {
	h.body = append(h.body, content...)
	return len(content), nil
}

func (h *halved) WriteHeader(int) {}

func (h *halved) cut(w http.ResponseWriter) {
	w.Header().Set("Content-Type", h.Header().Get("Content-Type"))
	w.Header().Set("Content-Length", strconv.Itoa(len(h.body)))
	_, _ = w.Write(h.body[:len(h.body)/2])
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	panic(http.ErrAbortHandler)
}

// parse understands the URLs of the Kubernetes API.
func parse(request *http.Request) Request {
	query := request.URL.Query()
	r := Request{
		Path: request.URL.Path, Continue: query.Get("continue"),
		FieldSelector: query.Get("fieldSelector"), LabelMatch: query.Get("labelSelector"),
		Metadata: strings.Contains(request.Header.Get("Accept"), "PartialObjectMetadata"),
	}
	r.Limit, _ = strconv.Atoi(query.Get("limit"))
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 2:
		r.Version, parts = parts[1], parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		r.Group, r.Version, parts = parts[1], parts[2], parts[3:]
	default:
		return r
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		r.Namespace, parts = parts[1], parts[2:]
	}
	r.Resource = parts[0]
	if len(parts) > 1 {
		r.Name = parts[1]
	}
	if len(parts) > 2 {
		r.Subresource = parts[2]
	}
	r.Verb = verb(request.Method, r.Name != "", query.Get("watch") != "")
	return r
}

func verb(method string, named, watch bool) string {
	switch {
	case method == http.MethodGet && watch:
		return "watch"
	case method == http.MethodGet && named:
		return "get"
	case method == http.MethodGet:
		return "list"
	case method == http.MethodPost:
		return "create"
	case method == http.MethodPut:
		return "update"
	default:
		return strings.ToLower(method)
	}
}

func write(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}

// Status makes an answer that is an error.
func Status(code int, reason metav1.StatusReason, message string) *metav1.Status {
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
	}
}

func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	write(w, code, Status(code, reason, message))
}

// Forbidden is how the server words that a user may not do something.
func Forbidden(r Request) *Failure {
	resource := strings.TrimSuffix(r.Resource+"."+r.Group, ".")
	return &Failure{Status: Status(403, metav1.StatusReasonForbidden, fmt.Sprintf(
		"%s is forbidden: User \"tester\" cannot %s resource %q in API group %q in the namespace %q", resource, r.Verb, r.Resource, r.Group, r.Namespace))}
}
