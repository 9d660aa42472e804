package values

import (
	"cmp"
	"strconv"
	"strings"
)

// Decoded makes a text of every text that a value can be. What cannot be made is
// not known, and was decoded by how.
func (m *Maker) Decoded(v Value, how string, undo func(string) (string, bool)) Value {
	return m.reshaped(v, how, func(s string) (string, bool) {
		if !IsKnown(s) {
			return "", false
		}
		made, ok := undo(s)
		return strings.ReplaceAll(made, Mark, " "), ok
	})
}

// reshaped is Decoded where what is not known stays what it is.
func (m *Maker) reshaped(v Value, how string, undo func(string) (string, bool)) Value {
	out := Value{Form: IsText}.MadeOf(DecodedBy(how))
	out.Taint(&v)
	if v.Form != IsText {
		return Value{}.MadeOf(MadeFrom(Origin{Hidden: how, Sources: out.Sources(), Remote: out.Remote()}))
	}
	var all []string
	for _, s := range v.Pieces() {
		if !m.Looks(len(s)) {
			all = append(all, TooLong)
			continue
		}
		made, ok := undo(s)
		m.Looks(len(made))
		if !ok {
			all = append(all, Mark+cmp.Or(how, "x")+Mark)
			continue
		}
		all = append(all, m.Made(made))
	}
	return out.OneOf(all)
}

// Letter is the text of a character's number.
func (m *Maker) Letter(v Value) Value {
	n, err := strconv.ParseInt(v.Text, 0, 32)
	if v.Form != IsNumber || err != nil {
		out := Value{Form: IsText, Text: Mark + "chr" + Mark}.MadeOf(decodedByChr)
		out.Taint(&v)
		return out
	}
	if n == 0 {
		return Text("")
	}
	return Value{Form: IsText, Text: string(rune(n))}.MadeOf(decodedByChr)
}

// decodedByChr is shared: there is one letter for each call.
var decodedByChr = DecodedBy("chr")

// Letters is the text of several characters' numbers.
func (m *Maker) Letters(codes []Value) Value {
	letters := make([]Value, len(codes))
	for i := range codes {
		letters[i] = m.Letter(codes[i])
	}
	return m.Joined(Text(""), List(letters...))
}

// Joined is the items of a list with a text between them.
func (m *Maker) Joined(between, list Value) Value {
	if list.Form != IsList {
		out := Value{Form: IsText, Text: Mark + "joined" + Mark}
		out.Taint(&list)
		if list.Form == IsText && IsKnown(list.Text) && len(list.Or()) == 0 && between.Text == "" {
			out.Text = list.Text
		}
		return out
	}
	out, items := Text(""), list.Items()
	if len(items) == 0 {
		return out
	}
	if !m.Looks(PerItem * len(items)) {
		out.Text = TooLong
		return out
	}
	sep, several, total := between.Piece(), between.Several(), 0
	parts := make([]string, len(items))
	for i := range items {
		parts[i] = items[i].Piece()
		several = several || items[i].Several()
		out.Taint(&items[i])
		total += len(parts[i]) + len(sep)
	}
	if !several && total <= MostText { // the usual case at once, in time for its length
		out.Text = TooLong
		if m.Makes(total - len(sep)) {
			out.Text = strings.Join(parts, sep)
		}
		out.Taint(&list)
		out.Taint(&between)
		return out
	}
	for i := range items {
		if i > 0 {
			out = m.Concat(out, between)
		}
		out = m.Concat(out, items[i])
	}
	return out
}

// Format fills %s and the like, or {} and {0}.
func (m *Maker) Format(pattern Value, items []Value) Value {
	out := Text("")
	out.Taint(&pattern)
	s, next := pattern.Text, 0
	percent := strings.Contains(s, "%") && !strings.Contains(s, "{")
	for s != "" && m.Step() {
		at := strings.IndexAny(s, "%{")
		if at < 0 || at+1 >= len(s) {
			break
		}
		out = m.Concat(out, Text(s[:at]))
		sign, end, place := s[at], at+1, next
		switch {
		case s[end] == sign: // stands for itself
			end++
			place = -1
		case (sign == '%') != percent:
			place = -1
		case percent:
			for end < len(s) && strings.IndexByte("-+ #0123456789.l$", s[end]) >= 0 {
				end++
			}
			if end < len(s) && s[end] == '(' { // %(name)s
				end = len(s) - 1
			}
			end, next = end+1, next+1
		default:
			size := strings.IndexByte(s[at:], '}')
			if size < 0 {
				return m.Concat(out, Text(s[at:]))
			}
			name, _, _ := strings.Cut(s[end:at+size], ":")
			if n, err := strconv.Atoi(name); err == nil {
				place = n
			} else {
				next++
			}
			end = at + size + 1
		}
		item := Text(string(sign))
		if place >= 0 {
			item = Value{}
			if place < len(items) {
				item = items[place]
			}
		}
		out = m.Concat(out, item)
		s = s[min(end, len(s)):]
	}
	return m.Concat(out, Text(s))
}

// Parent is the directory of a path.
func (m *Maker) Parent(v Value) Value {
	out := Value{}
	if s, ok := v.Known(); ok {
		at := strings.LastIndexByte(s, '/')
		switch {
		case at < 0:
			s = "."
		case at == 0:
			s = "/"
		default:
			s = s[:at]
		}
		out = Text(s)
	}
	out.Taint(&v)
	return out
}

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

// Repeat is a value n times in a row.
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
