package tools

import (
	"slices"
	"strings"
)

// combined checks the subschemas that are about the value as a whole.
func (c *checker) combined(n *node, value any, at *path) *violation {
	for _, sub := range n.allOf {
		if v := c.check(sub, value, at); v != nil {
			return v
		}
	}
	if n.anyOf != nil {
		if v := c.some(n.anyOf, value, at, false); v != nil {
			return v
		}
	}
	if n.oneOf != nil {
		if v := c.some(n.oneOf, value, at, true); v != nil {
			return v
		}
	}
	if n.not != nil && c.check(n.not, value, at) == nil {
		return fail(at, "is what it must not be")
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
	if !ok {
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

// some checks that one of several alternatives fits, or exactly one. If none
// does, it explains the one that came closest: whose violation lies deepest.
func (c *checker) some(list []*node, value any, at *path, one bool) *violation {
	var nearest *violation
	fits := 0
	for _, sub := range list {
		v := c.check(sub, value, at)
		switch {
		case v == nil:
			fits++
		case nearest == nil || len(v.path) > len(nearest.path):
			nearest = v
		}
		if fits > 0 && !one {
			return nil
		}
	}
	switch {
	case fits > 1:
		return fail(at, "fits %d of the alternatives, but must fit exactly one", fits)
	case fits == 1:
		return nil
	}
	var types []string
	for _, sub := range list {
		types = append(types, sub.types...)
	}
	if got := typeOf(value); len(nearest.path) == len(at.steps()) && len(types) > 0 && !isOneOf(types, got) {
		slices.Sort(types)
		return fail(at, "want %s, got %s", strings.Join(slices.Compact(types), " or "), got)
	}
	nearest.want += " (or one of the other alternatives)"
	return nearest
}

// rest checks what unevaluatedProperties and unevaluatedItems are about: the
// parts of the value of which no other keyword said anything.
func (c *checker) rest(n *node, value any, at *path) *violation {
	if n.restProps == nil && n.restItems == nil {
		return nil
	}
	var known parts
	c.evaluated(n, value, &known)
	switch v := value.(type) {
	case map[string]any:
		if n.restProps == nil || known.all {
			return nil
		}
		for name, member := range sorted(v) {
			if !known.names[name] {
				if bad := c.check(n.restProps, member, at.member(name)); bad != nil {
					return bad
				}
			}
		}
	case []any:
		if n.restItems == nil || known.all {
			return nil
		}
		for i, item := range v {
			if i >= known.items && !known.indexes[i] {
				if bad := c.check(n.restItems, item, at.at(i)); bad != nil {
					return bad
				}
			}
		}
	}
	return nil
}

// parts are the parts of a value about which a schema said something.
type parts struct {
	all     bool
	names   map[string]bool
	items   int // the first so many
	indexes map[int]bool
}

// evaluated adds the parts of which n, or a schema in it that holds, says
// something.
func (c *checker) evaluated(n *node, value any, known *parts) {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxCheckDepth || !c.spend(10) {
		c.exhausted = true
		return
	}
	switch v := value.(type) {
	case map[string]any:
		c.evaluatedMembers(n, v, known)
	case []any:
		c.evaluatedItems(n, v, known)
	}
	var inside []*node
	if n.ref != nil {
		inside = append(inside, n.ref)
	}
	inside = append(inside, n.allOf...)
	for _, sub := range slices.Concat(n.anyOf, n.oneOf) {
		if c.check(sub, value, nil) == nil {
			inside = append(inside, sub)
		}
	}
	if n.when != nil {
		if c.check(n.when, value, nil) == nil {
			inside = append(inside, n.when, n.then)
		} else {
			inside = append(inside, n.otherwise)
		}
	}
	if members, ok := value.(map[string]any); ok {
		for name, sub := range n.dependent {
			if _, present := members[name]; present {
				inside = append(inside, sub)
			}
		}
	}
	for _, sub := range inside {
		if sub != nil {
			c.evaluated(sub, value, known)
			// A schema inside that has its own rest leaves nothing over.
			known.all = known.all || sub.restProps != nil || sub.restItems != nil
		}
	}
}

func (c *checker) evaluatedMembers(n *node, value map[string]any, known *parts) {
	known.all = known.all || n.additional != nil
	if !c.spend(len(value)) {
		return
	}
	for name := range value {
		said := n.properties[name] != nil
		for _, p := range n.patternProperties {
			said = said || c.matches(p.pattern, name)
		}
		if said {
			if known.names == nil {
				known.names = make(map[string]bool)
			}
			known.names[name] = true
		}
	}
}

func (c *checker) evaluatedItems(n *node, value []any, known *parts) {
	known.all = known.all || n.items != nil
	known.items = max(known.items, len(n.prefix))
	if n.contains == nil {
		return
	}
	for i, item := range value {
		if c.check(n.contains, item, nil) == nil {
			if known.indexes == nil {
				known.indexes = make(map[int]bool)
			}
			known.indexes[i] = true
		}
	}
}
