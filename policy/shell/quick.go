package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/invocation"
)

// quick parses texts of simple commands in plain words, as most are, in a
// fraction of the time that the whole syntax takes. Its tree is the parser's own.
type quick struct {
	src string
	at  int
	// commands is how many were parsed.
	commands int
	// document is the redirection whose here-document begins with the next
	// line, nil if there is none.
	document *syntax.Redirect
	// nodes are where the tree's are allocated.
	nodes *invocation.Nodes
}

// next returns the next statement. It is nil at the end of the text, and ok is
// false if there is something that only the whole syntax has.
func (q *quick) next() (s *syntax.Stmt, ok bool) {
	q.newlines()
	if q.at == len(q.src) {
		return nil, true
	}
	if s = q.pipe(); s == nil {
		return nil, false
	}
	for q.document == nil && (q.has("&&") || q.has("||")) {
		op := syntax.AndStmt
		if q.src[q.at] == '|' {
			op = syntax.OrStmt
		}
		j := &q.nodes.Joined.Take(1)[0]
		j.Binary = syntax.BinaryCmd{OpPos: q.pos(), Op: op, X: s}
		q.at += 2
		q.newlines()
		if j.Binary.Y = q.pipe(); j.Binary.Y == nil {
			return nil, false
		}
		j.Stmt = syntax.Stmt{Position: s.Position, Cmd: &j.Binary}
		s = &j.Stmt
	}
	switch {
	case q.document != nil:
		if !q.body() {
			return nil, false
		}
	case q.at == len(q.src) || q.src[q.at] == '\n':
	case q.src[q.at] == ';':
		s.Semicolon = q.pos()
		q.at++
	default:
		return nil, false
	}
	return s, true
}

// pipe parses commands with pipes between them.
func (q *quick) pipe() *syntax.Stmt {
	s := q.command()
	for s != nil && q.document == nil && q.has("|") && !q.has("||") {
		j := &q.nodes.Joined.Take(1)[0]
		j.Binary = syntax.BinaryCmd{OpPos: q.pos(), Op: syntax.Pipe, X: s}
		q.at++
		q.newlines()
		if j.Binary.Y = q.command(); j.Binary.Y == nil {
			return nil
		}
		j.Stmt = syntax.Stmt{Position: s.Position, Cmd: &j.Binary}
		s = &j.Stmt
	}
	return s
}

// usualWords is how many words a command has room for.
const usualWords = 4

// command parses words and redirections up to a sign that ends them.
func (q *quick) command() *syntax.Stmt {
	c := &q.nodes.Commands.Take(1)[0]
	c.Stmt.Position, c.Stmt.Cmd = q.pos(), &c.Call
	c.Call.Args = q.nodes.Args.Take(usualWords)[:0]
	for q.blanks(); q.at < len(q.src) && signs[q.src[q.at]]&endsCommand == 0; q.blanks() {
		if digits := q.descriptor(); digits >= 0 {
			if len(c.Call.Args) == 0 || !q.redirect(&c.Stmt, digits) {
				return nil
			}
			continue
		}
		w := q.word(len(c.Call.Args) == 0)
		if w == nil {
			return nil
		}
		c.Call.Args = append(c.Call.Args, w)
	}
	if len(c.Call.Args) == 0 {
		return nil
	}
	q.commands++
	return &c.Stmt
}

// descriptor returns how many digits stand here before the sign of a redirection,
// -1 if there is none.
func (q *quick) descriptor() int {
	end := q.at
	for end < len(q.src) && q.src[end] >= '0' && q.src[end] <= '9' {
		end++
	}
	if end == len(q.src) || q.src[end] != '<' && q.src[end] != '>' {
		return -1
	}
	return end - q.at
}

// redirect parses a redirection with a descriptor of so many digits.
func (q *quick) redirect(s *syntax.Stmt, digits int) bool {
	d := &q.nodes.Redirs.Take(1)[0]
	if digits > 0 {
		n := &q.nodes.Words.Take(1)[0].Lit
		*n = q.literal(q.at, q.at+digits)
		d.N = n
		q.at += digits
	}
	d.OpPos = q.pos()
	width := 2
	switch {
	case q.has("<<"):
		d.Op = syntax.Hdoc
	case q.has(">>"):
		d.Op = syntax.AppOut
	case q.has(">&"):
		d.Op = syntax.DplOut
	case q.has(">"):
		d.Op, width = syntax.RdrOut, 1
	default:
		d.Op, width = syntax.RdrIn, 1
	}
	q.at += width
	q.blanks()
	if d.Op == syntax.Hdoc {
		if q.document != nil || !q.has("'") && !q.has(`"`) { // something may be expanded in it
			return false
		}
		q.document = d
	}
	if d.Word = q.word(false); d.Word == nil {
		return false
	}
	if s.Redirs == nil {
		s.Redirs = q.nodes.Lists.Take(1)[:0]
	}
	s.Redirs = append(s.Redirs, d)
	return true
}

// body reads the here-document that begins with this line, up to the line that
// ends it.
func (q *quick) body() bool {
	stop, _ := plain(q.document.Word)
	if q.at == len(q.src) || q.src[q.at] != '\n' || stop == "" || strings.IndexByte(stop, '\n') >= 0 {
		return false
	}
	start := q.at + 1
	for end := start; end < len(q.src); {
		line, rest, more := strings.Cut(q.src[end:], "\n")
		if line != stop {
			if end = len(q.src) - len(rest); !more {
				return false
			}
			continue
		}
		if strings.HasPrefix(q.src[start:], "\\\n") || strings.ContainsAny(q.src[start:end], "\r\x00") || !utf8.ValidString(q.src[start:end]) {
			return false
		}
		q.at = end + len(stop)
		if end > start {
			w := &q.nodes.Words.Take(1)[0]
			w.Lit = syntax.Lit{ValuePos: position(start), ValueEnd: position(q.at), Value: q.src[start:end]}
			w.Parts[0] = &w.Lit
			w.Word.Parts = w.Parts[:]
			q.document.Hdoc = &w.Word
		}
		q.document = nil
		return true
	}
	return false
}

// What a byte is to a command in plain words.
const (
	inFirst     uint8 = 1 << iota // it stands for itself in any word
	inOthers                      // it does so in all but the first one
	endsWord                      // a word ends before it
	endsCommand                   // a command does
)

var signs = func() (list [256]uint8) {
	for c := '!'; c < 0x7f; c++ {
		switch {
		case strings.ContainsRune("=~*?#", c):
			list[c] = inOthers
		case !strings.ContainsRune("\"'`$\\|&;<>(){}[]!^", c):
			list[c] = inFirst | inOthers
		}
	}
	for _, c := range " \t<>" {
		list[c] |= endsWord
	}
	for _, c := range "\n;|&" {
		list[c] |= endsWord | endsCommand
	}
	return list
}()

// word parses a word: one without quotes, or one that is quoted as a whole. It is
// nil if there is none, or more than that.
func (q *quick) word(first bool) *syntax.Word {
	start := q.at
	if start == len(q.src) {
		return nil
	}
	switch q.src[start] {
	case '\'', '"':
		return q.quote(q.src[start])
	case '#', '=': // a comment, a program's place in zsh
		return nil
	}
	in := inOthers
	if first {
		in = inFirst
	}
	for q.at < len(q.src) && signs[q.src[q.at]]&in != 0 {
		q.at++
	}
	if q.at == start || !q.ended() || first && isReserved(q.src[start:q.at]) {
		return nil
	}
	w := &q.nodes.Words.Take(1)[0]
	w.Lit = q.literal(start, q.at)
	w.Parts[0] = &w.Lit
	w.Word.Parts = w.Parts[:]
	return &w.Word
}

// quote parses a word in quotes in which nothing is expanded.
func (q *quick) quote(by byte) *syntax.Word {
	left := q.pos()
	start := q.at + 1
	n := strings.IndexByte(q.src[start:], by)
	if n < 0 {
		return nil
	}
	end := start + n
	q.at = end + 1
	if !q.ended() || strings.ContainsAny(q.src[start:end], "\r\x00") || !utf8.ValidString(q.src[start:end]) {
		return nil
	}
	if by == '\'' {
		w := &q.nodes.Quoted.Take(1)[0]
		w.Text = syntax.SglQuoted{Left: left, Right: position(end), Value: q.src[start:end]}
		w.Parts[0] = &w.Text
		w.Word.Parts = w.Parts[:]
		return &w.Word
	}
	if strings.ContainsAny(q.src[start:end], "$`\\") {
		return nil
	}
	w := &q.nodes.Doubled.Take(1)[0]
	w.Text = syntax.DblQuoted{Left: left, Right: position(end)}
	if n > 0 {
		w.Lit = q.literal(start, end)
		w.Inner[0] = &w.Lit
		w.Text.Parts = w.Inner[:]
	}
	w.Parts[0] = &w.Text
	w.Word.Parts = w.Parts[:]
	return &w.Word
}

// ended reports whether a word ends here.
func (q *quick) ended() bool {
	return q.at == len(q.src) || signs[q.src[q.at]]&endsWord != 0
}

// isReserved reports whether a word at the beginning of a command is no program.
func isReserved(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "while", "until", "for", "do", "done", "case", "esac", "in", "select",
		"function", "time", "coproc", "let", "declare", "local", "export", "readonly", "typeset", "nameref":
		return true
	}
	return false
}

func (q *quick) literal(start, end int) syntax.Lit {
	return syntax.Lit{ValuePos: position(start), ValueEnd: position(end), Value: q.src[start:end]}
}

func (q *quick) has(sign string) bool { return strings.HasPrefix(q.src[q.at:], sign) }

func (q *quick) pos() syntax.Pos { return position(q.at) }

// position is a place in the text. Nobody asks for its line.
func position(at int) syntax.Pos { return syntax.NewPos(uint(at), 1, 1) }

func (q *quick) blanks() {
	for q.at < len(q.src) && (q.src[q.at] == ' ' || q.src[q.at] == '\t') {
		q.at++
	}
}

func (q *quick) newlines() {
	for q.at < len(q.src) && (q.src[q.at] == ' ' || q.src[q.at] == '\t' || q.src[q.at] == '\n') {
		q.at++
	}
}
