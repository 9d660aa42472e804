package javascript

import "github.com/sluice-project/sluice/policy/program/javascript/syntax"

// member is a member of a value by its name.
func (e *evaluator) member(v value, name string) value {
	if (name == "__proto__" || name == "prototype") && v.kind != native && v.kind != either {
		e.doubt(syntax.Reach)
		return value{}
	}
	switch v.kind {
	case text:
		switch name {
		case "length":
			if !v.partial {
				return numberValue(float64(units(v.text)))
			}
			return value{}
		case "constructor":
			return nativeValue("String")
		case "name": // of an entry of a directory
			if v.text == listed {
				return v
			}
		}
		if i, ok := index(name); ok && !v.partial {
			return unitAt(v.text, i)
		}
		return nativeMethod(v, name)
	case list:
		l := v.items()
		if i, ok := index(name); ok {
			switch {
			case l.open:
				return e.anyMember(v)
			case i < len(l.all):
				return l.all[i]
			}
			return value{kind: undefined}
		}
		switch name {
		case "length":
			if l.open {
				return value{}
			}
			return numberValue(float64(len(l.all)))
		case "constructor":
			return nativeValue("Array")
		}
		return nativeMethod(v, name)
	case record:
		m := v.members()
		if x, ok := m.by[name]; ok {
			if m.open {
				return oneOf(x, value{})
			}
			return x
		}
		switch {
		case name == "constructor":
			return nativeValue("Object")
		case m.open:
			return value{}
		}
		return value{kind: undefined}
	case function:
		if name == "constructor" {
			return nativeValue("Function")
		}
		if c, ok := v.ref.(*closure); ok && c.class != nil {
			if x, ok := c.class.by[name]; ok {
				return x
			}
		}
		return nativeMethod(v, name)
	case native:
		return e.nativeMember(v.text, name)
	case either:
		return e.each(v, func(a value) value { return e.member(a, name) })
	case number, boolean, pattern:
		if name == "constructor" {
			return nativeValue("Object")
		}
		return nativeMethod(v, name)
	case unknown:
		if name == "constructor" || name == "__proto__" || name == "prototype" {
			e.doubt(syntax.Reach)
		}
		return value{kind: unknown, text: name}
	case undefined, null:
	}
	return value{}
}

// nativeMethod is a method of a value that is not called at once.
func nativeMethod(v value, name string) value {
	return value{kind: function, ref: &bound{method: name, this: v}}
}

// index reads a name as the place of an element.
func index(name string) (int, bool) {
	if name == "" || len(name) > 7 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	i := 0
	for _, c := range []byte(name) {
		if !syntax.IsDigit(c) {
			return 0, false
		}
		i = i*10 + int(c-'0')
	}
	return i, true
}
