package sluicetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JSON object: values are object, []any, string, json.Number, bool
// and nil.
type object = map[string]any

// parse reads a payload that must be one JSON object. It returns nil after a
// violation.
func (in *inspector) parse(data []byte) object {
	value, err := decode(data)
	if err != nil {
		in.fail("json", "%v", err)
		return nil
	}
	o, ok := value.(object)
	if !ok {
		in.fail("json", "the payload is %s, want an object", kindOf(value))
		return nil
	}
	return o
}

// decode parses one JSON value and refuses duplicate members, because two clients could
// then see two answers, and invalid UTF-8.
func decode(data []byte) (any, error) {
	// After Valid the walk need not check for errors; Valid also bounds the depth, and
	// so the recursion.
	if !json.Valid(data) {
		return nil, errors.New("not one JSON value")
	}
	if !utf8.Valid(data) {
		return nil, errors.New("not UTF-8")
	}
	w := &walk{data: data}
	value := w.value()
	if w.twice != "" {
		return nil, fmt.Errorf("an object has the member %q twice", w.twice)
	}
	return value, nil
}

// walk reads valid JSON.
type walk struct {
	data  []byte
	at    int
	twice string // the first duplicate member
}

// next skips space and commas and colons, which valid JSON has in the right
// places only, and returns the byte that follows.
func (w *walk) next() byte {
	for strings.IndexByte(" \t\r\n,:", w.data[w.at]) >= 0 {
		w.at++
	}
	return w.data[w.at]
}

func (w *walk) value() any {
	switch w.next() {
	case '{':
		w.at++
		o := object{}
		for w.next() != '}' {
			name := w.text()
			if _, known := o[name]; known && w.twice == "" {
				w.twice = name
			}
			o[name] = w.value()
		}
		w.at++
		return o
	case '[':
		w.at++
		list := []any{}
		for w.next() != ']' {
			list = append(list, w.value())
		}
		w.at++
		return list
	case '"':
		return w.text()
	default:
		return w.literal()
	}
}

// text reads a string.
func (w *walk) text() string {
	start, escaped := w.at, false
	for w.at++; w.data[w.at] != '"'; w.at++ {
		if w.data[w.at] == '\\' {
			escaped = true
			w.at++
		}
	}
	w.at++
	if !escaped {
		return string(w.data[start+1 : w.at-1])
	}
	var text string
	if err := json.Unmarshal(w.data[start:w.at], &text); err != nil {
		panic(err) // a string of valid JSON
	}
	return text
}

// literal reads a number, true, false or null.
func (w *walk) literal() any {
	start := w.at
	for w.at < len(w.data) && strings.IndexByte(" \t\r\n,:]}", w.data[w.at]) < 0 {
		w.at++
	}
	switch word := string(w.data[start:w.at]); word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	default:
		return json.Number(word)
	}
}

// kindOf names a JSON value's type for people.
func kindOf(value any) string {
	switch value.(type) {
	case object:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	default:
		return "null"
	}
}

// text returns a string member; absent and null are "". Another type is a
// violation.
func (in *inspector) text(o object, key string) string {
	switch value := o[key].(type) {
	case nil:
		return ""
	case string:
		return value
	default:
		in.fail("type", "%q is %s, want a string", key, kindOf(value))
		return ""
	}
}

// need returns a string member that must be there and not empty.
func (in *inspector) need(rule string, o object, key, what string) string {
	value := in.text(o, key)
	if value == "" {
		in.fail(rule, "%s has no %q", what, key)
	}
	return value
}

// needString returns a string member that must be there and may be empty.
func (in *inspector) needString(rule string, o object, key, what string) string {
	if _, ok := o[key].(string); !ok {
		in.fail(rule, "%q of %s is %s, want a string", key, what, kindOf(o[key]))
	}
	return in.text(o, key)
}

// number returns an integer member that is not negative; ok is false if it is
// absent or null.
func (in *inspector) number(o object, key string) (n int, ok bool) {
	value := o[key]
	if value == nil {
		return 0, false
	}
	literal, isNumber := value.(json.Number)
	if isNumber {
		if n, err := strconv.Atoi(literal.String()); err == nil && n >= 0 {
			return n, true
		}
	}
	in.fail("type", "%q is %v, want a whole number from 0", key, value)
	return 0, false
}

// needNumber returns an integer member that must be there.
func (in *inspector) needNumber(rule string, o object, key, what string) int {
	n, ok := in.number(o, key)
	if !ok {
		in.fail(rule, "%s has no %q", what, key)
	}
	return n
}

// object returns an object member; absent and null are nil. Another type is a
// violation.
func (in *inspector) object(o object, key string) object {
	switch value := o[key].(type) {
	case nil:
		return nil
	case object:
		return value
	default:
		in.fail("type", "%q is %s, want an object", key, kindOf(value))
		return nil
	}
}

// needObject returns an object member that must be there.
func (in *inspector) needObject(rule string, o object, key, what string) object {
	value := in.object(o, key)
	if value == nil {
		in.fail(rule, "%s has no object %q", what, key)
	}
	return value
}

// list returns the objects of an array member; absent and null are nil. Another
// type, also of an element, is a violation.
func (in *inspector) list(o object, key string) []object {
	if o[key] == nil {
		return nil
	}
	elements, ok := o[key].([]any)
	if !ok {
		in.fail("type", "%q is %s, want an array", key, kindOf(o[key]))
		return nil
	}
	objects := make([]object, 0, len(elements))
	for i, element := range elements {
		value, ok := element.(object)
		if !ok {
			in.fail("type", "%q has %s at %d, want objects", key, kindOf(element), i)
			return nil
		}
		objects = append(objects, value)
	}
	return objects
}

// needList is list for a member that must be there.
func (in *inspector) needList(rule string, o object, key, what string) []object {
	if o[key] == nil {
		in.fail(rule, "%s has no array %q", what, key)
		return nil
	}
	return in.list(o, key)
}

// compact returns the JSON of a value, "" for none.
func compact(value any) string {
	if value == nil {
		return ""
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// jsonNumber is a number as decode returns it.
func jsonNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }
