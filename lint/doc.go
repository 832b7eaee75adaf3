// Package lint checks definitions and says where exactly they are wrong.
//
// [Run] reads files, hands each definition to every [Rule] and collects what
// the rules report as [Finding]s, sorted. A rule reports only with a
// [source.Range], so a finding without a place cannot be written. The rules of
// wm are in the package rules below this one, the output formats in report.
//
// # What a rule may be
//
// A rule finds mistakes, with evidence in the file itself; taste is not a
// mistake. Its explanation is a Markdown page beside its code whose examples
// are its tests. A false alarm is worse than a mistake that is not found: the
// built-in catalog must be clean under every rule.
//
// A mistake is reported once. What the JSON Schema of the format can say is
// reported as a schema violation, unless a rule of its own can say it better;
// the schema rule lists what it leaves to others. A rule that misses a field
// asks [Definition.Lacks], which is false where the schema rule already reports
// a value of the wrong kind.
package lint
