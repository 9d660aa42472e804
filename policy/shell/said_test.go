package shell

import (
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// said writes the effects of a reading for tables: "delete /x wide sudo".
func said(r invocation.Reading) []string {
	list := make([]string, 0, len(r.Effects))
	for i := range r.Effects {
		list = append(list, phrase(&r.Effects[i]))
	}
	return list
}

func phrase(e *effect.Effect) string {
	s := string(e.Verb) + " " + e.Object
	if e.From != "" {
		s += " from " + e.From
	}
	for _, mark := range []struct {
		is   bool
		word string
	}{{e.Wide, " wide"}, {e.Sudo, " sudo"}, {e.Remote, " remote"}, {e.Guess, " guess"}, {e.Scratch, " scratch"}} {
		if mark.is {
			s += mark.word
		}
	}
	return s
}
