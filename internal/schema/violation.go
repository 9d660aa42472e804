package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// maxExplanation is the most characters of an explanation.
const maxExplanation = 600

// Violation is where a value is not what its schema says.
type Violation struct {
	at *path
	// format and args say what is wanted.
	format string
	args   []any
	came   any
	// tell says how much is told of what came.
	tell telling
	// others says that there are alternatives to what is wanted.
	others bool
}

type telling uint8

const (
	noMore   telling = iota // the rest says it all
	itsValue                // if values are repeated
	itsType                 // and its value, if values are repeated
)

// The limits of what is told.
const (
	maxSteps    = 12 // of a path
	maxStep     = 40 // characters of one
	maxRepeated = 60 // characters of a value
)

// Explain says in one line what is wrong, without any value. What the value as a
// whole is called stands in for its place, such as "the arguments".
func (v *Violation) Explain(whole string) string { return v.explain(whole, false) }

// ExplainWithValue is Explain with the beginning of the text, or with the number, that
// came instead.
func (v *Violation) ExplainWithValue(whole string) string { return v.explain(whole, true) }

func (v *Violation) explain(whole string, repeat bool) string {
	text := v.at.text(whole) + ": " + v.want()
	kind := typeOf(v.came)
	switch repeated := shown(v.came); {
	case v.tell == itsType && repeat && repeated != "":
		text += ", got " + kind + " " + repeated
	case v.tell == itsType:
		text += ", got " + kind
	case v.tell == itsValue && repeat && repeated != "":
		text += ", got " + repeated
	case v.tell == itsValue && repeat:
		text += ", got " + kind
	}
	if v.others {
		text += " (or one of the other alternatives)"
	}
	return Printable(text, maxExplanation)
}

func (v *Violation) want() string { return fmt.Sprintf(v.format, v.args...) }

// shown is a value as much as is worth repeating, empty if its type says it all.
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

// path is where a value stands: a name or a number within what is outside of it.
// Nil is the value as a whole.
type path struct {
	outer *path
	name  string
	index int // of an item, or none
	depth int
}

// none is the index of what is no item.
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

// text is the way to a place from the outside.
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
