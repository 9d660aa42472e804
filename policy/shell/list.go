package shell

import "strings"

// reader reads one text.
type reader struct {
	*splitter
	src     string
	pos     int
	depth   int
	from    origin
	pending []heredoc // whose bodies begin after the next newline
	esac    bool      // the last list was ended by esac
}

// ending is what ends a list of commands.
type ending uint8

const (
	endOfText  ending = iota
	endOfParen        // )
	endOfCase         // ;; or esac
)

// simple is the simple command that is being read.
type simple struct {
	base          int // of its words
	start, end    int // of its source; end is 0 while there is none
	reads, writes []string
	input         string
	piped         bool // its input is the output of another command
	header        bool // the words after for or select: no command
	docs          int  // here-documents it has
}

// maxGroups is how many ( and { and loops may be open in one list.
const maxGroups = 1000

// group is an open ( or { or loop.
type group struct {
	closer string
	piped  bool   // of the group around it
	from   origin // to return to after a subshell
}

// keywords that a command may follow, and what closes those that open a group.
var keywords = map[string]string{
	"if": "fi", "while": "done", "until": "done", "for": "done", "select": "done", "{": "}",
	"then": "", "elif": "", "else": "", "do": "", "!": "", "fi": "", "done": "", "}": "",
}

// list reads commands up to the end of the list, which it consumes.
func (r *reader) list(end ending) {
	grouped := r.from.piped // the input of the innermost group is piped
	cur := simple{base: len(r.words), piped: grouped}
	var groups []group
	r.esac = false
	for r.pos < len(r.src) && !r.full {
		if len(groups) > maxGroups {
			r.mark(Nesting)
			r.pos = len(r.src)
			break
		}
		switch c := r.src[r.pos]; c {
		case ' ', '\t':
			r.pos++
		case '\n':
			r.finish(&cur, grouped)
			r.pos++
			r.bodies()
		case '#':
			if n := strings.IndexByte(r.src[r.pos:], '\n'); n >= 0 {
				r.pos += n
			} else {
				r.pos = len(r.src)
			}
		case ';':
			r.finish(&cur, grouped)
			cur.piped = grouped
			r.pos++
			if next := r.peek(0); next == ';' || next == '&' && end == endOfCase {
				r.pos++
				if r.peek(0) == '&' {
					r.pos++
				}
				if end == endOfCase {
					return
				}
			}
		case '&':
			if r.peek(1) == '>' {
				r.redirect(&cur)
				continue
			}
			r.finish(&cur, grouped)
			cur.piped = grouped
			r.pos++
			if r.peek(0) == '&' {
				r.pos++
			}
		case '|':
			r.finish(&cur, grouped)
			r.pos++
			cur.piped = r.peek(0) != '|'
			if next := r.peek(0); next == '|' || next == '&' {
				r.pos++
			}
		case '(':
			if r.open(&cur) {
				groups = append(groups, group{closer: ")", piped: grouped, from: r.from})
				grouped = grouped || cur.piped
			}
		case ')':
			r.finish(&cur, grouped)
			r.pos++
			closed := false
			for len(groups) > 0 && !closed {
				g := groups[len(groups)-1]
				groups = groups[:len(groups)-1]
				grouped = g.piped
				if closed = g.closer == ")"; closed {
					r.from = g.from
				}
			}
			cur.piped = grouped
			if !closed {
				if end == endOfParen {
					return
				}
				r.mark(Unbalanced)
			}
		case '<', '>':
			r.redirect(&cur)
		default:
			if c == '\r' && r.peek(1) == '\n' {
				r.pos++
				continue
			}
			if c == '\\' && r.peek(1) == '\n' {
				r.pos += 2
				continue
			}
			start := r.pos
			w := r.word()
			if !w.quoted && len(r.words) == cur.base && cur.end == 0 && !cur.header {
				if closer, ok := keywords[w.text]; ok {
					switch {
					case closer != "":
						groups = append(groups, group{closer: closer, piped: grouped})
						grouped = grouped || cur.piped
						cur.header = w.text == "for" || w.text == "select"
					case len(groups) > 0 && groups[len(groups)-1].closer == w.text:
						grouped = groups[len(groups)-1].piped
						groups = groups[:len(groups)-1]
						cur.piped = grouped
					}
					continue
				}
				if (w.text == "time" || w.text == "coproc") && r.prefix(w.text) {
					continue
				}
				if end == endOfCase && w.text == "esac" {
					r.esac = true
					return
				}
			}
			r.add(&cur, &w, start)
		}
	}
	r.finish(&cur, grouped)
	if r.full {
		r.pos = len(r.src)
		return
	}
	if end != endOfText || len(groups) > 0 {
		r.mark(Unbalanced)
	}
	if r.depth == 0 && len(r.pending) > 0 {
		r.mark(Unbalanced)
	}
}

// peek returns the byte n places after the cursor, 0 if there is none.
func (r *reader) peek(n int) byte {
	if r.pos+n < len(r.src) {
		return r.src[r.pos+n]
	}
	return 0
}

// add gives the command a word, or takes the word for what it is by grammar.
func (r *reader) add(cur *simple, w *word, start int) {
	if !w.quoted {
		first := len(r.words) == cur.base
		switch {
		case first && w.text == "case":
			r.choices()
			return
		case first && w.text == "function":
			r.blanks()
			if c := r.peek(0); c != 0 && !ends[c] {
				r.word()
			}
			return
		case first && w.text == "[[":
			r.words = append(r.words, *w)
			cur.note(start, r.pos)
			r.test(cur)
			return
		case cur.header && w.text == "do" && len(r.words) == cur.base+1:
			r.words = r.words[:cur.base]
			cur.header = false
			return
		case isDigits(w.text) && (r.peek(0) == '<' || r.peek(0) == '>'):
			return // the number of a file descriptor
		}
	}
	r.words = append(r.words, *w)
	cur.note(start, r.pos)
}

// note extends the source of the command.
func (s *simple) note(start, end int) {
	if s.end == 0 {
		s.start = start
	}
	s.end = end
}

func (r *reader) blanks() {
	for r.pos < len(r.src) {
		switch {
		case r.src[r.pos] == ' ', r.src[r.pos] == '\t':
			r.pos++
		case strings.HasPrefix(r.src[r.pos:], "\\\n"):
			r.pos += 2
		default:
			return
		}
	}
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
