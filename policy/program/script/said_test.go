package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

var words = map[library.What]string{
	library.Shell: "shell", library.Argv: "argv", library.DeleteFile: "delete", library.WriteFile: "write", library.ReadFile: "read", library.Mode: "mode", library.RunFile: "run", library.Fetch: "fetch", library.Send: "send", library.Connect: "connect", library.Listen: "listen",
	library.ReverseShell: "reverse-shell", library.Eval: "eval", library.Env: "env", library.Kill: "kill", library.Exhaust: "exhaust", library.Query: "query", library.Unread: "unread",
}

// said writes uses for tables: "delete /x recursive".
func said(uses []library.Use) []string {
	list := make([]string, 0, len(uses))
	for _, u := range uses {
		s := words[u.What] + " " + u.Text + strings.Join(u.Args, "|")
		if len(u.From) > 0 {
			s += " from " + strings.Join(u.From, ",")
		}
		if u.Dir != "" {
			s += " in " + u.Dir
		}
		if u.Content != "" {
			s += " content " + u.Content
		}
		if u.Recursive {
			s += " recursive"
		}
		if u.Hidden != "" {
			s += " hidden " + u.Hidden
		}
		if !u.Known && u.What != library.Eval && u.What != library.Unread {
			s += " ?"
		}
		list = append(list, strings.TrimSpace(s))
	}
	return list
}
