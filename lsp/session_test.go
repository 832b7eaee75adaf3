package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/workloadmap/wm/internal/cli"
)

// serverVariable makes this test's binary the server.
const serverVariable = "WM_TEST_LSP_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) != "" {
		os.Exit(cli.Run(context.Background(), []string{"lsp", "--no-config"}, cli.System()))
	}
	os.Exit(m.Run())
}

// TestSessions plays the dialogues in testdata with a server in a process of its
// own. The parts of a file are steps:
//
//	open NAME            the editor opens a document with this text
//	change NAME          {"replace": TEXT, "with": TEXT}, of which TEXT stands there once
//	save NAME, close NAME
//	notify METHOD, request METHOD
//	response, notification METHOD   what the server has to say next
//
// In requests "at": "text|text" is a place and "marked": "text" a range of the
// open document. Expected objects need not have all fields, but all of a list's
// items, unless its first is "...": then others may stand before, between and
// behind. Ranges are shown as "line:character text", counted from 0, as the
// client resolves them.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d sessions, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := start(t)
			for i, step := range archive.Files {
				if fault := c.play(step.Name, string(step.Data)); fault != "" {
					t.Fatalf("step %d, %s: %s", i+1, step.Name, fault)
				}
			}
			c.end()
		})
	}
}

// client is an editor with at most one document that requests are about.
type client struct {
	t        *testing.T
	in       io.WriteCloser
	messages chan map[string]any
	process  *exec.Cmd
	nextID   int
	uri      string
	texts    map[string]string
	version  int
	ended    bool
}

func start(t *testing.T) *client {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), serverVariable+"=1")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Process.Kill() })
	c := &client{t: t, in: in, process: process, messages: make(chan map[string]any, 100), texts: map[string]string{}}
	go c.read(bufio.NewReader(out))
	c.request("initialize", map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{}})
	if fault := c.expect("response", `{"result": {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"change": 2}}}}`); fault != "" {
		t.Fatal(fault)
	}
	c.send(map[string]any{"method": "initialized", "params": map[string]any{}})
	return c
}

// end closes the session as an editor does, unless a step has done so.
func (c *client) end() {
	if !c.ended {
		c.request("shutdown", nil)
		if fault := c.expect("response", `{"result": null}`); fault != "" {
			c.t.Fatal(fault)
		}
		c.send(map[string]any{"method": "exit"})
	}
	if err := c.process.Wait(); err != nil {
		c.t.Errorf("the server ended with %v", err)
	}
	for m := range c.messages {
		c.t.Errorf("nobody expected %v", m)
	}
}

func (c *client) read(out *bufio.Reader) {
	defer close(c.messages)
	for {
		length := 0
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSpace(line)
			if line == "" {
				break
			}
			if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(value)
			}
		}
		content := make([]byte, length)
		if _, err := io.ReadFull(out, content); err != nil {
			return
		}
		var m map[string]any
		if err := json.Unmarshal(content, &m); err != nil {
			m = map[string]any{"not JSON": string(content)}
		}
		c.messages <- m
	}
}

func (c *client) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	content, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) request(method string, params any) {
	c.nextID++
	c.send(map[string]any{"id": c.nextID, "method": method, "params": params})
}

// play does one step and says what went wrong.
func (c *client) play(step, data string) string {
	verb, name, _ := strings.Cut(step, " ")
	switch verb {
	case "open":
		c.uri, c.version = "file:///project/"+name, 1
		c.texts[c.uri] = data
		c.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{
			"textDocument": map[string]any{"uri": c.uri, "languageId": "yaml", "version": 1, "text": data},
		}})
	case "change":
		return c.change("file:///project/"+name, data)
	case "save", "close":
		method := map[string]string{"save": "textDocument/didSave", "close": "textDocument/didClose"}[verb]
		c.send(map[string]any{"method": method, "params": map[string]any{"textDocument": map[string]any{"uri": "file:///project/" + name}}})
	case "notify", "request":
		var params any
		if err := json.Unmarshal([]byte(data), &params); err != nil {
			return err.Error()
		}
		if object, ok := params.(map[string]any); ok {
			if fault := c.place(object); fault != "" {
				return fault
			}
		}
		c.ended = c.ended || name == "exit"
		if verb == "notify" {
			c.send(map[string]any{"method": name, "params": params})
		} else {
			c.request(name, params)
		}
	case "response", "notification":
		return c.expect(step, data)
	default:
		return "no such step"
	}
	return ""
}

// change replaces a text that is in the document once.
func (c *client) change(uri, data string) string {
	var edit struct{ Replace, With string }
	if err := json.Unmarshal([]byte(data), &edit); err != nil {
		return err.Error()
	}
	text := c.texts[uri]
	if strings.Count(text, edit.Replace) != 1 {
		return fmt.Sprintf("%q is %d times in the document", edit.Replace, strings.Count(text, edit.Replace))
	}
	at := strings.Index(text, edit.Replace)
	c.version++
	c.send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": c.version},
		"contentChanges": []any{map[string]any{"range": rangeIn(text, at, at+len(edit.Replace)), "text": edit.With}},
	}})
	c.texts[uri] = text[:at] + edit.With + text[at+len(edit.Replace):]
	return ""
}

// place replaces "at" and "marked" by what the protocol has.
func (c *client) place(params map[string]any) string {
	text := c.texts[c.uri]
	if _, named := params["textDocument"]; !named {
		params["textDocument"] = map[string]any{"uri": c.uri}
	}
	if at, ok := params["at"].(string); ok {
		before, behind, _ := strings.Cut(at, "|")
		if strings.Count(text, before+behind) != 1 {
			return fmt.Sprintf("%q is %d times in the document", before+behind, strings.Count(text, before+behind))
		}
		params["position"] = positionIn(text, strings.Index(text, before+behind)+len(before))
		delete(params, "at")
	}
	if marked, ok := params["marked"].(string); ok {
		if strings.Count(text, marked) != 1 {
			return fmt.Sprintf("%q is %d times in the document", marked, strings.Count(text, marked))
		}
		at := strings.Index(text, marked)
		params["range"] = rangeIn(text, at, at+len(marked))
		params["context"] = map[string]any{"diagnostics": []any{}}
		delete(params, "marked")
	}
	return ""
}

func rangeIn(text string, start, end int) map[string]any {
	return map[string]any{"start": positionIn(text, start), "end": positionIn(text, end)}
}

func positionIn(text string, offset int) map[string]any {
	lines := strings.Split(text[:offset], "\n")
	return map[string]any{"line": len(lines) - 1, "character": len(utf16.Encode([]rune(lines[len(lines)-1])))}
}

// expect compares the next message with a pattern.
func (c *client) expect(step, data string) string {
	kind, method, _ := strings.Cut(step, " ")
	var want any
	if err := json.Unmarshal([]byte(data), &want); err != nil {
		return err.Error()
	}
	var got map[string]any
	select {
	case m, ok := <-c.messages:
		if !ok {
			return "the server has gone"
		}
		got = m
	case <-time.After(20 * time.Second):
		return "no message in 20 s"
	}
	if _, isResponse := got["id"]; isResponse != (kind == "response") || !isResponse && got["method"] != method {
		return fmt.Sprintf("another message came: %v", got)
	}
	var value any = got
	if kind == "response" {
		if got["id"] != nil && got["id"] != float64(c.nextID) {
			return fmt.Sprintf("the answer is to request %v, not %d", got["id"], c.nextID)
		}
	} else {
		value = got["params"]
	}
	uri := c.uri
	if params, ok := value.(map[string]any); ok && params["uri"] != nil {
		uri, _ = params["uri"].(string)
	}
	value = readable(value, c.texts[uri])
	if pruned := prune(value, want); !reflect.DeepEqual(pruned, want) {
		return cmp.Diff(want, pruned)
	}
	return ""
}

// readable shows ranges as text.
func readable(value any, text string) any {
	switch value := value.(type) {
	case map[string]any:
		if start, ok := value["start"].(map[string]any); ok {
			from, to := offsetIn(text, start), offsetIn(text, value["end"].(map[string]any))
			if from < 0 || to < from {
				return fmt.Sprintf("no range of the document: %v", value)
			}
			return fmt.Sprintf("%v:%v %s", start["line"], start["character"], text[from:to])
		}
		for key, item := range value {
			value[key] = readable(item, text)
		}
	case []any:
		for i, item := range value {
			value[i] = readable(item, text)
		}
	}
	return value
}

// offsetIn is the byte of a position, or -1 when there is none.
func offsetIn(text string, position map[string]any) int {
	lines := strings.SplitAfter(text, "\n")
	line, character := int(position["line"].(float64)), int(position["character"].(float64))
	if line >= len(lines) {
		return -1
	}
	units := utf16.Encode([]rune(strings.TrimRight(lines[line], "\r\n")))
	if character > len(units) {
		return -1
	}
	return len(strings.Join(lines[:line], "")) + len(string(utf16.Decode(units[:character])))
}

// prune leaves out of a value what a pattern says nothing about.
func prune(value, pattern any) any {
	switch pattern := pattern.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok {
			return value
		}
		kept := map[string]any{}
		for key, want := range pattern {
			if item, exists := object[key]; exists {
				kept[key] = prune(item, want)
			}
		}
		return kept
	case []any:
		list, ok := value.([]any)
		if !ok {
			return value
		}
		if len(pattern) > 0 && pattern[0] == "..." {
			return append([]any{"..."}, some(list, pattern[1:])...)
		}
		kept := []any{}
		for i, item := range list {
			if i < len(pattern) {
				item = prune(item, pattern[i])
			}
			kept = append(kept, item)
		}
		return kept
	default:
		text, isText := value.(string)
		if want, ok := pattern.(string); ok && isText && strings.HasSuffix(want, "...") && strings.HasPrefix(text, strings.TrimSuffix(want, "...")) {
			return want
		}
		return value
	}
}

// some finds the items of a list that fit patterns, in their order.
func some(list, patterns []any) []any {
	found := []any{}
	for _, item := range list {
		if len(found) == len(patterns) {
			break
		}
		if pruned := prune(item, patterns[len(found)]); reflect.DeepEqual(pruned, patterns[len(found)]) {
			found = append(found, pruned)
		}
	}
	if len(found) == len(patterns) {
		return found
	}
	labels := []any{"these were found, the next was not"}
	for _, item := range list {
		if object, ok := item.(map[string]any); ok && object["label"] != nil {
			item = object["label"]
		}
		labels = append(labels, item)
	}
	return append(found, labels...)
}
