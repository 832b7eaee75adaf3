// Package proxy stands between a client and an API server: it counts what the
// client asks, measures how long the server takes to answer, and answers in
// the server's place where a test wants a fault.
package proxy

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Proxy serves HTTPS on a free port of the loopback interface.
type Proxy struct {
	// URL is where it serves.
	URL string

	upstream *url.URL
	client   *http.Client
	server   *http.Server

	mu       sync.Mutex
	requests []Request
	faults   []Rule
}

// Request is one request that came through.
type Request struct {
	Method string
	Path   string
	Query  url.Values
	// Accept is the header of that name: it tells requests for metadata only.
	Accept string
	// Token is the bearer token that the client sent.
	Token string
	// Status is what the client was answered, 0 when the connection was cut.
	Status int
	// Bytes is the length of the server's body.
	Bytes int
	// Asked and Answered are when the proxy asked the server and when it had
	// the whole answer; both are zero when a fault was answered instead.
	Asked, Answered time.Time
}

// Discovery tells whether the request asks what the server serves.
func (r Request) Discovery() bool {
	parts := strings.Split(strings.Trim(r.Path, "/"), "/")
	switch parts[0] {
	case "api":
		return len(parts) <= 2
	case "apis":
		return len(parts) <= 3
	case "openapi", "version":
		return true
	}
	return false
}

// String is the request line, for messages.
func (r Request) String() string {
	query := ""
	if len(r.Query) > 0 {
		query = "?" + r.Query.Encode()
	}
	return fmt.Sprintf("%s %s%s: %d", r.Method, r.Path, query, r.Status)
}

// Start serves in front of an API server. The transport holds the credentials
// that the proxy uses there; whatever the client sends is not passed on.
func Start(upstream string, transport http.RoundTripper, certificate tls.Certificate) (*Proxy, error) {
	address, err := url.Parse(upstream)
	if err != nil {
		return nil, fmt.Errorf("start a proxy: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start a proxy: %w", err)
	}
	p := &Proxy{
		URL:      "https://" + listener.Addr().String(),
		upstream: address,
		client:   &http.Client{Transport: transport},
	}
	p.server = &http.Server{
		Handler:           p,
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}},
		ReadHeaderTimeout: time.Minute,
		ConnContext: func(ctx context.Context, connection net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, connection)
		},
		ErrorLog: quiet(),
	}
	go p.server.ServeTLS(listener, "", "")
	return p, nil
}

// Close stops serving and cuts all connections.
func (p *Proxy) Close() error { return p.server.Close() }

// Requests are the requests since the start or the last Reset, in the order in
// which they were answered.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Reset forgets the requests and sets the faults for those to come.
func (p *Proxy) Reset(faults ...Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.faults = nil, faults
}

// ServeHTTP answers one request.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen := Request{
		Method: r.Method,
		Path:   r.URL.Path,
		Query:  r.URL.Query(),
		Accept: r.Header.Get("Accept"),
		Token:  strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "),
	}
	fault := p.faultFor(r)
	// A cut connection ends the handler with a panic, after which it is recorded all the same.
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.requests = append(p.requests, seen)
	}()
	if !fault.wait(r.Context()) {
		return
	}
	if fault.Status != 0 {
		seen.Status = fault.Status
		fault.answer(w)
		return
	}
	seen.Asked = time.Now()
	answer, err := p.ask(r)
	if err != nil {
		seen.Status = http.StatusBadGateway
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	seen.Status = answer.StatusCode
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	if r.URL.Query().Get("watch") != "" {
		w.WriteHeader(answer.StatusCode)
		seen.Bytes = stream(w, answer.Body, fault.CutAfter)
		seen.Answered = time.Now()
		fault.cut(w, r, &seen)
		return
	}
	// The whole answer is read before any of it is passed on, so that the
	// time between is the server's alone and not that of a slow client.
	body, err := io.ReadAll(answer.Body)
	seen.Answered = time.Now()
	seen.Bytes = len(body)
	if err != nil {
		seen.Status = 0
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(answer.StatusCode)
	if fault.CutAfter > 0 {
		body = body[:min(len(body), fault.CutAfter)]
	}
	_, _ = w.Write(body) // a client that went away is the client's affair
	fault.cut(w, r, &seen)
}

// ask passes a request on to the server.
func (p *Proxy) ask(r *http.Request) (*http.Response, error) {
	target := *r.URL
	target.Scheme, target.Host = p.upstream.Scheme, p.upstream.Host
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	asked, err := http.NewRequestWithContext(r.Context(), r.Method, target.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"Accept", "Accept-Encoding", "Content-Type", "User-Agent"} {
		if values := r.Header.Values(name); len(values) > 0 {
			asked.Header[name] = values
		}
	}
	return p.client.Do(asked)
}

// stream passes a watch on as it comes and returns its length.
func stream(w http.ResponseWriter, body io.Reader, limit int) int {
	if limit > 0 {
		body = io.LimitReader(body, int64(limit))
	}
	control := http.NewResponseController(w)
	_ = control.Flush()
	total := 0
	buffer := make([]byte, 32<<10)
	for {
		n, err := body.Read(buffer)
		total += n
		if _, failed := w.Write(buffer[:n]); failed != nil || err != nil {
			return total
		}
		_ = control.Flush()
	}
}

// ServerTime is how long the server had at least one of these requests to
// answer: requests at the same time count once.
func ServerTime(requests []Request) time.Duration {
	var asked []Request
	for _, request := range requests {
		if !request.Asked.IsZero() && !request.Answered.IsZero() {
			asked = append(asked, request)
		}
	}
	slices.SortFunc(asked, func(a, b Request) int { return a.Asked.Compare(b.Asked) })
	var total time.Duration
	var until time.Time
	for _, request := range asked {
		from := request.Asked
		if from.Before(until) {
			from = until
		}
		if request.Answered.After(from) {
			total += request.Answered.Sub(from)
			until = request.Answered
		}
	}
	return total
}

// Rule says which requests get a fault.
type Rule struct {
	// Path is matched by a part of the request's path and query, "" by all.
	Path string
	// Skip lets that many matching requests through first.
	Skip int
	// Times is how many get the fault, 0 for all.
	Times int
	// Fault is what they get.
	Fault Fault

	seen int
}

// Fault is what goes wrong with a request. The zero value changes nothing.
type Fault struct {
	// Status is answered in the server's place, with Reason and Message.
	Status          int
	Reason, Message string
	// RetryAfter is the header of that name in seconds; 0 leaves it out.
	RetryAfter int
	// CutAfter resets the connection after that many bytes of the body, with
	// all other requests on it; or, with StreamOnly, ends only this answer, as a
	// proxy between may do.
	CutAfter   int
	StreamOnly bool
	// Delay is how long nothing is answered.
	Delay time.Duration
}

func (p *Proxy) faultFor(r *http.Request) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.faults {
		rule := &p.faults[i]
		if !strings.Contains(r.URL.RequestURI(), rule.Path) {
			continue
		}
		rule.seen++
		if rule.seen <= rule.Skip || rule.Times > 0 && rule.seen > rule.Skip+rule.Times {
			continue
		}
		return rule.Fault
	}
	return Fault{}
}

// wait is false when the client gave up meanwhile.
func (f Fault) wait(ctx context.Context) bool {
	if f.Delay == 0 {
		return true
	}
	select {
	case <-time.After(f.Delay):
		return true
	case <-ctx.Done():
		return false
	}
}

// answer writes the Status object that an API server answers errors with.
func (f Fault) answer(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	w.WriteHeader(f.Status)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"code":%d}`,
		f.Message, f.Reason, f.Status)
}

// connectionKey is where a request's context has its connection.
type connectionKey struct{}

// cut ends the answer in the middle of its body.
func (f Fault) cut(w http.ResponseWriter, r *http.Request, seen *Request) {
	if f.CutAfter == 0 {
		return
	}
	seen.Status = 0
	_ = http.NewResponseController(w).Flush() // what comes before the cut does arrive
	if connection, ok := r.Context().Value(connectionKey{}).(*tls.Conn); ok && !f.StreamOnly {
		if wire, ok := connection.NetConn().(*net.TCPConn); ok {
			_ = wire.SetLinger(0) // a reset, not an orderly end
			_ = wire.Close()
		}
	}
	panic(http.ErrAbortHandler)
}

// quiet drops the server's log: cut connections are what a test wants.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
