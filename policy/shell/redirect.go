package shell

import "strings"

// heredoc is a here-document whose body was not read yet.
type heredoc struct {
	end     string
	literal bool // the end was quoted: nothing in the body is expanded
	tabs    bool // <<-: leading tabs are dropped
	command int  // number of the command that gets it, -1 for none
	program bool // the command runs it
	shell   bool // the command is a shell
	from    origin
}

// redirect reads a redirection and its target.
func (r *reader) redirect(cur *simple) {
	start := r.pos
	if next := r.peek(1); next == '(' && r.src[r.pos] != '&' {
		var w word
		r.pos += 2
		w.text = string(r.substitution(nil, &w, start))
		w.quoted = true
		r.words = append(r.words, w)
		cur.note(start, r.pos)
		return
	}
	for r.pos < len(r.src) && strings.IndexByte("<>&|", r.src[r.pos]) >= 0 && r.pos-start < 3 {
		r.pos++
	}
	op := r.src[start:r.pos]
	// >&2 and <&3 copy a descriptor; of an operator only its own bytes count.
	for op != "" && !isRedirection(op) {
		op = op[:len(op)-1]
		r.pos--
	}
	if op == "<<" && r.peek(0) == '-' {
		op = "<<-"
		r.pos++
	}
	r.blanks()
	cur.note(start, r.pos)
	var w word
	switch c := r.peek(0); {
	case (c == '<' || c == '>') && r.peek(1) == '(':
		at := r.pos
		r.pos += 2
		r.substitution(nil, &w, at)
		cur.note(start, r.pos)
		return
	case c == 0, ends[c]:
		return
	default:
		w = r.word()
	}
	cur.note(start, r.pos)
	switch op {
	case "<":
		cur.reads = append(cur.reads, w.text)
	case "<>":
		cur.reads = append(cur.reads, w.text)
		cur.writes = append(cur.writes, w.text)
	case "<<", "<<-":
		r.pending = append(r.pending, heredoc{end: w.text, literal: w.quoted, tabs: op == "<<-", command: -1})
		cur.docs++
	case "<<<":
		cur.input = w.text + "\n"
	case ">&", "<&":
		if t := strings.TrimSuffix(w.text, "-"); t != "" && !isDigits(t) {
			cur.writes = append(cur.writes, w.text)
		}
	default:
		cur.writes = append(cur.writes, w.text)
	}
}

func isRedirection(op string) bool {
	switch op {
	case "<", ">", ">>", ">|", "<>", "<<", "<<<", ">&", "<&", "&>", "&>>":
		return true
	}
	return false
}

// bodies reads the here-documents that begin at the cursor, the start of a line.
func (r *reader) bodies() {
	docs := r.pending
	r.pending = nil
	for _, d := range docs {
		body := r.body(d)
		literal := d.literal || !strings.ContainsAny(body, "$`\\")
		if !literal {
			var w word
			r.expansions(body, &w)
		}
		if d.command < 0 {
			continue
		}
		r.commands[d.command].Input = body
		if literal {
			r.literal = d.command + 1
		}
		r.feed(body, d.program, d.shell, d.from)
	}
}

// feed notes that a command gets a text, which it may run.
func (r *reader) feed(body string, program, shell bool, from origin) {
	if !program {
		return
	}
	r.mark(Heredoc)
	if shell {
		r.text(body, r.depth+1, from)
	}
}

// body reads one here-document with its end.
func (r *reader) body(d heredoc) string {
	start := r.pos
	for r.pos < len(r.src) {
		at := r.pos
		line := r.src[at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
			r.pos = at + n + 1
		} else {
			r.pos = len(r.src)
		}
		if d.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if strings.TrimSuffix(line, "\r") == d.end {
			return r.src[start:at]
		}
	}
	r.mark(Unbalanced)
	return r.src[start:]
}
