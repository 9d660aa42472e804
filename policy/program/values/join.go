package values

import (
	"slices"
	"strings"
)

// Join is a value that is one or the other.
func Join(a, b Value) Value {
	switch {
	case a.Form == IsUnknown && a.Origin() == nil:
		return b
	case b.Form == IsUnknown && b.Origin() == nil:
		return a
	case a.Form == IsText && b.Form == IsText:
		all := Merge(a.Pieces(), b.Pieces())
		if len(all) > MostTexts {
			all = []string{Mark + "x" + Mark}
		}
		out := Value{Form: IsText}.OneOf(all)
		out.Taint(&a)
		out.Taint(&b)
		return out
	case a.Form == IsUnknown:
		a, b = b, a
	}
	if a.Form == IsList && b.Form == IsList && a.Keys() == nil && len(a.Items())+len(b.Items()) <= MostItems {
		return a.With(slices.Concat(a.Items(), b.Items()), nil)
	}
	b.Taint(&a)
	return b
}

// Element is any of the items of a Value, for a loop over it.
func (m *Maker) Element(v Value) Value {
	out := Value{}
	switch {
	case v.Form == IsList && m.Looks(PerItem*len(v.Items())):
		for i := range v.Items()[:min(len(v.Items()), MostItems)] {
			item := v.Items()[i]
			if item.Form == IsUnknown {
				item = Text(Mark + "x" + Mark)
				item.Taint(&v.Items()[i])
			}
			if out.Form == IsList && item.Form == IsList && !m.Looks(PerItem*len(out.Items())) {
				break
			}
			out = Join(out, item)
		}
	case v.Form == IsText && strings.Contains(v.Text, "*"): // names that match a pattern, one of several
		return v
	}
	out.Taint(&v)
	return out
}

// Flat are the items of lists in a Value, or the value.
func (m *Maker) Flat(v Value) []Value {
	if v.Form != IsList {
		return []Value{v}
	}
	items := v.Items()
	if !m.Looks(PerItem * len(items)) {
		return items[:min(len(items), 1)]
	}
	out := make([]Value, 0, len(items))
	for i := range items {
		if items[i].Form == IsList && len(out) < MostItems {
			out = append(out, items[i].Items()...)
		} else {
			out = append(out, items[i])
		}
	}
	return out
}

// AsList are the items of a list, and whether it is one.
func (v Value) AsList() ([]Value, bool) { return v.Items(), v.Form == IsList }

// First is the first item of a list, or the value.
func First(v Value) Value {
	if v.Form == IsList && len(v.Items()) > 0 {
		return v.Items()[0]
	}
	return v
}

// At is an item of a list or a letter of a text, by its place, or by that from the end if
// it is below zero. It reports whether it is known.
func (v Value) At(n int) (Value, bool) {
	s, known := v.Known()
	size := len(s)
	if v.Form == IsList {
		size = len(v.Items())
	}
	if n < 0 {
		n += size
	}
	switch {
	case n < 0 || n >= size:
		return Value{}, false
	case v.Form == IsList:
		return v.Items()[n], true
	}
	return Text(s[n : n+1]), known
}
