package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestFrames(t *testing.T) {
	for _, test := range []struct {
		name, in, want string
		fault          string
	}{
		{"a message", "Content-Length: 17\r\n\r\n{\"method\":\"exit\"}", "exit", ""},
		{"other headers and cases", "Content-Type: x\r\ncontent-length:17\r\n\r\n{\"method\":\"exit\"}", "exit", ""},
		{"lines that end with LF", "Content-Length: 17\n\n{\"method\":\"exit\"}", "exit", ""},
		{"the end", "", "", "EOF"},
		{"the end in the header", "Content-Le", "", "read the header of a message: unexpected EOF"},
		{"the end in the message", "Content-Length: 17\r\n\r\n{}", "", "read a message of 17 bytes: unexpected EOF"},
		{"no length", "\r\n{}", "", "read the header of a message: it has no Content-Length"},
		{"a negative length", "Content-Length: -1\r\n\r\n", "", `read the header of a message: a length of "-1" is not accepted`},
		{"a huge length", "Content-Length: 99999999999\r\n\r\n", "", `read the header of a message: a length of "99999999999" is not accepted`},
		{"no colon", "hello\r\n\r\n", "", `read the header of a message: "hello" has no colon`},
		{"an endless line", strings.Repeat("x", 1<<20), "", "read the header of a message: a line is longer than 4096 bytes"},
		{"no JSON", "Content-Length: 2\r\n\r\n{]", "", "the message is not JSON"},
	} {
		m, err := readMessage(bufio.NewReader(strings.NewReader(test.in)))
		switch {
		case test.fault != "" && (err == nil || !strings.HasPrefix(err.Error(), test.fault)):
			t.Errorf("%s: error %v, want %s", test.name, err, test.fault)
		case test.fault == "" && (err != nil || m.Method != test.want):
			t.Errorf("%s: %+v, error %v", test.name, m, err)
		}
	}
}

// TestEndOfSession has the ways in which a session ends without an editor's word.
func TestEndOfSession(t *testing.T) {
	if err := Serve(context.Background(), strings.NewReader(""), io.Discard, Options{}); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("at the end of the input: %v", err)
	}
	var out bytes.Buffer
	broken := "Content-Length: 1\r\n\r\n{Content-Length: 46\r\n\r\n" + `{"id":"a","method":"textDocument/hover","x":1}`
	if err := Serve(context.Background(), strings.NewReader(broken), &out, Options{}); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("behind a message that is no JSON: %v", err)
	}
	for _, want := range []string{`"id":null,"error":{"code":-32700`, `"id":"a","error":{"code":-32002`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the answers %q lack %s", out.String(), want)
		}
	}
	in, editor := io.Pipe()
	defer editor.Close()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer stop()
	if err := Serve(ctx, in, io.Discard, Options{}); err != nil {
		t.Errorf("at the end of the context: %v", err)
	}
	if err := Serve(context.Background(), strings.NewReader("Content-Length: 17\r\n\r\n"+`{"method":"exit"}`), io.Discard, Options{}); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("exit without shutdown: %v", err)
	}
}

func TestWriteMessage(t *testing.T) {
	var out bytes.Buffer
	if err := writeMessage(&out, &message{ID: json.RawMessage("1"), Result: json.RawMessage("null")}); err != nil {
		t.Fatal(err)
	}
	// 38 bytes: an answer with a result of null has the field.
	if want := "Content-Length: 38\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"result":null}`; out.String() != want {
		t.Errorf("%q", out.String())
	}
}
