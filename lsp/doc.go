// Package lsp shows in an editor what wm knows of a definition while it is
// written: findings of the rules, what fields mean, which fields can come next,
// also inside jq expressions.
//
//	err := lsp.Serve(ctx, os.Stdin, os.Stdout, lsp.Options{Rules: rules.All(), Schemas: lint.BuiltIn()})
//
// It speaks the Language Server Protocol 3.17 on a pair of streams. The server
// reads no files and opens no connections: all it sees is the text of the
// documents that the editor has open.
//
// # The protocol behind it
//
// The few messages that are needed are written down in protocol.go, and frame.go
// reads and writes them. Libraries were looked at: they bring a logger, a JSON
// engine of their own or websockets for what is a hundred lines here.
//
// # Half-written documents
//
// A document that is being written is seldom valid YAML. So the place of the
// cursor is found by a scanner of indentation (scan.go), which has an answer for
// every text. What a definition as a whole says, such as its root kind, is taken
// from the text without the cursor's line, or else from the last text that could
// be read.
package lsp
