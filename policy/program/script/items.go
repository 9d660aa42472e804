package script

import (
	"slices"
	"strings"
)

// join is a value that is one or the other.
func join(a, b value) value {
	switch {
	case a.form == isUnknown && a.origin() == nil:
		return b
	case b.form == isUnknown && b.origin() == nil:
		return a
	case a.form == isString && b.form == isString:
		all := merge(a.pieces(), b.pieces())
		if len(all) > mostTexts {
			all = []string{mark + "x" + mark}
		}
		out := value{form: isString}.oneOf(all)
		out.taint(&a)
		out.taint(&b)
		return out
	case a.form == isUnknown:
		a, b = b, a
	}
	if a.form == isList && b.form == isList && a.keys() == nil && len(a.items())+len(b.items()) <= mostItems {
		return a.with(slices.Concat(a.items(), b.items()), nil)
	}
	b.taint(&a)
	return b
}

// element is any of the items of a value, for a loop over it.
func (r *reader) element(v value) value {
	out := value{}
	switch {
	case v.form == isList && r.looks(perItem*len(v.items())):
		for i := range v.items()[:min(len(v.items()), mostItems)] {
			item := v.items()[i]
			if item.form == isUnknown {
				item = text(mark + "x" + mark)
				item.taint(&v.items()[i])
			}
			if out.form == isList && item.form == isList && !r.looks(perItem*len(out.items())) {
				break
			}
			out = join(out, item)
		}
	case v.form == isString && strings.Contains(v.text, "*"): // names that match a pattern, one of several
		return v
	}
	out.taint(&v)
	return out
}

// flat are the items of lists in a value, or the value.
func (r *reader) flat(v value) []value {
	if v.form != isList {
		return []value{v}
	}
	items := v.items()
	if !r.looks(perItem * len(items)) {
		return items[:min(len(items), 1)]
	}
	out := make([]value, 0, len(items))
	for i := range items {
		if items[i].form == isList && len(out) < mostItems {
			out = append(out, items[i].items()...)
		} else {
			out = append(out, items[i])
		}
	}
	return out
}
