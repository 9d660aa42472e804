package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// said writes a reading for tables.
func said(r Reading) []string {
	list := make([]string, 0, len(r.Effects))
	for i := range r.Effects {
		list = append(list, phrase(&r.Effects[i]))
	}
	for _, c := range r.Commands {
		s := "command " + strings.Join(c.Words, "|")
		if c.Sudo {
			s += " sudo"
		}
		switch {
		case c.Remote != "":
			s += " < " + c.Remote
		case c.Known:
			s += " < " + c.Input
		}
		list = append(list, s)
	}
	for _, s := range r.Scripts {
		list = append(list, "script "+s)
	}
	for _, s := range r.Unknown {
		list = append(list, "unknown "+s)
	}
	return list
}

func phrase(e *effect.Effect) string {
	s := string(e.Verb) + " " + e.Object
	if e.From != "" {
		s += " from " + e.From
	}
	if e.Wide {
		s += " wide"
	}
	if e.Sudo {
		s += " sudo"
	}
	return s
}
