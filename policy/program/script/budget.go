package script

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
)

// refuse notes a limit that was reached.
func (r *reader) refuse(limit string) {
	if !slices.Contains(r.unread, limit) {
		r.unread = append(r.unread, limit)
		r.uses = append(r.uses, library.Use{What: library.Unread, Text: limit})
	}
	if limit == "steps" {
		r.i = r.limit
	}
}
