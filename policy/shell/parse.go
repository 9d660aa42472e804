package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// parsers go from text to text. What is no text for bash may be one for zsh.
var (
	parsers    = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}
	zshParsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangZsh)) }}
)

// text reads the text at hand. A shell runs what it has read before it meets an
// error, so that the statements before one count in any case. What follows it is
// read line by line, as well as it goes.
func (r *reader) text(in *invocation.Flow) invocation.Flow {
	if args, ok := r.plainWords(); ok {
		return r.plainly(args, in)
	}
	if strings.IndexByte(r.Src, 0) >= 0 {
		r.Src = strings.ReplaceAll(r.Src, "\x00", "") // shells drop it
	}
	r.Src = r.afford(r.Src)
	out, rest := r.parse(&parsers, in)
	whole := r.Src
	if n := commented(whole); n > 0 && !r.Full { // a comment ends with its line, even if the parser reads on
		r.Src = r.afford(whole[n:])
		r.parse(&parsers, in)
	}
	if rest >= 0 && !r.Full {
		if closed := unended(whole[rest:]); closed != "" {
			r.Src = r.afford(closed)
			if made, broken := r.parse(&parsers, in); broken < 0 {
				out.And(made)
				rest = -1
			}
		}
	}
	if rest >= 0 && !r.Full {
		// Twice not is not an error everywhere.
		r.Src = r.afford(strings.ReplaceAll(whole[rest:], "! ! ", ""))
		if made, broken := r.parse(&zshParsers, in); broken < 0 {
			out.And(made)
			rest = -1
		}
	}
	if rest < 0 {
		r.Src = whole
		return out
	}
	r.Mark(invocation.Unbalanced)
	for line := range strings.Lines(r.afford(whole[rest:])) {
		if r.Full {
			break
		}
		r.Src = line
		made, broken := r.parse(&parsers, in)
		out.And(made)
		if broken >= 0 {
			r.scraps(line[broken:], in)
		}
	}
	r.Src = whole
	return out
}

// parse reads the statements of the text at hand, each as soon as it is parsed.
// It returns what they print, and from where on the text cannot be read, -1 if
// it can.
func (r *reader) parse(by *sync.Pool, in *invocation.Flow) (invocation.Flow, int) {
	if list, ok := r.quickly(); ok {
		return r.stmts(list, in), -1
	}
	return r.slowly(by, in)
}

// slowly is parse for a text with more syntax.
func (r *reader) slowly(by *sync.Pool, in *invocation.Flow) (invocation.Flow, int) {
	p, _ := by.Get().(*syntax.Parser)
	defer by.Put(p)
	given := *in      // the parser's function keeps it
	var read struct { // so far
		out          invocation.Flow
		end          int
		done, broken bool
	}
	// The parser may go on after it was told to stop, which a range does not
	// allow.
	p.StmtsSeq(strings.NewReader(r.Src))(func(stmt *syntax.Stmt, err error) bool {
		switch {
		case read.done:
		case err != nil:
			read.done, read.broken = true, true
		default:
			read.end = int(stmt.End().Offset())
			sure := len(r.Verified)
			read.out.And(r.stmt(stmt, &given))
			fileops.DoubtAgain(&r.Reader, sure)
			read.done = r.Full
		}
		return !read.done
	})
	if read.broken {
		return read.out, min(read.end, len(r.Src))
	}
	return read.out, -1
}

// usualStatements is how many there is room for before there are more.
const usualStatements = 4

// quickly parses a text that needs little syntax, and reports whether it could.
func (r *reader) quickly() (list []*syntax.Stmt, ok bool) {
	q := quick{src: r.Src, nodes: &r.Nodes}
	list = r.Nodes.Stmts.Room(usualStatements)
	for {
		s, ok := q.next()
		if s == nil {
			if r.Parsed = 0; ok {
				r.Parsed = q.commands
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
func (r *reader) scraps(line string, in *invocation.Flow) {
	var paths []string
	for word := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(" \t();|&'\"", c) }) {
		if (word[0] == '/' || word[0] == '~') && len(paths) < follow.MostReadings {
			paths = append(paths, word)
		}
	}
	for piece := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(";|&()`\n", c) }) {
		words := strings.FieldsFunc(piece, func(c rune) bool { return strings.ContainsRune(" \t\r'\"{}", c) })
		if len(words) == 0 || len(words) > 64 {
			continue
		}
		if slices.ContainsFunc(words, invocation.Unknown) { // it may be what else stands there
			words = append(words, paths...)
		}
		r.Argv(words, r.From, *in)
	}
}
