package values

import (
	"strconv"
	"strings"
)

// Whole is a whole number as the language writes it: 0o755, 0755, 0x1ff and 493 are the same.
func Whole(v *Value) (n int64, ok bool) {
	if v.Form != IsNumber {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 0, 34)
	return n, err == nil
}

// BitsAdded is what adding the bits that make a file run as its owner makes of a mode that is
// not known. It reports false for others.
func BitsAdded(op string, a, b *Value) (Value, bool) {
	n, ok := Whole(b)
	if ok == (a.Form == IsNumber) {
		return Value{}, false
	}
	if !ok {
		n, ok = Whole(a)
	}
	if op != "|" && op != "|=" || !ok || n&0o6000 == 0 || n >= 1<<12 {
		return Value{}, false
	}
	return Text("$mode|0" + strconv.FormatInt(n, 8)), true
}

// Octal is the mode of a file as chmod is told it, where a program has it as a number.
func Octal(mode Value) Value {
	written := len(mode.Text) > 1 && mode.Text[0] == '0' && strings.IndexByte("01234567oO", mode.Text[1]) >= 0
	if n, ok := Whole(&mode); ok && n >= 0 && !written {
		mode.Text = "0" + strconv.FormatInt(n, 8)
	}
	return mode
}

// number is the number that a text says, with a base or with the one that it begins with.
func number(_ *Maker, o *Operands) Value {
	of, in := o.At(0), o.At(1)
	s, known := of.Known()
	base := 10
	if n, err := strconv.Atoi(in.Text); err == nil && o.Has(1) {
		base = n
	}
	if !known || base < 0 || base == 1 || base > 36 {
		return MadeBy(&of)
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if base == 8 {
		s = strings.TrimPrefix(s, "0o")
	}
	n, err := strconv.ParseInt(s, base, 64)
	if err != nil {
		return MadeBy(&of)
	}
	return Value{Form: IsNumber, Text: strconv.FormatInt(n, 10)}
}

// Arithmetic is what an operator makes of two numbers. It reports false for others.
func Arithmetic(op string, a, b *Value) (Value, bool) {
	if a.Form != IsNumber || b.Form != IsNumber {
		return Value{}, false
	}
	x, okX := Whole(a)
	y, okY := Whole(b)
	if !okX || !okY {
		return Value{}, false
	}
	switch op {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "^":
		x ^= y
	case "|":
		x |= y
	case "&":
		x &= y
	case "<<", ">>":
		if y < 0 || y > 31 {
			return Value{}, false
		}
		if op == ">>" {
			x >>= y
		} else {
			x <<= y
		}
	default:
		return Value{}, false
	}
	return Value{Form: IsNumber, Text: strconv.FormatInt(x, 10)}, true
}
