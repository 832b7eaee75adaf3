package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/workloadmap/wm/lint"
)

// Options say what the server knows.
type Options struct {
	// Lint says how documents are checked. Its files and paths are not used.
	Lint lint.Options
	// Version is the server's version, as editors show it in their logs.
	Version string
	// Delay is how long a document has to be left alone before its findings are
	// sent; 0 is 200 ms. Opening and saving send them at once.
	Delay time.Duration
}

// defaultDelay is a pause between words, not between letters.
const defaultDelay = 200 * time.Millisecond

// ErrNoShutdown is returned when the editor ended the session without having
// asked for its end, which the protocol takes for a failure.
var ErrNoShutdown = errors.New("the editor ended the session without a shutdown request")

// Serve speaks with one editor until it ends the session, the input ends or ctx
// does; the end of ctx is no error. It does not close the streams: a read of in
// that is under way when ctx ends goes on.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) error {
	if options.Delay <= 0 {
		options.Delay = defaultDelay
	}
	s := &server{options: options, out: out, documents: map[string]*document{}, rules: map[string]lint.Rule{}}
	for _, rule := range options.Lint.Rules {
		s.rules[rule.ID] = rule
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	arrived := make(chan arrival)
	go receive(ctx, in, arrived)
	return s.loop(ctx, arrived)
}

// arrival is a message, or the reason why there is none.
type arrival struct {
	message *message
	err     error
}

func receive(ctx context.Context, in io.Reader, arrived chan<- arrival) {
	reader := bufio.NewReader(in)
	for {
		m, err := readMessage(reader)
		select {
		case arrived <- arrival{m, err}:
		case <-ctx.Done():
			return
		}
		if err != nil && !errors.Is(err, errNotJSON) {
			return
		}
	}
}

// server is the state of one session. One goroutine uses it.
type server struct {
	options   Options
	out       io.Writer
	documents map[string]*document
	rules     map[string]lint.Rule
	// initialized and stopped tell how far the session is; an editor asks to stop
	// before it says that it ends.
	initialized, stopped bool
}

func (s *server) loop(ctx context.Context, arrived <-chan arrival) error {
	for {
		var due <-chan time.Time
		next := s.nextDue()
		if next != nil {
			due = time.After(time.Until(next.due))
		}
		select {
		case <-ctx.Done():
			return nil
		case a := <-arrived:
			switch {
			case errors.Is(a.err, errNotJSON):
				if err := s.fail(json.RawMessage("null"), &rpcError{codeParse, "the message is not JSON"}); err != nil {
					return err
				}
			case errors.Is(a.err, io.EOF) && s.stopped:
				return nil
			case errors.Is(a.err, io.EOF):
				return ErrNoShutdown
			case a.err != nil:
				return a.err
			case a.message.Method == "exit" && s.stopped:
				return nil
			case a.message.Method == "exit":
				return ErrNoShutdown
			default:
				if err := s.handle(ctx, a.message); err != nil {
					return err
				}
			}
		case <-due:
			if err := s.publish(ctx, next); err != nil {
				return err
			}
		}
	}
}

// nextDue is the document whose findings have to be sent first.
func (s *server) nextDue() *document {
	var next *document
	for _, d := range s.documents {
		if d.due.IsZero() {
			continue
		}
		if next == nil || d.due.Before(next.due) || d.due.Equal(next.due) && d.uri < next.uri {
			next = d
		}
	}
	return next
}

// handle answers a message. Its error ends the session.
func (s *server) handle(ctx context.Context, m *message) error {
	if m.Method == "" {
		// A response: the server asks nothing, so nobody waits for it.
		return nil
	}
	if m.ID == nil {
		if !s.initialized || s.stopped {
			return nil
		}
		return s.notified(ctx, m)
	}
	result, err := s.answer(ctx, m)
	if err != nil {
		return s.fail(m.ID, err)
	}
	content, err := json.Marshal(result)
	if err != nil {
		return s.fail(m.ID, err)
	}
	return writeMessage(s.out, &message{ID: m.ID, Result: content})
}

func (s *server) fail(id json.RawMessage, err error) error {
	var fault *rpcError
	if !errors.As(err, &fault) {
		fault = &rpcError{codeInternal, err.Error()}
	}
	return writeMessage(s.out, &message{ID: id, Error: fault})
}

func (s *server) answer(ctx context.Context, m *message) (any, error) {
	switch {
	case m.Method == "initialize" && s.initialized:
		return nil, &rpcError{codeInvalidRequest, "the session is initialized already"}
	case m.Method != "initialize" && !s.initialized:
		return nil, &rpcError{codeNotInitialized, "the session is not initialized"}
	case s.stopped:
		return nil, &rpcError{codeInvalidRequest, "the session is shut down"}
	}
	switch m.Method {
	case "initialize":
		s.initialized = true
		return s.capabilities(), nil
	case "shutdown":
		s.stopped = true
		return nil, nil
	case "textDocument/hover":
		return answerAt(s, m, func(d *document, p positionParams) any { return s.hover(ctx, d, p.Position) })
	case "textDocument/completion":
		return answerAt(s, m, func(d *document, p positionParams) any { return s.complete(ctx, d, p.Position) })
	case "textDocument/codeAction":
		p, err := params[codeActionParams](m)
		if err != nil {
			return nil, err
		}
		d, err := s.document(p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		return s.actions(ctx, d, p.Range), nil
	default:
		return nil, &rpcError{codeMethodNotFound, "the server does not know the method " + m.Method}
	}
}

func answerAt(s *server, m *message, answer func(*document, positionParams) any) (any, error) {
	p, err := params[positionParams](m)
	if err != nil {
		return nil, err
	}
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return answer(d, p), nil
}

func (s *server) document(uri string) (*document, error) {
	d, open := s.documents[uri]
	if !open {
		return nil, &rpcError{codeInvalidParams, "the document " + uri + " is not open"}
	}
	return d, nil
}

func (s *server) capabilities() initializeResult {
	return initializeResult{
		ServerInfo: serverInfo{Name: "wm", Version: s.options.Version},
		Capabilities: serverCapabilities{
			PositionEncoding:   "utf-16",
			TextDocumentSync:   textSync{OpenClose: true, Change: 2, Save: true},
			HoverProvider:      true,
			CompletionProvider: completionOptions{TriggerCharacters: []string{".", ":", " "}},
			CodeActionProvider: codeActionOptions{CodeActionKinds: []string{kindQuickFix}},
		},
	}
}

// notified follows what happens to documents. Notifications have no answer, so
// one that cannot be understood is reported in the editor's log.
func (s *server) notified(ctx context.Context, m *message) error {
	var err error
	switch m.Method {
	case "textDocument/didOpen":
		var p didOpenParams
		if p, err = params[didOpenParams](m); err == nil {
			d := &document{uri: p.TextDocument.URI, version: p.TextDocument.Version, text: newText(p.TextDocument.Text)}
			s.documents[d.uri] = d
			return s.publish(ctx, d)
		}
	case "textDocument/didChange":
		var p didChangeParams
		if p, err = params[didChangeParams](m); err == nil {
			err = s.changed(p)
		}
	case "textDocument/didSave":
		var p documentParams
		if p, err = params[documentParams](m); err == nil {
			if d := s.documents[p.TextDocument.URI]; d != nil {
				return s.publish(ctx, d)
			}
		}
	case "textDocument/didClose":
		var p documentParams
		if p, err = params[documentParams](m); err == nil {
			delete(s.documents, p.TextDocument.URI)
			return s.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{
				URI: p.TextDocument.URI, Version: p.TextDocument.Version, Diagnostics: []diagnostic{},
			})
		}
	}
	if err != nil {
		return s.notify("window/logMessage", map[string]any{"type": severityError, "message": err.Error()})
	}
	return nil
}

// changed makes the changes to a document, each to what the one before it left.
func (s *server) changed(p didChangeParams) error {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return err
	}
	next := d.text
	for _, c := range p.ContentChanges {
		if next, err = next.change(c); err != nil {
			return fmt.Errorf("change %s: %w", d.uri, err)
		}
	}
	d.text, d.version = next, p.TextDocument.Version
	d.current = nil
	d.due = time.Now().Add(s.options.Delay)
	return nil
}

func (s *server) notify(method string, params any) error {
	content, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("notify the editor of %s: %w", method, err)
	}
	return writeMessage(s.out, &message{Method: method, Params: content})
}
