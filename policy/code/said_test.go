package code

import "strings"

var words = map[What]string{
	Shell: "shell", Argv: "argv", DeleteFile: "delete", WriteFile: "write", ReadFile: "read", Mode: "mode", RunFile: "run", Fetch: "fetch", Send: "send", Connect: "connect", Listen: "listen",
	ReverseShell: "reverse-shell", Eval: "eval", Env: "env", Kill: "kill", Exhaust: "exhaust", Query: "query", Unread: "unread",
}

// said writes uses for tables: "delete /x recursive".
func said(uses []Use) []string {
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
		if !u.Known && u.What != Eval && u.What != Unread {
			s += " ?"
		}
		list = append(list, strings.TrimSpace(s))
	}
	return list
}
