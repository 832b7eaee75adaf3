// Package source reads YAML and JSON streams into documents whose every value
// can be traced back to the exact characters of the file it was written with.
//
// [Parse] splits a stream at its document markers first, so that a broken
// document never hides the others. A [Document] then has two faces that are
// checked against each other while it is read: [Document.Value] is the JSON
// value that kubectl sees (sigs.k8s.io/yaml for YAML, encoding/json for JSON),
// and [Document.Find] leads from a path inside that value to a [Node], the
// place of the value in the file. Where two readings of the same text would
// differ, the document is refused with an [Error] rather than read one way or
// the other.
//
// # Positions
//
// Lines and columns start at 1, columns count Unicode code points, offsets
// count bytes from 0. Only LF, CRLF and a lone CR end a line, as in editors;
// a byte order mark takes no column. A [Range] excludes its end.
//
// A scalar's range is the scalar as written, with its quotes or its block
// header, without anchor, tag and comment. An empty value (`key:`) is a
// zero-width range behind the colon, or behind its anchor or tag. A block
// collection runs from its first key or dash to the end of its last value; a
// flow collection includes its brackets. A block scalar ends with its last
// line that is not blank, without the line break.
//
// # Which YAML
//
// YAML as kubectl reads it: `yes` and `on` are booleans, a later `<<` wins over
// an earlier key, of duplicate keys the last one counts (see
// [Document.Duplicates]), keys that are numbers or booleans become text. Tags
// other than those of the JSON types, keys that are collections or null, NaN
// and infinities are errors. JSON is read as JSON: tabs may indent it, and
// several values may follow each other.
//
// This is the only package that imports a YAML node library.
package source
