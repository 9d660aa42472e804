package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// toShell is the text of an open file that a shell reads its commands from.
const toShell = "|"

// into notes what is written to the input of a shell. It returns false if there is no
// shell.
func (r *reader) into(f *value, texts ...value) bool {
	if f.Form != values.IsFile || f.Text != toShell {
		return false
	}
	for _, v := range texts {
		if v.Form == values.IsList {
			v = r.Joined(values.Text("\n"), v)
		}
		if v.Form == values.IsText || v.Remote() != "" || v.Hidden() != "" {
			r.shell(v)
		}
	}
	return true
}

// awaits reports whether a command is a shell that takes what it does from its
// input: sh, sudo bash -s.
func awaits(words []string) bool {
	for len(words) > 0 {
		switch words[0] {
		case "sudo", "doas", "env", "exec", "nohup", "command":
			words = words[1:]
			continue
		}
		break
	}
	return len(words) > 0 && library.IsShell(words[0]) && !slices.ContainsFunc(words[1:], func(w string) bool {
		return !strings.HasPrefix(w, "-") || !strings.HasPrefix(w, "--") && strings.Contains(w, "c")
	})
}

// givesShell reports whether a command is a shell that talks to somebody.
func givesShell(u *library.Use) bool {
	words := u.Args
	if u.What == library.Shell {
		words = strings.Fields(u.Text)
	}
	return len(words) > 0 && (library.IsShell(words[0]) || strings.HasSuffix(words[0], "busybox")) &&
		(len(words) == 1 || slices.Contains(words, "-i") || u.What == library.Shell && strings.ContainsAny(u.Text, "<>") || !u.Known)
}
