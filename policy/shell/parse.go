package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// parsers go from text to text. What is no text for bash may be one for zsh.
var (
	parsers    = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}
	zshParsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangZsh)) }}
)

// text reads the text at hand. A shell runs what it has read before it meets an
// error, so that the statements before one count in any case. What follows it is
// read line by line, as well as it goes.
func (r *reader) text(in *flow) flow {
	if args, ok := r.plainWords(); ok {
		return r.plainly(args, in)
	}
	if strings.IndexByte(r.src, 0) >= 0 {
		r.src = strings.ReplaceAll(r.src, "\x00", "") // shells drop it
	}
	r.src = r.afford(r.src)
	out, rest := r.parse(&parsers, in)
	whole := r.src
	if n := commented(whole); n > 0 && !r.full { // a comment ends with its line, even if the parser reads on
		r.src = r.afford(whole[n:])
		r.parse(&parsers, in)
	}
	if rest >= 0 && !r.full {
		if closed := unended(whole[rest:]); closed != "" {
			r.src = r.afford(closed)
			if made, broken := r.parse(&parsers, in); broken < 0 {
				out.and(made)
				rest = -1
			}
		}
	}
	if rest >= 0 && !r.full {
		// Twice not is not an error everywhere.
		r.src = r.afford(strings.ReplaceAll(whole[rest:], "! ! ", ""))
		if made, broken := r.parse(&zshParsers, in); broken < 0 {
			out.and(made)
			rest = -1
		}
	}
	if rest < 0 {
		r.src = whole
		return out
	}
	r.mark(Unbalanced)
	for line := range strings.Lines(r.afford(whole[rest:])) {
		if r.full {
			break
		}
		r.src = line
		made, broken := r.parse(&parsers, in)
		out.and(made)
		if broken >= 0 {
			r.scraps(line[broken:], in)
		}
	}
	r.src = whole
	return out
}

// parse reads the statements of the text at hand, each as soon as it is parsed.
// It returns what they print, and from where on the text cannot be read, -1 if
// it can.
func (r *reader) parse(by *sync.Pool, in *flow) (flow, int) {
	if list, ok := r.quickly(); ok {
		return r.stmts(list, in), -1
	}
	return r.slowly(by, in)
}

// slowly is parse for a text with more syntax.
func (r *reader) slowly(by *sync.Pool, in *flow) (flow, int) {
	p, _ := by.Get().(*syntax.Parser)
	defer by.Put(p)
	given := *in      // the parser's function keeps it
	var read struct { // so far
		out          flow
		end          int
		done, broken bool
	}
	// The parser may go on after it was told to stop, which a range does not
	// allow.
	p.StmtsSeq(strings.NewReader(r.src))(func(stmt *syntax.Stmt, err error) bool {
		switch {
		case read.done:
		case err != nil:
			read.done, read.broken = true, true
		default:
			read.end = int(stmt.End().Offset())
			sure := len(r.verified)
			read.out.and(r.stmt(stmt, &given))
			r.doubtAgain(sure)
			read.done = r.full
		}
		return !read.done
	})
	if read.broken {
		return read.out, min(read.end, len(r.src))
	}
	return read.out, -1
}

// usualStatements is how many there is room for before there are more.
const usualStatements = 4

// quickly parses a text that needs little syntax, and reports whether it could.
func (r *reader) quickly() (list []*syntax.Stmt, ok bool) {
	q := quick{src: r.src, nodes: &r.nodes}
	list = r.nodes.stmts.room(usualStatements)
	for {
		s, ok := q.next()
		if s == nil {
			if r.parsed = 0; ok {
				r.parsed = q.commands
			}
			return list, ok
		}
		list = append(list, s)
	}
}

// commented returns where the line ends that ends with a comment and a backslash,
// 0 if there is none.
func commented(src string) int {
	for at := 0; ; {
		n := strings.Index(src[at:], "\\\n")
		if n < 0 {
			return 0
		}
		line := src[at+strings.LastIndexByte(src[at:at+n], '\n')+1 : at+n]
		for i := range len(line) {
			if line[i] == '#' && (i == 0 || strings.IndexByte(" \t\r;", line[i-1]) >= 0) {
				return at + n + 2
			}
		}
		at += n + 2
	}
}

// quotes are what may stand around the word that ends a here-document.
var quotes = strings.NewReplacer("'", "", `"`, "", `\`, "")

// unended writes the end of the last here-document behind a text, as shells take
// the end of the text for one. It is empty if there is none.
func unended(src string) string {
	i := strings.LastIndex(src, "<<")
	if i < 0 || i > 0 && src[i-1] == '<' {
		return ""
	}
	line, _, _ := strings.Cut(src[i+2:], "\n")
	end := strings.TrimLeft(strings.TrimPrefix(line, "-"), " \t")
	if n := strings.IndexAny(end, " \t;|&<>()"); n >= 0 {
		end = end[:n]
	}
	if end = quotes.Replace(end); end == "" {
		return ""
	}
	return src + "\n" + end + "\n"
}

// scraps reads what is no shell text: as words between the signs that part
// commands. Quotes are dropped, as nobody knows where they would end.
func (r *reader) scraps(line string, in *flow) {
	var paths []string
	for word := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(" \t();|&'\"", c) }) {
		if (word[0] == '/' || word[0] == '~') && len(paths) < mostReadings {
			paths = append(paths, word)
		}
	}
	for piece := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(";|&()`\n", c) }) {
		words := strings.FieldsFunc(piece, func(c rune) bool { return strings.ContainsRune(" \t\r'\"{}", c) })
		if len(words) == 0 || len(words) > 64 {
			continue
		}
		if slices.ContainsFunc(words, unknown) { // it may be what else stands there
			words = append(words, paths...)
		}
		r.argv(words, r.from, *in)
	}
}
