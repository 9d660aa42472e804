package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a configuration, or a warning about
// it: where it is, what it is and what to do. No secret is ever part of it.
type Problem struct {
	// Origin is "flag --NAME", the name of a variable, the path of the file, or
	// "default".
	Origin string
	// Line and Column count from 1 in a file. They are 0 elsewhere, and where
	// the problem is the file as a whole.
	Line, Column int
	// Message says what is wrong, Suggestion what to do. The suggestion can be
	// empty.
	Message, Suggestion string
}

// String writes the problem in one line, as compilers do, so that editors can
// jump to it.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Origin)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": " + p.Message)
	if p.Suggestion != "" {
		b.WriteString(": " + p.Suggestion)
	}
	return b.String()
}

// Problems are all problems that were found: those of the file in the order of
// its lines, then those of variables and flags. As an error it is never empty.
type Problems []Problem //nolint:errname // it is a list, and errors only together

// Error writes one problem per line.
func (p Problems) Error() string {
	lines := make([]string, 0, len(p))
	for _, problem := range p {
		lines = append(lines, problem.String())
	}
	return strings.Join(lines, "\n")
}

// origin is where a value comes from.
type origin struct {
	name         string
	line, column int
}

// byDefault is the origin of defaults.
var byDefault = origin{name: "default"}

// String formats the origin for people: sluice.yaml:12.
func (o origin) String() string {
	if o.line > 0 {
		return fmt.Sprintf("%s:%d", o.name, o.line)
	}
	return o.name
}

// mostProblems bounds what is collected: nobody reads more, and a hostile file
// must not make an error of many times its own size.
const mostProblems = 200

// report collects the problems and warnings of one load.
type report struct {
	problems, warnings Problems
}

func (r *report) problemf(where origin, suggestion, format string, args ...any) {
	r.problems = r.problems.with(where, suggestion, format, args)
}

func (r *report) warningf(where origin, suggestion, format string, args ...any) {
	r.warnings = r.warnings.with(where, suggestion, format, args)
}

func (p Problems) with(where origin, suggestion, format string, args []any) Problems {
	if len(p) >= mostProblems {
		return p
	}
	return append(p, Problem{where.name, where.line, where.column, fmt.Sprintf(format, args...), suggestion})
}

// sorted puts what is in the file first and in the order of its lines.
func (p Problems) sorted() Problems {
	inFile := func(p Problem) int {
		if p.Line > 0 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(inFile(a), inFile(b)),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
	return slices.Compact(p)
}
