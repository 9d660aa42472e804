package schema

import "slices"

// unevaluated checks unevaluatedProperties and unevaluatedItems: the parts of the value that
// no other keyword evaluated.
func (c *checker) unevaluated(n *node, value any, at *path) *Violation {
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

// parts are the parts of a value that a schema evaluated.
type parts struct {
	all     bool
	names   map[string]bool
	items   int // the first n items
	indexes map[int]bool
}

// evaluated adds the parts that n evaluates, or a schema in it that holds.
func (c *checker) evaluated(n *node, value any, known *parts) {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxCheckDepth || !c.spend(stepsOfNode) {
		c.exhausted = true
		return
	}
	members, isObject := value.(map[string]any)
	items, isArray := value.([]any)
	switch {
	case isObject:
		c.evaluatedMembers(n, members, known)
	case isArray:
		c.evaluatedItems(n, items, known)
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
	for name, sub := range n.dependent {
		if _, present := members[name]; present {
			inside = append(inside, sub)
		}
	}
	for _, sub := range inside {
		if sub != nil {
			c.evaluated(sub, value, known)
			// A nested schema with its own unevaluated keyword evaluates everything.
			known.all = known.all || isObject && sub.restProps != nil || isArray && sub.restItems != nil
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
