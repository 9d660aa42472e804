package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Emacs runs Lisp that is given in its arguments.
func Emacs(a *invocation.Act, in *command.Reading) {
	for _, lisp := range in.Values("program") {
		lispDeletes(a, lisp)
		lispReads(a, lisp)
		lispWrites(a, lisp)
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

// lispReads are the files that a program of emacs takes in.
func lispReads(a *invocation.Act, lisp string) {
	for _, call := range []string{"insert-file-contents", "insert-file-contents-literally", "find-file", "find-file-noselect", "insert-file"} {
		if _, rest, ok := strings.Cut(lisp, "("+call+" "); ok {
			if text, found := follow.QuotedText(strings.TrimSpace(rest)); found {
				a.Looks(false, text)
			}
		}
	}
}

// lispWrites are the files that a program of emacs writes: the last that a call names.
func lispWrites(a *invocation.Act, lisp string) {
	for _, call := range []string{"write-region", "append-to-file", "write-file", "copy-file", "rename-file", "url-copy-file", "make-symbolic-link", "add-name-to-file"} {
		follow.EachAfter(lisp, "("+call+" ", func(_, after string) {
			form, _, _ := strings.Cut(after[:min(len(after), 400)], ")")
			if names := follow.InQuotes(form); len(names) > 0 {
				a.Put(invocation.LastOf(names), "")
			}
		})
	}
}

// lispDeletes reads the calls of Lisp that delete, with what lies in a directory
// if they are given its list.
func lispDeletes(a *invocation.Act, lisp string) {
	deletes := false
	for _, name := range []string{"delete-file", "delete-directory", "move-file-to-trash"} {
		follow.EachAfter(lisp, name, func(_, after string) {
			deletes = true
			form, _, _ := strings.Cut(after[:min(len(after), 200)], ")")
			for _, p := range follow.InQuotes(form) {
				if p != "HOME" {
					a.DeletesFiles(name != "delete-file", p)
				}
			}
		})
	}
	if !deletes {
		return
	}
	for _, name := range []string{"(directory-files ", "(directory-files-recursively "} {
		follow.EachAfter(lisp, name, func(_, after string) {
			if p, ok := follow.QuotedText(after); ok {
				a.DeletesFiles(true, follow.Join(p, "*"))
			}
		})
	}
}
