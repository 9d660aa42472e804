package witness

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// node is a JSON value with all its members, including duplicate keys: which one counts
// is up to the client.
type node struct {
	kind    jsonscan.Kind
	raw     []byte
	text    string // of a string
	members []member
	elems   []*node
}

type member struct {
	key   string
	value *node
}

// parse reads a JSON value.
func parse(raw []byte) (*node, bool) {
	var s jsonscan.Scanner
	s.Reset(raw)
	n := read(&s, raw)
	return n, s.End() == nil
}

func read(s *jsonscan.Scanner, data []byte) *node {
	n := &node{kind: s.Kind()}
	start := s.Pos()
	switch n.kind {
	case jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			name := string(key)
			n.members = append(n.members, member{name, read(s, data)})
		}
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			n.elems = append(n.elems, read(s, data))
		}
	case jsonscan.String:
		var buf []byte
		text, _ := s.Str(&buf)
		n.text = string(text)
	default:
		s.Skip()
	}
	if end := s.Pos(); start <= end && end <= len(data) {
		n.raw = data[start:end]
	}
	return n
}

// all returns the values of all members with a name, ignoring case as some clients do.
func (n *node) all(name string) []*node {
	if n == nil {
		return nil
	}
	var found []*node
	for i := range n.members {
		if strings.EqualFold(n.members[i].key, name) {
			found = append(found, n.members[i].value)
		}
	}
	return found
}

// any returns the values of all members with one of several names.
func (n *node) any(names ...string) []*node {
	found := make([]*node, 0, 1)
	for _, name := range names {
		found = append(found, n.all(name)...)
	}
	return found
}

// list returns the elements of an array, or any other value as the only one.
func (n *node) list() []*node {
	if n.kind == jsonscan.Array {
		return n.elems
	}
	if n.kind == jsonscan.Null {
		return nil
	}
	return []*node{n}
}

// asText is the text of a string, or the JSON of any other value.
func (n *node) asText() string {
	if n.kind == jsonscan.String {
		return n.text
	}
	if n.kind == jsonscan.Null {
		return ""
	}
	return string(n.raw)
}

// hasData reports whether a value contains a text or a number, apart from types: without
// one, nothing is known yet about a call.
func (n *node) hasData() bool {
	switch n.kind {
	case jsonscan.String:
		return n.text != ""
	case jsonscan.Array:
		return slices.ContainsFunc(n.elems, (*node).hasData)
	case jsonscan.Object:
		return slices.ContainsFunc(n.members, func(m member) bool {
			return !(strings.EqualFold(m.key, "type") && m.value.kind == jsonscan.String) && m.value.hasData()
		})
	case jsonscan.Number:
		return true
	default:
		return false
	}
}

// texts are the texts of all members with a name that are strings.
func (n *node) texts(names ...string) []string {
	var found []string
	for _, v := range n.any(names...) {
		if v.kind == jsonscan.String {
			found = append(found, v.text)
		}
	}
	return found
}

// first is the text of the first member with a name, empty if there is none.
func (n *node) first(name string) string {
	if texts := n.texts(name); len(texts) > 0 {
		return texts[0]
	}
	return ""
}

// number is the value of a member that is a number or a numeric string.
func (n *node) number(name string) (int64, bool) {
	for _, v := range n.all(name) {
		raw := v.raw
		if v.kind == jsonscan.String {
			raw = []byte(v.text)
		}
		var s jsonscan.Scanner
		s.Reset(raw)
		if i, ok := s.Int(); ok && s.End() == nil {
			return i, true
		}
	}
	return 0, false
}
