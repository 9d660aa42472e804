package witness

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// partial is a call whose arguments arrive as values at paths, and part one of them.
type partial struct {
	name, id string
	parts    []*part
	byPath   map[string]*part // the first of each path
	changed  []*part          // since the last check
	ended    bool
	// like are the arguments of an allowed call that matched all parts at the last
	// check, if there was one.
	like  any
	liked bool
}

type part struct {
	path  string
	value []byte
	same  int // number of bytes known to be a prefix of the text in like
}

// gemini reads a payload of generateContent: calls are whole in their parts, unless
// their arguments arrive as values at paths.
func (w *Witness) gemini(n *node) error {
	if err := w.partials(n, 0); err != nil {
		return err
	}
	return w.wholes(n, "a part")
}

// partials processes the calls of a candidate whose arguments arrive in pieces, and
// removes them from what is read as whole calls.
func (w *Witness) partials(n *node, candidate int64) error {
	for _, e := range n.elems {
		if number, ok := e.number("index"); ok && len(e.all("content")) > 0 {
			candidate = number
		}
		if err := w.partials(e, candidate); err != nil {
			return err
		}
	}
	kept := n.members[:0]
	for i := range n.members {
		m := n.members[i]
		if (isMember(&m, "functionCall") || isMember(&m, "function_call")) && isPartial(m.value) {
			if err := w.partialCall(m.value, candidate); err != nil {
				return err
			}
			continue
		}
		kept = append(kept, m)
		if err := w.partials(m.value, candidate); err != nil {
			return err
		}
	}
	n.members = kept
	return nil
}

func isPartial(f *node) bool {
	return f.kind == jsonscan.Object && len(f.any("args", "arguments", "input")) == 0 &&
		(len(f.any("partialArgs", "partial_args", "willContinue", "will_continue")) > 0 || f.first("name") == "")
}

// partialCall checks a piece of a call: a piece with a name starts one, unless it
// repeats the name and id of the growing one. All its values so far must match one
// allowed call of the name at their paths, or be prefixes.
func (w *Witness) partialCall(f *node, candidate int64) error {
	p := w.partial[candidate]
	name, id := f.first("name"), f.first("id")
	if name != "" && (p == nil || p.ended || name != p.name || id == "" || id != p.id) {
		if w.partial == nil {
			w.partial = make(map[int64]*partial)
		}
		p = &partial{name: name, id: id}
		w.partial[candidate] = p
	}
	if p == nil {
		return nil
	}
	for _, list := range f.any("partialArgs", "partial_args") {
		for _, v := range list.list() {
			p.grow(v)
		}
	}
	p.ended = len(f.any("willContinue", "will_continue")) == 0
	of := w.allowed.names[p.name]
	if of != nil && (p.stillMatches() || p.find(of)) {
		p.changed = p.changed[:0]
		return nil
	}
	return &UnjudgedError{Name: p.name, Place: "a call in pieces"}
}

// grow adds a value to what the call has at a path: strings are appended.
func (p *partial) grow(v *node) {
	path := v.first("jsonPath") + v.first("json_path")
	for i := range v.members {
		m := &v.members[i]
		if !strings.HasSuffix(folded(strings.ReplaceAll(m.key, "_", "")), "value") {
			continue
		}
		known := p.byPath[path]
		if known != nil && m.value.kind == jsonscan.String {
			known.value = append(known.value, m.value.text...)
			p.changed = append(p.changed, known)
			continue
		}
		added := &part{path: path, value: []byte(m.value.asText())}
		if known == nil {
			if p.byPath == nil {
				p.byPath = make(map[string]*part)
			}
			p.byPath[path] = added
		}
		p.parts = append(p.parts, added)
		p.changed = append(p.changed, added)
	}
}

// stillMatches reports whether the allowed call that matched last time still does: only
// changed parts are compared.
func (p *partial) stillMatches() bool {
	if !p.liked {
		return len(p.parts) == 0
	}
	p.liked = !slices.ContainsFunc(p.changed, func(part *part) bool { return !part.isIn(p.like, part.same) })
	return p.liked
}

// find looks for an allowed call that matches all parts. Calls are mostly sent in the
// order in which they were allowed, so it starts after the last match.
func (p *partial) find(of *texts) bool {
	for i := range of.sorted {
		at := (of.found + i) % len(of.sorted)
		var root any
		d := json.NewDecoder(strings.NewReader(of.sorted[at]))
		d.UseNumber()
		if d.Decode(&root) != nil || slices.ContainsFunc(p.parts, func(part *part) bool { return !part.isIn(root, 0) }) {
			continue
		}
		of.found = at + 1
		p.like, p.liked = root, true
		return true
	}
	return false
}

// isIn reports whether the JSON has the value at its path, or a text that starts with
// it. The first same bytes of a text are known to match.
func (p *part) isIn(root any, known int) bool {
	v := at(root, p.path)
	if s, ok := v.(string); ok && len(s) >= len(p.value) && s[known:len(p.value)] == string(p.value[known:]) {
		p.same = len(p.value)
		return true
	}
	p.same = 0
	said, err := json.Marshal(v)
	return err == nil && canonical(string(said)) == canonical(string(p.value))
}

// at follows a path such as $.edits[0].text.
func at(v any, path string) any {
	path = strings.TrimPrefix(path, "$")
	for path != "" {
		switch {
		case strings.HasPrefix(path, "["):
			inside, rest, ok := strings.Cut(path[1:], "]")
			if !ok {
				return nil
			}
			if list, isList := v.([]any); isList {
				i, err := strconv.Atoi(inside)
				if err != nil || i < 0 || i >= len(list) {
					return nil
				}
				v = list[i]
			} else {
				object, _ := v.(map[string]any)
				v = object[strings.Trim(inside, `'"`)]
			}
			path = rest
		default:
			path = strings.TrimPrefix(path, ".")
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			object, _ := v.(map[string]any)
			v = object[path[:end]]
			if path = path[end:]; end == 0 && !strings.HasPrefix(path, "[") && !strings.HasPrefix(path, ".") {
				return v
			}
		}
	}
	return v
}
