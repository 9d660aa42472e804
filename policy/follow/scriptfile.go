package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// ScriptFile reads a script in a file that somebody wrote before, or notes that
// nobody has seen it.
func ScriptFile(r *invocation.Reader, a *invocation.Act, p string) invocation.Flow {
	outer := r.Scope
	defer func() { r.Scope = outer }()
	r.Scope = r.Sub(outer)
	if r.Scope.Params == nil {
		r.Scope.Params = Values(a.Words())
	}
	return RunFile(r, a, a.Path(p))
}

// Described runs a script that an interpreter is given as the program that the policies
// describe by its name, as it does where the script is called by itself.
func Described(a *invocation.Act, script string, args []string) {
	if name := invocation.BaseName(script); a.R.Set.Programs.Own(name) != nil {
		a.Argv(append([]string{name}, args...))
	}
}

// mostScript is how long a script may be that is followed.
const mostScript = invocation.MaxText

// RunFile reads a file that is run by its resolved path, in the language that it is in, or
// notes that nobody has seen it. It returns what that prints.
func RunFile(r *invocation.Reader, a *invocation.Act, resolved string) invocation.Flow {
	f := r.File(resolved)
	if f == nil {
		a.Does(effect.Run, resolved)
		if from := unpacked(r, resolved); from != "" {
			a.Does(effect.RunRemote, from)
		}
		wait(r, resolved)
		return invocation.Flow{Piped: true, By: a.Name}
	}
	if f.From != "" && !f.Known && r.Shell.VerbOf(invocation.BaseName(f.From)) != nil { // a known program under another name
		return argvWith(r, a, append([]string{invocation.BaseName(f.From)}, a.Args...))
	}
	if f.Remote != "" {
		a.Does(effect.RunRemote, f.Remote)
	}
	if !f.Known {
		a.Does(effect.Run, resolved)
		wait(r, resolved)
	}
	if f.Content != "" && len(f.Content) <= mostScript {
		if isCompiled(f.From) {
			r.Shell.LookOver(a, f.Content)
			return invocation.Flow{Piped: true, By: a.Name}
		}
		if runner := interpreterOf(f.Content, resolved); runner != "" {
			return argvWith(r, a, append(startedBy(f.Content, runner), resolved))
		}
		defer r.Scope.Names(resolved, a.Is("source", "."))()
		return r.Shell.Inner(f.Content, a.Origin(), a.In)
	}
	return invocation.Flow{Piped: true, By: a.Name}
}

// wait notes a script that is started before anybody has written it.
func wait(r *invocation.Reader, script string) {
	if r.Waiting == nil {
		r.Waiting = map[string]bool{}
	}
	if len(r.Waiting) < invocation.MostFiles {
		r.Waiting[script] = true
	}
}

// unpacked is the address of the archive that a script was taken from just now.
func unpacked(r *invocation.Reader, p string) string {
	name := path.Base(p)
	if !strings.HasSuffix(name, ".sh") && !strings.HasPrefix(name, "install") && !strings.HasPrefix(name, "setup") {
		return ""
	}
	for dir := path.Dir(p); dir != "/"; dir = path.Dir(dir) {
		if f := r.Wrote[dir]; f != nil && f.Remote != "" {
			return f.Remote
		}
		if dir == "." || dir == ".." {
			break
		}
	}
	return ""
}

// argvWith runs a command in place of another one.
func argvWith(r *invocation.Reader, a *invocation.Act, words []string) invocation.Flow {
	return r.Shell.Argv(words, a.Origin(), a.In)
}

// interpreterOf is the program that runs a script that is not for a shell.
func interpreterOf(content, p string) string {
	first, _, _ := strings.Cut(content, "\n")
	if rest, ok := strings.CutPrefix(first, "#!"); ok {
		for f := range strings.FieldsSeq(rest) {
			name := invocation.BaseName(f)
			if name == "env" || strings.HasPrefix(name, "-") || strings.Contains(name, "=") {
				continue
			}
			if IsShell(name) {
				return ""
			}
			return name
		}
		return ""
	}
	switch path.Ext(p) {
	case ".py":
		return "python3"
	case ".js", ".mjs", ".cjs", ".ts":
		return "node"
	case ".rb":
		return "ruby"
	case ".pl":
		return "perl"
	case ".php":
		return "php"
	case ".ps1":
		return "pwsh"
	}
	return ""
}

// IsShell reports whether the program runs sh-like scripts.
func IsShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "fish", "rbash", "yash", "csh", "tcsh", "hush", "rc", "oil", "osh", "nu", "xonsh", "elvish", "-bash", "-sh":
		return true
	}
	return false
}

// Values is a list that is not nil: no parameters are something else than none that are known.
func Values(list []invocation.Value) []invocation.Value {
	if list == nil {
		return []invocation.Value{}
	}
	return list
}

// AsLine is a command as one line of text for those who read lines.
func AsLine(a *invocation.Act) string {
	var b strings.Builder
	b.WriteString(a.Name)
	for _, arg := range a.Args {
		b.WriteByte(' ')
		if arg == "" || strings.ContainsAny(arg, " ;&|") {
			b.WriteString(`"` + arg + `"`)
		} else {
			b.WriteString(arg)
		}
	}
	return b.String()
}
