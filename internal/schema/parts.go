package schema

import "slices"

func (c *checker) array(n *node, value []any, at *path) *Violation {
	switch {
	case n.minItems != nil && len(value) < *n.minItems:
		return c.fail(at, "must have at least %d items, has %d", *n.minItems, len(value))
	case n.maxItems != nil && len(value) > *n.maxItems:
		return c.fail(at, "must have at most %d items, has %d", *n.maxItems, len(value))
	}
	if n.items == nil && n.contains == nil && !n.unique {
		value = value[:min(len(value), len(n.prefix))] // further items are unconstrained
	}
	contained := 0
	var seen map[string]bool
	if n.unique {
		seen = make(map[string]bool, len(value))
	}
	for i, item := range value {
		here := at.at(i)
		sub := n.items
		if i < len(n.prefix) {
			sub = n.prefix[i]
		}
		if sub != nil {
			if v := c.check(sub, item, here); v != nil {
				return v
			}
		}
		if n.contains != nil && c.check(n.contains, item, here) == nil {
			contained++
		}
		if n.unique {
			if !c.spend(size(item)) {
				return gaveUp
			}
			text := canonical(item)
			if seen[text] {
				return c.fail(here, "is in the list twice: every item must be there once")
			}
			seen[text] = true
		}
	}
	if n.contains == nil {
		return nil
	}
	least := 1
	if n.minContains != nil {
		least = *n.minContains
	}
	if contained < least {
		return c.fail(at, "must have at least %d items of the expected kind, has %d", least, contained)
	}
	if n.maxContains != nil && contained > *n.maxContains {
		return c.fail(at, "must have at most %d items of the expected kind, has %d", *n.maxContains, contained)
	}
	return nil
}

func (c *checker) object(n *node, value map[string]any, at *path) *Violation {
	if !c.spend(len(n.required) + len(n.dependentRequired) + len(value)) {
		return gaveUp
	}
	if absent := without(value, n.required); len(absent) > 0 {
		return c.fail(at, "%s", missing{n, absent})
	}
	switch {
	case n.minProps != nil && len(value) < *n.minProps:
		return c.fail(at, "must have at least %d properties, has %d", *n.minProps, len(value))
	case n.maxProps != nil && len(value) > *n.maxProps:
		return c.fail(at, "must have at most %d properties, has %d", *n.maxProps, len(value))
	}
	if n.dependentRequired != nil {
		for name, needed := range sorted(n.dependentRequired) {
			if _, ok := value[name]; ok && c.spend(len(needed)) {
				if absent := without(value, needed); len(absent) > 0 {
					return c.fail(at, "%s, which %s needs", missing{n, absent}, excerpt(name))
				}
			}
		}
	}
	return c.members(n, value, at)
}

// members checks every member of an object against the schemas for its name.
func (c *checker) members(n *node, value map[string]any, at *path) *Violation {
	if n.properties == nil && n.patternProperties == nil && n.additional == nil && n.names == nil {
		return nil
	}
	var unexpected []string
	names := make([]string, 0, 8) // most objects have fewer
	for name := range value {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		here := at.member(name)
		if n.names != nil {
			if v := c.check(n.names, name, here); v != nil {
				return c.fail(here, "the name of this property is not allowed: it %s", v.want())
			}
		}
		sub := n.properties[name]
		if sub != nil {
			if v := c.check(sub, value[name], here); v != nil {
				return v
			}
		}
		matched := sub != nil
		for _, p := range n.patternProperties {
			if c.matches(p.pattern, name) {
				matched = true
				if v := c.check(p.node, value[name], here); v != nil {
					return v
				}
			}
		}
		switch {
		case matched || n.additional == nil:
		case n.additional.never:
			unexpected = append(unexpected, name)
		default:
			if v := c.check(n.additional, value[name], here); v != nil {
				return v
			}
		}
	}
	if len(unexpected) > 0 {
		return c.fail(at, "%s", unknown{n, unexpected})
	}
	return nil
}

// without returns the required names that a value lacks, at most one more than are
// listed.
func without(value map[string]any, names []string) []string {
	var absent []string
	for _, name := range names {
		if _, ok := value[name]; !ok {
			absent = append(absent, name)
		}
		if len(absent) > maxListed+1 {
			break
		}
	}
	return absent
}

// missing are required properties that a value lacks.
type missing struct {
	node  *node
	names []string
}

// String lists them, with the type of the first.
func (m missing) String() string {
	text := "the property " + Quoted(m.names[:1])
	if types := m.node.properties[m.names[0]].expected(); len(types) == 1 {
		text += ", a " + types[0] + ","
	}
	text += " is missing"
	switch len(m.names) {
	case 1:
		return text
	case 2:
		return text + ", and so is " + Quoted(m.names[1:])
	default:
		return text + ", and so are " + Quoted(m.names[1:])
	}
}

// unknown are properties of a value that a node does not define.
type unknown struct {
	node  *node
	names []string
}

// String lists them, and the ones that are defined.
func (u unknown) String() string {
	text := "there is no property " + Quoted(u.names)
	if len(u.names) > 1 {
		text = "there are no properties " + Quoted(u.names)
	}
	switch {
	case len(u.node.propertyNames) > 0:
		return text + ": use " + Quoted(u.node.propertyNames)
	case len(u.node.patternProperties) > 0:
		return text
	default:
		return text + ": there is none"
	}
}

// expected are the types that a node or its reference allows; empty if it allows all.
func (n *node) expected() []string {
	for n != nil && len(n.types) == 0 && n.ref != nil {
		n = n.ref
	}
	if n == nil {
		return nil
	}
	return n.types
}
