package shell

import "strings"

// prefix reads the rest of a keyword before a command of any sort and reports
// whether it is one: time with flags is the program of that name.
func (r *reader) prefix(keyword string) bool {
	r.blanks()
	if keyword == "time" {
		if strings.HasPrefix(r.src[r.pos:], "-p ") {
			r.pos += 2
			return true
		}
		return r.peek(0) != '-'
	}
	// coproc NAME { ...; } names a group, coproc rm x is a command.
	at := r.pos
	for r.pos < len(r.src) && isNameByte(r.src[r.pos]) {
		r.pos++
	}
	if r.blanks(); r.peek(0) != '{' && r.peek(0) != '(' {
		r.pos = at
	}
	return true
}

// open reads a parenthesis that opens a subshell and reports whether it does:
// it may also be arithmetic or the () of a function.
func (r *reader) open(cur *simple) bool {
	if len(r.words) == cur.base+1 && !cur.header {
		at := r.pos
		r.pos++
		r.blanks()
		if r.peek(0) == ')' {
			r.pos++
			r.words = r.words[:cur.base]
			cur.end = 0
			return false
		}
		r.pos = at
	}
	if end := r.arithmetic(); end > 0 && (len(r.words) == cur.base || cur.header) {
		var w word
		r.expansions(r.src[r.pos:end], &w)
		r.pos = end
		return false
	}
	if len(r.words) > cur.base {
		r.mark(Dialect) // fish and zsh have such words
	}
	piped := cur.piped
	r.finish(cur, piped)
	r.pos++
	return true
}

// test reads the words of [[ ]], in which && and < are operators of the test.
func (r *reader) test(cur *simple) {
	for r.pos < len(r.src) {
		if ends[r.src[r.pos]] {
			r.pos++
			continue
		}
		start := r.pos
		w := r.word()
		if r.pos == start {
			r.pos++
			continue
		}
		r.words = append(r.words, w)
		cur.note(start, r.pos)
		if w.text == "]]" {
			return
		}
	}
	r.mark(Unbalanced)
}

// choices reads the branches of a case after that word.
func (r *reader) choices() {
	if r.depth >= MaxDepth {
		r.mark(Nesting)
		r.pos = len(r.src)
		return
	}
	r.skipTo("in")
	r.depth++
	defer func() { r.depth-- }()
	for r.pos < len(r.src) {
		if r.skipTo("esac") {
			return
		}
		if r.peek(0) == ')' {
			r.pos++
			r.list(endOfCase)
			if r.esac {
				r.esac = false
				return
			}
		}
	}
	r.mark(Unbalanced)
}

// skipTo reads words up to the given one, which it consumes, or a closing
// parenthesis, which it does not.
func (r *reader) skipTo(stop string) bool {
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		if c == ')' {
			return false
		}
		if c == '#' {
			if n := strings.IndexByte(r.src[r.pos:], '\n'); n >= 0 {
				r.pos += n
				continue
			}
			r.pos = len(r.src)
			return false
		}
		if ends[c] {
			r.pos++
			continue
		}
		start := r.pos
		if w := r.word(); w.text == stop && !w.quoted {
			return true
		}
		if r.pos == start {
			r.pos++
		}
	}
	return false
}
