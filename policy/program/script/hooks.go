package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

// callsFirst calls its first argument with the others.
func callsFirst(r *reader, c *call, _ *operands) value {
	if len(c.args) == 0 {
		return value{}
	}
	f := c.get(0)
	return r.call(&f, &call{args: c.args[1:]})
}

// extends adds to a list that is in a variable.
func extends(r *reader, c *call, _ *operands) value {
	list, more := c.self, c.values()
	if list.Form != values.IsList && len(more) > 0 { // push @list, ...
		list, more = more[0], more[1:]
	}
	if list.Form != values.IsList || list.Of() == "" {
		return value{}
	}
	items := slices.Clone(list.Items())
	for _, v := range more {
		if v.Form == values.IsList && c.name != ".append" {
			items = append(items, v.Items()...)
		} else {
			items = append(items, v)
		}
	}
	r.Bytes -= len(items)
	if len(items) > values.MostItems || r.Bytes < 0 {
		r.refuse("bytes")
		return value{}
	}
	r.names[list.Of()] = values.List(items...)
	return value{}
}

// importOf is a module by its name, or a class.
func importOf(_ *reader, c *call, _ *operands) value {
	v := c.get(0)
	if s, ok := v.Known(); ok {
		if top, _, nested := strings.Cut(s, "."); nested && len(c.args) == 1 && c.name == "__import__" { // which gives the outermost
			return values.Name(top)
		}
		return values.Name(s)
	}
	if v.Hidden() != "" || v.Remote() != "" {
		return value{Form: values.IsHidden}.MadeOf(values.DecodedBy("names"))
	}
	return value{}
}

// fillsIn puts the arguments of a format into its places, those with names too.
func fillsIn(r *reader, c *call, _ *operands) value {
	if c.self.Form != values.IsText {
		return r.other(&c.self, c)
	}
	items := c.values()
	for i := range c.args {
		if c.args[i].name != "" && len(c.self.Or()) == 0 && values.IsKnown(c.self.Text) { // {name}
			items = append(items, c.args[i].value)
			c.self.Text = strings.ReplaceAll(c.self.Text, "{"+c.args[i].name+"}", "{"+strconv.Itoa(len(items)-1)+"}")
			r.Bytes -= len(c.self.Text)
			if r.Bytes < 0 {
				r.refuse("bytes")
				break
			}
		}
	}
	return r.Format(c.self, items)
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
