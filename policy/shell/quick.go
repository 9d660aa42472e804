package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
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
	nodes *nodes
}

// nodes are the nodes of quick trees.
type nodes struct {
	words    slab[literalWord]
	quoted   slab[quotedWord]
	doubled  slab[doubledWord]
	commands slab[plainCommand]
	joined   slab[joinedCommand]
	redirs   slab[syntax.Redirect]
	lists    slab[*syntax.Redirect]
	args     slab[*syntax.Word]
	stmts    slab[*syntax.Stmt]
}

func (n *nodes) reset() {
	n.words.reset()
	n.quoted.reset()
	n.doubled.reset()
	n.commands.reset()
	n.joined.reset()
	n.redirs.reset()
	n.lists.reset()
	n.args.reset()
	n.stmts.reset()
}

// The nodes that always come together.
type (
	literalWord struct {
		word  syntax.Word
		parts [1]syntax.WordPart
		lit   syntax.Lit
	}
	quotedWord struct {
		word  syntax.Word
		parts [1]syntax.WordPart
		text  syntax.SglQuoted
	}
	doubledWord struct {
		word  syntax.Word
		parts [1]syntax.WordPart
		text  syntax.DblQuoted
		inner [1]syntax.WordPart
		lit   syntax.Lit
	}
	plainCommand struct {
		stmt syntax.Stmt
		call syntax.CallExpr
	}
	joinedCommand struct {
		stmt   syntax.Stmt
		binary syntax.BinaryCmd
	}
)

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
		j := &q.nodes.joined.take(1)[0]
		j.binary = syntax.BinaryCmd{OpPos: q.pos(), Op: op, X: s}
		q.at += 2
		q.newlines()
		if j.binary.Y = q.pipe(); j.binary.Y == nil {
			return nil, false
		}
		j.stmt = syntax.Stmt{Position: s.Position, Cmd: &j.binary}
		s = &j.stmt
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
		j := &q.nodes.joined.take(1)[0]
		j.binary = syntax.BinaryCmd{OpPos: q.pos(), Op: syntax.Pipe, X: s}
		q.at++
		q.newlines()
		if j.binary.Y = q.command(); j.binary.Y == nil {
			return nil
		}
		j.stmt = syntax.Stmt{Position: s.Position, Cmd: &j.binary}
		s = &j.stmt
	}
	return s
}

// usualWords is how many words a command has room for.
const usualWords = 4

// command parses words and redirections up to a sign that ends them.
func (q *quick) command() *syntax.Stmt {
	c := &q.nodes.commands.take(1)[0]
	c.stmt.Position, c.stmt.Cmd = q.pos(), &c.call
	c.call.Args = q.nodes.args.take(usualWords)[:0]
	for q.blanks(); q.at < len(q.src) && signs[q.src[q.at]]&endsCommand == 0; q.blanks() {
		if digits := q.descriptor(); digits >= 0 {
			if len(c.call.Args) == 0 || !q.redirect(&c.stmt, digits) {
				return nil
			}
			continue
		}
		w := q.word(len(c.call.Args) == 0)
		if w == nil {
			return nil
		}
		c.call.Args = append(c.call.Args, w)
	}
	if len(c.call.Args) == 0 {
		return nil
	}
	q.commands++
	return &c.stmt
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
	d := &q.nodes.redirs.take(1)[0]
	if digits > 0 {
		n := &q.nodes.words.take(1)[0].lit
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
		s.Redirs = q.nodes.lists.take(1)[:0]
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
			w := &q.nodes.words.take(1)[0]
			w.lit = syntax.Lit{ValuePos: position(start), ValueEnd: position(q.at), Value: q.src[start:end]}
			w.parts[0] = &w.lit
			w.word.Parts = w.parts[:]
			q.document.Hdoc = &w.word
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
	w := &q.nodes.words.take(1)[0]
	w.lit = q.literal(start, q.at)
	w.parts[0] = &w.lit
	w.word.Parts = w.parts[:]
	return &w.word
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
		w := &q.nodes.quoted.take(1)[0]
		w.text = syntax.SglQuoted{Left: left, Right: position(end), Value: q.src[start:end]}
		w.parts[0] = &w.text
		w.word.Parts = w.parts[:]
		return &w.word
	}
	if strings.ContainsAny(q.src[start:end], "$`\\") {
		return nil
	}
	w := &q.nodes.doubled.take(1)[0]
	w.text = syntax.DblQuoted{Left: left, Right: position(end)}
	if n > 0 {
		w.lit = q.literal(start, end)
		w.inner[0] = &w.lit
		w.text.Parts = w.inner[:]
	}
	w.parts[0] = &w.text
	w.word.Parts = w.parts[:]
	return &w.word
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
