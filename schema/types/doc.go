// Package types computes what a jq expression can give for every object that a
// schema allows, without running it: which kinds of values, which texts, how
// many results, and where it can fail.
//
// [Check] interprets the syntax tree with sets of values. What cannot be known
// is unknown, and the unknown is never a [Problem]. Two more rules keep it from
// false alarms: null counts as a problem only where the schema says that a
// field may be left out, although old objects may lack required fields too; and
// a field that a condition of the same expression looks at is the author's own
// care.
package types
