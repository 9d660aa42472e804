package effect

import "strings"

// element is a parsed element of a pattern.
type element struct {
	text string
	kind kind
	// head and tail are the text before the first and after the last wildcard: a
	// name must begin and end with them. middle is what it must contain in
	// between, in order, if there are only stars.
	head, tail string
	middle     []string
}

// kind is the kind of an element of a pattern.
type kind uint8

const (
	plain       kind = iota // a name
	stars                   // names that a pattern of stars matches
	otherNames              // names that another pattern matches
	anyElements             // **: any number of elements
)

func newElements(texts []string) []element {
	list := make([]element, len(texts))
	for i, text := range texts {
		list[i] = newElement(text)
	}
	return list
}

func newElement(text string) element {
	e := element{text: text}
	switch {
	case text == "**":
		e.kind = anyElements
	case strings.Contains(text, "["):
		e.kind = otherNames
	case strings.Contains(text, "?"):
		e.kind = otherNames
		e.head, e.tail = text[:strings.IndexAny(text, "*?")], text[strings.LastIndexAny(text, "*?")+1:]
	case strings.Contains(text, "*"):
		e.kind = stars
		parts := strings.Split(text, "*")
		e.head, e.middle, e.tail = parts[0], parts[1:len(parts)-1], parts[len(parts)-1]
	}
	return e
}

// is reports whether a name without wildcards matches the element; see alike.
func (e *element) is(name string) bool {
	if e.kind == plain {
		return name == e.text || sameName(name, e.text)
	}
	if len(name) < len(e.head)+len(e.tail) || !strings.HasSuffix(name, e.tail) || !strings.HasPrefix(name, e.head) {
		return false
	}
	if e.kind != stars {
		return alike(name, e.text)
	}
	rest := name[len(e.head) : len(name)-len(e.tail)]
	for _, part := range e.middle {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return e.head != "" || !hidden(name)
}

// ends is a prefix and suffix prefilter for names with wildcards: it has the bytes
// they end with and, for those that can end with any, the bytes they begin with.
type ends struct {
	last, first [256]bool
	open        bool // one can begin and end with any byte
}

func (s *ends) add(e *element) {
	switch {
	case e.tail != "":
		s.last[e.tail[len(e.tail)-1]] = true
	case e.head != "":
		s.first[e.head[0]] = true
	default:
		s.open = true
	}
}

// may is false if a name certainly matches none of them.
func (s *ends) may(name string) bool {
	return s.open || name == "" || s.last[name[len(name)-1]] || s.first[name[0]]
}
