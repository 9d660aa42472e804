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

// Body builds one JSON body after the bytes that it was created with. It is not safe
// for concurrent use.
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

// Refusef records that the dialect cannot express the request. The first reason is
// kept.
func (b *Body) Refusef(format string, args ...any) {
	if b.err == nil {
		b.err = &llm.RequestError{Dialect: b.dialect, Reason: fmt.Sprintf(format, args...), Offset: -1}
	}
}

// Bytes returns dst with the body appended, or dst unchanged and an *llm.RequestError.
func (b *Body) Bytes() ([]byte, error) {
	if b.err != nil {
		return b.out[:b.before], b.err
	}
	return b.out, nil
}

// separate writes the comma before a value or a key if one is needed.
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

// Sources writes the citations of a text that are of this dialect, byte for byte, as an
// array member. Without any the member is omitted.
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

// Exact writes a value that is already JSON, byte for byte: for values that a provider
// signed or a prompt cache depends on.
func (b *Body) Exact(what string, value []byte) {
	if err := jsonscan.Valid(value); err != nil {
		b.Refusef("%s is not JSON", what)
		return
	}
	if jsonscan.Classify(value) == jsonscan.ShapeDuplicate {
		b.Refusef("%s has an object with a duplicate key, which parsers read in different ways", what)
		return
	}
	b.separate()
	b.out = append(b.out, value...)
}

// Extra writes the members that have no field, sorted by name. One that the writer has
// a field for is refused: the body would have it twice.
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
