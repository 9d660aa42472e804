package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// maxExplanation is the maximum length of an explanation in characters.
const maxExplanation = 600

// Violation is a mismatch between a value and its schema.
type Violation struct {
	at *path
	// format and args describe what is expected.
	format string
	args   []any
	came   any
	// detail says how much of the actual value is reported.
	detail detail
	// others says that there are alternatives to what is expected.
	others bool
}

type detail uint8

const (
	noDetail  detail = iota // nothing more
	withValue               // if values are shown
	withType                // and the value, if values are shown
)

// The limits of what is reported.
const (
	maxSteps    = 12 // of a path
	maxStep     = 40 // characters of one
	maxRepeated = 60 // characters of a value
)

// Explain describes the mismatch in one line, without any value. whole is the name of
// the value as a whole, such as "the arguments".
func (v *Violation) Explain(whole string) string { return v.explain(whole, false) }

// ExplainWithValue is Explain with the beginning of the actual text, or the actual
// number.
func (v *Violation) ExplainWithValue(whole string) string { return v.explain(whole, true) }

func (v *Violation) explain(whole string, repeat bool) string {
	text := v.at.text(whole) + ": " + v.want()
	kind := typeOf(v.came)
	switch repeated := shown(v.came); {
	case v.detail == withType && repeat && repeated != "":
		text += ", got " + kind + " " + repeated
	case v.detail == withType:
		text += ", got " + kind
	case v.detail == withValue && repeat && repeated != "":
		text += ", got " + repeated
	case v.detail == withValue && repeat:
		text += ", got " + kind
	}
	if v.others {
		text += " (or one of the other alternatives)"
	}
	return Printable(text, maxExplanation)
}

func (v *Violation) want() string { return fmt.Sprintf(v.format, v.args...) }

// shown is the part of a value worth repeating, empty if its type says enough.
func shown(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return Printable(v.String(), maxRepeated)
	case string:
		return string(jsonscan.AppendString(nil, Printable(v, maxRepeated)))
	}
	return ""
}

// path is the position of a value: a name or an index within its container. Nil is the
// value as a whole.
type path struct {
	outer *path
	name  string
	index int // of an item, else none
	depth int
}

// none is the index of a path step that is not an item.
const none = -1

func (p *path) member(name string) *path {
	return &path{outer: p, name: name, index: none, depth: p.length() + 1}
}
func (p *path) at(index int) *path { return &path{outer: p, index: index, depth: p.length() + 1} }

func (p *path) length() int {
	if p == nil {
		return 0
	}
	return p.depth
}

// text formats the path from the outside in.
func (p *path) text(whole string) string {
	if p == nil {
		return whole
	}
	long := p.depth > maxSteps
	for p.depth > maxSteps {
		p = p.outer
	}
	steps := make([]string, 0, maxSteps)
	for ; p != nil; p = p.outer {
		switch {
		case p.index != none:
			steps = append(steps, "["+strconv.Itoa(p.index)+"]")
		case p.outer != nil:
			steps = append(steps, "."+Printable(p.name, maxStep))
		default:
			steps = append(steps, Printable(p.name, maxStep))
		}
	}
	slices.Reverse(steps)
	if long {
		steps = append(steps, "...")
	}
	return strings.Join(steps, "")
}
