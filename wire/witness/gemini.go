package witness

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// part is one value of a call whose arguments come in pieces.
type part struct {
	path  string
	value string
}

// gemini reads a payload of generateContent: calls stand whole in their parts,
// unless their arguments come as values at paths.
func (w *Witness) gemini(n *node) error {
	if err := w.partials(n); err != nil {
		return err
	}
	return w.wholes(n, "a part")
}

// partials takes in the calls whose arguments come in pieces, and takes them out
// of what is read as whole calls.
func (w *Witness) partials(n *node) error {
	for _, e := range n.elems {
		if err := w.partials(e); err != nil {
			return err
		}
	}
	kept := n.members[:0]
	for i := range n.members {
		m := n.members[i]
		if (isMember(&m, "functionCall") || isMember(&m, "function_call")) && w.isPartial(m.value) {
			if err := w.partialCall(m.value); err != nil {
				return err
			}
			continue
		}
		kept = append(kept, m)
		if err := w.partials(m.value); err != nil {
			return err
		}
	}
	n.members = kept
	return nil
}

func (w *Witness) isPartial(f *node) bool {
	return f.kind == jsonscan.Object && len(f.any("args", "arguments", "input")) == 0 &&
		(len(f.any("partialArgs", "partial_args", "willContinue", "will_continue")) > 0 || len(f.members) == 0)
}

// partialCall checks the values that a piece of a call has: each must be what an
// allowed call of the name has there, or the beginning of it.
func (w *Witness) partialCall(f *node) error {
	if w.partial == nil {
		w.partial = make(map[string][]part)
	}
	name := f.first("name")
	if name == "" {
		name = w.lastName()
	}
	if name == "" {
		return nil
	}
	if !w.allowed.isName(name) {
		return &UnjudgedError{Name: name, Place: "a call in pieces"}
	}
	w.partial[""] = []part{{value: name}}
	for _, list := range f.any("partialArgs", "partial_args") {
		for _, v := range list.list() {
			w.grownPart(name, v)
		}
	}
	for _, text := range w.allowed.names[name].sorted {
		if holdsParts(text, w.partial[name]) {
			return nil
		}
	}
	// Several calls of one name: each piece must stand in one of them.
	for _, p := range w.partial[name] {
		found := false
		for _, text := range w.allowed.names[name].sorted {
			found = found || holdsParts(text, []part{p})
		}
		if !found {
			return &UnjudgedError{Name: name, Place: "a call in pieces"}
		}
	}
	return nil
}

func (w *Witness) lastName() string {
	if last := w.partial[""]; len(last) > 0 {
		return last[0].value
	}
	return ""
}

// grownPart adds a value to what a call has at a path: strings grow.
func (w *Witness) grownPart(name string, v *node) {
	path := v.first("jsonPath") + v.first("json_path")
	for i := range v.members {
		m := &v.members[i]
		if strings.HasSuffix(strings.ToLower(strings.ReplaceAll(m.key, "_", "")), "value") {
			for k := range w.partial[name] {
				if p := &w.partial[name][k]; p.path == path && m.value.kind == jsonscan.String {
					p.value += m.value.text
					return
				}
			}
			w.partial[name] = append(w.partial[name], part{path, m.value.said()})
		}
	}
}

// holdsParts reports whether JSON has all values at their paths, or texts that
// begin with them.
func holdsParts(text string, parts []part) bool {
	var root any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&root) != nil {
		return false
	}
	for _, p := range parts {
		v := at(root, p.path)
		if s, ok := v.(string); ok && strings.HasPrefix(s, p.value) {
			continue
		}
		if said, err := json.Marshal(v); err != nil || canonical(string(said)) != canonical(p.value) {
			return false
		}
	}
	return true
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
