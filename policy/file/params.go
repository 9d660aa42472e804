package file

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
)

// param is a parameter that a file or a policy declares: its name and its
// default.
type param struct {
	name string
	node *yaml.Node
	// value is a string, a bool, an int64, a float64 or a list of them.
	value any
	// doc says what it is for, of what its values are.
	doc, of string
}

// declared reads declarations: `name: value`, or `name: {default: value, doc:
// text}`.
func (r *reader) declared(n *yaml.Node) []param {
	members := r.members(n, "params")
	list := make([]param, 0, len(members))
	for _, m := range members {
		node, doc, of := m.value, "", ""
		if node.Kind == yaml.MappingNode {
			long := r.object(node, "the parameter "+m.name, "default", "doc", "of")
			doc, of = r.text(long["doc"]), r.kindOfValues(long["of"])
			if node = long["default"].value; node == nil {
				r.problemf(m.value, "add `default:`", "the parameter %s has no default", m.name)
				continue
			}
		}
		if value, ok := r.value(m.name, node); ok {
			list = append(list, param{m.name, node, value, doc, of})
		}
	}
	return list
}

// value reads the value of a parameter.
func (r *reader) value(name string, n *yaml.Node) (any, bool) {
	if n.Kind != yaml.SequenceNode {
		return r.scalar(name, n)
	}
	list := make([]any, 0, len(n.Content))
	for _, item := range n.Content {
		value, ok := r.scalar("a value of "+name, item)
		if !ok {
			return nil, false
		}
		if len(list) > 0 && kindOf(list[0]) != kindOf(value) {
			r.problemf(item, "", "%s has values of different types: %s and %s", name, kindOf(list[0]), kindOf(value))
			return nil, false
		}
		list = append(list, value)
	}
	return list, true
}

func (r *reader) scalar(name string, n *yaml.Node) (any, bool) {
	if n.Kind == yaml.ScalarNode {
		switch n.ShortTag() {
		case "!!str":
			return n.Value, true
		case "!!bool":
			var b bool
			return b, n.Decode(&b) == nil
		case "!!int":
			if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
				return i, true
			}
		case "!!float":
			if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
				return f, true
			}
		}
	}
	r.problemf(n, "use a text, a number, true, false or a list of them", "%s is %s", name, describe(n))
	return nil, false
}

// kindOf names the type of a parameter's value.
func kindOf(value any) string {
	switch v := value.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int64:
		return "whole number"
	case float64:
		return "number"
	case []any:
		if len(v) == 0 {
			return "list"
		}
		switch kind := kindOf(v[0]); kind {
		case "text", "number", "whole number":
			return "list of " + kind + "s"
		default:
			return "list of " + kind
		}
	default:
		return fmt.Sprintf("%T", value)
	}
}

// fits reports whether a value has the type of a default. An empty list has no
// element type.
func fits(value, standard any) bool {
	list, isList := value.([]any)
	if other, ok := standard.([]any); ok || isList {
		return ok && isList && (len(list) == 0 || len(other) == 0 || kindOf(list[0]) == kindOf(other[0]))
	}
	if _, ok := standard.(float64); ok && kindOf(value) == "whole number" {
		return true
	}
	return kindOf(value) == kindOf(standard)
}

// scope are the parameters that an expression can use, by name.
type scope map[string]any

func (s scope) with(params []param) scope {
	if len(params) == 0 {
		return s
	}
	wider := maps.Clone(s)
	if wider == nil {
		wider = make(scope, len(params))
	}
	for _, p := range params {
		wider[p.name] = p.value
	}
	return wider
}

// changed returns the scope with the values set from outside, for the parameters
// that it has.
func (s scope) changed(set settings) scope {
	wider := maps.Clone(s)
	for name, list := range set {
		value, known := wider[name]
		if !known {
			continue
		}
		for _, c := range list {
			value = c.on(value)
		}
		wider[name] = value
	}
	return wider
}

// value is the value of a parameter that is named outside an expression, nil if
// there is none of that name, which is a problem.
func (c *compiler) value(where place, name string, params scope) any {
	value, known := params[name]
	if !known {
		c.problem(where, "there is no parameter "+quote(name), words.Suggest(name, slices.Sorted(maps.Keys(params))))
		return nil
	}
	return value
}
