package schema

import (
	"encoding/json"
	"math"
	"slices"
	"unicode/utf8"
)

// The limits of checking one value.
const (
	maxWork       = 5_000_000 // steps of a few nanoseconds
	stepsOfNode   = 10        // minimum to check a value against one subschema
	stepsOfFault  = 20        // to format an explanation
	maxCheckDepth = 500       // nested subschemas
)

// Check checks a value against the schema: any JSON value as decoded by encoding/json,
// with numbers as json.Number. The violation is nil if the value fits. The error is
// ErrTooMuchWork, and then the result is unknown.
func (s *Schema) Check(value any) (*Violation, error) {
	c := &checker{work: maxWork}
	v := c.check(s.root, value, nil)
	if c.exhausted {
		return nil, ErrTooMuchWork
	}
	return v, nil
}

// checker counts the work of checking one value. When it is exhausted, every check
// returns at once and its result is meaningless.
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

// fail records what is expected at a position. It is formatted on demand: the
// violations of alternatives are often discarded.
func (c *checker) fail(at *path, format string, args ...any) *Violation {
	if !c.spend(stepsOfFault) {
		return gaveUp
	}
	return &Violation{at: at, format: format, args: args}
}

// gaveUp is the result of a check that was not made; it is never shown, because the
// whole check has failed then.
var gaveUp = &Violation{format: "not checked"}

// got records what to report about the actual value.
func (v *Violation) got(value any, tell detail) *Violation {
	if v == gaveUp {
		return v
	}
	v.came, v.detail = value, tell
	return v
}

func (c *checker) check(n *node, value any, at *path) *Violation {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxCheckDepth {
		c.exhausted = true
	}
	digits := 0 // a number is parsed each time it is used
	if number, ok := value.(json.Number); ok {
		digits = len(number)
	}
	if !c.spend(stepsOfNode + digits) {
		return gaveUp
	}
	if n.never {
		return c.fail(at, "nothing is expected here: leave it out")
	}
	if n.ref != nil {
		if v := c.check(n.ref, value, at); v != nil {
			return v
		}
	}
	if v := c.value(n, value, at); v != nil {
		return v
	}
	var v *Violation
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
	return c.unevaluated(n, value, at)
}

// value checks the keywords for any value: its type and a list of choices.
func (c *checker) value(n *node, value any, at *path) *Violation {
	if len(n.types) > 0 && !isOneOf(n.types, typeOf(value)) {
		return c.fail(at, "want %s", n.wanted).got(value, withType)
	}
	if n.allowed == nil {
		return nil
	}
	if !c.spend(size(value)) {
		return gaveUp
	}
	if !n.allowed[canonical(value)] {
		return c.fail(at, "must be one of %s", n.choices).got(value, withValue)
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

// size is the approximate size of a value in bytes.
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

func (c *checker) number(n *node, value json.Number, at *path) *Violation {
	f, err := value.Float64()
	if err != nil && !math.IsInf(f, 0) {
		return nil
	}
	switch {
	case n.minimum != nil && f < *n.minimum:
		return c.fail(at, "must be at least %v", *n.minimum).got(value, withValue)
	case n.maximum != nil && f > *n.maximum:
		return c.fail(at, "must be at most %v", *n.maximum).got(value, withValue)
	case n.exclusiveMin != nil && f <= *n.exclusiveMin:
		return c.fail(at, "must be more than %v", *n.exclusiveMin).got(value, withValue)
	case n.exclusiveMax != nil && f >= *n.exclusiveMax:
		return c.fail(at, "must be less than %v", *n.exclusiveMax).got(value, withValue)
	}
	if n.multipleOf > 0 {
		times := f / n.multipleOf
		if math.Abs(times-math.Round(times)) > 1e-9*max(1, math.Abs(times)) {
			return c.fail(at, "must be a multiple of %v", n.multipleOf).got(value, withValue)
		}
	}
	return nil
}

func (c *checker) text(n *node, value string, at *path) *Violation {
	if n.minLength != nil || n.maxLength != nil {
		if !c.spend(len(value)) {
			return gaveUp
		}
		length := utf8.RuneCountInString(value)
		switch {
		case n.minLength != nil && length < *n.minLength:
			return c.fail(at, "must have at least %d characters, has %d", *n.minLength, length)
		case n.maxLength != nil && length > *n.maxLength:
			return c.fail(at, "must have at most %d characters, has %d", *n.maxLength, length)
		}
	}
	if n.pattern != nil && !c.matches(n.pattern, value) {
		return c.fail(at, "must match the pattern %s", excerpt(n.pattern.re.String())).got(value, withValue)
	}
	return nil
}

func (c *checker) matches(p *pattern, value string) bool {
	return c.spend((len(value)+1)*p.size/4+1) && p.re.MatchString(value)
}
