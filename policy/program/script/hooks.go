package script

import (
	"github.com/sluice-project/sluice/policy/program/values"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
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

// packs is pack of Perl, PHP and Ruby; the first letter of its template is the type of
// its values.
func packs(r *reader, _ *call, o *operands) value {
	how, _ := o.At(0).Known()
	items := r.Flat(o.At(1))
	switch {
	case how == "" || len(items) == 0:
	case strings.ContainsAny(how[:1], "H"):
		return r.Decoded(items[0], "hex", decode.Hex)
	case strings.ContainsAny(how[:1], "cCUW"):
		return r.Letters(items)
	case strings.ContainsAny(how[:1], "aA"):
		return items[0]
	case how[0] == 'm': // it is made unreadable
		return values.MadeBy(&items[0])
	}
	return value{}.MadeOf(values.DecodedBy("pack"))
}

// unpacks is unpack.
func unpacks(r *reader, _ *call, o *operands) value {
	how, _ := o.At(0).Known()
	v := o.At(1)
	made := values.DecodedBy("pack")
	switch {
	case strings.HasPrefix(how, "m"):
		return r.Decoded(v, "base64", decode.Base64)
	case strings.HasPrefix(how, "a"), strings.HasPrefix(how, "A"):
		return v
	case strings.HasPrefix(how, "u"):
		made = values.DecodedBy("uuencode")
	}
	out := value{}.MadeOf(made)
	out.Taint(&v)
	return out
}

// translates is tr, which is known for rot13 alone.
func translates(r *reader, _ *call, o *operands) value {
	v := o.At(0)
	a, _ := o.At(1).Known()
	b, _ := o.At(2).Known()
	if strings.EqualFold(a, "a-za-z") && strings.EqualFold(b, "n-za-mn-za-m") {
		return r.Decoded(v, "rot13", decode.Rot13)
	}
	out := value{}.MadeOf(values.DecodedBy("tr"))
	out.Taint(&v)
	return out
}

// fieldOf is what a map has under a name, or the value if it has none of that name.
func fieldOf(_ *reader, _ *call, o *operands) value {
	v := o.At(0)
	for i, key := range v.Keys() {
		if key == o.At(1).Text && i < len(v.Items()) {
			return v.Items()[i]
		}
	}
	return v
}
