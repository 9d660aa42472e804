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
}

// operand is a word that is not an option.
type operand struct {
	text string
	// at is its place among the arguments.
	at int
	// maybe: it may be the value of an option that is not known.
	maybe bool
}

// line is a command line, read in every way at once.
type line struct {
	options  []given
	operands []operand
	// after is how many of the operands stand behind "--", -1 if there is none.
	after int
}

// parse takes arguments apart. In tables are the options that are known.
func parse(args []string, how syntax, tables ...flagTable) line {
	return span{end: len(args)}.parse(args, how, tables...)
}

// span is where in a command line options stand: those before begin are the last
// table's first of all, and from end on there are none.
type span struct{ begin, end int }

func (s span) parse(args []string, how syntax, tables ...flagTable) line {
	own := tables
	if s.begin > 0 {
		tables = slices.Clone(own)
		slices.Reverse(tables)
	}
	l := line{after: -1}
	doubt := false // the word before may take this one as its value
	for i := 0; i < len(args); i++ {
		word := args[i]
		maybe := doubt
		doubt = false
		if i == s.begin {
			tables = own
		}
		if i >= s.end {
			l.operands = append(l.operands, operand{text: word, at: i})
			continue
		}
		if word == "--" && !maybe {
			l.after = len(args) - i - 1
			for j := i + 1; j < len(args); j++ {
				l.operands = append(l.operands, operand{text: args[j], at: j})
			}
			break
		}
		if len(word) < 2 || word[0] != '-' || isNumber(word) {
			l.operands = append(l.operands, operand{text: word, at: i, maybe: maybe})
			if how.firstEnds && !maybe {
				for j := i + 1; j < len(args); j++ {
					l.operands = append(l.operands, operand{text: args[j], at: j})
				}
				break
			}
			continue
		}
		var next *string
		if i+1 < len(args) {
			next = &args[i+1]
		}
		var took bool
		took, doubt = l.option(word, next, maybe, how, tables)
		if took {
			i++
		}
	}
	return l
}

// option reads a word of options. It reports whether the next word is the value of
// one, or may be.
func (l *line) option(word string, next *string, maybe bool, how syntax, tables []flagTable) (took, doubt bool) {
	long := strings.HasPrefix(word, "--")
	body := strings.TrimPrefix(word[1:], "-")
	name, value, assigned := strings.Cut(body, "=")
	whole := long || how.oneDash
	if !whole && len(name) > 1 {
		// -name of a program that usually has letters: known under that name, or letters.
		if f := look(name, tables...); f == nil || len(f.names[0]) == 1 || !isExact(name, tables) {
			return l.letters(body, next, maybe, tables)
		}
	}
	f := look(name, tables...)
	g := given{flag: f, name: name, value: value, valued: assigned, maybe: maybe}
	switch {
	case assigned:
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
	for i := range len(body) {
		name := body[i : i+1]
		f := look(name, tables...)
		g := given{flag: f, name: name, maybe: maybe}
		rest := strings.TrimPrefix(body[i+1:], "=")
		switch {
		case f == nil || f.arity == ambiguous:
			if rest != "" {
				g.value, g.valued, g.doubt = rest, true, true // in one reading
			} else if next != nil {
				g.value, g.valued, g.doubt, doubt = *next, true, true, true
			}
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

func isExact(name string, tables []flagTable) bool {
	for _, t := range tables {
		if t[name] != nil {
			return true
		}
	}
	return false
}

// isNumber reports whether a word is a negative number, which is never an option.
func isNumber(word string) bool {
	for i := 1; i < len(word); i++ {
		if c := word[i]; (c < '0' || c > '9') && c != '.' {
			return false
		}
	}
	return len(word) > 1
}
