package javascript

import (
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// isASCII reports whether units of a text are its bytes.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// units is the length of a text as JavaScript counts it.
func units(s string) int {
	if isASCII(s) {
		return len(s)
	}
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// cut is the part of a text between two of its units.
func cut(s string, from, to int) string {
	within := func(size int) (int, int) {
		to = max(0, min(to, size))
		return max(0, min(from, to)), to
	}
	if isASCII(s) {
		from, to = within(len(s))
		return s[from:to]
	}
	all := utf16.Encode([]rune(s))
	from, to = within(len(all))
	return string(utf16.Decode(all[from:to]))
}

func unitAt(s string, i int) value {
	if i < 0 || i >= units(s) {
		return value{kind: undefined}
	}
	return textValue(cut(s, i, i+1))
}

// whole is an argument as a whole number, or what it is without one.
func whole(args []value, i, without int) (int, bool) {
	if i >= len(args) || args[i].kind == undefined {
		return without, true
	}
	x, ok := toNumber(args[i])
	if !ok {
		return 0, false
	}
	if x != x {
		return 0, true
	}
	return int(math.Max(-1e9, math.Min(1e9, math.Trunc(x)))), true
}

// textMethod computes a method of a text.
func (e *evaluator) textMethod(v value, name string, args []value) value {
	if slices.ContainsFunc(args, isEither) {
		return e.eachOf(args, func(args []value) value { return e.textMethod(v, name, args) })
	}
	switch name {
	case "toString", "valueOf", "normalize", "toWellFormed", "String":
		return v
	case "concat":
		for _, a := range args {
			v = e.plus(v, e.toText(a))
		}
		return v
	}
	if changes[name] != nil || name == "replace" || name == "replaceAll" {
		if !e.room(len(v.text)) {
			return value{}
		}
		return e.shaped(v, name, args)
	}
	if v.partial || !e.room(len(v.text)) {
		return e.partialMethod(v, name, args)
	}
	switch name {
	case "repeat", "padStart", "padEnd":
		return e.lengthened(v, name, args)
	case "slice", "substring", "substr":
		return part(v.text, name, args)
	case "charAt", "at", "charCodeAt", "codePointAt":
		return letterAt(v.text, name, args)
	case "split":
		return e.split(v.text, args)
	case "includes", "startsWith", "endsWith", "indexOf", "lastIndexOf":
		if s, ok := arg(args, 0).whole(); ok && len(args) == 1 {
			return found(v.text, name, s)
		}
		return value{}
	}
	e.escapeAll(args)
	return value{}
}

func fromEnd(i, length int) int {
	if i < 0 {
		return max(0, length+i)
	}
	return min(i, length)
}

// lengthened computes repeat and the pads.
func (e *evaluator) lengthened(v value, name string, args []value) value {
	n, ok := whole(args, 0, 0)
	if !ok || n < 0 {
		return someText()
	}
	if name == "repeat" {
		if n > MaxText || !e.room(len(v.text)*n) {
			e.doubt(Long)
			return value{}
		}
		return textValue(strings.Repeat(v.text, n))
	}
	pad := textValue(" ")
	if len(args) > 1 {
		pad = e.toText(args[1])
	}
	s, known := pad.whole()
	missing := n - units(v.text)
	switch {
	case !known || s == "" || !isASCII(s):
		return value{}
	case missing <= 0:
		return v
	case !e.room(len(v.text) + missing):
		return value{}
	}
	fill := strings.Repeat(s, missing/len(s)+1)[:missing]
	if name == "padStart" {
		return textValue(fill + v.text)
	}
	return textValue(v.text + fill)
}

// shaped computes the methods that also make sense for a text with an unknown
// part.
func (e *evaluator) shaped(v value, name string, args []value) value {
	change := changes[name]
	switch {
	case change == nil:
		return e.replace(v, name == "replaceAll", args)
	case v.partial && strings.HasSuffix(name, "Case"):
		return someText()
	}
	v.text = change(v.text)
	return v
}

// changes are methods that make one text of another.
var changes = map[string]func(string) string{
	"trim": strings.TrimSpace, "trimStart": trimStart, "trimLeft": trimStart, "trimEnd": trimEnd, "trimRight": trimEnd,
	"toLowerCase": strings.ToLower, "toLocaleLowerCase": strings.ToLower, "toUpperCase": strings.ToUpper, "toLocaleUpperCase": strings.ToUpper,
}

const blanks = " \t\r\n\v\f\u00a0\ufeff"

func trimStart(s string) string { return strings.TrimLeft(s, blanks) }

func trimEnd(s string) string { return strings.TrimRight(s, blanks) }

// found computes the methods that look for a text in another.
func found(in, name, s string) value {
	at := strings.Index(in, s)
	switch name {
	case "includes":
		return boolValue(at >= 0)
	case "startsWith":
		return boolValue(strings.HasPrefix(in, s))
	case "endsWith":
		return boolValue(strings.HasSuffix(in, s))
	case "lastIndexOf":
		at = strings.LastIndex(in, s)
	}
	if at < 0 {
		return numberValue(-1)
	}
	return numberValue(float64(units(in[:at])))
}

// part computes slice and its relatives.
func part(s, name string, args []value) value {
	length := units(s)
	from, ok := whole(args, 0, 0)
	to, ok2 := whole(args, 1, length)
	if !ok || !ok2 {
		return value{}
	}
	switch name {
	case "slice":
		from, to = fromEnd(from, length), fromEnd(to, length)
	case "substring":
		if from, to = max(from, 0), max(to, 0); from > to {
			from, to = to, from
		}
	case "substr":
		from = fromEnd(from, length)
		if len(args) > 1 {
			to = min(from+to, length)
		}
	}
	return textValue(cut(s, from, to))
}

// letterAt computes charAt and its relatives.
func letterAt(s, name string, args []value) value {
	i, ok := whole(args, 0, 0)
	if !ok {
		return value{}
	}
	if name == "at" {
		i = fromEnd(i, units(s))
	}
	c := unitAt(s, i)
	switch {
	case name == "charAt" && c.kind == undefined:
		return textValue("")
	case name != "charCodeAt" && name != "codePointAt":
		return c
	case c.kind == undefined:
		return numberValue(math.NaN())
	case c.text == string(utf8.RuneError): // half of a pair
		return value{}
	}
	r, _ := utf8.DecodeRuneInString(c.text)
	return numberValue(float64(r))
}

// partialMethod is a method of a text of which a part is unknown. What cuts it
// leaves nothing that is known.
func (e *evaluator) partialMethod(v value, name string, args []value) value {
	e.escapeAll(args)
	switch name {
	case "slice", "substring", "substr", "repeat", "padStart", "padEnd", "charAt", "at":
		return someText()
	case "split":
		return e.openList([]value{{kind: text, text: v.text, partial: true}}, true)
	}
	return value{}
}
