package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// runner reads a program that runs another one: here, for every file that is
// found, on another machine or in a container.
func (r *reader) runner(a *invocation.Act) (out invocation.Flow, done bool) {
	switch a.Name {
	case "find", "gfind", "fd", "fdfind":
		r.find(a)
		return output.Prints(&r.Reader, a), true
	}
	return invocation.Flow{}, false
}

// find reads the commands that find runs for what it finds, and what it deletes.
func (r *reader) find(a *invocation.Act) {
	items := output.Found(a)
	from := a.Origin()
	for i := 0; i < len(a.Args); i++ {
		switch a.Args[i] {
		case "-delete":
			a.DeletesFiles(true, items...)
			continue
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(a.Args) {
				a.WritesFiles(a.Args[i+1])
			}
			continue
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		default:
			continue
		}
		end := i + 1
		for end < len(a.Args) && a.Args[end] != ";" && (a.Args[end] != "+" || a.Args[end-1] != "{}") {
			end++
		}
		if i+1 < len(a.Args) {
			r.eachFound(a.Args[i+1:end], items, from, a.Name == "fd" || a.Name == "fdfind")
		}
		i = end
	}
}

// eachFound runs a command with what was found in the place of {}.
func (r *reader) eachFound(words, items []string, from invocation.Origin, behind bool) {
	for _, item := range items {
		filled := make([]string, 0, len(words)+1)
		placed := false
		for _, w := range words {
			if !r.Pay(strings.Count(w, "{}") * len(item) / 16) {
				return
			}
			placed = placed || strings.Contains(w, "{}")
			filled = append(filled, strings.ReplaceAll(w, "{}", item))
		}
		if behind && !placed {
			filled = append(filled, item)
		}
		r.Argv(filled, from, invocation.Flow{})
	}
}
