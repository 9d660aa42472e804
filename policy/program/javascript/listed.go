package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// listed stands in texts for any name in a directory. It is not known which one,
// so that nothing can be said of comparisons with it.
const listed = "${__listed}"

// named says what a name in a directory is where it is used: what deletes or
// runs with one does so with all of them, unless a condition has chosen it.
func (e *evaluator) named(u *library.Use) {
	all := e.level == 0 && !e.mayHaveLeft(0) && (u.What == library.DeleteFile || u.What == library.Shell || u.What == library.Argv)
	found, open := false, false
	put := func(s string) string {
		if !strings.Contains(s, listed) {
			open = open || strings.Contains(s, Unknown)
			return s
		}
		found = true
		if !all {
			return strings.ReplaceAll(s, listed, Unknown)
		}
		s = strings.ReplaceAll(s, listed, "*")
		open = open || strings.Contains(s, "${")
		return s
	}
	u.Text, u.Content = put(u.Text), put(u.Content)
	for i := range u.Args {
		u.Args[i] = put(u.Args[i])
	}
	u.Known = u.Known || found && all && !open
}

// chosen is an element that a condition has chosen of which nothing is known.
func chosen(v value) value {
	if v.kind == text && v.partial && strings.Contains(v.text, listed) {
		v.text = strings.ReplaceAll(v.text, listed, Unknown)
	}
	return v
}
