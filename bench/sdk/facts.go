package sdk

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
)

// Facts is what a reader understood of an answer. A path that is not there and
// one with an empty value mean the same: the reader says nothing about it.
//
//	error                       how the answer failed: ErrorSaid or ErrorCut
//	id, model
//	usage/input, usage/output
//	choice/0/finish             the provider's word
//	choice/0/text, /refusal, /thinking
//	choice/0/call/1/id, /name, /arguments
//	block/2/type, /text, ...    in dialects whose answer is a list of blocks
type Facts map[string]string

// The values of the path "error".
const (
	// ErrorSaid: the reader returned an error.
	ErrorSaid = "error"
	// ErrorCut: the reader noticed that the stream stopped before its end.
	ErrorCut = "cut"
)

// Difference is a path on which Sluice and an official reader disagree.
type Difference struct {
	Path, Ours, Theirs string
}

// String shows the difference to people, long values shortened.
func (d Difference) String() string {
	return fmt.Sprintf("%s: ours %s, theirs %s", d.Path, shorten(d.Ours), shorten(d.Theirs))
}

// Compare returns the differences in the order of their paths.
func Compare(ours, theirs Facts) []Difference {
	var list []Difference
	for _, p := range paths(ours, theirs) {
		if ours[p] != theirs[p] {
			list = append(list, Difference{Path: p, Ours: ours[p], Theirs: theirs[p]})
		}
	}
	return list
}

func paths(a, b Facts) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// without returns the facts whose paths match none of the patterns.
func (f Facts) without(patterns ...string) Facts {
	kept := Facts{}
	for p, v := range f {
		if !matches(p, patterns) {
			kept[p] = v
		}
	}
	return kept
}

// setf notes a value at a path; an empty value says nothing.
func (f Facts) setf(value, format string, args ...any) {
	if value != "" {
		f[fmt.Sprintf(format, args...)] = value
	}
}

// addf appends to the value at a path.
func (f Facts) addf(value, format string, args ...any) {
	if value != "" {
		f[fmt.Sprintf(format, args...)] += value
	}
}

// setNumberf notes a number at a path; zero says nothing.
func (f Facts) setNumberf(n int64, format string, args ...any) {
	if n != 0 {
		f.setf(strconv.FormatInt(n, 10), format, args...)
	}
}

// matches reports whether the path matches one of the patterns, in which *
// stands for one element.
func matches(p string, patterns []string) bool {
	for _, pattern := range patterns {
		if ok, _ := path.Match(pattern, p); ok {
			return true
		}
	}
	return false
}

func shorten(s string) string {
	const most = 160
	if s == "" {
		return "nothing"
	}
	if len(s) > most {
		return fmt.Sprintf("%q... (%d bytes)", s[:most], len(s))
	}
	return strconv.Quote(s)
}
