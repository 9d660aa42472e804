package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// violation is where arguments are not what their schema says.
type violation struct {
	path []string
	want string
}

// String says it in one line, without any value of the arguments.
func (v *violation) String() string {
	const mostSteps, longestStep = 12, 40
	path := "the arguments"
	if len(v.path) > 0 {
		var b strings.Builder
		for i, step := range v.path[:min(len(v.path), mostSteps)] {
			if i > 0 && !strings.HasPrefix(step, "[") {
				b.WriteByte('.')
			}
			b.WriteString(printable(step, longestStep))
		}
		if len(v.path) > mostSteps {
			b.WriteString("...")
		}
		path = b.String()
	}
	return printable(path+": "+v.want, maxReason)
}

func fail(at *path, format string, args ...any) *violation {
	return &violation{path: at.steps(), want: fmt.Sprintf(format, args...)}
}

// path is where a value stands in the arguments: a name or a number within what
// is outside of it. Nil is the arguments themselves.
type path struct {
	outer *path
	name  string
	item  bool // of a list, at this index
	index int
}

func (p *path) member(name string) *path { return &path{outer: p, name: name} }
func (p *path) at(index int) *path       { return &path{outer: p, item: true, index: index} }

func (p *path) steps() []string {
	var list []string
	for ; p != nil; p = p.outer {
		if p.item {
			list = append(list, "["+strconv.Itoa(p.index)+"]")
		} else {
			list = append(list, p.name)
		}
	}
	slices.Reverse(list)
	return list
}

func these(names []string) string {
	if len(names) == 1 {
		return quoted(names) + " is"
	}
	return quoted(names) + " are"
}

// quoted lists names, a dozen at most.
func quoted(names []string) string {
	list := make([]string, 0, min(len(names), maxChoices+1))
	for _, name := range names[:min(len(names), maxChoices)] {
		list = append(list, strconv.Quote(printable(name, 40)))
	}
	if len(names) > maxChoices {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}
