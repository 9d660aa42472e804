package schema

import (
	"slices"
	"strings"
)

// combined checks the subschemas that apply to the value as a whole.
func (c *checker) combined(n *node, value any, at *path) *Violation {
	for _, sub := range n.allOf {
		if v := c.check(sub, value, at); v != nil {
			return v
		}
	}
	if n.anyOf != nil {
		if v := c.alternatives(n.anyOf, value, at, false); v != nil {
			return v
		}
	}
	if n.oneOf != nil {
		if v := c.alternatives(n.oneOf, value, at, true); v != nil {
			return v
		}
	}
	if n.not != nil && c.check(n.not, value, at) == nil {
		return c.fail(at, "is what it must not be")
	}
	if n.when != nil {
		sub := n.then
		if c.check(n.when, value, at) != nil {
			sub = n.otherwise
		}
		if sub != nil {
			if v := c.check(sub, value, at); v != nil {
				return v
			}
		}
	}
	members, ok := value.(map[string]any)
	if !ok || n.dependent == nil {
		return nil
	}
	for name, sub := range sorted(n.dependent) {
		if _, present := members[name]; present {
			if v := c.check(sub, value, at); v != nil {
				return v
			}
		}
	}
	return nil
}

// alternatives checks that one of several alternatives fits, or exactly one. If none does, it
// explains the closest one: the one with the deepest violation.
func (c *checker) alternatives(list []*node, value any, at *path, one bool) *Violation {
	var nearest *Violation
	fits := 0
	for _, sub := range list {
		v := c.check(sub, value, at)
		switch {
		case v == nil:
			fits++
		case nearest == nil || v.at.length() > nearest.at.length():
			nearest = v
		}
		if fits > 0 && !one {
			return nil
		}
	}
	switch {
	case fits > 1:
		return c.fail(at, "fits %d of the alternatives, but must fit exactly one", fits)
	case fits == 1:
		return nil
	}
	var types []string
	for _, sub := range list {
		for _, name := range sub.expected() {
			if !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
	}
	if nearest.at.length() == at.length() && len(types) > 0 && !isOneOf(types, typeOf(value)) {
		slices.Sort(types)
		return c.fail(at, "want %s", strings.Join(types, " or ")).got(value, withType)
	}
	if nearest != gaveUp {
		nearest.others = true
	}
	return nearest
}
