package values

import "strings"

// FlatItems are the items of a tuple, or the value alone.
func (v Value) FlatItems() []Value {
	if v.Form == IsList && v.Keys() == nil {
		return v.Items()
	}
	return []Value{v}
}

// Concat is one text after the other, for all that they can be.
func (m *Maker) Concat(a, b Value) Value {
	out := Value{Form: IsText}
	out.Taint(&a)
	out.Taint(&b)
	if !a.Several() && !b.Several() {
		out.Text = m.Glue(a.Piece(), b.Piece())
		return out
	}
	left, right := a.Pieces(), b.Pieces()
	if len(left)*len(right) > MostTexts {
		left, right = []string{Mark + "x" + Mark}, right[:1]
	}
	all := make([]string, 0, len(left)*len(right))
	for _, x := range left {
		for _, y := range right {
			all = append(all, m.Glue(x, y))
		}
	}
	return out.OneOf(all)
}

func (m *Maker) Repeat(a Value, n int) Value {
	if n < 0 || a.Text != "" && n > MostText/len(a.Text) || len(a.Or()) > 0 {
		return Value{}.MadeOf(DecodedBy(a.Hidden()))
	}
	if !m.Makes(n * len(a.Text)) {
		a.Text = TooLong
		return a
	}
	a.Text = strings.Repeat(a.Text, n)
	return a
}

// PathJoin joins paths: one that is absolute replaces what is before it.
func (m *Maker) PathJoin(a, b Value) Value {
	if s, ok := b.Known(); ok && strings.HasPrefix(s, "/") {
		return b
	}
	if s, ok := a.Known(); ok && (s == "" || s == "/") {
		return m.Concat(a, b)
	}
	return m.Concat(m.Concat(a, Text("/")), b)
}

// MadeBy is something that is not known and was made from a value.
func MadeBy(v *Value) Value {
	out := Value{}
	out.Taint(v)
	return out
}

// made is MadeBy for a value that is put together for that.
func (v Value) made() Value { return MadeBy(&v) }

// Stepped takes every n-th letter, from the end if n is negative.
func Stepped(s string, n int) string {
	letters := []rune(s)
	var b strings.Builder
	if n < 0 {
		for i := len(letters) - 1; i >= 0; i += n {
			b.WriteRune(letters[i])
		}
		return b.String()
	}
	for i := 0; i < len(letters); i += n {
		b.WriteRune(letters[i])
	}
	return b.String()
}
