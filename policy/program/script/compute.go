package script

import (
	"github.com/sluice-project/sluice/policy/program/values"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
)

func decodes(how string, undo func(string) (string, bool)) operation {
	return func(r *reader, _ *call, o *operands) value { return r.Decoded(o.At(0), how, undo) }
}

// changesText is for functions of one text, which stay as readable as it is.
func changesText(change func(string) string) operation {
	return func(r *reader, _ *call, o *operands) value {
		v := o.At(0)
		return r.Decoded(v, v.Hidden(), func(s string) (string, bool) { return change(s), true })
	}
}

// trims takes the blanks around a text away, which leaves what is not known in it.
func trims(_ *reader, _ *call, o *operands) value {
	v := o.At(0)
	if v.Form != values.IsText {
		return v
	}
	all := slices.Clone(v.Pieces())
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return v.OneOf(all)
}

func reverses(r *reader, _ *call, o *operands) value {
	v := o.At(0)
	if v.Form == values.IsList {
		items := slices.Clone(v.Items())
		slices.Reverse(items)
		return v.With(items, nil)
	}
	return r.Decoded(v, "reverse", values.Reversed)
}

// textOf is str(x).
func textOf(r *reader, _ *call, o *operands) value {
	switch v := o.At(0); {
	case v.Form == values.IsNumber:
		return values.Text(v.Text)
	case v.Form == values.IsName && values.IsEnvironment(v.Text):
		return r.environment()
	default:
		return v
	}
}

// replaces puts one text in the place of another, within a third.
func replaces(r *reader, c *call, o *operands) value {
	in := o.At(0)
	from, ok := o.At(1).Known()
	to, ok2 := o.At(2).Known()
	if !ok || !ok2 || len(to) > 64 || from == "" {
		return r.other(&in, c)
	}
	return r.Decoded(in, in.Hidden(), func(s string) (string, bool) {
		out := strings.ReplaceAll(s, from, to)
		return out, len(out) <= values.MostText
	})
}

func splits(r *reader, c *call, o *operands) value {
	in := o.At(0)
	s, ok := in.Known()
	if !ok || len(s) > 4096 || !r.Looks(values.PerItem/2*len(s)) {
		return r.other(&in, c)
	}
	if sep, ok := o.At(1).Known(); ok && sep != "" {
		return values.Texts(strings.Split(s, sep))
	}
	return values.Texts(strings.Fields(s))
}

// partOf is a text from a place on, up to its end or as long as said.
func partOf(r *reader, _ *call, o *operands) value {
	in := o.At(0)
	from, known := o.At(1).Known()
	size, sized := o.At(2).Known()
	return r.Decoded(in, in.Hidden(), func(s string) (string, bool) {
		out, ok := decode.Cut(s, from, size)
		return out, ok && known && (sized || !o.Has(2))
	})
}

func (r *reader) joinsPaths(parts []value) value {
	out, begun := values.Text("."), false
	for _, part := range parts {
		for _, v := range part.FlatItems() {
			switch {
			case begun:
				out = r.PathJoin(out, v)
			case v.Form == values.IsText:
				out = v
			default:
				out = r.Concat(values.Text(""), v)
			}
			begun = true
		}
	}
	return out
}

// listsIn is what lies in a directory.
func (r *reader) listsIn(dir value) value {
	if dir.Form == values.IsUnknown || dir.Form == values.IsName {
		return values.Text("*")
	}
	return r.PathJoin(dir, values.Text("*"))
}

// answers is what comes over a connection, or out of a file.
func (r *reader) answers(from value) value {
	out := values.MadeBy(&from)
	if from.Form == values.IsSocket || r.sockets && from.Form != values.IsFile {
		address := r.connected
		if address == "" {
			address = "connection"
		}
		out = out.MadeOf(values.FromRemote(address).And(out.Origin()))
	}
	return out
}

func (r *reader) memberNamed(v, name value) value {
	if s, ok := name.Known(); ok {
		return r.member(&v, s)
	}
	if v.Form == values.IsName && r.table.Guarded(v.Text) || v.Form == values.IsHidden {
		return value{Form: values.IsHidden}.MadeOf(values.DecodedBy("names"))
	}
	return value{}
}

// codecs are ways to make a text unreadable by the names that Python has for them.
var codecs = map[string]string{"rot13": "rot13", "rot-13": "rot13", "hex": "hex", "hexcodec": "hex", "base64": "base64", "base64codec": "base64", "zlib": "inflate", "zip": "inflate", "zlibcodec": "inflate"}

// decodesAs is decode with the name of a codec.
func decodesAs(r *reader, c *call, o *operands) value {
	name, _ := o.At(1).Known()
	if how := codecs[strings.ReplaceAll(strings.ToLower(name), "_", "")]; how != "" {
		return r.operations[how](r, c, o)
	}
	return o.At(0)
}

// found is a list of the files that a pattern stands for. One without a wildcard is
// a name, and no text that somebody goes through letter by letter.
func found(v value) value {
	if v.Form != values.IsText || strings.Contains(v.Text, "*") || !values.IsKnown(v.Text) {
		return v
	}
	return values.List(v)
}

func firstOf(v value) value {
	if v.Form == values.IsList && len(v.Items()) > 0 {
		return v.Items()[0]
	}
	return v
}

// openMode opens a file in a mode as fopen has them. One that is not known reads and
// writes.
func (r *reader) openMode(path, mode value, given bool) value {
	m, ok := mode.Known()
	switch {
	case path.Form == values.IsNumber:
		return value{}
	case !given:
		m = "r"
	case !ok:
		m = "r+"
	}
	return r.opened(path, m)
}
