// Package jq runs the jq expressions of workload definitions: compiled once,
// in a sandbox, with every cost bounded. It is the only importer of gojq.
//
// A definition may come from anybody, so an expression is untrusted. Three
// things keep it harmless:
//
//   - Only functions on an allow-list can be called, and nothing that changes
//     the input, reads the world (environment, clock, files, further input) or
//     loops by itself (recursion, range, "..") is accepted. [Compile] looks at
//     the whole syntax tree, so no position can hide a construct.
//   - The tree is then rewritten: what builds or compares values is followed
//     or preceded by a call that charges a budget. A value such as
//     [.,.]|[.,.]|... is small in memory and huge when written out; the budget
//     counts what it would become, before it does.
//   - The engine asks its context before every instruction whether to go on.
//     The context given to it counts, which makes a step limit that does not
//     depend on the speed of the machine and that "try" cannot catch.
//
// The bounds are the Max constants. A deadline exists too, but only as a last
// line: a result must not depend on how busy a machine is.
//
// A [Program] also knows facts about its text that need no input: whether it
// is a plain path, which lists it iterates over, whether it can be written to.
// Plain paths, most of what definitions contain, are read without the engine.
package jq
