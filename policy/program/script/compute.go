package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
)

func decodes(how string, undo func(string) (string, bool)) operation {
	return func(r *reader, _ *call, o *operands) value { return r.decoded(o.At(0), how, undo) }
}

// changesText is for functions of one text, which stay as readable as it is.
func changesText(change func(string) string) operation {
	return func(r *reader, _ *call, o *operands) value {
		v := o.At(0)
		return r.decoded(v, v.hidden(), func(s string) (string, bool) { return change(s), true })
	}
}

// trims takes the blanks around a text away, which leaves what is not known in it.
func trims(_ *reader, _ *call, o *operands) value {
	v := o.At(0)
	if v.form != isString {
		return v
	}
	all := slices.Clone(v.pieces())
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return v.oneOf(all)
}

func reverses(r *reader, _ *call, o *operands) value {
	v := o.At(0)
	if v.form == isList {
		items := slices.Clone(v.items())
		slices.Reverse(items)
		return v.with(items, nil)
	}
	return r.decoded(v, "reverse", reversed)
}

// textOf is str(x).
func textOf(r *reader, _ *call, o *operands) value {
	switch v := o.At(0); {
	case v.form == isNum:
		return text(v.text)
	case v.form == isRef && isEnvironment(v.text):
		return r.environment()
	default:
		return v
	}
}

// replaces puts one text in the place of another, within a third.
func replaces(r *reader, c *call, o *operands) value {
	in := o.At(0)
	from, ok := o.At(1).known()
	to, ok2 := o.At(2).known()
	if !ok || !ok2 || len(to) > 64 || from == "" {
		return r.other(&in, c)
	}
	return r.decoded(in, in.hidden(), func(s string) (string, bool) {
		out := strings.ReplaceAll(s, from, to)
		return out, len(out) <= mostText
	})
}

func splits(r *reader, c *call, o *operands) value {
	in := o.At(0)
	s, ok := in.known()
	if !ok || len(s) > 4096 || !r.looks(perItem/2*len(s)) {
		return r.other(&in, c)
	}
	if sep, ok := o.At(1).known(); ok && sep != "" {
		return textList(strings.Split(s, sep))
	}
	return textList(strings.Fields(s))
}

// partOf is a text from a place on, up to its end or as long as said.
func partOf(r *reader, _ *call, o *operands) value {
	in := o.At(0)
	from, known := o.At(1).known()
	size, sized := o.At(2).known()
	return r.decoded(in, in.hidden(), func(s string) (string, bool) {
		out, ok := decode.Cut(s, from, size)
		return out, ok && known && (sized || !o.Has(2))
	})
}

func (r *reader) joinsPaths(parts []value) value {
	out, begun := text("."), false
	for _, part := range parts {
		for _, v := range part.flatItems() {
			switch {
			case begun:
				out = r.pathJoin(out, v)
			case v.form == isString:
				out = v
			default:
				out = r.concat(text(""), v)
			}
			begun = true
		}
	}
	return out
}

// listsIn is what lies in a directory.
func (r *reader) listsIn(dir value) value {
	if dir.form == isUnknown || dir.form == isRef {
		return text("*")
	}
	return r.pathJoin(dir, text("*"))
}

// answers is what comes over a connection, or out of a file.
func (r *reader) answers(from value) value {
	out := madeBy(&from)
	if from.form == isSocket || r.sockets && from.form != isFile {
		address := r.connected
		if address == "" {
			address = "connection"
		}
		out = out.madeOf(fromRemote(address).and(out.origin()))
	}
	return out
}

func (r *reader) memberNamed(v, name value) value {
	if s, ok := name.known(); ok {
		return r.member(&v, s)
	}
	if v.form == isRef && r.table.Guarded(v.text) || v.form == isSecretly {
		return value{form: isSecretly}.madeOf(decodedBy("names"))
	}
	return value{}
}

// codecs are ways to make a text unreadable by the names that Python has for them.
var codecs = map[string]string{"rot13": "rot13", "rot-13": "rot13", "hex": "hex", "hexcodec": "hex", "base64": "base64", "base64codec": "base64", "zlib": "inflate", "zip": "inflate", "zlibcodec": "inflate"}

// decodesAs is decode with the name of a codec.
func decodesAs(r *reader, c *call, o *operands) value {
	name, _ := o.At(1).known()
	if how := codecs[strings.ReplaceAll(strings.ToLower(name), "_", "")]; how != "" {
		return r.operations[how](r, c, o)
	}
	return o.At(0)
}

// found is a list of the files that a pattern stands for. One without a wildcard is
// a name, and no text that somebody goes through letter by letter.
func found(v value) value {
	if v.form != isString || strings.Contains(v.text, "*") || !isKnown(v.text) {
		return v
	}
	return listOf(v)
}

func firstOf(v value) value {
	if v.form == isList && len(v.items()) > 0 {
		return v.items()[0]
	}
	return v
}

// openMode opens a file in a mode as fopen has them. One that is not known reads and
// writes.
func (r *reader) openMode(path, mode value, given bool) value {
	m, ok := mode.known()
	switch {
	case path.form == isNum:
		return value{}
	case !given:
		m = "r"
	case !ok:
		m = "r+"
	}
	return r.opened(path, m)
}
