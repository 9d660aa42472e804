package file

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a policy file, or a warning about
// it: where it is, what it is and what to do.
type Problem struct {
	// File is the path as it was given, or "preset:NAME".
	File string
	// Line and Column count from 1, columns in characters. They are 0 if the
	// problem has no single position.
	Line, Column int
	// Policy is the name of the policy, empty if it has none or the problem
	// belongs to no policy.
	Policy string
	// Message says what is wrong, Suggestion what to write instead. The
	// suggestion can be empty.
	Message, Suggestion string
	// Note: of a warning, it is worth knowing and no mistake.
	Note bool
	// Warning: among problems, it is a warning about a policy whose examples fail, and
	// perhaps the reason why.
	Warning bool
	// Unreadable: the file cannot be read at all.
	Unreadable bool
}

// String formats the problem on one line, as compilers do, so that editors can
// jump to it.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if p.Policy != "" {
		b.WriteString(": policy " + p.Policy)
	}
	if p.Warning {
		b.WriteString(": warning")
	}
	b.WriteString(": " + p.Message)
	if p.Suggestion != "" {
		b.WriteString(": " + p.Suggestion)
	}
	return b.String()
}

// Problems are all problems that were found, sorted by line within a file. As
// an error it is never empty.
type Problems []Problem //nolint:errname // it is a list, and errors only together

// Error writes one problem per line.
func (p Problems) Error() string {
	lines := make([]string, 0, len(p))
	for _, problem := range p {
		lines = append(lines, problem.String())
	}
	return strings.Join(lines, "\n")
}

// sorted returns the problems sorted by file and position, without duplicates:
// a preset that is used twice is wrong once.
func (p Problems) sorted(files []string) Problems {
	rank := make(map[string]int, len(files))
	for i, name := range files {
		if _, known := rank[name]; !known {
			rank[name] = i
		}
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(rank[a.File], rank[b.File]),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
	return slices.Compact(p)
}

// Split separates what is wrong from the warnings beside it.
func (p Problems) Split() (wrong, warnings Problems) {
	for _, problem := range p {
		if problem.Warning {
			warnings = append(warnings, problem)
		} else {
			wrong = append(wrong, problem)
		}
	}
	return wrong, warnings
}

// mostProblems bounds what is collected: nobody reads more, and a hostile file
// must not produce an error many times its own size.
const mostProblems = 200

// report collects the problems and warnings of one load.
type report struct {
	problems Problems
	warnings Problems
	files    []string
	found    int // how many problems there were, also those over the limit
	// failing are the policies that have an example that fails.
	failing map[string]bool
}

// all are the problems, with the warnings about policies whose examples fail.
func (r *report) all() Problems {
	list := r.problems
	for _, w := range r.warnings {
		if r.failing[w.Policy] && !w.Note {
			w.Warning = true
			list = append(list, w)
		}
	}
	return list.sorted(r.files)
}

func (r *report) add(p Problem) {
	r.found++
	if len(r.problems) < mostProblems {
		r.problems = append(r.problems, p)
	}
}

// failed notes that an example of a policy fails.
func (r *report) failed(policy string) {
	if r.failing == nil {
		r.failing = make(map[string]bool)
	}
	r.failing[policy] = true
}

func (r *report) warn(p Problem) {
	if len(r.warnings) < mostProblems {
		r.warnings = append(r.warnings, p)
	}
}
