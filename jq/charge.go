package jq

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/itchyny/gojq"
)

// charges are the functions that rewritten expressions call. Most give back
// their input unchanged, which lets them stand in the middle of a path; all
// end the run by an error.
func (m *meter) charges() []gojq.CompilerOption {
	var options []gojq.CompilerOption
	add := func(name string, arity int, charge func(value any, arguments []any) (any, error)) {
		options = append(options, gojq.WithFunction(name, arity, arity, func(value any, arguments []any) any {
			result, err := charge(value, arguments)
			if err != nil {
				return err
			}
			return result
		}))
	}
	pass := func(name string, charge func(value any) error) {
		add(name, 0, func(value any, _ []any) (any, error) { return value, charge(value) })
	}
	with := func(name string, charge func(value, argument any) error) {
		add(name, 1, func(value any, arguments []any) (any, error) { return value, charge(value, arguments[0]) })
	}
	pair := func(name string, charge func(left, right any) error) {
		add(name, 2, func(_ any, arguments []any) (any, error) {
			return []any{arguments[0], arguments[1]}, charge(arguments[0], arguments[1])
		})
	}
	pass("__made", m.made)
	pass("__sum", m.sum)
	pass("__iterable", m.iterable)
	pass("__indexable", m.indexable)
	pass("__scanned", m.scanned)
	pass("__key", m.key)
	pass("__keypart", m.keyPart)
	pass("__steps", m.pathArgument)
	pass("__entries", m.entries)
	pass("__sortable", m.sortable)
	pass("__addable", m.addable)
	pass("__flattened", m.flattened)
	pass("__transposed", m.transposed)
	pass("__exploded", m.exploded)
	pass("__written", m.written)
	pass("__thrown", m.thrown)
	pass("__text", m.jsonText)
	pass("__parsed", m.parsed)
	pass("__found", m.parsed)
	pass("__numeric", m.numeric)
	with("__searched", m.searched)
	with("__contained", m.contained)
	with("__keyed", func(_, key any) error { return m.scanned(key) })
	with("__joined", m.joined)
	with("__split", m.divided)
	pair("__compared", m.compared)
	pair("__subtracted", m.searched)
	pair("__multiplied", m.multiplied)
	pair("__divided", m.divided)
	add("__matched", 1, func(value any, arguments []any) (any, error) { return value, m.matchedOnce(value, arguments) })
	add("__matched", 2, func(value any, arguments []any) (any, error) { return value, m.matched(value, arguments) })
	add("__substituted", 1, m.substituted)
	return options
}

// made charges a value just built: it cannot be larger than what could be
// afforded before, doubled.
func (m *meter) made(value any) error { return m.spend(shallow(value)) }

func (m *meter) sum(value any) error {
	if number, ok := value.(*big.Int); ok && number.BitLen() > maxBits {
		return m.tooManyDigits()
	}
	return m.made(value)
}

func (m *meter) tooManyDigits() error {
	return m.stop(fmt.Sprintf("computes a number of more than %d digits", MaxDigits), nil)
}

// iterable charges the list of elements that an iteration keeps.
func (m *meter) iterable(value any) error {
	switch v := value.(type) {
	case []any:
		return m.spend(2 * slotBytes * int64(len(v)))
	case map[string]any:
		return errors.Join(m.spend(2*slotBytes*int64(len(v))), m.toil(sortCost(len(v))))
	default:
		return nil
	}
}

// sortCost is what sorting keys takes: a comparison costs some four times as
// much as reading a value.
func sortCost(n int) int64 { return 4 * int64(n) * int64(bits.Len(uint(n))) }

// scanned charges operations that read a string once.
func (m *meter) scanned(value any) error {
	if text, ok := value.(string); ok {
		return m.toil(1 + int64(len(text))/64)
	}
	return nil
}

// indexable charges an index or a slice, for which the engine counts the
// characters of a string one by one.
func (m *meter) indexable(value any) error {
	if text, ok := value.(string); ok {
		return m.toil(1 + int64(len(text))/16)
	}
	return nil
}

// key charges a computed index. An array as index searches, without a bound.
// Refusing it ends the run: as an error that "?" catches, it would silently
// give another result than jq.
func (m *meter) key(value any) error {
	if _, ok := value.([]any); ok {
		return m.end(Forbidden, "an array cannot be used as an index: use indices(...)", nil)
	}
	return m.scanned(value)
}

func (m *meter) keyPart(value any) error {
	if text, ok := value.(string); ok && len(text) > maxKeyBytes {
		return m.stop(fmt.Sprintf("builds an object key of more than %d bytes", maxKeyBytes), nil)
	}
	return m.made(value)
}

// pathArgument charges the path given to getpath.
func (m *meter) pathArgument(value any) error {
	steps, ok := value.([]any)
	if !ok {
		return nil
	}
	for _, step := range steps {
		if err := m.key(step); err != nil {
			return err
		}
	}
	return m.spend(shallow(value))
}

// entries charges what the functions around {key, value} objects build: some
// three objects for each entry.
func (m *meter) entries(value any) error {
	n := 0
	switch v := value.(type) {
	case []any:
		n = len(v)
	case map[string]any:
		n = len(v)
	}
	return errors.Join(m.spend(3*objectBytes*int64(n)), m.toil(sortCost(n)))
}

func (m *meter) sortable(value any) error {
	array, ok := value.([]any)
	if !ok {
		return nil
	}
	e, err := m.measure(value)
	if err != nil {
		return err
	}
	return errors.Join(m.spend(6*slotBytes*int64(len(array))), m.toil(e.values*int64(bits.Len(uint(len(array))))))
}

// addable charges the sum of all elements before add makes it.
func (m *meter) addable(value any) error {
	total := int64(0)
	count := func(held any) { total += shallow(held) }
	switch v := value.(type) {
	case []any:
		for _, held := range v {
			count(held)
		}
	case map[string]any:
		for _, held := range v {
			count(held)
		}
	}
	if err := m.iterable(value); err != nil {
		return err
	}
	return m.afford(total)
}

// flattened charges the elements of all levels.
func (m *meter) flattened(value any) error {
	e, err := m.measure(value)
	if err != nil {
		return err
	}
	return m.afford(e.values * slotBytes)
}

func (m *meter) transposed(value any) error {
	rows, _ := value.([]any)
	width := 0
	for _, row := range rows {
		if cells, ok := row.([]any); ok {
			width = max(width, len(cells))
		}
	}
	return m.spend((int64(len(rows))*slotBytes + 3*arrayBytes) * int64(width))
}

// searched charges comparing everything in one value with everything in another.
func (m *meter) searched(left, right any) error {
	if !isContainer(left) && !isContainer(right) {
		return m.searchedText(left, right)
	}
	l, err := m.measure(left)
	if err != nil {
		return err
	}
	r, err := m.measure(right)
	if err != nil {
		return err
	}
	if err := m.spend(shallow(left)); err != nil {
		return err
	}
	return m.product(l.values, r.values)
}

// searchedText charges the search of a string in another. The engine splits
// both into characters for some functions, and then compares at every position.
func (m *meter) searchedText(left, right any) error {
	l, _ := left.(string)
	r, _ := right.(string)
	if err := m.spend(2 * slotBytes * int64(len(l)+len(r))); err != nil {
		return err
	}
	return m.product(int64(len(l)), int64(min(len(l), len(r)))/4+1)
}

func (m *meter) product(a, b int64) error {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high > 0 || low > MaxWork {
		return m.toil(MaxWork + 1)
	}
	return m.toil(int64(low))
}

func isContainer(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	default:
		return false
	}
}

func (m *meter) joined(value, separator any) error {
	n := int64(0)
	switch v := value.(type) {
	case []any:
		n = int64(len(v))
	case map[string]any:
		n = int64(len(v))
	}
	high, total := bits.Mul64(uint64(n), uint64(shallow(separator)))
	if high > 0 || total > MaxBytes {
		return m.afford(MaxBytes + 1)
	}
	return errors.Join(m.addable(value), m.afford(int64(total)))
}

// divided charges splitting a string; each piece is at least as long as the separator.
func (m *meter) divided(left, right any) error {
	text, ok := left.(string)
	if !ok {
		return nil
	}
	separator, _ := right.(string)
	pieces := int64(len(text)/max(1, len(separator)) + 1)
	return errors.Join(m.scanned(text), m.spend(pieces*2*slotBytes))
}

func (m *meter) compared(left, right any) error {
	if !isContainer(left) || !isContainer(right) {
		l, _ := left.(string)
		r, _ := right.(string)
		return m.toil(int64(min(len(l), len(r))) / 64)
	}
	if _, err := m.measure(left); err != nil {
		return err
	}
	_, err := m.measure(right)
	return err
}

// multiplied charges products of numbers, repeated strings and merged objects.
func (m *meter) multiplied(left, right any) error {
	if text, ok := left.(string); ok {
		return m.repeated(text, right)
	}
	if text, ok := right.(string); ok {
		return m.repeated(text, left)
	}
	if _, ok := left.(map[string]any); ok {
		l, err := m.measure(left)
		if err != nil {
			return err
		}
		r, err := m.measure(right)
		if err != nil {
			return err
		}
		return m.spend((l.values + r.values) * objectBytes / 2)
	}
	if bitLength(left)+bitLength(right) > maxBits {
		return m.tooManyDigits()
	}
	return nil
}

func (m *meter) repeated(text string, count any) error {
	times, ok := gojq.ToFloat64(count)
	if !ok {
		return nil
	}
	total := times * float64(len(text))
	if total > MaxBytes {
		return m.afford(MaxBytes + 1)
	}
	if !(total > 0) {
		return nil
	}
	return m.spend(int64(total))
}

func bitLength(value any) int {
	switch v := value.(type) {
	case *big.Int:
		return v.BitLen()
	case json.Number:
		return len(v) * 10 / 3
	case int:
		return 64
	default:
		return 0
	}
}

// contained charges contains and inside. On strings they are one search.
func (m *meter) contained(left, right any) error {
	l, leftIsText := left.(string)
	r, rightIsText := right.(string)
	if leftIsText && rightIsText {
		return m.toil(1 + int64(len(l)+len(r))/16)
	}
	return m.searched(left, right)
}
