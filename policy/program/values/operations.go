package values

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
)

// Operands are what an operation is given.
type Operands = library.Operands[Value]

// Operations are those that only compute, which descriptions of all languages share.
var Operations = func() map[string]func(m *Maker, o *Operands) Value {
	all := map[string]func(m *Maker, o *Operands) Value{
		"same":  func(_ *Maker, o *Operands) Value { return o.At(0) },
		"list":  func(_ *Maker, o *Operands) Value { return List(o.Spread(Value.AsList)...) },
		"first": func(_ *Maker, o *Operands) Value { return First(o.At(0)) },
		"rest": func(_ *Maker, o *Operands) Value {
			v := o.At(0)
			return v.With(v.Items()[min(len(v.Items()), 1):], nil)
		},
		"field": func(_ *Maker, o *Operands) Value { // or the value, if it has none of that name
			v := o.At(0)
			if at := slices.Index(v.Keys(), o.At(1).Text); at >= 0 && at < len(v.Items()) {
				return v.Items()[at]
			}
			return v
		},
		"element": func(m *Maker, o *Operands) Value { return m.Element(o.At(0)) },
		"pairs":   func(m *Maker, o *Operands) Value { return List(List(Value{}, m.Element(o.At(0)))) },
		"walk":    func(_ *Maker, o *Operands) Value { return List(List(o.At(0), Text("*"), Text("*"))) },
		"made":    func(_ *Maker, o *Operands) Value { v := o.At(0); return MadeBy(&v) },
		"nothing": func(_ *Maker, o *Operands) Value { // perhaps with a name for what is not known
			if o.Has(0) {
				return Unknown(o.At(0).Text)
			}
			return Value{}
		},
		"address": func(_ *Maker, o *Operands) Value { return Text(o.At(0).Text) },
		"socket":  func(*Maker, *Operands) Value { return Value{Form: IsSocket} },
		"file":    func(_ *Maker, o *Operands) Value { return Value{Form: IsFile, Text: o.At(0).Text} },
		"name":    func(_ *Maker, o *Operands) Value { return Name(o.At(0).Text) },

		"path":   func(m *Maker, o *Operands) Value { return m.joinPaths(o.Spread(Value.AsList)) },
		"parent": func(m *Maker, o *Operands) Value { return m.Parent(o.At(0)) },
		"base": func(_ *Maker, o *Operands) Value {
			return Text(o.At(0).Text[strings.LastIndexByte(o.At(0).Text, '/')+1:])
		},
		"entries": entriesOf,
		"found": func(_ *Maker, o *Operands) Value {
			// A name without a wildcard is no text that somebody goes through letter by letter.
			if v := o.At(0); v.Form == IsText && !strings.Contains(v.Text, "*") && IsKnown(v.Text) {
				return List(v)
			}
			return o.At(0)
		},

		"concat": func(m *Maker, o *Operands) Value {
			out := Text("")
			for _, v := range o.From(0) {
				out = m.Concat(out, v)
			}
			return out
		},
		"join": func(m *Maker, o *Operands) Value {
			between, list := o.At(0), o.At(1)
			if !o.Has(0) {
				between = Text("")
			}
			if list.Form == IsList && list.Keys() == nil {
				list = List(m.Flat(list)...).MadeOf(list.Origin())
			}
			return m.Joined(between, list)
		},
		"format":  func(m *Maker, o *Operands) Value { return m.Format(o.At(0), o.At(1).Items()) },
		"split":   func(m *Maker, o *Operands) Value { return m.Split(o.At(0), o.At(1)) },
		"trim":    trim,
		"letter":  func(m *Maker, o *Operands) Value { return m.Letter(o.At(0)) },
		"letters": func(m *Maker, o *Operands) Value { return m.Letters(o.Spread(Value.AsList)) },
		"reverse": func(m *Maker, o *Operands) Value {
			v := o.At(0)
			if v.Form != IsList {
				return m.Decoded(v, "reverse", func(s string) (string, bool) { return Stepped(s, -1), true })
			}
			items := slices.Clone(v.Items())
			slices.Reverse(items)
			return v.With(items, nil)
		},
		"number": number, "pack": pack, "unpack": unpack, "translate": translate,
	}
	for name, f := range functions {
		all[name] = func(m *Maker, o *Operands) Value { return m.changed(name, f, o) }
	}
	return all
}()

// function makes one text of another, with further texts that say how.
type function struct {
	do func(s string, args []string) (string, bool)
	// hides: what it was given could not be read. keeps: it leaves what is not known.
	hides, keeps bool
}

var functions = map[string]function{
	"lower": {do: func(s string, _ []string) (string, bool) { return strings.ToLower(s), true }},
	"home": {do: func(s string, _ []string) (string, bool) {
		return strings.NewReplacer("${HOME}", "~", "$HOME", "~").Replace(s), true
	}},
	"replace": {keeps: true, do: func(s string, args []string) (string, bool) {
		if len(args) < 2 || args[0] == "" || len(args[1]) > 64 {
			return "", false
		}
		s = strings.ReplaceAll(s, args[0], args[1])
		return s, len(s) <= MostText
	}},
	"part": {do: func(s string, args []string) (string, bool) { // from a place on, up to the end or as long as said
		if len(args) == 0 {
			return "", false
		}
		args = append(args, "")
		return decode.Cut(s, args[0], args[1])
	}},
	"base64": decodes(decode.Base64), "base32": decodes(decode.Base32), "hex": decodes(decode.Hex), "rot13": decodes(decode.Rot13), "url": decodes(decode.Percent),
	"zlib": decodes(func(s string) (string, bool) { return decode.Inflate(s, MostText) }),
}

func decodes(undo func(string) (string, bool)) function {
	return function{do: func(s string, _ []string) (string, bool) { return undo(s) }, hides: true}
}

// changed is what a function makes of its first operand. It is as readable as that, if the
// function does not decode it.
func (m *Maker) changed(name string, f function, o *Operands) Value {
	v, known := o.At(0), true
	how := v.Hidden()
	if f.hides {
		how = name
	}
	args := make([]string, 0, len(o.From(1)))
	for _, arg := range o.From(1) {
		s, ok := arg.Known()
		args, known = append(args, s), known && ok
	}
	decoded := m.Decoded
	if f.keeps {
		decoded = m.reshaped
	}
	out := decoded(v, how, func(s string) (string, bool) {
		if !known {
			return "", false
		}
		return f.do(s, args)
	})
	for _, arg := range o.From(1) {
		if !known { // it may be in the text
			out.Taint(&arg)
		}
	}
	return out
}

// Replaced is a text with one text in the place of another.
func (m *Maker) Replaced(v Value, from, to string) Value {
	return m.changed("replace", functions["replace"], &Operands{Values: []Value{v, Text(from), Text(to)}, Given: []bool{true, true, true}})
}

// trim takes the blanks around a text away, which leaves what is not known in it.
func trim(_ *Maker, o *Operands) Value {
	v := o.At(0)
	if v.Form != IsText {
		return v
	}
	all := slices.Clone(v.Pieces())
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return v.OneOf(all)
}

// Split is a list of the parts of a text, between blanks if nothing else is said.
func (m *Maker) Split(in, by Value) Value {
	s, ok := in.Known()
	if !ok || len(s) > 4096 || !m.Looks(PerItem/2*len(s)) {
		return List(in, by).made()
	}
	if by, ok := by.Known(); ok && by != "" {
		return Texts(strings.Split(s, by))
	}
	return Texts(strings.Fields(s))
}

func (m *Maker) joinPaths(parts []Value) Value {
	out, begun := Text("."), false
	for _, part := range parts {
		for _, v := range part.FlatItems() {
			switch {
			case begun:
				out = m.PathJoin(out, v)
			case v.Form == IsText:
				out = v
			default:
				out = m.Concat(Text(""), v)
			}
			begun = true
		}
	}
	return out
}

// entriesOf is what lies in a directory.
func entriesOf(m *Maker, o *Operands) Value {
	if dir := o.At(0); dir.Form != IsUnknown && dir.Form != IsName {
		return m.PathJoin(dir, Text("*"))
	}
	return Text("*")
}

// pack is pack of Perl, PHP and Ruby; the first letter of its template is the type of
// its values.
func pack(m *Maker, o *Operands) Value {
	how, _ := o.At(0).Known()
	items := m.Flat(o.At(1))
	switch {
	case how == "" || len(items) == 0:
	case how[0] == 'H':
		return m.Decoded(items[0], "hex", decode.Hex)
	case strings.ContainsAny(how[:1], "cCUW"):
		return m.Letters(items)
	case strings.ContainsAny(how[:1], "aA"):
		return items[0]
	case how[0] == 'm': // it is made unreadable
		return MadeBy(&items[0])
	}
	return Value{}.MadeOf(DecodedBy("pack"))
}

// unpack is unpack.
func unpack(m *Maker, o *Operands) Value {
	how, _ := o.At(0).Known()
	v := o.At(1)
	made := DecodedBy("pack")
	switch {
	case strings.HasPrefix(how, "m"):
		return m.Decoded(v, "base64", decode.Base64)
	case strings.HasPrefix(how, "a"), strings.HasPrefix(how, "A"):
		return v
	case strings.HasPrefix(how, "u"):
		made = DecodedBy("uuencode")
	}
	out := Value{}.MadeOf(made)
	out.Taint(&v)
	return out
}

// translate is tr, which is known for rot13 alone.
func translate(m *Maker, o *Operands) Value {
	v := o.At(0)
	a, _ := o.At(1).Known()
	b, _ := o.At(2).Known()
	if strings.EqualFold(a, "a-za-z") && strings.EqualFold(b, "n-za-mn-za-m") {
		return m.Decoded(v, "rot13", decode.Rot13)
	}
	out := Value{}.MadeOf(DecodedBy("tr"))
	out.Taint(&v)
	return out
}
