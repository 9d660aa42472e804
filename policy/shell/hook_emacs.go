package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// emacs runs Lisp that is given in its arguments.
func emacs(a *act, in *command.Reading) {
	for _, lisp := range in.Values("program") {
		a.lispDeletes(lisp)
		a.lispReads(lisp)
		a.lispWrites(lisp)
		if !a.calls(lisp, "(shell-command ", "(shell-command-to-string ", "(async-shell-command ", "(start-process-shell-command ") && strings.ContainsAny(lisp, "(") {
			a.r.lookOver(a, lisp)
			a.doubt(Eval)
		}
	}
	for _, p := range in.Values("path") {
		if !strings.HasPrefix(p, "(") && !strings.HasPrefix(p, "+") {
			a.put(p, "")
		}
	}
}

// lispReads are the files that a program of emacs takes in.
func (a *act) lispReads(lisp string) {
	for _, call := range []string{"insert-file-contents", "insert-file-contents-literally", "find-file", "find-file-noselect", "insert-file"} {
		if _, rest, ok := strings.Cut(lisp, "("+call+" "); ok {
			if text, found := quotedText(strings.TrimSpace(rest)); found {
				a.looks(false, text)
			}
		}
	}
}

// lispWrites are the files that a program of emacs writes: the last that a call names.
func (a *act) lispWrites(lisp string) {
	for _, call := range []string{"write-region", "append-to-file", "write-file", "copy-file", "rename-file", "url-copy-file", "make-symbolic-link", "add-name-to-file"} {
		eachAfter(lisp, "("+call+" ", func(_, after string) {
			form, _, _ := strings.Cut(after[:min(len(after), 400)], ")")
			if names := inQuotes(form); len(names) > 0 {
				a.put(lastOf(names), "")
			}
		})
	}
}

// lispDeletes reads the calls of Lisp that delete, with what lies in a directory
// if they are given its list.
func (a *act) lispDeletes(lisp string) {
	deletes := false
	for _, name := range []string{"delete-file", "delete-directory", "move-file-to-trash"} {
		eachAfter(lisp, name, func(_, after string) {
			deletes = true
			form, _, _ := strings.Cut(after[:min(len(after), 200)], ")")
			for _, p := range inQuotes(form) {
				if p != "HOME" {
					a.deletes(name != "delete-file", p)
				}
			}
		})
	}
	if !deletes {
		return
	}
	for _, name := range []string{"(directory-files ", "(directory-files-recursively "} {
		eachAfter(lisp, name, func(_, after string) {
			if p, ok := quotedText(after); ok {
				a.deletes(true, join(p, "*"))
			}
		})
	}
}
