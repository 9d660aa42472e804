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
