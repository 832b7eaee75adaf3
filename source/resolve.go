package source

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// classOf is the type that a plain scalar has for kubectl: YAML 1.1 as
// go.yaml.in/yaml/v2, below sigs.k8s.io/yaml, implements it. number is the
// value of an int or float. What this function says is checked against the
// value that was read, so a difference stops the document.
func classOf(text string) (c class, number float64) {
	if text == "" {
		return classNull, 0
	}
	switch text {
	case "~", "null", "Null", "NULL":
		return classNull, 0
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return classBool, 0
	case ".nan", ".NaN", ".NAN":
		return classNoNumber, math.NaN()
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return classNoNumber, math.Inf(1)
	case "-.inf", "-.Inf", "-.INF":
		return classNoNumber, math.Inf(-1)
	}
	switch first := text[0]; {
	case first == '.':
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			return classFloat, value
		}
	case first == '+', first == '-', first >= '0' && first <= '9':
		return classOfNumber(strings.ReplaceAll(text, "_", ""))
	}
	return classString, 0
}

// numberSyntax is the number of RFC 8259.
var numberSyntax = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

var floatSyntax = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

func classOfNumber(text string) (class, float64) {
	if value, err := strconv.ParseInt(text, 0, 64); err == nil {
		return classInt, float64(value)
	}
	if value, err := strconv.ParseUint(text, 0, 64); err == nil {
		return classBig, float64(value)
	}
	if floatSyntax.MatchString(text) {
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			return classFloat, value
		}
	}
	return classString, 0
}

// keyName is the text that a plain key of a class becomes in the JSON value;
// false for keys that JSON cannot have.
func keyName(text string, c class, number float64) (string, bool) {
	switch c {
	case classString:
		return text, true
	case classBool:
		switch text[0] {
		case 'y', 'Y', 't', 'T':
			return "true", true
		case 'o', 'O':
			return strconv.FormatBool(len(text) == 2), true // on, off
		}
		return "false", true
	case classInt:
		value, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
		return strconv.FormatInt(value, 10), err == nil
	case classFloat:
		// The shortest form of a 32-bit float: what sigs.k8s.io/yaml uses.
		return strconv.FormatFloat(number, 'g', -1, 32), true
	case classNoNumber:
		switch {
		case math.IsNaN(number):
			return ".nan", true
		case number > 0:
			return ".inf", true
		}
		return "-.inf", true
	}
	return "", false
}

var integerSyntax = regexp.MustCompile(`^[-+]?[0-9][0-9_]*$`)

// losesDigits reports whether a plain number is an integer that its float does
// not hold exactly.
func losesDigits(text string, value float64) bool {
	if !integerSyntax.MatchString(text) {
		return false
	}
	exact, ok := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), 10)
	if !ok {
		return false
	}
	read, _ := new(big.Float).SetFloat64(value).Int(nil)
	return exact.Cmp(read) != 0
}
