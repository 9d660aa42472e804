package fileops

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Emacs runs Lisp that is given in its arguments.
func Emacs(a *invocation.Act, in *command.Reading) {
	for _, lisp := range in.Values("program") {
		for _, name := range slices.Sorted(maps.Keys(lispCalls)) {
			follow.EachAfter(lisp, name, func(_, after string) {
				form, _, _ := strings.Cut(after[:min(len(after), 400)], ")")
				lispCall(a, lispCalls[name], name, follow.InQuotes(form))
			})
		}
		if strings.Contains(lisp, "delete-") || strings.Contains(lisp, "move-file-to-trash") { // what lies in a directory
			for _, name := range []string{"(directory-files ", "(directory-files-recursively "} {
				follow.EachAfter(lisp, name, func(_, after string) {
					if p, ok := follow.QuotedText(after); ok {
						a.DeletesFiles(true, follow.Join(p, "*"))
					}
				})
			}
		}
		if !follow.Calls(a, lisp, "(shell-command ", "(shell-command-to-string ", "(async-shell-command ", "(start-process-shell-command ") && strings.ContainsAny(lisp, "(") {
			a.R.Shell.LookOver(a, lisp)
			a.Doubt(invocation.Eval)
		}
	}
	for _, p := range in.Values("path") {
		if !strings.HasPrefix(p, "(") && !strings.HasPrefix(p, "+") {
			a.Put(p, "")
		}
	}
}

// lispCalls are what calls of Lisp do to the files that they name.
var lispCalls = map[string]effect.Verb{
	"delete-file": effect.Delete, "delete-directory": effect.Delete, "move-file-to-trash": effect.Delete,
	"(insert-file-contents ": effect.Read, "(insert-file-contents-literally ": effect.Read, "(find-file ": effect.Read, "(find-file-noselect ": effect.Read, "(insert-file ": effect.Read,
	"(write-region ": effect.Write, "(append-to-file ": effect.Write, "(write-file ": effect.Write, "(copy-file ": effect.Write, "(rename-file ": effect.Write, "(url-copy-file ": effect.Write, "(make-symbolic-link ": effect.Write, "(add-name-to-file ": effect.Write,
}

func lispCall(a *invocation.Act, verb effect.Verb, name string, files []string) {
	switch {
	case len(files) == 0:
	case verb == effect.Read:
		a.Looks(false, files[0])
	case verb == effect.Write: // the last that it names
		a.Put(invocation.LastOf(files), "")
	default:
		for _, p := range files {
			if p != "HOME" {
				a.DeletesFiles(name != "delete-file", p)
			}
		}
	}
}
