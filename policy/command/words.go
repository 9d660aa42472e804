package command

import (
	"slices"
	"strings"
)

// given is an option as it stands in a command line.
type given struct {
	*flag

	// name is how it was written, without dashes; flag is nil if that is not known.
	name, value string
	valued      bool
	// doubt: the value may also be an operand.
	doubt bool
	// maybe: it may be the value of an option that is not known.
	maybe bool
	// behind: it is a letter that may be a part of the value of one before it.
	behind bool
	// in is the argument that it stands in, at the one that its value is in.
	in, at int
}

// operand is a word that is not an option.
type operand struct {
	text string
	// key is the text as words of commands are compared with it.
	key string
	// at is its place among the arguments.
	at int
	// maybe: it may be the value of an option that is not known.
	maybe bool
}

// line is a command line, read in every way at once.
type line struct {
	// args are what was taken apart.
	args     []string
	options  []given
	operands []operand
	// after is how many of the operands stand behind "--", -1 if there is none.
	after int
	// end is the argument from which on there are no options.
	end int
}

// parse takes arguments apart. In tables are the options that are known.
func parse(args []string, how syntax, tables ...flagTable) line {
	return span{end: len(args)}.parse(args, how, tables...)
}

// span is where in a command line options stand: those before begin are the last
// table's first of all, and from end on there are none.
type span struct {
	begin, end int
}

func (s span) parse(args []string, how syntax, tables ...flagTable) line {
	own := tables
	if s.begin > 0 {
		tables = slices.Clone(own)
		slices.Reverse(tables)
	}
	l := line{args: args, after: -1, end: len(args), operands: make([]operand, 0, len(args))}
	doubt := 0 // how many of the words from here on the ones before may take as their values
	start := 0
	if how.bundled {
		start = l.bundle(args, tables)
	}
	for i := start; i < len(args); i++ {
		word := args[i]
		maybe := doubt > 0
		doubt = max(0, doubt-1)
		if i == s.begin {
			tables = own
		}
		if i >= s.end {
			l.end = min(l.end, i+1)
			if word == "--" && i == s.end+1 { // COMMAND NAME -- WORDS
				l.after = len(args) - i - 1
				continue
			}
			l.operands = append(l.operands, how.operandOf(word, i, false))
			continue
		}
		if word == "--" && !maybe {
			l.after, l.end = len(args)-i-1, i
			l.takeRest(i+1, how)
			break
		}
		if l.sign(word, i, maybe, tables) {
			continue
		}
		if !how.isOption(word) || isNumber(word) && look(word[1:2], tables...) == nil && !isExact(word[1:], tables) {
			l.operands = append(l.operands, how.operandOf(word, i, maybe))
			if how.firstEnds && !maybe {
				l.end = i + 1
				l.takeRest(i+1, how)
				break
			}
			continue
		}
		var next *string
		if i+1 < len(args) {
			next = &args[i+1]
		}
		before := len(l.options)
		took, doubtful := l.option(word, next, maybe, how, tables)
		for j := before; j < len(l.options); j++ {
			l.options[j].in, l.options[j].at = i, i
		}
		if took || doubtful {
			l.options[len(l.options)-1].at++
		}
		switch {
		case took:
			i++
			i += l.further(args, i+1, false)
		case doubtful:
			doubt = max(doubt, 1+l.further(args, i+2, true))
		case len(l.options) > before && l.options[len(l.options)-1].valued: // --option=value, and perhaps further ones
			doubt = max(doubt, l.further(args, i+1, true))
		}
		if len(l.options) > before && !maybe && l.options[len(l.options)-1].endsOptions() {
			l.end = i + 1
			l.takeRest(i+1, how)
			break
		}
	}
	return l
}

// takeRest makes operands of the arguments from one on.
func (l *line) takeRest(from int, how syntax) {
	for i := from; i < len(l.args); i++ {
		l.operands = append(l.operands, how.operandOf(l.args[i], i, false))
	}
}

// sign reads a word that is an option without a dash: name=value and +value, where the
// description has name= or +.
func (l *line) sign(word string, at int, maybe bool, tables []flagTable) bool {
	if len(word) < 2 || word[0] == '-' {
		return false
	}
	end := strings.IndexByte(word, '=') + 1
	if word[0] == '+' {
		end = 1
	}
	name, value := word[:end], word[end:]
	if end == 0 || !isExact(name, tables) {
		return false
	}
	l.options = append(l.options, given{flag: look(name, tables...), name: name, value: value, valued: true, maybe: maybe, in: at, at: at})
	return true
}

// bundle reads the letters that a command line may begin with, each with its value
// from the words behind: xzf a.tgz. It returns how many words that were.
func (l *line) bundle(args []string, tables []flagTable) int {
	if len(args) == 0 || args[0] == "" || args[0][0] == '-' || args[0][0] == '+' {
		return 0
	}
	for i := range len(args[0]) {
		if look(args[0][i:i+1], tables...) == nil {
			return 0
		}
	}
	taken := 1
	for i := range len(args[0]) {
		g := given{flag: look(args[0][i:i+1], tables...), name: args[0][i : i+1]}
		if g.arity == valued && taken < len(args) {
			g.value, g.valued, g.at = args[taken], true, taken
			taken++
		}
		l.options = append(l.options, g)
	}
	return taken
}

// further reads the words from one on, which stand behind the value of an option that may
// take more than one. It returns how many it takes. Where it is not sure that they are its
// values, they may be operands, too.
func (l *line) further(args []string, from int, doubt bool) int {
	last := l.options[len(l.options)-1]
	if last.flag == nil {
		return 0
	}
	at := from
	take := func(f *flag) {
		l.options = append(l.options, given{flag: f, name: last.name, value: args[at], valued: true, doubt: doubt, maybe: last.maybe || doubt, in: last.in, at: at})
		at++
	}
	for last.rest && at < len(args) && !strings.HasPrefix(args[at], "-") {
		take(last.flag)
	}
	for f := last.then; f != nil && at < len(args); f = f.then {
		take(f)
	}
	return at - from
}

// option reads a word of options. It reports whether the next word is the value of
// one, or may be.
func (l *line) option(word string, next *string, maybe bool, how syntax, tables []flagTable) (took, doubt bool) {
	long := strings.HasPrefix(word, "--")
	body := strings.TrimPrefix(word[1:], "-")
	if how.slash {
		body = strings.TrimLeft(word, "/-")
	}
	name, value, assigned := strings.Cut(body, "=")
	if how.slash {
		name, value, assigned = body, "", false
		if i := strings.IndexAny(body, ":="); i >= 0 {
			name, value, assigned = body[:i], body[i+1:], true
		}
	}
	if i := strings.IndexByte(name, ':'); i > 0 && !assigned && !isExact(name, tables) && isExact(name[:i], tables) { // --name:value
		name, value, assigned = name[:i], name[i+1:], true
	}
	if how.anyCase {
		name = strings.ToLower(name)
	}
	if how.slash && name == "?" {
		name = "help"
	}
	whole := long || how.oneDash
	if !whole {
		// -name of a program that usually has letters: known under that name, or letters.
		if f := look(name, tables...); len(name) == 1 || f == nil || len(f.names[0]) == 1 || !isExact(name, tables) {
			return l.letters(body, next, maybe, tables)
		}
	}
	f := look(name, tables...)
	g := given{flag: f, name: name, value: value, valued: assigned, maybe: maybe}
	switch {
	case assigned:
	case f == nil && needsNoValue(name, tables):
	case f == nil || f.arity == ambiguous:
		if next != nil { // the next word is the value in one reading
			g.value, g.valued, g.doubt, doubt = *next, true, true, true
		}
	case f.arity == valued && next != nil && !maybe:
		g.value, g.valued, took = *next, true, true
	case f.arity == valued && next != nil: // if this is an option at all
		g.value, g.valued, g.doubt, doubt = *next, true, true, true
	}
	l.options = append(l.options, g)
	return took, doubt
}

// letters reads a cluster such as -xvf.
func (l *line) letters(body string, next *string, maybe bool, tables []flagTable) (took, doubt bool) {
	behind := false
	for i := range len(body) {
		name := body[i : i+1]
		f := look(name, tables...)
		if f == nil && strings.ContainsAny(name, "=/.,:~") { // the rest is no letters
			break
		}
		g := given{flag: f, name: name, maybe: maybe, behind: behind}
		behind = behind || f == nil || f.arity == ambiguous
		rest := body[i+1:]
		if len(rest) > 1 { // a sign alone is the value itself: -d=
			rest = strings.TrimPrefix(rest, "=")
		}
		switch {
		case f == nil || f.arity == ambiguous:
			if rest != "" {
				g.value, g.valued, g.doubt = rest, true, true // in one reading
			} else if next != nil {
				g.value, g.valued, g.doubt, doubt = *next, true, true, true
			}
		case f.dry && rest != "" && body[i+1] != '=': // further letters, and no value
		case f.arity == valued && rest != "", f.arity == optional && rest != "":
			g.value, g.valued = rest, true
			l.options = append(l.options, g)
			return false, false
		case f.arity == valued && next != nil:
			g.value, g.valued = *next, true
			l.options = append(l.options, g)
			return !maybe, maybe
		}
		l.options = append(l.options, g)
	}
	return false, doubt
}

// endsOptions reports whether there are no options behind its value.
func (g *given) endsOptions() bool { return g.flag != nil && g.ends && g.valued }

func isExact(name string, tables []flagTable) bool {
	for _, t := range tables {
		if t[name] != nil {
			return true
		}
	}
	return false
}

// isNumber reports whether a word is a negative number, which is an option only if the
// description has it: kill -9.
func isNumber(word string) bool {
	for i := 1; i < len(word); i++ {
		if c := word[i]; (c < '0' || c > '9') && c != '.' {
			return false
		}
	}
	return len(word) > 1
}

// operandOf is a word that is not an option.
func (how syntax) operandOf(word string, at int, maybe bool) operand {
	o := operand{text: word, key: word, at: at, maybe: maybe}
	if how.anyCase {
		o.key = strings.ToLower(word)
	}
	return o
}

// isOption reports whether a word is one or several options.
func (how syntax) isOption(word string) bool {
	if len(word) < 2 {
		return false
	}
	if how.slash && word[0] == '/' { // a path has more of them
		return !strings.Contains(strings.TrimLeft(word, "/"), "/") && strings.TrimLeft(word, "/") != ""
	}
	return word[0] == '-'
}
