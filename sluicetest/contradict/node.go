package contradict

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// node is a JSON value that can be what no map can: an object with a member
// twice, with members in any order, with names that are spelled with escapes.
type node struct {
	kind kind
	// text is a string's contents, or the literal of any other scalar.
	text string
	// escaped writes every character of a string as an escape.
	escaped bool
	// keys are the names of an object's members, items their values or the
	// elements of an array.
	keys  []key
	items []*node
}

type kind uint8

const (
	literal kind = iota
	text
	object
	array
)

// key is the name of a member. Its raw spelling, if there is one, is written
// between the quotes instead.
type key struct{ name, raw string }

// from returns a value as a node: nil, a bool, an int, a string or a node, which
// is taken as it is.
func from(v any) *node {
	switch v := v.(type) {
	case *node:
		if v == nil {
			return from(nil)
		}
		return v
	case string:
		return &node{kind: text, text: v}
	case int:
		return &node{text: strconv.Itoa(v)}
	case bool:
		return &node{text: strconv.FormatBool(v)}
	default:
		return &node{text: "null"}
	}
}

// raw returns a literal that is written as it is.
func raw(json string) *node { return &node{text: json} }

// obj returns an object of names and values in turn.
func obj(pairs ...any) *node {
	o := &node{kind: object, keys: make([]key, 0, len(pairs)/2+1), items: make([]*node, 0, len(pairs)/2+1)}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		o.add(name, pairs[i+1])
	}
	return o
}

// list returns an array.
func list(items ...*node) *node { return &node{kind: array, items: items} }

// add appends a member, also if there is one of that name.
func (n *node) add(name string, value any) *node {
	n.keys = append(n.keys, key{name: name})
	n.items = append(n.items, from(value))
	return n
}

// at is the index of a member, -1 if there is none.
func (n *node) at(name string) int {
	if n == nil || n.kind != object {
		return -1
	}
	for i := range n.keys {
		if n.keys[i].name == name {
			return i
		}
	}
	return -1
}

// get returns the value at a path of names, nil if there is none.
func (n *node) get(path ...string) *node {
	for _, name := range path {
		i := n.at(name)
		if i < 0 {
			return nil
		}
		n = n.items[i]
	}
	return n
}

// str returns the text of a member, "" if it is none.
func (n *node) str(name string) string {
	if v := n.get(name); v != nil && v.kind == text {
		return v.text
	}
	return ""
}

// set gives a member another value, or adds it.
func (n *node) set(name string, value any) {
	if i := n.at(name); i >= 0 {
		n.items[i] = from(value)
	} else if n.kind == object {
		n.add(name, value)
	}
}

// drop removes a member and reports whether there was one.
func (n *node) drop(name string) bool {
	i := n.at(name)
	if i < 0 {
		return false
	}
	n.keys = append(n.keys[:i:i], n.keys[i+1:]...)
	n.items = append(n.items[:i:i], n.items[i+1:]...)
	return true
}

// clone returns a copy that shares nothing.
func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	c := *n
	c.keys = append([]key(nil), n.keys...)
	c.items = make([]*node, len(n.items))
	for i, item := range n.items {
		c.items[i] = item.clone()
	}
	return &c
}

// walk calls visit with every object in a value, outermost first.
func (n *node) walk(visit func(*node)) {
	if n == nil {
		return
	}
	if n.kind == object {
		visit(n)
	}
	for _, item := range n.items {
		item.walk(visit)
	}
}

// String returns the JSON.
func (n *node) String() string { return string(n.append(nil)) }

func (n *node) append(dst []byte) []byte {
	switch n.kind {
	case text:
		if n.escaped {
			return append(appendEscaped(append(dst, '"'), n.text), '"')
		}
		return appendQuoted(dst, n.text)
	case object:
		dst = append(dst, '{')
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if n.keys[i].raw != "" {
				dst = append(append(append(dst, '"'), n.keys[i].raw...), '"')
			} else {
				dst = appendQuoted(dst, n.keys[i].name)
			}
			dst = item.append(append(dst, ':'))
		}
		return append(dst, '}')
	case array:
		dst = append(dst, '[')
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	default:
		return append(dst, n.text...)
	}
}

// quoted returns a text as a JSON string.
func quoted(s string) string { return string(appendQuoted(nil, s)) }

// appendQuoted writes a JSON string with as few escapes as JSON allows.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = appendUnit(dst, uint16(c))
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// escaped returns a text with all its characters as JSON escapes.
func escaped(s string) string { return string(appendEscaped(nil, s)) }

func appendEscaped(dst []byte, s string) []byte {
	for _, r := range s {
		if r > 0xFFFF && r != utf8.RuneError {
			high, low := utf16.EncodeRune(r)
			dst = appendUnit(appendUnit(dst, uint16(high)), uint16(low))
			continue
		}
		dst = appendUnit(dst, uint16(r))
	}
	return dst
}

func appendUnit(dst []byte, unit uint16) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}

// pieces cuts a text in two or more between characters, if it is long enough.
func (d *draft) pieces(s string) []string {
	var cut []string
	for s != "" {
		n := 1 + d.IntN(24)
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		n = min(n, len(s))
		cut = append(cut, s[:n])
		s = s[n:]
	}
	return cut
}
