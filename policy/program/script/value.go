package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// What a value is.
type form uint8

const (
	isUnknown  form = iota
	isString        // a text or a path: all that it can be
	isNum           // a number, as text
	isRef           // something that has a name: a module, a function, a variable
	isList          // a list, tuple or map
	isFile          // an open file, text is its path
	isSocket        // a connection
	isClient        // something that talks to an address
	isSecretly      // a member of something whose name is not known
)

// value is what is known of an expression. It is kept small because it is copied at every
// step: fields that few values need are in extra.
type value struct { //nolint:recvcheck // taint alone changes its value
	form form
	// use is the number of the use that opened a file, plus one.
	use  int32
	text string
	*extra
}

// extra is what few values have. It never changes, so that values can share it.
type extra struct {
	// made is what the value was made from.
	made *origin
	// others are the other texts that it can be.
	others []string
	// list are the items of a list or map, names are set for a map, and held is
	// what all of the items were made from.
	list  []value
	names []string
	held  *origin
	// core is what lies in lists of one item, whatever their number.
	core *value
	// in is the variable that a list is in, for those who add to it.
	in string
	// chain is how it was made, where that is followed.
	chain *chain
	// function is what calling it reads.
	function *function
}

// mark stands around the name of what is not known, within texts.
const mark = "\x00"

const (
	mostTexts   = 8
	mostSources = 32
	mostItems   = 256
	// mostText is how long a text may become.
	mostText = 64 << 10
)

func text(s string) value { return value{form: isString, text: s} }

func ref(name string) value { return value{form: isRef, text: name} }

func listOf(items ...value) value { return value{form: isList}.with(items, nil) }

// with is the value with other items.
func (v value) with(items []value, keys []string) value {
	if items == nil && v.extra == nil {
		return v
	}
	e := v.extras()
	e.list, e.names, e.held, e.core = items, keys, heldBy(items), nil
	if len(items) == 1 {
		e.core = items[0].only()
	}
	v.extra = &e
	return v
}

// holding is the value with another one as its only item, which it is made of.
func (v value) holding(item *value) value {
	if *item == (value{}) {
		v.extra = &holdsUnknown
		return v
	}
	one := struct {
		extra
		item [1]value
	}{item: [1]value{*item}}
	one.made, one.list, one.held = item.origin(), one.item[:], heldBy(one.item[:])
	v.extra = &one.extra
	return v
}

// holdsUnknown is that of most members: of something that is not known.
var holdsUnknown = extra{list: []value{{}}}

// inside is a list that is in a variable.
func (v value) inside(name string) value {
	if v.of() != name {
		e := v.extras()
		e.in = name
		v.extra = &e
	}
	return v
}

// oneOf is the value with the texts that it can be.
func (v value) oneOf(all []string) value {
	v.text = all[0]
	if len(all) > 1 || len(v.or()) > 0 {
		e := v.extras()
		e.others = all[1:]
		v.extra = &e
	}
	return v
}

func textList(words []string) value {
	items := slices.Grow([]value(nil), len(words))
	for _, w := range words {
		items = append(items, text(w))
	}
	return listOf(items...)
}

func isKnown(s string) bool { return !strings.Contains(s, mark) }

// shown is a text for those who use it: what is not known stands as "${name}".
func shown(s string) string {
	if isKnown(s) {
		return s
	}
	var b strings.Builder
	for i, piece := range parts(s) {
		if i%2 == 1 {
			piece = "${" + piece + "}"
		}
		b.WriteString(piece)
	}
	return b.String()
}

// marked are the names of what is not known in a text.
func marked(s string) (names []string) {
	for i, piece := range parts(s) {
		if i%2 == 1 {
			names = merge(names, []string{piece})
		}
	}
	return names
}

// piece is the first text that a value can be in another text.
func (v value) piece() string {
	name := "x"
	switch only := v.only(); only.form {
	case isString, isNum:
		return only.text
	case isRef:
		name = plain(only.text)
	case isFile:
		name = "file"
	case isList:
		name = "list"
	default:
	}
	return mark + name + mark
}

// pieces are the texts that a value can be in another text.
func (v value) pieces() []string {
	if v.several() {
		only := v.only()
		return append([]string{only.text}, only.or()...)
	}
	return []string{v.piece()}
}

// several reports whether it can be more than one text.
func (v value) several() bool {
	only := v.only()
	return len(only.or()) > 0 && (only.form == isString || only.form == isNum)
}

// only is the only item of a list, or the value.
func (v *value) only() *value {
	if v.form == isList && len(v.items()) == 1 {
		return v.core
	}
	return v
}

// plain makes a name of letters.
func plain(name string) string {
	name = strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "$@%&()")
	odd := func(c rune) bool { return c < 0x80 && !lexer.IsWord(byte(c)) }
	if name == "" || lexer.IsDigit(name[0]) || strings.ContainsFunc(name, odd) {
		return "x"
	}
	return name[:min(len(name), 40)]
}

// known is the text, if it is the only one that the value can be.
func (v value) known() (string, bool) {
	if (v.form == isString || v.form == isNum) && len(v.or()) == 0 && isKnown(v.text) {
		return v.text, true
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

func (v value) extras() extra { return *v.get() }

// or are the other texts that a value can be, items and keys those of a list or map,
// of is the variable that a list is in.
func (e *extra) or() []string { return e.get().others }

func (e *extra) items() []value { return e.get().list }

func (e *extra) keys() []string { return e.get().names }

func (e *extra) of() string       { return e.get().in }
func (e *extra) calls() *function { return e.get().function }

func (e *extra) origin() *origin { return e.get().made }

func (e *extra) sources() []string { return e.origin().get().sources }

func (e *extra) remote() string { return e.origin().get().remote }

func (e *extra) hidden() string { return e.origin().get().hidden }

// parts are the pieces of a text: those with odd numbers are names of what is not known.
func parts(s string) []string { return strings.Split(s, mark) }
