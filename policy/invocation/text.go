package invocation

import (
	"maps"
	"strings"
)

// LastOf is the last text of a list, empty if there is none.
func LastOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// IsDigits reports whether a text is a number.
func IsDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// MaxEnv is how many variables are handed on to the commands of a script.
const MaxEnv = 256

// Running is a command that is being read, with those that it runs.
type Running struct {
	*Command
	Cwd string
}

// Quote writes a text so that a shell reads it as one word. What is not known
// in it stays what it is.
func Quote(s string) string {
	if Unknown(s) {
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Inherit gives the command what the text it stands in has.
func (c *Command) Inherit(r *Reader) {
	c.Sudo = c.Sudo || r.From.Sudo
	c.Remote = c.Remote || r.From.Remote
	c.More = c.More || r.From.More
	c.Dir, c.DirUnknown = r.Scope.Dir, r.Scope.Lost
	switch {
	case r.From.Env == nil:
	case len(r.From.Env) > MaxEnv:
		r.Mark(Many)
	case c.Env == nil:
		c.Env = r.From.Env
	default:
		env := maps.Clone(r.From.Env)
		maps.Copy(env, c.Env)
		c.Env = env
	}
}

// BaseName is the name of a program without its directory and .exe.
func BaseName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' || name[i] == '\\' {
			name = name[i+1:]
			break
		}
	}
	if n := len(name) - 4; n > 0 && name[n] == '.' && strings.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	return name
}
