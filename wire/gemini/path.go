package gemini

import (
	"strconv"
	"unicode/utf8"
)

// step is one step of a path: a name, or an index if name is nil.
type step struct {
	name  []byte
	index int
	// spelling is a quoted name as it is written in the path.
	spelling []byte
}

// container is the container that a step leads into.
func (st step) container() shape {
	if st.name == nil {
		return array
	}
	return object
}

// plain reports whether all clients read the step alike: an index, or a dotted name of
// characters that mean nothing in a path. Some clients skip quoted names, so that what
// they lead to merges with its neighbours, some cut them at a dot, and some resolve
// escapes in dotted ones.
func (st step) plain() bool {
	if st.spelling != nil || !utf8.Valid(st.name) { // half of a surrogate pair has a form of its own in every client
		return false
	}
	for _, c := range st.name {
		if c < 0x80 && c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// parse reads a path into a.path: $ and then steps of the forms .name, [0],
// ['name'] and ["name"].
func (a *arguments) parse(path []byte) error {
	a.path = a.path[:0]
	if len(path) < 2 || path[0] != '$' {
		return errPath
	}
	for i := 1; i < len(path); {
		if len(a.path) == maxPathDepth {
			return errDepth
		}
		var (
			st step
			ok bool
		)
		switch {
		case path[i] == '.':
			st, i, ok = dotted(path, i+1)
		case path[i] == '[' && i+1 < len(path) && (path[i+1] == '\'' || path[i+1] == '"'):
			st, i, ok = quoted(path, i+1)
		case path[i] == '[':
			st, i, ok = indexed(path, i+1)
		}
		if !ok {
			return errPath
		}
		a.unclear = a.unclear || !st.plain()
		a.path = append(a.path, st)
	}
	if a.path[0].name == nil {
		return errShape // arguments are an object
	}
	return nil
}

// dotted reads a name from i up to the next step. A star is a wildcard, not a
// name.
func dotted(path []byte, i int) (step, int, bool) {
	start := i
	for i < len(path) && path[i] != '.' && path[i] != '[' {
		i++
	}
	name := path[start:i]
	return step{name: name}, i, len(name) > 0 && string(name) != "*"
}

// quoted reads a name whose opening quote is at i, and the bracket after it.
func quoted(path []byte, i int) (step, int, bool) {
	quote, start := path[i], i
	name := []byte{}
	for i++; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			i++
			if next := path[i]; next != '\\' && next != '\'' && next != '"' {
				return step{}, i, false
			}
			name = append(name, path[i])
		case c == quote:
			return step{name: name, spelling: path[start : i+1]}, i + 2, i+1 < len(path) && path[i+1] == ']'
		default:
			name = append(name, c)
		}
	}
	return step{}, i, false
}

// indexed reads an index at i and the bracket after it.
func indexed(path []byte, i int) (step, int, bool) {
	start := i
	for i < len(path) && path[i] >= '0' && path[i] <= '9' {
		i++
	}
	if i == len(path) || path[i] != ']' || i > start+1 && path[start] == '0' {
		return step{}, i, false
	}
	n, err := strconv.Atoi(string(path[start:i]))
	return step{index: n}, i + 1, err == nil && i-start < 10
}
