package javascript

import (
	"slices"
	"strings"
)

func (e *evaluator) newList(all []value) value { return e.openList(all, false) }

// join joins the elements of a list.
func (e *evaluator) join(l *cell, by value) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	if by.kind != text {
		by = someText()
	}
	plain, size := !by.partial && !l.open, 0
	for _, x := range l.all {
		plain = plain && x.kind == text
		size += len(x.text) + len(by.text)
	}
	if plain { // in one go
		if !e.room(size) || !e.step(len(l.all)) {
			return value{}
		}
		out, parts := value{kind: text}, make([]string, len(l.all))
		for i, x := range l.all {
			parts[i] = x.text
			out.partial = out.partial || x.partial
		}
		out.text = strings.Join(parts, by.text)
		return out
	}
	v := textValue("")
	for i, x := range l.all {
		if i > 0 {
			v = e.plus(v, by)
		}
		if x.kind != null && x.kind != undefined {
			v = e.plus(v, e.toText(x))
		}
	}
	if l.open {
		v = e.plus(v, value{kind: text, text: by.text + Unknown, partial: true})
	}
	return v
}

// listMethod computes a method of a list.
func (e *evaluator) listMethod(v value, name string, args []value) value {
	l := v.items()
	if !e.step(1 + len(l.all)/8) {
		return value{}
	}
	if mutating[name] {
		e.keep(l)
		if l.open {
			e.escapeAll(args)
			l.all = append(l.all, args...)
			if name == "pop" || name == "shift" {
				return e.anyMember(v)
			}
			return v
		}
	}
	switch name {
	case "join", "toString":
		by := textValue(",")
		if a := arg(args, 0); name == "join" && a.kind != undefined {
			by = e.toText(a)
		}
		return e.each(by, func(by value) value { return e.join(l, by) })
	case "push":
		l.all = append(l.all, args...)
		return numberValue(float64(len(l.all)))
	case "pop", "shift":
		if len(l.all) == 0 {
			return value{kind: undefined}
		}
		last := len(l.all) - 1
		if name == "pop" {
			defer func() { l.all = l.all[:last] }()
			return l.all[last]
		}
		defer func() { l.all = l.all[1:] }()
		return l.all[0]
	case "at":
		i, ok := whole(args, 0, 0)
		if i < 0 {
			i += len(l.all)
		}
		if !ok || l.open {
			return e.anyMember(v)
		}
		return arg(l.all, i)
	case "map", "flatMap", "forEach", "filter", "find", "some", "every", "reduce", "reduceRight", "findLast":
		return e.overList(v, name, args)
	case "values":
		return v
	}
	if !e.step(len(l.all)) { // what follows makes another list
		return value{}
	}
	switch name {
	case "unshift":
		l.all = slices.Concat(args, l.all)
		return numberValue(float64(len(l.all)))
	case "reverse", "toReversed":
		out := slices.Clone(l.all)
		slices.Reverse(out)
		if name == "reverse" {
			l.all = out
			return v
		}
		return e.openList(out, l.open)
	case "slice":
		from, ok := whole(args, 0, 0)
		to, ok2 := whole(args, 1, len(l.all))
		if !ok || !ok2 || l.open {
			return e.openList(slices.Clone(l.all), true)
		}
		to = fromEnd(to, len(l.all))
		return e.newList(slices.Clone(l.all[min(fromEnd(from, len(l.all)), to):to]))
	case "concat", "flat":
		if name == "concat" {
			return e.flat(append([]value{v}, args...), false)
		}
		return e.flat(l.all, l.open)
	case "fill":
		if len(args) == 1 {
			l.all = slices.Repeat(args, len(l.all))
			return v
		}
	}
	e.escapeAll(args)
	if mutating[name] { // sort, splice, fill: something else is in it now
		l.open = true
		return v
	}
	return value{}
}

// overList computes a method that calls a function for every element.
func (e *evaluator) overList(v value, name string, args []value) value {
	l := v.items()
	if len(args) == 0 {
		return value{}
	}
	f, over := args[0], e.openList(nil, l.open)
	out := over.items()
	switch name {
	case "reduce", "reduceRight":
		return e.reduce(l, name, args)
	case "filter", "find", "findLast", "some", "every":
		for i, x := range l.all {
			keep := e.call(f, value{}, []value{x, numberValue(float64(i)), v})
			switch yes, known := keep.truth(); {
			case !known:
				out.open = true
				out.all = append(out.all, chosen(x))
			case yes:
				out.all = append(out.all, x)
			}
		}
		switch {
		case name == "filter":
			return over
		case name == "find" && !out.open && len(out.all) > 0:
			return out.all[0]
		case name == "find" || name == "findLast":
			return oneOf(append([]value{{kind: undefined}}, out.all...)...)
		}
		return value{}
	}
	for i, x := range l.some() {
		if !e.step(1) {
			return value{}
		}
		out.all = append(out.all, e.call(f, value{}, []value{x, numberValue(float64(i)), v}))
	}
	switch name {
	case "forEach":
		return value{kind: undefined}
	case "flatMap":
		return e.flat(out.all, out.open)
	}
	return over
}

// mutating are the methods that change their list.
var mutating = map[string]bool{"push": true, "pop": true, "shift": true, "unshift": true, "splice": true, "sort": true, "reverse": true, "fill": true, "copyWithin": true}

// openList is a list of which it is known whether it has more elements.
func (e *evaluator) openList(all []value, open bool) value {
	return value{kind: list, ref: &cell{all: all, open: open, isList: true, kept: e.branch}}
}

// flat is a list with the elements of the lists in it.
func (e *evaluator) flat(from []value, open bool) value {
	var all []value
	for _, x := range from {
		if x.kind != list {
			all = append(all, x)
			open = open || x.kind == unknown || x.kind == either
			continue
		}
		if !e.step(len(x.items().all)) {
			return e.openList(all, true)
		}
		all = append(all, x.items().all...)
		open = open || x.items().open
	}
	return e.openList(all, open)
}

// some are the elements, with one that is not known for those that may follow.
func (l *cell) some() []value {
	all := slices.Clone(l.all)
	if l.open {
		all = append(all, value{})
	}
	return all
}

func (e *evaluator) reduce(l *cell, name string, args []value) value {
	all := l.some()
	if name == "reduceRight" {
		slices.Reverse(all)
	}
	var acc value
	switch {
	case len(args) > 1:
		acc = args[1]
	case len(all) > 0:
		acc, all = all[0], all[1:]
	}
	for i, x := range all {
		if !e.step(1) {
			return value{}
		}
		acc = e.call(args[0], value{}, []value{acc, x, numberValue(float64(i))})
	}
	return acc
}
