package request

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Body builds one JSON body behind the bytes that it was made with. It is not
// safe for concurrent use.
type Body struct {
	dialect string
	before  int
	out     []byte
	err     *llm.RequestError
}

// NewBody returns a builder that appends to dst.
func NewBody(dst []byte, dialect string) *Body {
	return &Body{dialect: dialect, before: len(dst), out: dst}
}

// Refusef records that the request has no form. The first reason counts.
func (b *Body) Refusef(format string, args ...any) {
	if b.err == nil {
		b.err = &llm.RequestError{Dialect: b.dialect, Reason: fmt.Sprintf(format, args...), Offset: -1}
	}
}

// Bytes returns dst with the body behind it, or dst as it was and an
// *llm.RequestError.
func (b *Body) Bytes() ([]byte, error) {
	if b.err != nil {
		return b.out[:b.before], b.err
	}
	return b.out, nil
}

// separate writes the comma that a value or a key needs before it.
func (b *Body) separate() {
	if n := len(b.out); n > b.before {
		switch b.out[n-1] {
		case '{', '[', ':', ',':
		default:
			b.out = append(b.out, ',')
		}
	}
}

// Open begins an object or an array.
func (b *Body) Open(bracket byte) {
	b.separate()
	b.out = append(b.out, bracket)
}

// Close ends an object or an array.
func (b *Body) Close(bracket byte) { b.out = append(b.out, bracket) }

// Key begins a member.
func (b *Body) Key(name string) {
	b.separate()
	b.out = append(jsonscan.AppendString(b.out, name), ':')
}

// Text writes a string.
func (b *Body) Text(value string) {
	b.separate()
	b.out = jsonscan.AppendString(b.out, value)
}

// String writes a member that is a string.
func (b *Body) String(name, value string) {
	b.Key(name)
	b.out = jsonscan.AppendString(b.out, value)
}

// True writes a member that is true.
func (b *Body) True(name string) {
	b.Key(name)
	b.out = append(b.out, "true"...)
}

// Int writes a member that is a whole number.
func (b *Body) Int(name string, value int) {
	b.Key(name)
	b.out = strconv.AppendInt(b.out, int64(value), 10)
}

// Float writes a member that is a number; infinities and NaN are refused.
func (b *Body) Float(name string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		b.Refusef("%s is not a finite number", name)
		return
	}
	b.Key(name)
	b.out = strconv.AppendFloat(b.out, value, 'g', -1, 64)
}

// Sources writes the citations of a text that are of the dialect, byte for byte, as
// a member that is a list. Without any there is no member.
func (b *Body) Sources(name string, sources []json.RawMessage, isOwn func([]byte) bool) {
	begun := false
	for _, source := range sources {
		if !isOwn(source) {
			continue
		}
		if !begun {
			begun = true
			b.Key(name)
			b.Open('[')
		}
		b.Exact("a citation", source)
	}
	if begun {
		b.Close(']')
	}
}

// Exact writes a value that is JSON already, byte for byte: for what a provider
// has signed or a prompt cache knows.
func (b *Body) Exact(what string, value []byte) {
	if err := jsonscan.Valid(value); err != nil {
		b.Refusef("%s is not JSON", what)
		return
	}
	if jsonscan.Classify(value) == jsonscan.ShapeDuplicate {
		b.Refusef("%s has an object with a key twice, which readers take in different ways", what)
		return
	}
	b.separate()
	b.out = append(b.out, value...)
}

// Extra writes the members that have no field, in the order of their names.
// One that the writer has a field for is refused: the body would have it twice.
func (b *Body) Extra(extra map[string]json.RawMessage, taken ...string) {
	names := make([]string, 0, len(extra))
	for name := range extra {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(taken, name) {
			b.Refusef("Extra has the member %q, which has a field of its own: set the field instead", name)
			return
		}
		b.Key(name)
		b.Exact("Extra member "+strconv.Quote(name), extra[name])
	}
}
