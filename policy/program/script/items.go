package script

import (
	"slices"
	"strings"
)

// join is a value that is one or the other.
func join(a, b value) value {
	if a.form == isUnknown && a.origin() == nil {
		return b
	}
	if b.form == isUnknown && b.origin() == nil {
		return a
	}
	if a.form != isString || b.form != isString {
		if a.form == isUnknown {
			a, b = b, a
		}
		if a.form == isList && b.form == isList && a.keys() == nil && len(a.items())+len(b.items()) <= mostItems {
			return a.with(slices.Concat(a.items(), b.items()), nil)
		}
		b.taint(&a)
		return b
	}
	all := merge(a.pieces(), b.pieces())
	if len(all) > mostTexts {
		all = []string{mark + "x" + mark}
	}
	out := value{form: isString}.oneOf(all)
	out.taint(&a)
	out.taint(&b)
	return out
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
	if !r.looks(perItem * len(v.items())) {
		return v.items()[:min(len(v.items()), 1)]
	}
	out := make([]value, 0, len(v.items()))
	for i := range v.items() {
		if v.items()[i].form == isList && len(out) < mostItems {
			out = append(out, v.items()[i].items()...)
		} else {
			out = append(out, v.items()[i])
		}
	}
	return out
}
