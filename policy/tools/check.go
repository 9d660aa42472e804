package tools

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of checking one call.
const (
	maxWork       = 5_000_000 // steps of a few nanoseconds
	maxCheckDepth = 500       // subschemas inside each other
)

// check compares arguments with a schema. The violation is nil if they are as
// it says. The error is ErrTooMuchWork.
func (s *schema) check(arguments map[string]any) (*violation, error) {
	c := &checker{work: maxWork}
	v := c.check(s.root, arguments, nil)
	if c.exhausted {
		return nil, ErrTooMuchWork
	}
	return v, nil
}

// checker counts the work of checking one call. When it is exhausted, every
// check ends at once and its outcome means nothing.
type checker struct {
	work, depth int
	exhausted   bool
}

func (c *checker) spend(steps int) bool {
	if c.work -= steps; c.work < 0 || steps < 0 {
		c.exhausted = true
	}
	return !c.exhausted
}

// gaveUp stands where a check was not made; nobody is told, because the whole
// check has failed then.
const gaveUp = "not checked"

func (c *checker) check(n *node, value any, at *path) *violation {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxCheckDepth {
		c.exhausted = true
	}
	digits := 0 // a number is read as often as it is looked at
	if number, ok := value.(json.Number); ok {
		digits = len(number)
	}
	if !c.spend(10 + digits) {
		return fail(at, gaveUp)
	}
	if n.never {
		return fail(at, "nothing is expected here: leave it out")
	}
	if n.ref != nil {
		if v := c.check(n.ref, value, at); v != nil {
			return v
		}
	}
	if v := c.value(n, value, at); v != nil {
		return v
	}
	var v *violation
	switch value := value.(type) {
	case json.Number:
		v = c.number(n, value, at)
	case string:
		v = c.text(n, value, at)
	case []any:
		v = c.array(n, value, at)
	case map[string]any:
		v = c.object(n, value, at)
	}
	if v != nil {
		return v
	}
	if v := c.combined(n, value, at); v != nil {
		return v
	}
	return c.rest(n, value, at)
}

// value checks what every value is held to: its type, and a list of choices.
func (c *checker) value(n *node, value any, at *path) *violation {
	if got := typeOf(value); len(n.types) > 0 && !isOneOf(n.types, got) {
		return fail(at, "want %s, got %s", strings.Join(n.types, " or "), got)
	}
	if n.allowed == nil {
		return nil
	}
	if !c.spend(size(value)) {
		return fail(at, gaveUp)
	}
	if !n.allowed[canonical(value)] {
		return fail(at, "must be one of %s", strings.Join(n.choices, ", "))
	}
	return nil
}

// isOneOf reports whether a value of type got is of one of the types.
func isOneOf(types []string, got string) bool {
	return slices.Contains(types, got) || got == "integer" && slices.Contains(types, "number")
}

func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		if isInteger(v.String()) {
			return "integer"
		}
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// size is about how many bytes a value has.
func size(value any) int {
	switch v := value.(type) {
	case string:
		return len(v) + 1
	case json.Number:
		return len(v) + 1
	case []any:
		n := 1
		for _, item := range v {
			n += size(item)
		}
		return n
	case map[string]any:
		n := 1
		for key, member := range v {
			n += len(key) + size(member)
		}
		return n
	}
	return 1
}

func (c *checker) number(n *node, value json.Number, at *path) *violation {
	f, err := value.Float64()
	if err != nil && !math.IsInf(f, 0) {
		return nil
	}
	switch {
	case n.minimum != nil && f < *n.minimum:
		return fail(at, "must be at least %v", *n.minimum)
	case n.maximum != nil && f > *n.maximum:
		return fail(at, "must be at most %v", *n.maximum)
	case n.exclusiveMin != nil && f <= *n.exclusiveMin:
		return fail(at, "must be more than %v", *n.exclusiveMin)
	case n.exclusiveMax != nil && f >= *n.exclusiveMax:
		return fail(at, "must be less than %v", *n.exclusiveMax)
	}
	if n.multipleOf > 0 {
		times := f / n.multipleOf
		if math.Abs(times-math.Round(times)) > 1e-9*max(1, math.Abs(times)) {
			return fail(at, "must be a multiple of %v", n.multipleOf)
		}
	}
	return nil
}

func (c *checker) text(n *node, value string, at *path) *violation {
	if n.minLength != nil || n.maxLength != nil {
		if !c.spend(len(value)) {
			return fail(at, gaveUp)
		}
		length := utf8.RuneCountInString(value)
		switch {
		case n.minLength != nil && length < *n.minLength:
			return fail(at, "must have at least %d characters, has %d", *n.minLength, length)
		case n.maxLength != nil && length > *n.maxLength:
			return fail(at, "must have at most %d characters, has %d", *n.maxLength, length)
		}
	}
	if n.pattern != nil && !c.matches(n.pattern, value) {
		return fail(at, "must match the pattern %s", printable(n.pattern.re.String(), 120))
	}
	return nil
}

func (c *checker) matches(p *pattern, value string) bool {
	return c.spend((len(value)+1)*p.size/4+1) && p.re.MatchString(value)
}

func (c *checker) array(n *node, value []any, at *path) *violation {
	switch {
	case n.minItems != nil && len(value) < *n.minItems:
		return fail(at, "must have at least %d items, has %d", *n.minItems, len(value))
	case n.maxItems != nil && len(value) > *n.maxItems:
		return fail(at, "must have at most %d items, has %d", *n.maxItems, len(value))
	}
	contained := 0
	seen := make(map[string]bool)
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
				return fail(at, gaveUp)
			}
			text := canonical(item)
			if seen[text] {
				return fail(here, "is in the list twice: every item must be there once")
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
		return fail(at, "must have at least %d items of the expected kind, has %d", least, contained)
	}
	if n.maxContains != nil && contained > *n.maxContains {
		return fail(at, "must have at most %d items of the expected kind, has %d", *n.maxContains, contained)
	}
	return nil
}

func (c *checker) object(n *node, value map[string]any, at *path) *violation {
	if !c.spend(len(n.required) + len(n.properties) + len(n.dependent) + len(n.dependentRequired) + len(value)) {
		return fail(at, gaveUp)
	}
	if missing := absent(value, n.required); len(missing) > 0 {
		return fail(at, "%s missing and required", these(missing))
	}
	switch {
	case n.minProps != nil && len(value) < *n.minProps:
		return fail(at, "must have at least %d properties, has %d", *n.minProps, len(value))
	case n.maxProps != nil && len(value) > *n.maxProps:
		return fail(at, "must have at most %d properties, has %d", *n.maxProps, len(value))
	}
	for name, needed := range sorted(n.dependentRequired) {
		if _, ok := value[name]; ok {
			if missing := absent(value, needed); len(missing) > 0 {
				return fail(at, "%s missing, which %s needs", these(missing), printable(name, 40))
			}
		}
	}
	return c.members(n, value, at)
}

// members checks every member of an object against the schemas for its name.
func (c *checker) members(n *node, value map[string]any, at *path) *violation {
	if n.properties == nil && n.patternProperties == nil && n.additional == nil && n.names == nil {
		return nil
	}
	var unexpected []string
	for _, name := range slices.Sorted(maps.Keys(value)) {
		here := at.member(name)
		if n.names != nil {
			if v := c.check(n.names, name, here); v != nil {
				v.want = "the name of this property is not allowed: it " + v.want
				return v
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
		want := these(unexpected) + " not expected"
		if len(n.propertyNames) > 0 {
			want += "; known are " + quoted(n.propertyNames)
		}
		return fail(at, "%s", want)
	}
	return nil
}

func absent(value map[string]any, names []string) []string {
	var missing []string
	for _, name := range names {
		if _, ok := value[name]; !ok {
			missing = append(missing, name)
		}
	}
	return missing
}
