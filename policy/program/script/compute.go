package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

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
var codecs = map[string]string{"rot13": "rot13", "rot-13": "rot13", "hex": "hex", "hexcodec": "hex", "base64": "base64", "base64codec": "base64", "zlib": "zlib", "zip": "zlib", "zlibcodec": "zlib"}

// decodesAs is decode with the name of a codec.
func decodesAs(r *reader, _ *call, o *operands) value {
	name, _ := o.At(1).Known()
	if how := codecs[strings.ReplaceAll(strings.ToLower(name), "_", "")]; how != "" {
		return values.Operations[how](&r.Maker, o)
	}
	return o.At(0)
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
