package file

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
)

// settings are the users' settings of a preset's parameters, by name and in
// order.
type settings map[string][]setParam

// setParam is a new value for a parameter, or additions to and removals from a
// list.
type setParam struct {
	value       any // nil if it is the list with changes
	add, remove []any
}

// then returns both settings, the later ones taking precedence.
func (s settings) then(later settings) settings {
	if len(later) == 0 {
		return s
	}
	both := maps.Clone(s)
	if both == nil {
		both = make(settings, len(later))
	}
	for name, list := range later {
		both[name] = slices.Concat(both[name], list)
	}
	return both
}

// on applies the setting to a value.
func (p setParam) on(value any) any {
	list, isList := value.([]any)
	switch {
	case p.value != nil:
		if whole, ok := p.value.(int64); ok && kindOf(value) == "number" {
			return float64(whole)
		}
		return p.value
	case !isList:
		return value
	}
	out := make([]any, 0, len(list)+len(p.add))
	for _, item := range slices.Concat(list, p.add) {
		if !slices.Contains(p.remove, item) && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// set reads the parameters that the user of a preset sets, and rejects those
// that it does not declare. before are others' settings of the same preset.
func (r *reader) set(members []member, declared []param, before settings) settings {
	standards, params := make(map[string]any, len(declared)), make(map[string]*param, len(declared))
	for i, p := range declared {
		if old := params[p.name]; old == nil || old.of == "" {
			params[p.name] = &declared[i]
		}
		value := p.value
		for _, s := range before[p.name] {
			value = s.on(value)
		}
		standards[p.name] = value
	}
	values := make(settings, len(members))
	for _, m := range members {
		standard, known := standards[m.name]
		if !known {
			names := slices.Sorted(maps.Keys(standards))
			hint := words.Suggest(m.name, names)
			if len(names) == 0 {
				hint = "remove it: the preset has none"
			}
			r.problemf(m.key, hint, "the preset has no parameter %s", quote(m.name))
			continue
		}
		read := r.whole
		if m.value.Kind == yaml.MappingNode {
			read = r.extended
		}
		if set, ok := read(m, params[m.name], standard); ok {
			values[m.name] = []setParam{set}
		}
	}
	return values
}

// whole reads a value that replaces the default.
func (r *reader) whole(m member, p *param, standard any) (setParam, bool) {
	value, ok := r.value(m.name, m.value)
	if !ok {
		return setParam{}, false
	}
	if fits(value, standard) {
		value, ok = r.meant(p, m.value, value)
		return setParam{value: value}, ok
	}
	hint := ""
	if list, isList := standard.([]any); isList && fits([]any{value}, list) && m.value.Kind == yaml.ScalarNode {
		hint = "write [" + m.value.Value + "], or {add: [" + m.value.Value + "]} to keep what is there"
	}
	r.problemf(m.value, hint, "%s is a %s, but must be a %s", m.name, kindOf(value), kindOf(standard))
	return setParam{}, false
}

// extended reads {add: [...], remove: [...]}, which changes a list.
func (r *reader) extended(m member, p *param, standard any) (setParam, bool) {
	list, isList := standard.([]any)
	if !isList {
		r.problemf(m.value, "write the value itself", "%s is a %s, and only lists have add and remove", m.name, kindOf(standard))
		return setParam{}, false
	}
	before := r.report.found
	members := r.object(m.value, "the parameter "+m.name, "add", "remove")
	set := setParam{add: r.items(m.name, members["add"], list), remove: r.items(m.name, members["remove"], list)}
	if set.add != nil {
		set.add = r.added(p, members["add"].value, set.add)
	}
	written := slices.Clone(set.remove)
	for i, item := range set.remove {
		if text, isText := item.(string); isText && !slices.Contains(list, item) {
			if is, message, _ := meant(p.of, text); message == "" {
				set.remove[i] = is
			}
		}
	}
	if len(m.value.Content) == 0 {
		r.problemf(m.value, "write {add: [VALUE]}, {remove: [VALUE]} or both", "%s has neither add nor remove", m.name)
	}
	for i, item := range set.remove {
		where := members["remove"].value.Content[i]
		switch {
		case slices.Contains(set.add, item):
			r.problemf(where, "keep one of the two", "%s both adds and removes %v", m.name, item)
		case !slices.Contains(list, item):
			r.problemf(where, suggestItem(item, list), "%s has no %s to remove", m.name, quote(fmt.Sprint(written[i])))
		}
	}
	return set, r.report.found == before
}

// added are the values that are added to a list, as the parameter means them.
func (r *reader) added(p *param, n *yaml.Node, list []any) []any {
	value, _ := r.meant(p, n, list)
	list, _ = value.([]any)
	return list
}

// items reads what is added to a list, or removed.
func (r *reader) items(name string, m member, standard []any) []any {
	if m.value == nil {
		return nil
	}
	if m.value.Kind != yaml.SequenceNode {
		hint := ""
		if m.value.Kind == yaml.ScalarNode {
			hint = "write [" + m.value.Value + "]"
		}
		r.problemf(m.value, hint, "%s of %s is %s, not a list", m.name, name, describe(m.value))
		return nil
	}
	value, ok := r.value(m.name+" of "+name, m.value)
	list, _ := value.([]any)
	if ok && !fits(value, standard) {
		r.problemf(m.value, "", "%s of %s is a %s, but must be a %s", m.name, name, kindOf(value), kindOf(standard))
		return nil
	}
	return list
}

// suggestItem suggests which list item may have been meant.
func suggestItem(item any, list []any) string {
	names := make([]string, len(list))
	for i, have := range list {
		names[i] = fmt.Sprint(have)
	}
	switch text := fmt.Sprint(item); {
	case len(names) == 0:
		return "the list is empty"
	case len(names) > 12: // too many to list
		if near := words.Nearest(text, names, words.Most(text)); near != "" {
			return "did you mean " + near + "?"
		}
		return "`sluice policy show NAME` shows the list of a policy's parameter"
	default:
		return words.Suggest(text, names)
	}
}
