package sdk

import (
	"slices"
	"strconv"

	"github.com/sluice-project/sluice/wire"
)

// Defect is something that an official reader loses or changes.
type Defect struct {
	// Name is the reader and the defect: openai-go/usage-summed.
	Name string
	// Format is the format whose reader has it.
	Format wire.Format
	// Explanation says what happens and why, for people.
	Explanation string
	// Example is a stream, one payload per line, in which it can be seen.
	Example string
	// Unnamed frames the example without event names.
	Unnamed bool
	// With names other defects that the example cannot help but show too.
	With []string
	// Paths are the patterns of the facts that it changes.
	Paths []string
	// When narrows Paths further; nil means any difference.
	When func(Difference) bool
	// Raw lists the recorded streams in which it occurs as they were recorded;
	// Recoded those in which it still occurs after Sluice has rewritten them.
	Raw, Recoded []string
}

// Explains reports whether the defect can be the reason of a difference.
func (d Defect) Explains(diff Difference) bool {
	return matches(diff.Path, d.Paths) && (d.When == nil || d.When(diff))
}

// Defects returns the table: what the official readers, at the versions in
// go.mod, lose or change.
func Defects() []Defect {
	return slices.Concat(chatDefects(), responsesDefects(), anthropicDefects())
}

// lost: the official reader says nothing.
func lost(d Difference) bool { return d.Theirs == "" }

// more: the official reader counts more.
func more(d Difference) bool {
	a, _ := strconv.Atoi(d.Ours)
	b, _ := strconv.Atoi(d.Theirs)
	return b > a
}

// fewer: the official reader counts fewer, but counts.
func fewer(d Difference) bool { return d.Theirs != "" && !more(d) }
