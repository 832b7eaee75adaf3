package mutation

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/workloadmap/wm/jq"
)

// turned holds for each operator the one that is easily written instead.
var turned = map[string]struct{ operator, words string }{
	"==":  {"!=", "unequal instead of equal"},
	"!=":  {"==", "equal instead of unequal"},
	"<":   {"<=", "also when both are equal"},
	"<=":  {"<", "no longer when both are equal"},
	">":   {">=", "also when both are equal"},
	">=":  {">", "no longer when both are equal"},
	"and": {"or", "when one of two conditions holds instead of both"},
	"or":  {"and", "only when both conditions hold instead of one"},
	"*":   {"+", "added instead of multiplied"},
	"-":   {"+", "added instead of subtracted"},
}

// comparisons turn an operator around.
func comparisons(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeBinary || x.text(n.MarkStart, n.MarkEnd) != n.Name {
				return
			}
			other, ok := turned[n.Name]
			if n.Name == "+" && (isNumber(n.Args[0]) || isNumber(n.Args[1])) {
				other.operator, other.words, ok = "-", "subtracted instead of added", true
			}
			if !ok {
				return
			}
			meaning := fmt.Sprintf("%s: %s, in %s", x.subject(), other.words, short(x.text(n.Start, n.End)))
			proposed = append(proposed, o.rewrite("turn-operator", x, n.MarkStart, n.MarkEnd, other.operator, meaning))
		})
	}
	return proposed
}

// isNumber tells an addition apart from what else jq writes with +.
func isNumber(n *jq.Node) bool {
	_, ok := n.Value.(float64)
	return ok && n.Kind == jq.NodeLiteral
}

// constants change a number, a boolean, or a text that is compared with.
func constants(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		compared := comparedTexts(x.root)
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeLiteral {
				return
			}
			var other string
			switch value := n.Value.(type) {
			case bool:
				other = strconv.FormatBool(!value)
			case float64:
				other = otherNumber(value)
			case string:
				if !slices.Contains(compared, n) {
					return
				}
				other = o.otherText(x, value)
			default:
				return
			}
			was := x.text(n.Start, n.End)
			proposed = append(proposed, o.rewrite("change-constant", x, n.Start, n.End, other, fmt.Sprintf("%s: %s instead of %s", x.subject(), other, was)))
		})
	}
	return proposed
}

// otherNumber is one more, or one where a number is as good as unbounded.
func otherNumber(value float64) string {
	if math.Abs(value) >= 1e6 || value != math.Trunc(value) {
		return "1"
	}
	return strconv.FormatInt(int64(value)+1, 10)
}

// comparedTexts are the literals that stand beside == or !=.
func comparedTexts(root *jq.Node) []*jq.Node {
	var found []*jq.Node
	each(root, func(n *jq.Node) {
		if n.Kind != jq.NodeBinary || n.Name != "==" && n.Name != "!=" {
			return
		}
		for _, side := range n.Args {
			if side.Kind == jq.NodeLiteral {
				found = append(found, side)
			}
		}
	})
	return found
}

// otherText is the most similar text that the expression compares with too, or
// one that nothing equals.
func (o *original) otherText(x *expression, text string) string {
	var texts []string
	for _, n := range comparedTexts(x.root) {
		if other, ok := n.Value.(string); ok && other != text {
			texts = append(texts, other)
		}
	}
	slices.Sort(texts)
	other, ok := mostSimilar(text, texts)
	if !ok {
		other = text + "-other"
	}
	switch text {
	case "True":
		other = "False"
	case "False":
		other = "True"
	}
	return quoted(other)
}

// quoted is a text as jq writes it.
func quoted(text string) string {
	content, err := json.Marshal(text)
	if err != nil {
		return strconv.Quote(text)
	}
	return string(content)
}

// branches are never taken, or always.
func branches(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeIf {
				return
			}
			condition := n.Args[0]
			start, end := condition.Start, condition.End
			when := short(x.text(start, end))
			proposed = append(proposed, o.rewrite("drop-branch", x, start, end, "false",
				fmt.Sprintf("%s: the case %s is not told apart", x.subject(), when)))
			if len(n.Args) > 2 && n.Args[2] != nil && n.Args[2].Kind != jq.NodeIf {
				proposed = append(proposed, o.rewrite("drop-branch", x, start, end, "true",
					fmt.Sprintf("%s: what is not %s is not told apart", x.subject(), when)))
			}
		})
	}
	return proposed
}

// likeness are functions that are taken for each other.
var likeness = map[string]string{
	"min": "max", "max": "min", "any": "all", "all": "any", "first": "last", "last": "first",
	"floor": "ceil", "ceil": "floor", "startswith": "endswith", "endswith": "startswith",
	"min_by": "max_by", "max_by": "min_by",
}

// calls call a similar function, or select everything.
func calls(o *original) []candidate {
	var proposed []candidate
	for _, x := range o.expressions {
		each(x.root, func(n *jq.Node) {
			if n.Kind != jq.NodeCall {
				return
			}
			if n.Name == "select" && len(n.Args) == 1 && strings.HasPrefix(x.text(n.Start, n.End), "select") {
				meaning := fmt.Sprintf("%s: also what is not %s", x.subject(), short(x.text(n.Args[0].Start, n.Args[0].End)))
				proposed = append(proposed, o.rewrite("drop-select", x, n.Start, n.End, ".", meaning))
			}
			other, ok := likeness[n.Name]
			if !ok || x.text(n.MarkStart, n.MarkEnd) != n.Name {
				return
			}
			proposed = append(proposed, o.rewrite("change-function", x, n.MarkStart, n.MarkEnd, other,
				fmt.Sprintf("%s: %s instead of %s", x.subject(), other, n.Name)))
		})
	}
	return proposed
}
