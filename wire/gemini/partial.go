package gemini

import (
	"bytes"
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// Limits on streamed arguments, over all open calls, and on the depth of a path.
const (
	maxStreamed  = 16 << 20
	maxPathDepth = 64
	// nodeCost is what a value counts for besides its bytes.
	nodeCost = 192
)

// Why pieces of arguments were refused. Anything ambiguous is: a client must not
// execute another call than the one that was judged.
var (
	errPath      = errors.New("a jsonPath is not of the form $.name[0]['name']")
	errDepth     = errors.New("a jsonPath goes too deep")
	errIndex     = errors.New("a jsonPath skips elements of an array")
	errShape     = errors.New("a jsonPath goes through a value that is of another type")
	errSpellings = errors.New("the pieces of a call are encoded in different ways")
	errTwice     = errors.New("a value is set twice")
	errPiece     = errors.New("a piece has no path, or not one value of a known type")
	errPieceJSON = errors.New("a piece is not an object")
)

// arguments is an object that is built from pieces. The zero value is empty.
type arguments struct {
	root      *node
	last      *node // the string that the last piece touched
	size      int   // its memory cost
	path      []step
	spellings spellings
	more      bool // the last array has unknown members
	// unclear is set when a path was used that clients read in different ways.
	unclear bool
}

type shape uint8

const (
	object shape = iota
	array
	str
	scalar // number, true, false, null: raw JSON in text
)

type node struct {
	shape shape
	open  bool // a string that continues
	// spelling is the first step that led here, if it was not .name or an index.
	spelling string
	names    []string
	byName   map[string]int // where names are many
	members  []*node        // of an object or array
	text     []byte
}

// apply processes the pieces of one partialArgs array, which is valid JSON. It reports
// whether a string continued after it had ended.
func (a *arguments) apply(s *jsonscan.Scanner, raw []byte) (reopened bool, err error) {
	s.Reset(raw)
	if !s.Array() {
		return false, errPieceJSON
	}
	a.more = false
	for s.Elem() {
		p, err := scanPiece(s)
		if err != nil {
			return reopened, err
		}
		a.more = a.more || p.more
		if !a.spellings.join(p.spellings) {
			return reopened, errSpellings
		}
		a.unclear = a.unclear || a.spellings.snake != 0
		again, err := a.set(&p)
		reopened = reopened || again
		if err != nil {
			return reopened, err
		}
		if a.size > maxStreamed {
			return reopened, nil // the decoder reports it
		}
	}
	return reopened, nil
}

// piece is one element of partialArgs.
type piece struct {
	path      []byte
	value     []byte // unescaped text of a string, raw JSON of a scalar
	shape     shape
	has       bool
	open      bool
	more      bool // it has unknown members
	spellings spellings
}

func scanPiece(s *jsonscan.Scanner) (piece, error) {
	var (
		p         piece
		seen, bit uint
	)
	if !s.Object() {
		return p, errPieceJSON
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		bit = 0
		values := 0
		switch string(key) {
		case "jsonPath", "json_path":
			bit = 1
			p.spellings.add(spellingPath, key)
			p.path, ok = s.Str(nil)
		case "willContinue", "will_continue":
			bit = 2
			if !s.Null() {
				p.spellings.add(spellingPieceContinue, key)
				p.open, ok = s.Bool()
			}
		case "stringValue", "string_value":
			bit, values = 4, 1
			if !s.Null() {
				p.value, ok = s.Str(nil)
				p.shape, p.has = str, true
			}
		case "numberValue", "number_value":
			bit, values = 8, 1
			if !s.Null() {
				ok = s.Kind() == jsonscan.Number
				p.value, p.shape, p.has = s.Raw(), scalar, true
			}
		case "boolValue", "bool_value":
			bit, values = 16, 1
			if !s.Null() {
				ok = s.Kind() == jsonscan.True || s.Kind() == jsonscan.False
				p.value, p.shape, p.has = s.Raw(), scalar, true
			}
		case "nullValue", "null_value":
			// Here null is the value itself; "NULL_VALUE" is its other spelling.
			bit, values = 32, 1
			ok = s.Kind() == jsonscan.Null || s.Kind() == jsonscan.String
			s.Skip()
			p.value, p.shape, p.has = []byte("null"), scalar, true
		default:
			// Unknown members are ignored, unless they could be a value or a path.
			if !s.Null() {
				ok = !couldTell(key)
				p.more = true
				s.Skip()
			}
		}
		if !ok || seen&bit != 0 {
			return p, errPiece
		}
		seen |= bit
		if values > 0 && seen&^(3|bit) != 0 {
			return p, errPiece
		}
		if values > 0 && p.has {
			p.spellings.add(spellingValue, key)
		}
	}
	if p.path == nil {
		return p, errPiece
	}
	return p, nil
}

// couldTell reports whether some client could read an unknown member of a piece as a
// part of the arguments.
func couldTell(key []byte) bool {
	name := bytes.ToLower(key)
	return disguised(key) || bytes.HasSuffix(name, []byte("value")) || bytes.HasSuffix(name, []byte("path"))
}

// set applies one piece.
func (a *arguments) set(p *piece) (reopened bool, err error) {
	path := p.path
	if !p.has {
		path = bytes.TrimSuffix(path, []byte("[]")) // the end of an array
	}
	if err := a.parse(path); err != nil {
		return false, err
	}
	if !p.has {
		// A path without a value is ignored, except that it can end an array. To some
		// clients it is a null, and the end of an array that has not begun an empty one.
		a.unclear = a.unclear || len(path) == len(p.path) || !a.hasArray()
		return false, nil
	}
	if a.root == nil {
		a.root = &node{shape: object}
		a.size += nodeCost
	}
	n := a.root
	for i, st := range a.path {
		want := p.shape
		if i+1 < len(a.path) {
			want = a.path[i+1].container()
		}
		next, fresh, err := a.child(n, st, want)
		if err != nil {
			return false, err
		}
		if i+1 == len(a.path) {
			return a.put(next, p, fresh)
		}
		n = next
	}
	return false, errPath
}

// hasArray reports whether there is an array at the path.
func (a *arguments) hasArray() bool {
	n := a.root
	for _, st := range a.path {
		if n == nil || n.shape != st.container() {
			return false
		}
		i := st.index
		if st.name != nil {
			i = n.find(st.name)
		}
		if i >= len(n.members) {
			return false
		}
		n = n.members[i]
	}
	return n != nil && n.shape == array
}

// put sets the value of a leaf, or appends to its text.
func (a *arguments) put(n *node, p *piece, fresh bool) (reopened bool, err error) {
	switch {
	case fresh:
	case n.shape == str && (n.open || a.last == n):
		reopened = !n.open
	case n.shape == scalar && bytes.Equal(n.text, p.value):
		return false, nil
	default:
		return false, errTwice
	}
	n.text = append(n.text, p.value...)
	n.open = p.open
	a.size += len(p.value)
	a.last = n
	return reopened, nil
}

// child returns the value at a step, created if missing.
func (a *arguments) child(n *node, st step, want shape) (child *node, fresh bool, err error) {
	if n.shape != st.container() {
		return nil, false, errShape
	}
	i := st.index
	if st.name != nil {
		i = n.find(st.name)
	}
	switch {
	case i < len(n.members):
		child = n.members[i]
		switch {
		case child.shape != want:
			return nil, false, errShape
		case child.spelling != string(st.spelling):
			// To a client that compares paths as text these are two positions.
			return nil, false, errSpellings
		}
		return child, false, nil
	case st.name == nil && i > len(n.members):
		return nil, false, errIndex
	}
	child = &node{shape: want, spelling: string(st.spelling)}
	a.size += nodeCost + len(st.spelling)
	if st.name != nil {
		n.add(string(st.name))
		a.size += 2 * len(st.name)
	}
	n.members = append(n.members, child)
	return child, true, nil
}

// manyNames is the number of names from which on an object uses a map.
const manyNames = 16

// find returns the index of a name, len(n.members) if it is missing.
func (n *node) find(name []byte) int {
	if n.byName != nil {
		if i, ok := n.byName[string(name)]; ok {
			return i
		}
		return len(n.members)
	}
	for i, have := range n.names {
		if have == string(name) {
			return i
		}
	}
	return len(n.members)
}

func (n *node) add(name string) {
	n.names = append(n.names, name)
	switch {
	case n.byName != nil:
		n.byName[name] = len(n.names) - 1
	case len(n.names) > manyNames:
		n.byName = make(map[string]int, 2*manyNames)
		for i, have := range n.names {
			n.byName[have] = i
		}
	}
}

// appendJSON appends the arguments as compact JSON, with members in the order of their
// first occurrence; nothing if there was no value.
func (a *arguments) appendJSON(dst []byte) []byte {
	if a.root == nil {
		return dst
	}
	return a.root.appendJSON(dst)
}

func (n *node) appendJSON(dst []byte) []byte {
	switch n.shape {
	case object:
		dst = append(dst, '{')
		for i, m := range n.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonscan.AppendString(dst, n.names[i]), ':')
			dst = m.appendJSON(dst)
		}
		return append(dst, '}')
	case array:
		dst = append(dst, '[')
		for i, m := range n.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.appendJSON(dst)
		}
		return append(dst, ']')
	case str:
		return jsonscan.AppendStringBytes(dst, n.text)
	case scalar:
	}
	return append(dst, n.text...)
}
