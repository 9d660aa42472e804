package witness

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// allowed are the calls that policies allowed: for each name, the allowed arguments.
type allowed struct{ names map[string]*texts }

// texts is a set of texts that can be searched by prefix.
type texts struct {
	exact  map[string]struct{}
	sorted []string
	dirty  bool
	sorts  int // number of sorts
	found  int // index after the last text that a partial call matched
	// equal are the canonical forms, and other the texts that were not yet
	// canonicalised: mostly that is never needed.
	equal map[string]struct{}
	other []string
}

func (a *allowed) add(name, arguments string) {
	if a.names == nil {
		a.names = make(map[string]*texts)
	}
	of := a.names[name]
	if of == nil {
		of = new(texts)
		a.names[name] = of
	}
	of.add(arguments)
}

// is reports whether a call was allowed.
func (a *allowed) is(name, arguments string) bool {
	of := a.names[name]
	return of != nil && of.has(arguments)
}

func (t *texts) add(text string) {
	if t.exact == nil {
		t.exact = make(map[string]struct{})
	}
	if _, known := t.exact[text]; known {
		return
	}
	t.exact[text] = struct{}{}
	t.sorted = append(t.sorted, text)
	t.dirty = true
	t.other = append(t.other, text)
}

func (t *texts) has(text string) bool {
	if _, ok := t.exact[text]; ok {
		return true
	}
	if t.equal == nil {
		t.equal = make(map[string]struct{}, len(t.exact))
	}
	for _, known := range t.other {
		t.equal[canonical(known)] = struct{}{}
	}
	t.other = nil
	_, ok := t.equal[canonical(text)]
	return ok
}

// progress is how much of a growing text was compared with a set.
type progress struct {
	// like is a text of the set that matched the first same bytes.
	like string
	same int
	// Of the sorted texts, those from low to high matched its first from bytes. This
	// holds until they are sorted again.
	low, high, from, sorts int
}

// hasPrefix reports whether a text of the set has the given prefix, which extends that of
// the last call. Only the new bytes are compared, mostly with one text.
func (t *texts) hasPrefix(p *progress, text []byte) bool {
	if more := text[p.same:]; len(p.like)-p.same >= len(more) && p.like[p.same:p.same+len(more)] == string(more) {
		p.same = len(text)
		return true
	}
	if t.dirty {
		slices.Sort(t.sorted)
		t.dirty = false
		t.sorts++
	}
	if p.sorts != t.sorts {
		p.low, p.high, p.from, p.sorts = 0, len(t.sorted), 0, t.sorts
	}
	among, more := t.sorted[p.low:p.high], string(text[p.from:])
	first := sort.Search(len(among), func(i int) bool { return among[i][p.from:] >= more })
	among = among[first:]
	n := sort.Search(len(among), func(i int) bool { return !strings.HasPrefix(among[i][p.from:], more) })
	if n == 0 {
		return t.has(string(text))
	}
	p.like, p.same = among[0], len(text)
	p.low += first
	p.high, p.from = p.low+n, len(text)
	return true
}

// canonical returns one form for all JSON texts that mean the same to every parser;
// other texts stay unchanged. Empty arguments, however spaced, are an empty object. Duplicate members
// are kept: parsers differ in which one counts.
func canonical(text string) string {
	if strings.Trim(text, " \t\r\n") == "" {
		return "{}"
	}
	n, ok := parse([]byte(text))
	if !ok {
		return text
	}
	return string(n.appendCanonical(nil))
}

// appendCanonical appends the value with its members sorted by name.
func (n *node) appendCanonical(dst []byte) []byte {
	switch n.kind {
	case jsonscan.Object:
		members := slices.Clone(n.members)
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
		dst = append(dst, '{')
		for i := range members {
			dst = append(strconv.AppendQuote(dst, members[i].key), ':')
			dst = append(members[i].value.appendCanonical(dst), ',')
		}
		return append(dst, '}')
	case jsonscan.Array:
		dst = append(dst, '[')
		for _, e := range n.elems {
			dst = append(e.appendCanonical(dst), ',')
		}
		return append(dst, ']')
	case jsonscan.String:
		return strconv.AppendQuote(dst, n.text)
	default:
		return append(dst, n.raw...)
	}
}
