package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// scriptFile reads a script in a file that somebody wrote before, or notes that
// nobody has seen it.
func (r *reader) scriptFile(a *act, p string) flow {
	outer := r.scope
	defer func() { r.scope = outer }()
	r.scope = r.sub(outer)
	if r.scope.params == nil {
		r.scope.params = values(a.words())
	}
	return r.runFile(a, a.path(p))
}

// names tells a script its own name, by which it finds others beside it: $0, unless it is
// sourced, and BASH_SOURCE. What it returns takes that back.
func (s *scope) names(script string, sourced bool) (back func()) {
	if script == "" || unknown(script) {
		return func() {}
	}
	variables := []string{"BASH_SOURCE", "0"}
	if sourced {
		variables = variables[:1]
	}
	before := make([]value, len(variables))
	known := make([]bool, len(variables))
	for i, name := range variables {
		before[i], known[i] = s.vars[name]
		s.set(name, literal(script))
	}
	return func() {
		for i, name := range variables {
			if known[i] {
				s.vars[name] = before[i]
			} else {
				delete(s.vars, name)
			}
		}
	}
}

// mostScript is how long a script may be that is followed.
const mostScript = MaxText

func (r *reader) runFile(a *act, resolved string) flow {
	f := r.file(resolved)
	if f == nil {
		a.does(effect.Run, resolved)
		if from := r.unpacked(resolved); from != "" {
			a.does(effect.RunRemote, from)
		}
		r.wait(resolved)
		return flow{piped: true, by: a.Name}
	}
	if f.From != "" && !f.Known && r.verbOf(baseName(f.From)) != nil { // a known program under another name
		return r.argvWith(a, append([]string{baseName(f.From)}, a.Args...))
	}
	if f.Remote != "" {
		a.does(effect.RunRemote, f.Remote)
	}
	if !f.Known {
		a.does(effect.Run, resolved)
		r.wait(resolved)
	}
	if f.Content != "" && len(f.Content) <= mostScript {
		if isCompiled(f.From) {
			r.lookOver(a, f.Content)
			return flow{piped: true, by: a.Name}
		}
		if runner := interpreterOf(f.Content, resolved); runner != "" {
			return r.argvWith(a, append(startedBy(f.Content, runner), resolved))
		}
		defer r.scope.names(resolved, a.Is("source", "."))()
		return r.inner(f.Content, a.origin(), a.in)
	}
	return flow{piped: true, by: a.Name}
}

// wait notes a script that is started before anybody has written it.
func (r *reader) wait(script string) {
	if r.waiting == nil {
		r.waiting = map[string]bool{}
	}
	if len(r.waiting) < mostFiles {
		r.waiting[script] = true
	}
}

// unpacked is the address of the archive that a script was taken from just now.
func (r *reader) unpacked(p string) string {
	name := path.Base(p)
	if !strings.HasSuffix(name, ".sh") && !strings.HasPrefix(name, "install") && !strings.HasPrefix(name, "setup") {
		return ""
	}
	for dir := path.Dir(p); dir != "/"; dir = path.Dir(dir) {
		if f := r.wrote[dir]; f != nil && f.Remote != "" {
			return f.Remote
		}
		if dir == "." || dir == ".." {
			break
		}
	}
	return ""
}

// argvWith runs a command in place of another one.
func (r *reader) argvWith(a *act, words []string) flow { return r.argv(words, a.origin(), a.in) }

// interpreterOf is the program that runs a script that is not for a shell.
func interpreterOf(content, p string) string {
	first, _, _ := strings.Cut(content, "\n")
	if rest, ok := strings.CutPrefix(first, "#!"); ok {
		for f := range strings.FieldsSeq(rest) {
			name := baseName(f)
			if name == "env" || strings.HasPrefix(name, "-") || strings.Contains(name, "=") {
				continue
			}
			if isShell(name) {
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

// file is what is known of a file that the conversation wrote, for programs that
// run scripts of their own.
func (a *act) file(p string) (content string, known bool) {
	f := a.r.file(a.path(p))
	if f == nil {
		return "", false
	}
	if f.Remote != "" {
		a.does(effect.RunRemote, f.Remote)
	}
	return f.Content, f.Known
}
