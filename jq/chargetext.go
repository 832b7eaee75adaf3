package jq

import (
	"errors"
	"fmt"
)

func (m *meter) exploded(value any) error {
	if text, ok := value.(string); ok {
		return m.spend(2 * slotBytes * int64(len(text)))
	}
	return nil
}

// written charges operations that turn a value into text.
func (m *meter) written(value any) error {
	switch value.(type) {
	case nil, bool, int, float64:
		return nil
	}
	e, err := m.measure(value)
	if err != nil {
		return err
	}
	return m.afford(e.text)
}

// maxThrown is the size of a value that error may carry: it is written into a message.
const maxThrown = 64 << 10

func (m *meter) thrown(value any) error {
	e, err := m.measure(value)
	if err != nil {
		return err
	}
	if e.text > maxThrown*escapeFactor {
		return m.stop(fmt.Sprintf("raises an error with a value of more than %d KiB", maxThrown>>10), nil)
	}
	return m.spend(e.text)
}

// jsonText charges a JSON text before it is read. The dearest text for its
// length is [{},{},...]: a map for every three bytes.
func (m *meter) jsonText(value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	return errors.Join(m.toil(int64(len(text))/4), m.afford(48*int64(len(text))))
}

func (m *meter) parsed(value any) error {
	e, err := m.measure(value)
	if err != nil {
		return err
	}
	return m.spend(e.text/escapeFactor + e.values*3*slotBytes)
}

func (m *meter) numeric(value any) error {
	if text, ok := value.(string); ok && len(text) > MaxDigits {
		return m.tooManyDigits()
	}
	return nil
}

// matchedOnce charges a test: its time is at most the size of the regular
// expression times the length of the text.
func (m *meter) matchedOnce(value any, arguments []any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	cost, _ := arguments[0].(int)
	return m.toil(1 + int64(cost)*int64(len(text)+1))
}

// shortText is the length up to which the objects of all matches are small
// enough to be charged only as they are used.
const shortText = 1024

// matched charges finding all matches: for each of them and for each of its
// groups the engine counts characters from the start and builds an object.
func (m *meter) matched(value any, arguments []any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	groups, _ := arguments[1].(int)
	length := int64(len(text))
	if err := errors.Join(m.matchedOnce(value, arguments), m.toil(length*length/16*int64(groups+1))); err != nil {
		return err
	}
	if length <= shortText {
		return nil
	}
	return m.spend((length + 1) * int64(groups+1) * objectBytes)
}
