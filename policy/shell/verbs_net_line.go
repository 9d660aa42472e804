package shell

import (
	"slices"
	"strings"
)

// line is a command line taken apart into flags and operands.
type line struct {
	flags    []spoken
	operands []string
	// after are the words behind "--"; they are operands too.
	after []string
	// shortens: long flags may be cut short.
	shortens bool
}

// spoken is a flag without its dashes.
type spoken struct {
	name, value string
	long        bool
}

// takes are the flags of a program that have a value.
type takes map[string]bool

// valued lists flags with a value, without their dashes.
func valued(names string) takes {
	set := takes{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// style is how a program reads its flags.
type style int

const (
	// gnu: -abc are three flags, --name is one.
	gnu style = 0
	// oneDash: -name is --name.
	oneDash style = 1 << iota
	// firstEnds: the first operand ends the flags; what follows is for others.
	firstEnds
	// shortens: --name may be cut short.
	shortens
)

// line takes the command's arguments apart.
func (a *act) line(values takes) line { return cutLine(a.Args, values, gnu) }

func cutLine(args []string, values takes, how style) line {
	l := line{shortens: how&shortens != 0}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			l.after = args[i+1:]
			l.operands = append(l.operands, l.after...)
			break
		}
		body, dashes := cutDashes(arg)
		if dashes == 0 {
			if how&firstEnds != 0 {
				l.operands = slices.Clip(args[i:])
				break
			}
			l.operands = append(l.operands, arg)
			continue
		}
		next := func() (string, bool) {
			if i+1 < len(args) {
				i++
				return args[i], true
			}
			return "", false
		}
		if dashes == 2 || how&oneDash != 0 {
			l.long(body, values, next)
		} else {
			l.short(body, values, next)
		}
	}
	return l
}

func (l *line) long(body string, values takes, next func() (string, bool)) {
	name, value, given := strings.Cut(body, "=")
	if l.shortens && !values[name] && len(name) > 3 && !complete[name] {
		name = values.whole(name)
	}
	if !given && values[name] {
		value, _ = next()
	}
	l.flags = append(l.flags, spoken{name: name, value: value, long: true})
}

// complete are flags without a value that others with one begin with: --netrc is
// not --netrc-file cut short.
var complete = valued("netrc parallel head ssl keepalive proxy-ssl quiet spider continue server-response timestamping recursive no-proxy page-requisites input local")

// whole is the flag that a name cut short stands for, if only one can be meant.
func (values takes) whole(name string) string {
	found := name
	for long := range values {
		if strings.HasPrefix(long, name) {
			if found != name {
				return name
			}
			found = long
		}
	}
	return found
}

func (l *line) short(body string, values takes, next func() (string, bool)) {
	if name, value, given := strings.Cut(body, "="); len(name) > 1 && (values[name] || given) && !values[body[:1]] {
		if !given {
			value, _ = next()
		}
		l.flags = append(l.flags, spoken{name: name, value: value, long: true})
		return
	}
	for i := range len(body) {
		letter := body[i : i+1]
		if !values[letter] {
			l.flags = append(l.flags, spoken{name: letter})
			continue
		}
		value := strings.TrimPrefix(body[i+1:], "=")
		if i+1 == len(body) {
			value, _ = next()
		}
		l.flags = append(l.flags, spoken{name: letter, value: value})
		return
	}
}

// means reports whether the flag has that name, or a beginning of it that is long
// enough to be taken for it.
func (l *line) means(o *spoken, name string) bool {
	return o.name == name || l.shortens && o.long && len(o.name) > 3 && len(name) > len(o.name) && strings.HasPrefix(name, o.name)
}

// has reports whether one of the flags is there and not switched off.
func (l *line) has(names ...string) bool {
	for i := range l.flags {
		for _, name := range names {
			if l.means(&l.flags[i], name) && !strings.EqualFold(l.flags[i].value, "false") {
				return true
			}
		}
	}
	return false
}

// exact is has for flags that are the beginning of others.
func (l *line) exact(names ...string) bool {
	for i := range l.flags {
		for _, name := range names {
			if l.flags[i].name == name && !strings.EqualFold(l.flags[i].value, "false") {
				return true
			}
		}
	}
	return false
}

// value is what the last of the flags was given.
func (l *line) value(names ...string) string {
	values := l.values(names...)
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// values is what the flags were given.
func (l *line) values(names ...string) []string {
	var list []string
	for i := range l.flags {
		for _, name := range names {
			if l.flags[i].name == name {
				list = append(list, l.flags[i].value)
			}
		}
	}
	return list
}

// operand is the operand at a place, empty if there is none.
func (l *line) operand(i int) string {
	if i < len(l.operands) {
		return l.operands[i]
	}
	return ""
}

// from are the operands from a place on.
func (l *line) from(i int) []string {
	if i < len(l.operands) {
		return l.operands[i:]
	}
	return nil
}

// quoted writes words as a shell would read them back.
func quoted(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = quote(word)
	}
	return strings.Join(list, " ")
}
