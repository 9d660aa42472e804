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
	stepsOfNode   = 10        // that comparing a value with one subschema takes at least
	stepsOfFault  = 20        // that it takes to say what is wrong
	maxCheckDepth = 500       // subschemas inside each other
)

// Check compares a value with the schema: one as encoding/json makes it of any JSON,
// with numbers as json.Number. The violation is nil if it is as the schema says. The
// error is ErrTooMuchWork, and nothing is known of the value then.
func (s *Schema) Check(value any) (*Violation, error) {
	c := &checker{work: maxWork}
	v := c.check(s.root, value, nil)
	if c.exhausted {
		return nil, ErrTooMuchWork
	}
	return v, nil
}

// checker counts the work of checking one value. When it is exhausted, every
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

// fail says what is wanted at a place. It is put into words when somebody asks: what
// is wrong with an alternative is often of no interest.
func (c *checker) fail(at *path, format string, args ...any) *Violation {
	if !c.spend(stepsOfFault) {
		return gaveUp
	}
	return &Violation{at: at, format: format, args: args}
}

// gaveUp stands where a check was not made; nobody is told, because the whole
// check has failed then.
var gaveUp = &Violation{format: "not checked"}

// got adds what is told of the value that came.
func (v *Violation) got(value any, tell telling) *Violation {
	if v == gaveUp {
		return v
	}
	v.came, v.tell = value, tell
	return v
}

func (c *checker) check(n *node, value any, at *path) *Violation {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxCheckDepth {
		c.exhausted = true
	}
	digits := 0 // a number is read as often as it is looked at
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
	return c.rest(n, value, at)
}

// value checks what every value is held to: its type, and a list of choices.
func (c *checker) value(n *node, value any, at *path) *Violation {
	if len(n.types) > 0 && !isOneOf(n.types, typeOf(value)) {
		return c.fail(at, "want %s", n.wanted).got(value, itsType)
	}
	if n.allowed == nil {
		return nil
	}
	if !c.spend(size(value)) {
		return gaveUp
	}
	if !n.allowed[canonical(value)] {
		return c.fail(at, "must be one of %s", n.choices).got(value, itsValue)
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

func (c *checker) number(n *node, value json.Number, at *path) *Violation {
	f, err := value.Float64()
	if err != nil && !math.IsInf(f, 0) {
		return nil
	}
	switch {
	case n.minimum != nil && f < *n.minimum:
		return c.fail(at, "must be at least %v", *n.minimum).got(value, itsValue)
	case n.maximum != nil && f > *n.maximum:
		return c.fail(at, "must be at most %v", *n.maximum).got(value, itsValue)
	case n.exclusiveMin != nil && f <= *n.exclusiveMin:
		return c.fail(at, "must be more than %v", *n.exclusiveMin).got(value, itsValue)
	case n.exclusiveMax != nil && f >= *n.exclusiveMax:
		return c.fail(at, "must be less than %v", *n.exclusiveMax).got(value, itsValue)
	}
	if n.multipleOf > 0 {
		times := f / n.multipleOf
		if math.Abs(times-math.Round(times)) > 1e-9*max(1, math.Abs(times)) {
			return c.fail(at, "must be a multiple of %v", n.multipleOf).got(value, itsValue)
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
		return c.fail(at, "must match the pattern %s", excerpt(n.pattern.re.String())).got(value, itsValue)
	}
	return nil
}

func (c *checker) matches(p *pattern, value string) bool {
	return c.spend((len(value)+1)*p.size/4+1) && p.re.MatchString(value)
}
