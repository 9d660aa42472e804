package witness

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// allowed are the calls that verdicts let pass: of each name, what it may be
// given.
type allowed struct{ names map[string]*texts }

// texts is a set of texts in which beginnings can be found.
type texts struct {
	exact  map[string]struct{}
	sorted []string
	dirty  bool
	sorts  int // how often they were sorted
	found  int // after the one that a call in parts agreed with last
	// equal are the texts in one spelling, and other those of which it has not
	// been asked for yet: mostly it never is.
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

// progress is how far a text that grows was compared with the texts of a set.
type progress struct {
	// like is a text of the set with which it agreed as far as same.
	like string
	same int
	// Of the sorted texts, those from low to high agreed with it as far as from. This
	// holds until they are sorted again.
	low, high, from, sorts int
}

// goesOn reports whether a text of the set begins with a text, which is the one of the
// last time with more at its end. Only what is new is compared, mostly with one text.
func (t *texts) goesOn(p *progress, text []byte) bool {
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

// canonical is one spelling of JSON for all that mean the same to every reader; other
// texts are left as they are. No arguments are an empty object. A member that occurs
// twice stays so: readers differ in which one counts.
func canonical(text string) string {
	if text == "" {
		return "{}"
	}
	n, ok := parse([]byte(text))
	if !ok {
		return text
	}
	return string(n.spell(nil))
}

// spell appends the value with its members in the order of their names.
func (n *node) spell(dst []byte) []byte {
	switch n.kind {
	case jsonscan.Object:
		members := slices.Clone(n.members)
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
		dst = append(dst, '{')
		for i := range members {
			dst = append(strconv.AppendQuote(dst, members[i].key), ':')
			dst = append(members[i].value.spell(dst), ',')
		}
		return append(dst, '}')
	case jsonscan.Array:
		dst = append(dst, '[')
		for _, e := range n.elems {
			dst = append(e.spell(dst), ',')
		}
		return append(dst, ']')
	case jsonscan.String:
		return strconv.AppendQuote(dst, n.text)
	default:
		return append(dst, n.raw...)
	}
}
