package shell

import (
	"slices"
	"strings"
)

// usage says how a program takes its options, as far as it must be known to
// tell its operands from the values of its options.
type usage struct {
	// values are the short options whose value is the rest of the word or the
	// next word; attached those whose value can only be the rest of the word.
	values, attached string
	// long are the long options that take a value from the next word if they
	// have none after an equals sign.
	long []string
	// flags are long options without a value that others begin with: they are no
	// abbreviations of these.
	flags []string
	// bundled: the first word may be short options without a dash, whose
	// values are the words that follow: tar xzf a.tgz.
	bundled bool
}

// option is one option as it was given. Its name has no dashes.
type option struct {
	name, value string
	long        bool
	// whole: it has this name and is no abbreviation of another.
	whole bool
}

// given is what a command was given: its options and its operands in their order.
type given struct {
	options  []option
	operands []string
	// letters are the short options without a value that are among options:
	// each is noted once, however often it is given. short are the options
	// whose name is one byte, with a value or without.
	letters, short byteSet
	// long: some began with two dashes.
	long bool
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }
func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }

// given takes the arguments apart.
func (a *act) given(u *usage) given {
	var g given
	args := a.Args
	if a.r != nil {
		g.options, g.operands = a.r.options.room(len(args)+2), a.r.words.room(len(args))
	}
	if u.bundled && len(args) > 0 && args[0] != "" && args[0][0] != '-' && isCluster(args[0]) {
		args = g.bundle(u, args)
	}
	for i := 0; i < len(args); i++ {
		body, dashes := cutDashes(args[i])
		switch {
		case args[i] == "--":
			g.operands = append(g.operands, args[i+1:]...)
			return g
		case dashes == 0:
			g.operands = append(g.operands, args[i])
		case dashes == 2:
			name, value, has := strings.Cut(body, "=")
			if !has && i+1 < len(args) && takesWord(u.long, name) {
				i++
				value = args[i]
			}
			g.add(option{name: name, value: value, long: true, whole: slices.Contains(u.long, name) || slices.Contains(u.flags, name)})
		default:
			i += g.cluster(u, body, args[i+1:])
		}
	}
	return g
}

// takesWord reports whether a long option, which may be abbreviated, takes the
// next word.
func takesWord(long []string, name string) bool {
	return slices.Contains(long, name) || len(name) > 2 && slices.ContainsFunc(long, func(full string) bool { return strings.HasPrefix(full, name) })
}

// cluster adds the short options in one word, and returns how many of the next
// words were their value.
func (g *given) cluster(u *usage, body string, next []string) int {
	for i := range len(body) {
		name := body[i : i+1]
		switch {
		case strings.Contains(u.attached, name):
			g.add(option{name: name, value: body[i+1:]})
			return 0
		case !strings.Contains(u.values, name):
			g.letter(name)
		case i+1 < len(body):
			g.add(option{name: name, value: strings.TrimPrefix(body[i+1:], "=")})
			return 0
		case len(next) > 0:
			g.add(option{name: name, value: next[0]})
			return 1
		default:
			g.letter(name)
		}
	}
	return 0
}

func (g *given) letter(name string) {
	if !g.letters.has(name[0]) {
		g.letters.add(name[0])
		g.add(option{name: name})
	}
}

// add notes an option.
func (g *given) add(o option) {
	if len(o.name) == 1 {
		g.short.add(o.name[0])
	}
	g.long = g.long || o.long
	g.options = append(g.options, o)
}

// bundle adds the options in the first word and returns the words after their
// values.
func (g *given) bundle(u *usage, args []string) []string {
	rest := args[1:]
	for i := range len(args[0]) {
		name := args[0][i : i+1]
		if !strings.Contains(u.values, name) || len(rest) == 0 {
			g.letter(name)
			continue
		}
		g.add(option{name: name, value: rest[0]})
		rest = rest[1:]
	}
	return rest
}

// is reports whether an option has one of the names: one letter for short
// options, more for long ones, which may be abbreviated as GNU programs allow.
func (o *option) is(names ...string) bool {
	for _, name := range names {
		if o.name == name || o.long && !o.whole && len(name) > 1 && o.name != "" && strings.HasPrefix(name, o.name) {
			return true
		}
	}
	return false
}

// value is the value of the last of the options that has one.
func (g *given) value(names ...string) string {
	for i := len(g.options) - 1; i >= 0; i-- {
		if o := &g.options[i]; o.value != "" && o.is(names...) {
			return o.value
		}
	}
	return ""
}

// after is the value that follows a word of the command: the of in
// openssl -in key.pem. Programs with one dash before long options take them so.
func (a *act) after(names ...string) []string {
	var list []string
	for i := 0; i+1 < len(a.Args); i++ {
		if slices.Contains(names, a.Args[i]) {
			i++
			list = append(list, a.Args[i])
		}
	}
	return list
}

func (a *act) firstArg() string {
	if len(a.Args) == 0 {
		return ""
	}
	return a.Args[0]
}
