package witness

import (
	"bytes"
	"encoding/json"
	"slices"
	"sort"
	"strings"
)

// allowed are the calls that verdicts let pass: of each name, what it may be
// given.
type allowed struct{ names map[string]*texts }

// texts is a set of texts in which beginnings can be found.
type texts struct {
	exact  map[string]struct{}
	sorted []string
	dirty  bool
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

// begins reports whether an allowed call begins so.
func (a *allowed) begins(name, arguments string) bool {
	of := a.names[name]
	return of != nil && of.begins(arguments)
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

// begins reports whether a text of the set begins so: among sorted texts it is the
// first that is not less.
func (t *texts) begins(text string) bool {
	if t.dirty {
		slices.Sort(t.sorted)
		t.dirty = false
	}
	at := sort.SearchStrings(t.sorted, text)
	return at < len(t.sorted) && strings.HasPrefix(t.sorted[at], text) || t.has(text)
}

// canonical is one spelling of JSON for all that mean the same; other texts are
// left as they are. No arguments are an empty object.
func canonical(text string) string {
	if text == "" {
		return "{}"
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return text
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { //nolint:errchkjson // it was decoded from JSON
		return text
	}
	return strings.TrimSuffix(out.String(), "\n")
}
