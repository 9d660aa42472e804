package javascript

import "strings"

// mutates reports whether a method changes its list.
func mutates(name string) bool {
	switch name {
	case "push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin":
		return true
	}
	return false
}

func (e *evaluator) newList(all []value) value {
	return value{kind: list, ref: &items{all: all, kept: e.branch}}
}

// join joins the elements of a list.
func (e *evaluator) join(l *items, by value) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	if by.kind != text {
		by = value{kind: text, text: Unknown, partial: true}
	}
	plain := !by.partial
	size := 0
	for _, x := range l.all {
		plain = plain && x.kind == text
		size += len(x.text) + len(by.text)
	}
	if plain && !l.open { // in one go
		if !e.room(size) || !e.step(len(l.all)) {
			return value{}
		}
		var b strings.Builder
		partial := false
		for i, x := range l.all {
			if i > 0 {
				b.WriteString(by.text)
			}
			b.WriteString(x.text)
			partial = partial || x.partial
		}
		return value{kind: text, text: b.String(), partial: partial}
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
	arg := func(i int) value {
		if i < len(args) {
			return args[i]
		}
		return value{kind: undefined}
	}
	if mutates(name) {
		e.keepList(l)
	}
	if mutates(name) && l.open {
		e.escapeAll(args)
		l.all = append(l.all, args...)
		if name == "pop" || name == "shift" {
			return e.anyMember(v)
		}
		return v
	}
	switch name {
	case "join", "toString":
		by := textValue(",")
		if a := arg(0); name == "join" && a.kind != undefined {
			by = e.toText(a)
		}
		if by.kind == either {
			return e.each(by, func(by value) value { return e.join(l, by) })
		}
		return e.join(l, by)
	case "push":
		l.all = append(l.all, args...)
		return numberValue(float64(len(l.all)))
	case "unshift":
		if !e.step(len(l.all)) {
			return value{}
		}
		l.all = append(append([]value(nil), args...), l.all...)
		return numberValue(float64(len(l.all)))
	case "pop", "shift":
		if len(l.all) == 0 {
			return value{kind: undefined}
		}
		x := l.all[0]
		if name == "pop" {
			x = l.all[len(l.all)-1]
			l.all = l.all[:len(l.all)-1]
		} else {
			l.all = l.all[1:]
		}
		return x
	case "reverse", "toReversed":
		if !e.step(len(l.all)) {
			return value{}
		}
		out := make([]value, len(l.all))
		for i, x := range l.all {
			out[len(out)-1-i] = x
		}
		if name == "reverse" {
			l.all = out
			return v
		}
		return value{kind: list, ref: &items{all: out, open: l.open, kept: e.branch}}
	case "slice":
		from, ok := whole(args, 0, 0)
		to, ok2 := whole(args, 1, len(l.all))
		if !ok || !ok2 || l.open || !e.step(len(l.all)) {
			return value{kind: list, ref: &items{all: append([]value(nil), l.all...), open: true, kept: e.branch}}
		}
		from, to = fromEnd(from, len(l.all)), fromEnd(to, len(l.all))
		if from > to {
			from = to
		}
		return e.newList(append([]value(nil), l.all[from:to]...))
	case "concat":
		out := &items{all: append([]value(nil), l.all...), open: l.open, kept: e.branch}
		for _, a := range args {
			if a.kind != list {
				out.all = append(out.all, a)
				out.open = out.open || a.kind == unknown || a.kind == either
				continue
			}
			if !e.step(len(a.items().all)) {
				return value{}
			}
			out.all = append(out.all, a.items().all...)
			out.open = out.open || a.items().open
		}
		return value{kind: list, ref: out}
	case "fill":
		if len(args) == 1 && e.step(len(l.all)) {
			l.all = make([]value, len(l.all))
			for i := range l.all {
				l.all[i] = args[0]
			}
			return v
		}
	case "flat":
		all, open := e.flat(l)
		return value{kind: list, ref: &items{all: all, open: open, kept: e.branch}}
	case "at":
		i, ok := whole(args, 0, 0)
		if !ok || l.open {
			return e.anyMember(v)
		}
		if i < 0 {
			i += len(l.all)
		}
		if i < 0 || i >= len(l.all) {
			return value{kind: undefined}
		}
		return l.all[i]
	case "map", "flatMap", "forEach", "filter", "find", "some", "every", "reduce", "reduceRight", "findLast":
		return e.overList(v, name, args)
	case "values":
		return v
	}
	e.escapeAll(args)
	if mutates(name) { // sort, splice, fill: something else is in it now
		l.open = true
		return v
	}
	return value{}
}

func (e *evaluator) flat(l *items) (all []value, open bool) {
	open = l.open
	for _, x := range l.all {
		if x.kind != list {
			all = append(all, x)
			continue
		}
		if !e.step(len(x.items().all)) {
			return all, true
		}
		all = append(all, x.items().all...)
		open = open || x.items().open
	}
	return all, open
}

// overList computes a method that calls a function for every element.
func (e *evaluator) overList(v value, name string, args []value) value {
	l := v.items()
	if len(args) == 0 {
		return value{}
	}
	f := args[0]
	out := &items{open: l.open, kept: e.branch}
	made := value{kind: list, ref: out}
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
			return made
		case name == "find" && !out.open && len(out.all) > 0:
			return out.all[0]
		case name == "find" || name == "findLast":
			return oneOf(append([]value{{kind: undefined}}, out.all...)...)
		}
		return value{}
	}
	all := append([]value(nil), l.all...)
	if l.open {
		all = append(all, value{})
	}
	for i, x := range all {
		if !e.step(1) {
			return value{}
		}
		out.all = append(out.all, e.call(f, value{}, []value{x, numberValue(float64(i)), v}))
	}
	switch name {
	case "forEach":
		return value{kind: undefined}
	case "flatMap":
		out.all, out.open = e.flat(out)
	}
	return made
}

func (e *evaluator) reduce(l *items, name string, args []value) value {
	all := append([]value(nil), l.all...)
	if name == "reduceRight" {
		for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
			all[i], all[j] = all[j], all[i]
		}
	}
	var acc value
	switch {
	case len(args) > 1:
		acc = args[1]
	case len(all) > 0:
		acc, all = all[0], all[1:]
	}
	if l.open {
		all = append(all, value{})
	}
	for i, x := range all {
		if !e.step(1) {
			return value{}
		}
		acc = e.call(args[0], value{}, []value{acc, x, numberValue(float64(i))})
	}
	return acc
}
