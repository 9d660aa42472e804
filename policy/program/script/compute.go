package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
)

func decodes(how string, undo func(string) (string, bool)) operation {
	return func(r *reader, _ *call, o *operands) value { return r.decoded(o.at(0), how, undo) }
}

// changesText is for functions of one text, which stay as readable as it is.
func changesText(change func(string) string) operation {
	return func(r *reader, _ *call, o *operands) value {
		v := o.at(0)
		return r.decoded(v, v.hidden(), func(s string) (string, bool) { return change(s), true })
	}
}

// decodeAs is decode with the name of a codec.
func (r *reader) decodeAs(v, codec value) value {
	name, _ := codec.known()
	switch strings.ReplaceAll(strings.ToLower(name), "_", "") {
	case "rot13", "rot-13":
		return r.decoded(v, "rot13", decode.Rot13)
	case "hex", "hexcodec":
		return r.decoded(v, "hex", decode.Hex)
	case "base64", "base64codec":
		return r.decoded(v, "base64", decode.Base64)
	case "zlib", "zip", "zlibcodec":
		return r.decoded(v, "zlib", inflated)
	default:
		return v
	}
}

func reverses(r *reader, _ *call, o *operands) value {
	v := o.at(0)
	if v.form == isList {
		items := slices.Clone(v.items())
		slices.Reverse(items)
		return v.with(items, nil)
	}
	return r.decoded(v, "reverse", reversed)
}

// textOf is str(x).
func textOf(r *reader, _ *call, o *operands) value {
	switch v := o.at(0); {
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
	in := o.at(0)
	from, ok := o.at(1).known()
	to, ok2 := o.at(2).known()
	if !ok || !ok2 || len(to) > 64 || from == "" {
		return r.other(&in, c)
	}
	return r.decoded(in, in.hidden(), func(s string) (string, bool) {
		out := strings.ReplaceAll(s, from, to)
		return out, len(out) <= mostText
	})
}

func splits(r *reader, c *call, o *operands) value {
	in := o.at(0)
	s, ok := in.known()
	if !ok || len(s) > 4096 || !r.looks(perItem/2*len(s)) {
		return r.other(&in, c)
	}
	if sep, ok := o.at(1).known(); ok && sep != "" {
		return textList(strings.Split(s, sep))
	}
	return textList(strings.Fields(s))
}

func (r *reader) joinsPaths(parts []value) value {
	out := value{}
	for _, part := range parts {
		for i, v := range part.flatItems() {
			if out.form == isUnknown && i == 0 && out.text == "" && out.sources() == nil {
				out = v
				if out.form != isString {
					out = r.concat(text(""), v)
				}
				continue
			}
			out = r.pathJoin(out, v)
		}
	}
	if out.form == isUnknown {
		return text(".")
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

// names are the texts of a value that are known.
func (v value) names() []string {
	var out []string
	for _, s := range v.pieces() {
		if isKnown(s) {
			out = append(out, s)
		}
	}
	return out
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

// makesFunction is one of bytes that nobody can read.
func makesFunction(_ *reader, _ *call, o *operands) value {
	v := o.at(0)
	made := origin{hidden: v.hidden(), remote: v.remote()}
	if made.hidden == "" && made.remote == "" {
		made.hidden = "code"
	}
	return value{form: isSecretly}.madeOf(madeFrom(made))
}

// openMode opens a file in a mode as fopen has them. One that is not known reads and
// writes.
func (r *reader) openMode(path, mode value, given bool) value {
	if path.form == isNum {
		return value{}
	}
	m, ok := mode.known()
	switch {
	case ok:
		return r.opened(path, m)
	case !given:
		return r.opened(path, "r")
	default:
		return r.opened(path, "r+")
	}
}

func isShell(name string) bool {
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "sh", "bash", "zsh", "dash", "ksh", "fish":
		return true
	}
	return false
}

// importOf is a module by its name, or a class.
func importOf(_ *reader, c *call) value {
	v := c.get(0)
	if s, ok := v.known(); ok {
		if top, _, nested := strings.Cut(s, "."); nested && len(c.args) == 1 && c.name == "__import__" { // which gives the outermost
			return ref(top)
		}
		return ref(s)
	}
	if v.hidden() != "" || v.remote() != "" {
		return value{form: isSecretly}.madeOf(decodedBy("names"))
	}
	return value{}
}
