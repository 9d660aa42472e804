package syntax

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// MaxDepth is how deep expressions and statements may be nested.
const MaxDepth = 1000 // which is what the parser allows

// Reasons why something may be missing.
const (
	Syntax  = "syntax"
	Nesting = "nesting"
	Steps   = "steps"
	Reach   = "reach"
)

// mostParsed is how many bytes are parsed for a program that has mistakes, and mostMended how
// often it is parsed again.
const (
	mostParsed = 1 << 20
	mostMended = 200
)

// What it costs to parse a text, in steps: for each, and for so many bytes of it.
const (
	perText = 20
	perStep = 64
)

// Parse reads a program, which costs steps; doubts are the reasons why something may be
// missing. What the parser stops at is mended, or taken out, so that the rest is read
// nevertheless.
func Parse(src string, steps *int) (program []js.IStmt, doubts []string) {
	m := mender{left: mostMended, bytes: mostParsed, steps: steps}
	if (strings.Contains(src, "<!--") || strings.Contains(src, "-->")) && hasComment(src) { // a comment in some programs, and in others not
		m.doubt(Syntax)
	}
	for {
		tree, at, err := m.parse(src)
		if err == nil {
			return tree.List, m.doubts
		}
		if m.spent() {
			m.doubt(Syntax)
			return nil, m.doubts
		}
		src = m.mended(src, at, err.Error())
	}
}

// mender parses a program as often as it may.
type mender struct {
	left, bytes int
	steps       *int
	doubts      []string
}

func (m *mender) doubt(reason string) {
	if !slices.Contains(m.doubts, reason) {
		m.doubts = append(m.doubts, reason)
	}
}

// parse is parseText, which may be done so often.
func (m *mender) parse(src string) (tree *js.AST, at int, err error) {
	m.left--
	m.bytes -= len(src)
	if *m.steps -= perText + len(src)/perStep; *m.steps < 0 {
		m.doubt(Steps)
	}
	return parseText(src)
}

// spent reports whether a program was parsed as often as it may be.
func (m *mender) spent() bool { return m.left <= 0 || m.bytes <= 0 || *m.steps < 0 }

// parseText parses a text as a module, or as the body of a function if something returns. It
// says up to where it came.
func parseText(src string) (tree *js.AST, at int, err error) {
	for _, inFunction := range []bool{false, true} {
		in := parse.NewInputString(src)
		if tree, err = js.Parse(in, js.Options{Inline: inFunction}); err == nil {
			return tree, 0, nil
		}
		at = min(in.Offset(), len(src))
		if !strings.HasSuffix(src[:at], "return") {
			break
		}
	}
	if problem, ok := errors.AsType[*parse.Error](err); ok {
		err = errors.New(problem.Message)
	}
	return nil, at, err
}

// hasComment reports whether a program has a comment as HTML has them.
func hasComment(src string) bool {
	l := js.NewLexer(parse.NewInputString(src))
	for {
		switch sort, text := l.Next(); {
		case sort == js.ErrorToken:
			return false
		case (sort == js.CommentToken || sort == js.CommentLineTerminatorToken) && text[0] != '/':
			return true
		}
	}
}

// stopped is what the parser says that it found.
var stopped = regexp.MustCompile(`(?s)^(?:expected .*? instead of|unexpected) (.*?)(?: in [a-z][a-z -]+)?$`)

// cut is a program up to the statement in which the parser stopped.
func (m *mender) cut(src string, at int) string {
	m.doubt(Syntax)
	return src[:strings.LastIndexAny(src[:max(0, at-1)], ";\n")+1]
}

// mended is a program without what the parser stopped at, behind which it is.
func (m *mender) mended(src string, at int, problem string) string {
	blank := func(from, end int) string { return src[:from] + strings.Repeat(" ", end-from) + src[end:] }
	found := stopped.FindStringSubmatch(problem)
	if len(found) > 1 && (found[1] == ":" || found[1] == "?" && strings.HasPrefix(src[at:], ":")) { // a type
		from := max(0, at-1)
		return blank(from, from+typeSize(src[from:], strings.HasSuffix(strings.TrimRight(src[:from], " \n"), ")")))
	}
	m.doubt(Syntax)
	switch {
	case strings.HasPrefix(problem, "too many nested"):
		m.doubt(Nesting)
		return m.cut(src, at)
	case strings.HasPrefix(problem, "unterminated"):
		if next, ok := m.further(src, at, at, `"`, "'", "`"); ok {
			return next
		}
	case strings.Contains(problem, "EOF in comment"):
		return src + "*/"
	case strings.Contains(problem, "already been declared"):
		if before := declarations.FindAllStringIndex(src[:at], -1); before != nil {
			last := before[len(before)-1]
			return blank(last[0], last[1])
		}
	case found == nil:
	case found[1] == "EOF":
		if next, ok := m.further(src, len(src), at, ")", "]", "}", "}`", "0"); ok {
			return next
		}
	default:
		from := strings.LastIndex(src[:at], found[1])
		if from < 0 {
			break
		}
		if next, ok := m.further(src, from, at, ")", "]", "}", ","); ok {
			return next
		}
		return blank(from, at)
	}
	return m.cut(src, at)
}

// further is a program with the first of some signs at a place with which the parser comes
// further than before.
func (m *mender) further(src string, place, at int, signs ...string) (string, bool) {
	for _, sign := range signs {
		if m.spent() {
			break
		}
		next := src[:place] + sign + src[place:]
		_, to, err := m.parse(next)
		if err == nil || to > at+len(sign) || to == len(next) && strings.Contains(err.Error(), " EOF") {
			return next, true
		}
	}
	return src, false
}

// declarations are words that declare a name.
var declarations = regexp.MustCompile(`\b(?:let|const|function|class)\b`)

// typeSize is how long the type is with which a text begins, as TypeScript has it. That of a
// result ends before the body.
func typeSize(src string, result bool) int {
	open := 0
	for i := range len(src) {
		switch c := src[i]; c {
		case '(', '[', '<':
			open++
		case '{':
			if result && open == 0 && strings.TrimSpace(src[1:i]) != "" {
				return i
			}
			open++
		case ')', ']', '}', '>':
			if c == '>' && i > 0 && src[i-1] == '=' {
				if result && open == 0 {
					return i - 1
				}
				continue
			}
			if open--; open < 0 {
				return i
			}
		case '=', ',', ';', '\n':
			if open == 0 && !strings.HasPrefix(src[i:], "=>") {
				return i
			}
		}
	}
	return len(src)
}
