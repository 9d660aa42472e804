package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// shape notes what only the whole program shows: a shell that somebody else talks to,
// and a server that gives away whatever file it is asked for.
func (e *evaluator) shape() {
	switch {
	case !e.told:
	case e.connected != "":
		e.use(library.Use{What: library.ReverseShell, Text: e.connected, Known: true})
	case e.serves:
		e.use(library.Use{What: library.ReverseShell, Text: "connection", Known: true})
	default: // what is fetched goes into the shell
		for i := range e.out.Uses {
			if u := e.out.Uses[i]; u.What == library.Fetch {
				e.use(library.Use{What: library.Eval, Text: u.Text, Known: true})
				break
			}
		}
	}
	for i := range e.out.Uses {
		u := &e.out.Uses[i]
		if !e.serves || u.What != library.ReadFile || u.Known {
			continue
		}
		switch dir, _, ok := strings.Cut(u.Text, Unknown); {
		case !ok:
		case dir == "$HOME", dir == "$HOME/", dir == "~/":
			e.use(library.Use{What: library.Listen, Text: "a server of files", Dir: "~", Known: true})
		case dir == "/":
			e.use(library.Use{What: library.Listen, Text: "a server of files", Dir: "/", Known: true})
		}
	}
}
