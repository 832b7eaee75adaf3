package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// tree is a JSON value that was read in one pass. Its texts are parts of the file's
// text, so that reading an index makes next to no copies: with encoding/json, which
// reads what is inside again on each level, loading one takes more than twice as long.
type tree struct {
	// kind is the first character of a value's JSON, '0' for numbers.
	kind byte
	// text is a decoded string, or a number as written.
	text string
	// raw is the value as written.
	raw string
	// keys and items belong together in an object.
	keys  []string
	items []tree
}

// deepestJSON is how deep a file may be nested: two for each level of a type.
const deepestJSON = 2*maxLevels + 10

func readTree(content []byte) (tree, error) {
	r := &treeReader{text: string(content)}
	value, err := r.value(0)
	if err != nil {
		return tree{}, err
	}
	if r.space(); r.at < len(r.text) {
		return tree{}, r.fault("nothing may follow")
	}
	return value, nil
}

type treeReader struct {
	text string
	at   int
}

func (r *treeReader) fault(want string) error {
	line := 1 + strings.Count(r.text[:r.at], "\n")
	if r.at == len(r.text) {
		return fmt.Errorf("line %d: the JSON ends too early: %s", line, want)
	}
	return fmt.Errorf("line %d: this is no JSON at %q: %s", line, r.text[r.at:min(r.at+10, len(r.text))], want)
}

func (r *treeReader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\n', '\t', '\r':
			r.at++
		default:
			return
		}
	}
}

// next takes a character if it comes next.
func (r *treeReader) next(character byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == character {
		r.at++
		return true
	}
	return false
}

func (r *treeReader) value(level int) (tree, error) {
	if level > deepestJSON {
		return tree{}, fmt.Errorf("it is nested deeper than %d levels", deepestJSON)
	}
	r.space()
	if r.at == len(r.text) {
		return tree{}, r.fault("a value has to follow")
	}
	start := r.at
	made := tree{kind: r.text[r.at]}
	var err error
	switch made.kind {
	case '{', '[':
		r.at++
		err = r.collection(&made, level)
	case '"':
		made.text, err = r.string()
	case 't':
		err = r.word("true")
	case 'f':
		err = r.word("false")
	case 'n':
		err = r.word("null")
	default:
		made.kind = '0'
		made.text, err = r.number()
	}
	made.raw = r.text[start:r.at]
	return made, err
}

func (r *treeReader) collection(made *tree, level int) error {
	end := byte(']')
	if made.kind == '{' {
		end = '}'
	}
	if r.next(end) {
		return nil
	}
	for {
		if made.kind == '{' {
			r.space()
			key, err := r.string()
			if err != nil {
				return err
			}
			if !r.next(':') {
				return r.fault("a colon has to follow")
			}
			made.keys = append(made.keys, key)
		}
		item, err := r.value(level + 1)
		if err != nil {
			return err
		}
		made.items = append(made.items, item)
		if r.next(end) {
			return nil
		}
		if !r.next(',') {
			return r.fault("a comma or " + string(end) + " has to follow")
		}
	}
}

func (r *treeReader) word(word string) error {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return r.fault("a value has to follow")
	}
	r.at += len(word)
	return nil
}

func (r *treeReader) string() (string, error) {
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return "", r.fault("a text in quotes has to follow")
	}
	escaped := false
	for end := r.at + 1; end < len(r.text); end++ {
		switch character := r.text[end]; {
		case character == '\\':
			escaped = true
			end++
		case character < ' ':
			return "", r.fault("a text in quotes has to end on its line")
		case character == '"':
			literal := r.text[r.at : end+1]
			decoded := literal[1 : len(literal)-1]
			if escaped {
				if err := json.Unmarshal([]byte(literal), &decoded); err != nil {
					return "", r.fault("its escapes are wrong")
				}
			}
			r.at = end + 1
			return decoded, nil
		}
	}
	return "", r.fault("its quote is never closed")
}

func (r *treeReader) number() (string, error) {
	end := r.at
	for end < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[end]) >= 0 {
		end++
	}
	literal := r.text[r.at:end]
	if !json.Valid([]byte(literal)) {
		return "", r.fault("a value has to follow")
	}
	r.at = end
	return literal, nil
}

// The names of what a value is, for people.
var treeKinds = map[byte]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "true", 'f': "false", 'n': "null"}

func (t tree) needs(what string) error {
	return fmt.Errorf("%s is needed, this is %s", what, treeKinds[t.kind])
}

// field is a value of an object, a tree of kind 0 where there is none.
func (t tree) field(key string) tree {
	for i, each := range t.keys {
		if each == key {
			return t.items[i]
		}
	}
	return tree{}
}

func (t tree) texts() ([]string, error) {
	if t.kind != '[' {
		return nil, t.needs("a list of names")
	}
	texts := make([]string, len(t.items))
	for i, item := range t.items {
		if item.kind != '"' {
			return nil, item.needs("a name")
		}
		texts[i] = item.text
	}
	return texts, nil
}

func (t tree) isTrue() (bool, error) {
	if t.kind != 't' && t.kind != 'f' {
		return false, t.needs("true or false")
	}
	return t.kind == 't', nil
}

// value is what the tree stands for, with whole numbers as int64.
func (t tree) value() (any, error) {
	switch t.kind {
	case '{':
		object := make(map[string]any, len(t.items))
		for i, item := range t.items {
			value, err := item.value()
			if err != nil {
				return nil, err
			}
			object[t.keys[i]] = value
		}
		return object, nil
	case '[':
		list := make([]any, len(t.items))
		for i, item := range t.items {
			value, err := item.value()
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case '"':
		return t.text, nil
	case 't', 'f':
		return t.kind == 't', nil
	case '0':
		if whole, err := strconv.ParseInt(t.text, 10, 64); err == nil {
			return whole, nil
		}
		fraction, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return nil, errors.New("the number " + t.text + " is too large")
		}
		return fraction, nil
	}
	return nil, nil
}
