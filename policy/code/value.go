package code

import (
	"slices"
	"strings"
)

// What a value is.
type form uint8

const (
	isUnknown  form = iota
	isString        // a text or a path: all that it can be
	isNum           // a number, as text
	isRef           // something that has a name: a module, a function, a variable
	isList          // a list, tuple or map
	isFile          // an open file, text is its path
	isSocket        // a connection
	isClient        // something that talks to an address
	isSecretly      // a member of something whose name is not known
)

// value is what is known of an expression.
type value struct { //nolint:recvcheck // taint alone changes its value
	form form
	text string
	// or are the other texts that it can be.
	or    []string
	items []value
	// keys are set for a map.
	keys []string
	// of is the variable that a list is in, for those who add to it.
	of string
	// use is the number of the use that opened a file, plus one.
	use int
	// sources are the files, and Environment, that it was made from; remote is
	// the address that it comes from, hidden what it was decoded by.
	sources []string
	remote  string
	hidden  string
}

// mark stands around the name of what is not known, within texts.
const mark = "\x00"

const (
	mostTexts   = 8
	mostSources = 32
	mostItems   = 256
	// mostText is how long a text may become.
	mostText = 64 << 10
)

func text(s string) value   { return value{form: isString, text: s} }
func ref(name string) value { return value{form: isRef, text: name} }

func listOf(items ...value) value { return value{form: isList, items: items} }

func textList(words []string) value {
	v := value{form: isList}
	for _, w := range words {
		v.items = append(v.items, text(w))
	}
	return v
}

func isKnown(s string) bool { return !strings.Contains(s, mark) }

// shown is a text for those who use it: what is not known stands as "${name}".
func shown(s string) string {
	if isKnown(s) {
		return s
	}
	var b strings.Builder
	for i, piece := range strings.Split(s, mark) {
		if i%2 == 1 {
			b.WriteString("${" + piece + "}")
		} else {
			b.WriteString(piece)
		}
	}
	return b.String()
}

// marked are the names of what is not known in a text.
func marked(s string) []string {
	var names []string
	if !isKnown(s) {
		for i, piece := range strings.Split(s, mark) {
			if i%2 == 1 {
				names = merge(names, []string{piece})
			}
		}
	}
	return names
}

// pieces are the texts that a value can be in another text.
func (v value) pieces() []string {
	switch v.form {
	case isString, isNum:
		return append([]string{v.text}, v.or...)
	case isRef:
		return []string{mark + plain(v.text) + mark}
	case isFile:
		return []string{mark + "file" + mark}
	case isList:
		if len(v.items) == 1 {
			return v.items[0].pieces()
		}
		return []string{mark + "list" + mark}
	default:
		return []string{mark + "x" + mark}
	}
}

// plain makes a name of letters.
func plain(name string) string {
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		name = name[at+1:]
	}
	name = strings.Trim(name, "$@%&()")
	for i := range len(name) {
		if !isWord(name[i]) {
			return "x"
		}
	}
	if name == "" || isDigit(name[0]) {
		return "x"
	}
	return name[:min(len(name), 40)]
}

// known is the text, if it is the only one that the value can be.
func (v value) known() (string, bool) {
	if (v.form == isString || v.form == isNum) && len(v.or) == 0 && isKnown(v.text) {
		return v.text, true
	}
	return "", false
}

// taint gives a value what another one was made from.
func (v *value) taint(from *value) {
	if from.sources != nil {
		v.sources = merge(v.sources, from.sources)
	}
	if v.remote == "" {
		v.remote = from.remote
	}
	if v.hidden == "" {
		v.hidden = from.hidden
	}
	if from.form == isRef && len(from.items) == 0 && (slices.Contains(environments, from.text) || strings.HasPrefix(from.text, "ENV.")) {
		v.sources = merge(v.sources, []string{Environment})
	}
	for i := range from.items {
		if i >= mostSources {
			break
		}
		v.taint(&from.items[i])
	}
}

func merge(list, more []string) []string {
	for _, s := range more {
		if len(list) < mostSources && !slices.Contains(list, s) {
			list = append(slices.Clip(list), s)
		}
	}
	return list
}

// join is a value that is one or the other.
func join(a, b value) value {
	if a.form == isUnknown && a.sources == nil && a.remote == "" && a.hidden == "" {
		return b
	}
	if b.form == isUnknown && b.sources == nil && b.remote == "" && b.hidden == "" {
		return a
	}
	if a.form != isString || b.form != isString {
		if a.form == isUnknown {
			a, b = b, a
		}
		if a.form == isList && b.form == isList && a.keys == nil && len(a.items)+len(b.items) <= mostItems {
			a.items = slices.Concat(a.items, b.items)
			return a
		}
		b.taint(&a)
		return b
	}
	all := merge(a.pieces(), b.pieces())
	out := value{form: isString, text: all[0], or: all[1:]}
	if len(all) > mostTexts {
		out.text, out.or = mark+"x"+mark, nil
	}
	out.taint(&a)
	out.taint(&b)
	return out
}

// element is any of the items of a value, for a loop over it.
func (v value) element() value {
	switch v.form {
	case isList:
		out := value{}
		for i := range v.items {
			if i >= mostItems {
				break
			}
			item := v.items[i]
			if item.form == isUnknown {
				item = text(mark + "x" + mark)
				item.taint(&v.items[i])
			}
			out = join(out, item)
		}
		out.taint(&v)
		return out
	case isString: // names that match a pattern, one of several
		if strings.ContainsAny(v.text, "*") {
			return v
		}
	default: // any element is made from all of it
	}
	out := value{}
	out.taint(&v)
	return out
}

// flat are the items of lists in a value, or the value.
func (v value) flat() []value {
	if v.form != isList {
		return []value{v}
	}
	out := make([]value, 0, len(v.items))
	for i := range v.items {
		if v.items[i].form == isList && len(out) < mostItems {
			out = append(out, v.items[i].items...)
		} else {
			out = append(out, v.items[i])
		}
	}
	return out
}
