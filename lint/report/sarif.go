package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// SARIF writes SARIF 2.1.0, which code scanning services read. Paths are
// relative URIs, and fingerprints do not change when lines move.
type SARIF struct {
	// Rules are described in the report, whether they found something or not.
	Rules []lint.Rule
	// Version of wm.
	Version string
	// Folder is the absolute path, with slashes, of the folder that names start
	// from: absolute names below it are written relative to it. It may be empty.
	Folder string
}

// sarifSchema is where OASIS publishes the schema of the format.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// home is where people read about wm.
const home = "https://github.com/workloadmap/wm"

// The objects of the format, as far as they are used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		Name             string       `json:"name"`
		ShortDescription sarifMessage `json:"shortDescription"`
		HelpURI          string       `json:"helpUri"`
		Help             sarifMessage `json:"help"`
		Default          sarifLevel   `json:"defaultConfiguration"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
		// Base is the checkout for relative URIs.
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// Report writes the result as indented JSON; results is never null.
func (s SARIF) Report(out io.Writer, result *lint.Result) error {
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "wm", Version: s.Version, InformationURI: home, Rules: []sarifRule{},
		}},
		// Columns of findings count code points.
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	index := map[string]int{}
	for i, rule := range s.Rules {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, describe(rule))
	}
	seen := map[string]int{}
	for _, f := range result.Findings {
		position, known := index[f.Rule]
		if !known {
			return fmt.Errorf("write the findings: %s is none of the rules that are described", f.Rule)
		}
		run.Results = append(run.Results, s.result(f, position, result.Line(f.File, f.Line), seen))
	}
	log := sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(log); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

func describe(rule lint.Rule) sarifRule {
	page := rule.Summary + "\n\n" + rule.Explanation
	return sarifRule{
		ID: rule.ID, Name: rule.Name,
		ShortDescription: sarifMessage{Text: rule.Summary},
		HelpURI:          home + "/blob/main/docs/rules/" + rule.ID + ".md",
		// Readers that know no Markdown show text; the pages are readable as such.
		Help:    sarifMessage{Text: page, Markdown: page},
		Default: sarifLevel{level(rule.Severity)},
	}
}

func (s SARIF) result(f lint.Finding, rule int, line string, seen map[string]int) sarifResult {
	uri, base := address(s.Folder, f.File)
	message := f.Message
	if f.Help != "" {
		message += "\n" + f.Help
	}
	region := sarifRegion{StartLine: f.Line, StartColumn: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn}
	return sarifResult{
		RuleID: f.Rule, RuleIndex: rule, Level: level(f.Severity),
		Message:      sarifMessage{Text: message},
		Locations:    []sarifLocation{{sarifPhysical{Artifact: sarifArtifact{URI: uri, Base: base}, Region: region}}},
		Fingerprints: map[string]string{"workloadMap/v1": fingerprint(f, uri, line, seen)},
	}
}

// level is a severity in the words of the format.
func level(s lint.Severity) string {
	if s == lint.Info {
		return "note"
	}
	return s.String()
}

// fingerprint tells a finding from all others in a way that survives lines that
// come and go above it, and another wording of the message: it depends on the
// rule, the file and the text of the line. The same on a second such line is
// told apart by its number.
func fingerprint(f lint.Finding, uri, line string, seen map[string]int) string {
	hash := sha256.New()
	for _, part := range []string{f.Rule, uri, strings.TrimSpace(line)} {
		// The length keeps two parts from passing for other ones.
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	key := hex.EncodeToString(hash.Sum(nil)[:16])
	seen[key]++
	return key + ":" + strconv.Itoa(seen[key])
}
