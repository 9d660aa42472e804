package javascript

import (
	"math"
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
	if isASCII(s) {
		from, to = max(0, min(from, len(s))), max(0, min(to, len(s)))
		if from >= to {
			return ""
		}
		return s[from:to]
	}
	all := utf16.Encode([]rune(s))
	from, to = max(0, min(from, len(all))), max(0, min(to, len(all)))
	if from >= to {
		return ""
	}
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
	for i, a := range args {
		if a.kind == either { // for each of them
			return e.each(a, func(a value) value {
				some := append([]value(nil), args...)
				some[i] = a
				return e.textMethod(v, name, some)
			})
		}
	}
	switch name {
	case "toString", "valueOf", "normalize", "toWellFormed", "String":
		return v
	case "concat":
		for _, a := range args {
			v = e.plus(v, e.toText(a))
		}
		return v
	case "trim", "trimStart", "trimEnd", "trimLeft", "trimRight", "toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase", "replace", "replaceAll":
		if !e.room(len(v.text)) {
			return value{}
		}
		return e.shaped(v, name, args)
	}
	if v.partial || !e.room(len(v.text)) {
		return e.partialMethod(v, name, args)
	}
	length := units(v.text)
	switch name {
	case "repeat", "padStart", "padEnd":
		return e.lengthened(v, name, args)
	case "slice", "substring", "substr":
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
		return textValue(cut(v.text, from, to))
	case "charAt", "at", "charCodeAt", "codePointAt":
		i, ok := whole(args, 0, 0)
		if !ok {
			return value{}
		}
		if name == "at" {
			i = fromEnd(i, length)
		}
		c := unitAt(v.text, i)
		switch {
		case name == "charAt" && c.kind == undefined:
			return textValue("")
		case name == "charCodeAt" || name == "codePointAt":
			r, _ := utf8.DecodeRuneInString(c.text)
			if c.kind == undefined {
				return numberValue(math.NaN())
			}
			if c.text == string(utf8.RuneError) { // half of a pair
				return value{}
			}
			return numberValue(float64(r))
		}
		return c
	case "split":
		return e.split(v.text, args)
	case "includes", "startsWith", "endsWith", "indexOf", "lastIndexOf":
		if len(args) != 1 || args[0].kind != text || args[0].partial {
			return value{}
		}
		s := args[0].text
		switch name {
		case "includes":
			return boolValue(strings.Contains(v.text, s))
		case "startsWith":
			return boolValue(strings.HasPrefix(v.text, s))
		case "endsWith":
			return boolValue(strings.HasSuffix(v.text, s))
		case "indexOf":
			if i := strings.Index(v.text, s); i >= 0 {
				return numberValue(float64(units(v.text[:i])))
			}
			return numberValue(-1)
		}
		if i := strings.LastIndex(v.text, s); i >= 0 {
			return numberValue(float64(units(v.text[:i])))
		}
		return numberValue(-1)
	}
	e.escapeAll(args)
	return value{}
}

// partialMethod is a method of a text of which a part is unknown. What cuts it
// leaves nothing that is known.
func (e *evaluator) partialMethod(v value, name string, args []value) value {
	e.escapeAll(args)
	switch name {
	case "slice", "substring", "substr", "repeat", "padStart", "padEnd", "charAt", "at":
		return value{kind: text, text: Unknown, partial: true}
	case "split":
		return value{kind: list, ref: &items{open: true, all: []value{{kind: text, text: v.text, partial: true}}, kept: e.branch}}
	}
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
		return value{kind: text, text: Unknown, partial: true}
	}
	if name == "repeat" {
		if n > MaxText || !e.room(len(v.text)*n) {
			e.doubt(Long)
			return value{}
		}
		return textValue(strings.Repeat(v.text, n))
	}
	pad := " "
	if len(args) > 1 {
		p := e.toText(args[1])
		if p.kind != text || p.partial || p.text == "" || !isASCII(p.text) {
			return value{}
		}
		pad = p.text
	}
	missing := n - units(v.text)
	if missing <= 0 {
		return v
	}
	if !e.room(len(v.text) + missing) {
		return value{}
	}
	fill := strings.Repeat(pad, missing/len(pad)+1)[:missing]
	if name == "padStart" {
		return textValue(fill + v.text)
	}
	return textValue(v.text + fill)
}

// shaped computes the methods that also make sense for a text with an unknown
// part.
func (e *evaluator) shaped(v value, name string, args []value) value {
	out := v
	switch name {
	case "trim":
		out.text = strings.TrimSpace(v.text)
	case "trimStart", "trimLeft":
		out.text = strings.TrimLeft(v.text, " \t\r\n\v\f\u00a0\ufeff")
	case "trimEnd", "trimRight":
		out.text = strings.TrimRight(v.text, " \t\r\n\v\f\u00a0\ufeff")
	case "toLowerCase", "toLocaleLowerCase":
		if v.partial {
			return value{kind: text, text: Unknown, partial: true}
		}
		out.text = strings.ToLower(v.text)
	case "toUpperCase", "toLocaleUpperCase":
		if v.partial {
			return value{kind: text, text: Unknown, partial: true}
		}
		out.text = strings.ToUpper(v.text)
	default:
		return e.replace(v, name == "replaceAll", args)
	}
	return out
}
