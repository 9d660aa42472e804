package script

import (
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
	if list.form != isList && len(more) > 0 { // push @list, ...
		list, more = more[0], more[1:]
	}
	if list.form != isList || list.of() == "" {
		return value{}
	}
	items := slices.Clone(list.items())
	for _, v := range more {
		if v.form == isList && c.name != ".append" {
			items = append(items, v.items()...)
		} else {
			items = append(items, v)
		}
	}
	r.bytes -= len(items)
	if len(items) > mostItems || r.bytes < 0 {
		r.refuse("bytes")
		return value{}
	}
	r.names[list.of()] = listOf(items...)
	return value{}
}

// importOf is a module by its name, or a class.
func importOf(_ *reader, c *call, _ *operands) value {
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

// fillsIn puts the arguments of a format into its places, those with names too.
func fillsIn(r *reader, c *call, _ *operands) value {
	if c.self.form != isString {
		return r.other(&c.self, c)
	}
	items := c.values()
	for i := range c.args {
		if c.args[i].name != "" && len(c.self.or()) == 0 && isKnown(c.self.text) { // {name}
			items = append(items, c.args[i].value)
			c.self.text = strings.ReplaceAll(c.self.text, "{"+c.args[i].name+"}", "{"+strconv.Itoa(len(items)-1)+"}")
			r.bytes -= len(c.self.text)
			if r.bytes < 0 {
				r.refuse("bytes")
				break
			}
		}
	}
	return r.format(c.self, items)
}

// packs is pack of Perl, PHP and Ruby; the first letter of its template is the type of
// its values.
func packs(r *reader, _ *call, o *operands) value {
	how, _ := o.At(0).known()
	items := r.flat(o.At(1))
	switch {
	case how == "" || len(items) == 0:
	case strings.ContainsAny(how[:1], "H"):
		return r.decoded(items[0], "hex", decode.Hex)
	case strings.ContainsAny(how[:1], "cCUW"):
		return r.letters(items)
	case strings.ContainsAny(how[:1], "aA"):
		return items[0]
	case how[0] == 'm': // it is made unreadable
		return madeBy(&items[0])
	}
	return value{}.madeOf(decodedBy("pack"))
}

// unpacks is unpack.
func unpacks(r *reader, _ *call, o *operands) value {
	how, _ := o.At(0).known()
	v := o.At(1)
	made := decodedBy("pack")
	switch {
	case strings.HasPrefix(how, "m"):
		return r.decoded(v, "base64", decode.Base64)
	case strings.HasPrefix(how, "a"), strings.HasPrefix(how, "A"):
		return v
	case strings.HasPrefix(how, "u"):
		made = decodedBy("uuencode")
	}
	out := value{}.madeOf(made)
	out.taint(&v)
	return out
}

// translates is tr, which is known for rot13 alone.
func translates(r *reader, _ *call, o *operands) value {
	v := o.At(0)
	a, _ := o.At(1).known()
	b, _ := o.At(2).known()
	if strings.EqualFold(a, "a-za-z") && strings.EqualFold(b, "n-za-mn-za-m") {
		return r.decoded(v, "rot13", decode.Rot13)
	}
	out := value{}.madeOf(decodedBy("tr"))
	out.taint(&v)
	return out
}

// fieldOf is what a map has under a name, or the value if it has none of that name.
func fieldOf(_ *reader, _ *call, o *operands) value {
	v := o.At(0)
	for i, key := range v.keys() {
		if key == o.At(1).text && i < len(v.items()) {
			return v.items()[i]
		}
	}
	return v
}
