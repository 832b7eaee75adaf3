package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/source"
)

// maxMessage bounds one message: a document of the largest size with every byte
// escaped as \u0000.
const maxMessage = 6*source.MaxFileSize + 1<<20

// maxHeader bounds one line of a message's header.
const maxHeader = 4096

// message is a request, a notification or a response of JSON-RPC 2.0.
type message struct {
	Version string `json:"jsonrpc"`
	// ID is absent on notifications. It is a number or a string.
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rpcError       `json:"error,omitempty"`
}

// rpcError is the answer to a request that could not be fulfilled.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// The codes of JSON-RPC and of the protocol.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNotInitialized = -32002
)

// errNotJSON is a message whose frame is right and whose content is not: the
// stream can go on.
var errNotJSON = errors.New("the message is not JSON")

// readMessage reads one message. The error is io.EOF when the stream ends
// between two messages, and wraps errNotJSON when only this one is lost.
func readMessage(in *bufio.Reader) (*message, error) {
	length := -1
	for first := true; ; first = false {
		line, err := readHeaderLine(in)
		if err != nil {
			if first && errors.Is(err, io.EOF) && line == "" {
				return nil, io.EOF
			}
			return nil, fmt.Errorf("read the header of a message: %w", noEOF(err))
		}
		if line == "" {
			break
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return nil, fmt.Errorf("read the header of a message: %q has no colon", line)
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			length, err = strconv.Atoi(strings.TrimSpace(value))
			if err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("read the header of a message: a length of %q is not accepted", strings.TrimSpace(value))
			}
		}
	}
	if length < 0 {
		return nil, errors.New("read the header of a message: it has no Content-Length")
	}
	// The buffer grows with what arrives, not with what was promised.
	var content bytes.Buffer
	if _, err := io.CopyN(&content, in, int64(length)); err != nil {
		return nil, fmt.Errorf("read a message of %d bytes: %w", length, noEOF(err))
	}
	var m message
	if err := json.Unmarshal(content.Bytes(), &m); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	return &m, nil
}

// readHeaderLine reads a line without its end.
func readHeaderLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		c, err := in.ReadByte()
		if err != nil {
			return string(line), err
		}
		if c == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if line = append(line, c); len(line) > maxHeader {
			return "", fmt.Errorf("a line is longer than %d bytes", maxHeader)
		}
	}
}

// noEOF tells an end within a message from the end of the stream.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// writeMessage writes one message.
func writeMessage(out io.Writer, m *message) error {
	m.Version = "2.0"
	content, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	frame := fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content))
	if _, err := out.Write(append(frame, content...)); err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	return nil
}
