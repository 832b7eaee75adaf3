package lsp

import "encoding/json"

// This file holds the part of the Language Server Protocol 3.17 that the server
// uses, under the protocol's own names.

// position is a place between two characters. Both numbers start at 0;
// Character counts UTF-16 code units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type textDocumentItem struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

type textDocumentIdentifier struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

type didOpenParams struct {
	TextDocument textDocumentItem `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   textDocumentIdentifier `json:"textDocument"`
	ContentChanges []contentChange        `json:"contentChanges"`
}

// contentChange replaces a range, or the whole text when Range is nil.
type contentChange struct {
	Range *textRange `json:"range"`
	Text  string     `json:"text"`
}

// documentParams are those of didSave and didClose.
type documentParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
}

// positionParams are those of hover and completion.
type positionParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
	Position     position               `json:"position"`
}

type codeActionParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
	Range        textRange              `json:"range"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type serverCapabilities struct {
	PositionEncoding   string            `json:"positionEncoding"`
	TextDocumentSync   textSync          `json:"textDocumentSync"`
	HoverProvider      bool              `json:"hoverProvider"`
	CompletionProvider completionOptions `json:"completionProvider"`
	CodeActionProvider codeActionOptions `json:"codeActionProvider"`
}

// textSync has Change 2: changes come as ranges.
type textSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

// The severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type hover struct {
	Contents markupContent `json:"contents"`
	Range    *textRange    `json:"range,omitempty"`
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// The kinds of completion items.
const (
	kindField      = 5
	kindProperty   = 10
	kindEnumMember = 20
)

type completionItem struct {
	Label         string         `json:"label"`
	Kind          int            `json:"kind"`
	Detail        string         `json:"detail,omitempty"`
	Documentation *markupContent `json:"documentation,omitempty"`
	SortText      string         `json:"sortText,omitempty"`
	FilterText    string         `json:"filterText,omitempty"`
	TextEdit      textEdit       `json:"textEdit"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

func markdown(text string) markupContent { return markupContent{Kind: "markdown", Value: text} }

func params[T any](m *message) (T, error) {
	var value T
	if err := json.Unmarshal(m.Params, &value); err != nil {
		return value, &rpcError{codeInvalidParams, "the parameters of " + m.Method + " are not as the protocol has them"}
	}
	return value, nil
}
