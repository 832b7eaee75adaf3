package proxy

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// start puts a proxy in front of a server that answers every request with its
// path, and gives a client of the proxy.
func start(t *testing.T) (*Proxy, *http.Client) {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the client's credentials reach the server")
		}
		_, _ = io.WriteString(w, strings.Repeat(r.URL.Path, 100))
	}))
	t.Cleanup(server.Close)
	p, err := Start(server.URL, server.Client().Transport, server.TLS.Certificates[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p, &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
	}}
}

func get(t *testing.T, client *http.Client, url string) (status int, body string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer secret")
	answer, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(content), err
}

func TestRequestsAreCounted(t *testing.T) {
	p, client := start(t)
	for _, path := range []string{"/apis", "/api/v1/pods?limit=500"} {
		if status, body, err := get(t, client, p.URL+path); status != 200 || !strings.HasPrefix(path, body[:5]) || err != nil {
			t.Errorf("%s is answered %d %.20s (%v)", path, status, body, err)
		}
	}
	requests := p.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d requests, want 2", len(requests))
	}
	discovery, pods := requests[0], requests[1]
	if !discovery.Discovery() || pods.Discovery() || pods.Query.Get("limit") != "500" || pods.Token != "secret" || pods.Bytes != 1200 {
		t.Errorf("the requests are %+v", requests)
	}
	if p.Reset(); len(p.Requests()) != 0 {
		t.Error("requests are left after Reset")
	}
}

func TestFaults(t *testing.T) {
	p, client := start(t)
	p.Reset(
		Rule{Path: "/busy", Skip: 1, Times: 1, Fault: Fault{Status: 429, RetryAfter: 3, Reason: "TooManyRequests", Message: "later"}},
		Rule{Path: "/reset", Times: 1, Fault: Fault{CutAfter: 10}},
		Rule{Path: "/stream", Times: 1, Fault: Fault{CutAfter: 10, StreamOnly: true}},
	)
	for i, wanted := range []int{200, 429, 200} {
		status, body, err := get(t, client, p.URL+"/busy")
		if status != wanted || err != nil {
			t.Errorf("request %d is answered %d (%v), want %d", i, status, err, wanted)
		}
		if status == 429 && !strings.Contains(body, `"reason":"TooManyRequests"`) {
			t.Errorf("the answer is %s", body)
		}
	}
	for _, path := range []string{"/reset", "/stream"} {
		if _, body, err := get(t, client, p.URL+path); err == nil {
			t.Errorf("%s is not cut: %s", path, body)
		}
		if status, _, err := get(t, client, p.URL+path); status != 200 || err != nil {
			t.Errorf("%s is answered %d (%v) the second time", path, status, err)
		}
	}
}

func TestDelayEndsWithTheClient(t *testing.T) {
	p, client := start(t)
	p.Reset(Rule{Fault: Fault{Delay: time.Hour}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/slow", nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := client.Do(request); err == nil {
		answer.Body.Close()
		t.Error("a request that waits for an hour is answered")
	}
}

func TestServerTimeCountsOverlapOnce(t *testing.T) {
	begin := time.Unix(0, 0)
	request := func(from, to int) Request {
		return Request{Asked: begin.Add(time.Duration(from) * time.Second), Answered: begin.Add(time.Duration(to) * time.Second)}
	}
	// 0-4 and 3-6 are six seconds together, 1-2 lies within, 8-9 is one more;
	// a fault answered by the proxy is no time of the server's.
	requests := []Request{request(3, 6), request(0, 4), request(8, 9), request(1, 2), {}}
	if got := ServerTime(requests); got != 7*time.Second {
		t.Errorf("server time is %v, want 7s", got)
	}
}
