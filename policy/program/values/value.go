package values

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// Form is what a value is.
type Form uint8

// What a value can be.
const (
	IsUnknown Form = iota
	IsText         // a text or a path: all that it can be
	IsNumber       // a number, as text
	IsName         // something that has a name: a module, a function, a variable
	IsList         // a list, tuple or map
	IsFile         // an open file, text is its path
	IsSocket       // a connection
	IsClient       // something that talks to an address
	IsHidden       // a member of something whose name is not known
)

// Value is what is known of an expression. It is kept small because it is copied at every
// step: fields that few values need are in extra.
type Value struct { //nolint:recvcheck // Taint alone changes its value
	Form Form
	// Bare: it was written without quotes, where that says what a word is.
	Bare bool
	// Use is the number of the use that opened a file, plus one.
	Use  int32
	Text string
	*extra
}

// extra is what few values have. It never changes, so that values can share it.
type extra struct {
	// made is what the value was made from.
	made *Origin
	// others are the other texts that it can be.
	others []string
	// list are the items of a list or map, names are set for a map, and held is
	// what all of the items were made from.
	list  []Value
	names []string
	held  *Origin
	// core is what lies in lists of one item, whatever their number.
	core *Value
	// in is the variable that a list is in, for those who add to it.
	in string
	// chain is how it was made, where that is followed.
	chain *Chain
	// function is what calling it reads.
	function Function
	// kind names what an object is.
	kind string
}

// Mark stands around the name of what is not known, within texts.
const Mark = "\x00"

// How much is followed: texts that a value can be, sources that it was made from, and
// items of a list.
const (
	MostTexts   = 8
	MostSources = 32
	MostItems   = 256
	// MostText is how long a text may become.
	MostText = 64 << 10
)

// Text is a value that is a text.
func Text(s string) Value { return Value{Form: IsText, Text: s} }

// Unknown is a text of which only a name is known.
func Unknown(name string) Value { return Text(Mark + name + Mark) }

// perhaps stands in a text that may be another one than what is written.
const perhaps = Mark + "\x01" + Mark

// Perhaps is a text as it is written, which may be another.
func Perhaps(s string) Value { return Text(s + perhaps) }

// PerhapsLast is a text with what says that it may be another one at its end, so that
// the rest is as it is written.
func PerhapsLast(s string) string {
	if !strings.Contains(s, perhaps) {
		return s
	}
	return strings.ReplaceAll(s, perhaps, "") + perhaps
}

// Name is what has a name.
func Name(name string) Value { return Value{Form: IsName, Text: name} }

// List is a list of values.
func List(items ...Value) Value { return Value{Form: IsList}.With(items, nil) }

// With is the value with other items.
func (v Value) With(items []Value, keys []string) Value {
	if items == nil && v.extra == nil {
		return v
	}
	e := v.extras()
	e.list, e.names, e.held, e.core = items, keys, heldBy(items), nil
	if len(items) == 1 {
		e.core = items[0].Only()
	}
	v.extra = &e
	return v
}

// Holding is the value with another one as its only item, which it is made of.
func (v Value) Holding(item *Value) Value {
	return v.With([]Value{*item}, nil).MadeOf(item.Origin())
}

// Inside is a list that is in a variable.
func (v Value) Inside(name string) Value {
	if v.Of() != name {
		e := v.extras()
		e.in = name
		v.extra = &e
	}
	return v
}

// OneOf is the value with the texts that it can be.
func (v Value) OneOf(all []string) Value {
	v.Text = all[0]
	if len(all) > 1 || len(v.Or()) > 0 {
		e := v.extras()
		e.others = all[1:]
		v.extra = &e
	}
	return v
}

// Texts is a list of texts.
func Texts(words []string) Value {
	items := slices.Grow([]Value(nil), len(words))
	for _, w := range words {
		items = append(items, Text(w))
	}
	return List(items...)
}

// IsKnown reports whether nothing of a text is unknown.
func IsKnown(s string) bool { return !strings.Contains(s, Mark) }

// Shown is a text for those who use it: what is not known stands as "${name}".
func Shown(s string) string { return ShownIn(s, "${", "}") }

// ShownIn is Shown with what stands before and behind the name of what is not known.
func ShownIn(s, before, behind string) string {
	if IsKnown(s) {
		return s
	}
	var b strings.Builder
	for i, piece := range Parts(s) {
		switch {
		case i%2 == 1 && Mark+piece+Mark == perhaps:
			piece = ""
		case i%2 == 1:
			piece = before + piece + behind
		}
		b.WriteString(piece)
	}
	return b.String()
}

// Marked are the names of what is not known in a text.
func Marked(s string) (names []string) {
	for i, piece := range Parts(s) {
		if i%2 == 1 {
			names = Merge(names, []string{piece})
		}
	}
	return names
}

// Piece is the first text that a value can be in another text.
func (v Value) Piece() string {
	name := "x"
	switch only := v.Only(); only.Form {
	case IsText, IsNumber:
		return only.Text
	case IsName:
		name = Plain(only.Text)
	case IsFile:
		name = "file"
	case IsList:
		name = "list"
	default:
	}
	return Mark + name + Mark
}

// Pieces are the texts that a value can be in another text.
func (v Value) Pieces() []string {
	if v.Several() {
		only := v.Only()
		return append([]string{only.Text}, only.Or()...)
	}
	return []string{v.Piece()}
}

// Several reports whether it can be more than one text.
func (v Value) Several() bool {
	only := v.Only()
	return len(only.Or()) > 0 && (only.Form == IsText || only.Form == IsNumber)
}

// Only is the only item of a list, or the value.
func (v *Value) Only() *Value {
	if v.Form == IsList && len(v.Items()) == 1 {
		return v.core
	}
	return v
}

// Plain makes a name of letters.
func Plain(name string) string {
	name = strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "$@%&()")
	odd := func(c rune) bool {
		return c < 0x80 && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
	}
	if name == "" || '0' <= name[0] && name[0] <= '9' || strings.ContainsFunc(name, odd) {
		return "x"
	}
	return name[:min(len(name), 40)]
}

// Known is the text, if it is the only one that the value can be.
func (v Value) Known() (string, bool) {
	if (v.Form == IsText || v.Form == IsNumber) && len(v.Or()) == 0 && IsKnown(v.Text) {
		return v.Text, true
	}
	return "", false
}

// get is what few values have, empty for the others.
func (e *extra) get() *extra {
	if e == nil {
		return &none
	}
	return e
}

var none extra

func (v Value) extras() extra { return *v.get() }

// Or are the other texts that a value can be, items and keys those of a list or map,
// of is the variable that a list is in.
func (e *extra) Or() []string { return e.get().others }

func (e *extra) Items() []Value { return e.get().list }

func (e *extra) Keys() []string { return e.get().names }

func (e *extra) Of() string { return e.get().in }

// Origin is what the value was made from.
func (e *extra) Origin() *Origin { return e.get().made }

// Sources, Remote and Hidden are those of what the value was made from.
func (e *extra) Sources() []string { return e.Origin().get().Sources }

func (e *extra) Remote() string { return e.Origin().get().Remote }

func (e *extra) Hidden() string { return e.Origin().get().Hidden }

// Parts are the pieces of a text: those with odd numbers are names of what is not known.
func Parts(s string) []string { return strings.Split(s, Mark) }

// Function is what a reader keeps of a function that can be called.
type Function interface{ IsFunction() }

// Calling is the value as one that calls a function.
func (v Value) Calling(f Function) Value {
	e := v.extras()
	e.function = f
	v.extra = &e
	return v
}

// Calls is what calling the value reads, nil if that is not known.
func (e *extra) Calls() Function { return e.get().function }

// Chain is how something was made that nobody knows: by which calls, one on what the
// other gave.
type Chain struct {
	Links []library.Link
	// Here: it is known to talk to something on the same machine.
	Here bool
}

// Chain is how the value was made, nil if that is not followed.
func (e *extra) Chain() *Chain { return e.get().chain }

// Chained is the value with how it was made.
func (v Value) Chained(c *Chain) Value {
	e := v.extras()
	e.chain = c
	v.extra = &e
	return v
}

// Kind names what an object is, empty if it is none that a name is known of.
func (e *extra) Kind() string { return e.get().kind }

// As is the value as an object of a kind.
func (v Value) As(kind string) Value {
	if v.Kind() != kind {
		e := v.extras()
		e.kind = kind
		v.extra = &e
	}
	return v
}
