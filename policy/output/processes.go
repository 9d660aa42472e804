package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// listsProcesses reports whether ps lists the processes of the whole machine, and none of
// them was picked: by a parent, a terminal or a name.
func listsProcesses(args []string) bool {
	every := false
	for i, arg := range args {
		long, isLong := strings.CutPrefix(arg, "--")
		letters, isShort := strings.CutPrefix(arg, "-")
		switch {
		case isLong:
			name, _, _ := strings.Cut(long, "=")
			if slices.Contains([]string{"ppid", "pid", "quick-pid", "sid", "tty", "user", "User", "group", "Group"}, name) {
				return false
			}
		case isShort:
			letters, _, _ = strings.Cut(letters, "o") // what is shown
			if strings.ContainsAny(letters, "pCgGtsuUq") {
				return false
			}
			every = every || strings.ContainsAny(letters, "eA") || strings.Contains(letters, "a") && strings.Contains(letters, "x")
		case i == 0: // ps aux
			if strings.ContainsAny(arg, "UptqC") {
				return false
			}
			every = strings.Contains(arg, "a") && strings.Contains(arg, "x")
		}
	}
	return every
}

// keepsProcesses reports whether a program that reads a list of processes prints all of
// them, or all but some, in whichever form.
func keepsProcesses(a *invocation.Act) bool {
	switch a.Name {
	case "cat", "tac", "cut", "tr", "sort", "uniq", "tee", "column", "rev", "nl", "xargs", "tail":
		return a.Name != "tail" || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "+") }) // without the heading
	case "grep", "egrep", "rg":
		if a.Has("v") || a.Has("--invert-match") {
			return true
		}
		words := a.Operands("e", "m", "A", "B", "C")
		return len(words) == 1 && strings.Trim(words[0], `^$[]()0-9+*\d .`) == ""
	case "sed":
		words := a.Operands("e", "f")
		return len(words) == 1 && (words[0] == "1d" || strings.HasPrefix(words[0], "s"))
	case "awk", "gawk", "mawk", "nawk":
		words := a.Operands("F", "v", "f")
		return len(words) == 1 && !strings.ContainsAny(headings.Replace(words[0]), "/~=<>!")
	}
	return false
}

// headings are conditions of awk that leave out the first line.
var headings = strings.NewReplacer("NR>1", "", "NR > 1", "", "NR!=1", "", "NR != 1", "", "NR>=2", "")
