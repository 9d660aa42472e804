package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// inside reads what a command runs in turn. It returns what that prints, and
// whether all is said about the command.
func (r *reader) inside(a *act, called string) (out flow, done bool) {
	switch {
	case isShell(a.Name):
		return r.shell(a), true
	case strings.Contains(called, "/") && !unknown(called) && !ofSystem(called):
		if r.verbOf(a.Name) == nil || r.file(a.path(called)) != nil {
			return r.scriptFile(a, called), true
		}
		a.does(effect.Run, a.path(called)) // it may be what it is called, or not
	}
	switch a.Name {
	case "eval":
		return r.eval(a), true
	case "iex", "Invoke-Expression":
		if a.in.piped {
			return r.runInput(a), true
		}
	case "source", ".":
		return r.source(a), true
	case "trap":
		if len(a.Args) > 1 && !strings.HasPrefix(a.Args[0], "-") {
			a.script(a.Args[0])
		}
	case "alias":
		r.alias(a)
	case "unset":
		for _, name := range a.Operands() {
			delete(r.scope.vars, name)
			a.does(effect.UnsetVariable, name)
		}
	case "set":
		r.positional(a)
	case "shift":
		if len(r.scope.params) > 0 {
			r.scope.params = r.scope.params[1:]
		}
	case "read", "mapfile", "readarray":
		r.input(a)
	case "hash":
		if program := a.Flag("p"); program != "" && len(a.Args) > 2 {
			if r.scope.aliases == nil {
				r.scope.aliases = map[string]string{}
			}
			r.scope.aliases[lastOf(a.Args)] = program
		}
	case "getopts":
		r.scope.set(lastOf(a.Args), firm("$"+lastOf(a.Args)))
	case "su", "runuser", "sg", "newgrp":
		a.Sudo = true
		if script := a.Flag("c") + a.Flag("command"); script != "" {
			return r.inner(script, a.origin(), a.in), true
		}
		if a.in.piped {
			return r.runInput(a), true
		}
	case "sudo", "doas", "pkexec":
		if a.in.piped && (a.Has("s") || a.Has("i") || a.Has("--shell") || a.Has("--login")) {
			return r.runInput(a), true
		}
	case "script", "flock", "watch", "entr", "parallel", "env", "ssh", "mosh", "find", "gfind", "fd", "fdfind",
		"kubectl", "oc", "docker", "podman", "nerdctl", "lxc", "incus", "vagrant", "wsl", "crictl", "multipass", "toolbox", "distrobox", "flatpak-spawn":
		return r.runner(a)
	}
	return flow{}, false
}

// ofSystem reports whether a program is one of the machine, by its path.
func ofSystem(called string) bool {
	switch path.Dir(called) {
	case "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/local/bin", "/usr/libexec", "/snap/bin", "/run/current-system/sw/bin":
		return true
	}
	return false
}

func lastOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// isShell reports whether the program runs sh-like scripts.
func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "fish", "rbash", "yash", "csh", "tcsh", "hush", "rc", "oil", "osh", "nu", "xonsh", "elvish", "-bash", "-sh":
		return true
	}
	return false
}

// shell reads what a shell would run: a script in its arguments, a file, or its
// input.
func (r *reader) shell(a *act) flow {
	if a.Has("n") { // it only checks
		return flow{}
	}
	script, params, file := shellArgs(a.Args)
	outer := r.scope
	defer func() { r.scope = outer }()
	switch {
	case script >= 0:
		r.scope = r.scope.sub()
		r.scope.params = values(a.words[min(params+1, len(a.words)):])
		if params < len(a.words) {
			if r.scope.vars == nil {
				r.scope.vars = map[string]value{}
			}
			r.scope.vars["0"] = a.words[params]
		}
		if a.Name == "fish" {
			a.Args = slices.Clone(a.Args)
			a.Args[script] = fromFish(a.Args[script])
		}
		word := &a.words[script]
		return r.given(a, a.Args[script], word)
	case file >= 0:
		r.scope = r.scope.sub()
		if env := a.Env["BASH_ENV"]; env != "" {
			r.runFile(a, a.path(env))
		}
		r.scope.params = values(a.words[file+1:])
		if a.words[file].made != nil {
			a.in = *a.words[file].made
			return r.runInput(a)
		}
		switch p := a.Args[file]; {
		case p == "/dev/stdin", p == "/dev/fd/0", p == "/proc/self/fd/0":
			return r.runInput(a)
		case strings.HasPrefix(p, "/dev/fd/"), strings.HasPrefix(p, "/proc/self/fd/"):
			if d, ok := r.opened[path.Base(p)]; ok {
				a.in = d.in
			}
			return r.runInput(a)
		default:
			return r.scriptFile(a, p)
		}
	case a.in.piped:
		r.scope = r.scope.sub()
		if i := slices.Index(a.Args, "--"); i >= 0 {
			r.scope.params = values(a.words[i+1:])
		}
		return r.runInput(a)
	}
	if a.Sudo && !a.Remote {
		a.does(effect.Grant, "a shell as another user")
	}
	return flow{}
}

func values(list []value) []value {
	if list == nil {
		return []value{}
	}
	return list
}

// given reads a script that is a word, with what is known of where it is from.
func (r *reader) given(a *act, script string, word *value) flow {
	switch {
	case word.remote != "" && unknown(script):
		a.does(effect.RunRemote, word.remote)
	case word.hidden != "" && unknown(script):
		a.does(effect.RunHidden, word.hidden)
	}
	return r.inner(script, a.origin(), a.in)
}

// runInput reads what an interpreter of shell text is given on its input.
func (r *reader) runInput(a *act) flow {
	in := a.in
	switch {
	case in.remote != "":
		a.does(effect.RunRemote, in.remote)
	case in.known:
		return r.inner(in.text, a.origin(), flow{})
	case in.hidden != "":
		a.does(effect.RunHidden, in.hidden)
	case in.by == "cat" || in.by == "<" || in.by == "tee":
		for _, p := range in.sources {
			r.runFile(a, p)
		}
		if len(in.sources) == 0 {
			r.mark(Pipe)
			a.does(effect.RunHidden, in.by)
		}
	default:
		r.mark(Pipe)
		a.does(effect.RunHidden, in.by)
	}
	return flow{piped: true, by: a.Name}
}

// shellArgs returns where in the arguments of a shell the script after -c, its
// name $0 and a file to run stand, -1 each if there is none.
func shellArgs(args []string) (script, name, file int) {
	runs, after := false, -1
	for i := 0; i < len(args); i++ {
		s := args[i]
		switch {
		case s == "--" || s == "-":
			if i+1 >= len(args) {
				return -1, -1, -1
			}
			if runs {
				return i + 1, i + 2, -1
			}
			return -1, -1, i + 1
		case s == "--rcfile", s == "--init-file", s == "-o", s == "+o", s == "-O", s == "+O", s == "--init-command":
			i++
		case s == "--command", s == "--commands", s == "--execute":
			runs = true
		case strings.HasPrefix(s, "--"):
			if strings.HasPrefix(s, "--command=") && !runs {
				args[i] = s[len("--command="):]
				return i, i + 1, -1
			}
		case len(s) > 1 && s[0] == '-':
			if !runs && strings.IndexByte(s, 'c') > 0 {
				runs, after = true, i+1
			}
			if !runs && strings.IndexByte(s, 's') > 0 && !strings.Contains(s, "=") {
				return -1, -1, -1 // the rest are parameters
			}
			if s[len(s)-1] == 'o' {
				i++
			}
		case len(s) > 1 && s[0] == '+':
		case runs:
			return i, i + 1, -1
		default:
			return -1, -1, i
		}
	}
	if runs && after >= 0 && after < len(args) {
		return after, after + 1, -1
	}
	return -1, -1, -1
}

// scriptFile reads a script in a file that somebody wrote before, or notes that
// nobody has seen it.
func (r *reader) scriptFile(a *act, p string) flow {
	outer := r.scope
	defer func() { r.scope = outer }()
	r.scope = outer.sub()
	if r.scope.params == nil {
		r.scope.params = values(a.words)
	}
	return r.runFile(a, a.path(p))
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
		if runner := interpreterOf(f.Content, resolved); runner != "" {
			return r.argvWith(a, []string{runner, resolved})
		}
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

// fromFish writes what fish has its own way for as other shells have it.
func fromFish(script string) string {
	script = fishLoop.ReplaceAllString(script, "$1; do ")
	return strings.NewReplacer("; end", "; done", " (", " $(").Replace(script)
}

var fishLoop = regexp.MustCompile(`((?:for \w+ in|while) [^;\n]*);`)

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

// eval reads the text that eval makes of its arguments.
func (r *reader) eval(a *act) flow {
	for i := range a.words {
		w := &a.words[i]
		switch {
		case w.remote != "":
			a.does(effect.RunRemote, w.remote)
		case w.hidden != "":
			a.does(effect.RunHidden, w.hidden)
		}
	}
	script := strings.Join(a.Args, " ")
	if unknown(script) {
		r.mark(Eval)
	}
	return r.inner(script, a.origin(), a.in)
}

// source reads a file in the shell itself.
func (r *reader) source(a *act) flow {
	if len(a.Args) == 0 {
		return flow{}
	}
	if made := a.words[0].made; made != nil {
		if !made.known && made.remote == "" && made.hidden == "" { // source <(kubectl completion bash)
			r.mark(Source)
			return flow{}
		}
		a.in = *made
		return r.runInput(a)
	}
	if isNoFile(a.Args[0]) {
		return r.runInput(a)
	}
	p := a.path(a.Args[0])
	f := r.file(p)
	if f == nil || !f.Known {
		r.mark(Source)
	}
	return r.runFile(a, p)
}

// alias notes aliases. They are read at once, in case they are used elsewhere.
func (r *reader) alias(a *act) {
	for _, arg := range a.Operands() {
		name, script, ok := strings.Cut(arg, "=")
		if !ok {
			continue
		}
		if r.scope.aliases == nil {
			r.scope.aliases = map[string]string{}
		}
		if len(r.scope.aliases) < mostNames && !slices.Contains(r.active, name) {
			r.active = append(r.active, name)
			a.script(script)
			r.active = r.active[:len(r.active)-1]
			r.scope.aliases[name] = script
		}
	}
}

// positional reads set -- a b.
func (r *reader) positional(a *act) {
	if i := slices.Index(a.Args, "--"); i >= 0 {
		r.scope.params = values(a.words[i+1:])
		return
	}
	if len(a.Args) >= 2 && !strings.HasPrefix(a.Args[0], "-") && !strings.HasPrefix(a.Args[0], "+") {
		r.scope.params = values(a.words)
		r.scope.set(a.Args[0], a.words[1]) // as fish has it
		return
	}
	for i, arg := range a.Args { // fish: set -gx NAME value
		if !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+") {
			if i > 0 && i+1 < len(a.Args) && arg != "" && !isDigits(arg) {
				r.scope.set(arg, a.words[i+1])
				if strings.Contains(a.Args[0], "x") {
					a.add(effect.Effect{Verb: effect.SetVariable, Object: arg, From: a.Args[i+1]})
				}
			}
			return
		}
	}
}

// input reads the input into variables.
func (r *reader) input(a *act) {
	names := a.Operands("p", "d", "n", "N", "u", "i", "a", "O", "s", "c", "C")
	if a.Name == "read" {
		names = a.Operands("p", "d", "t", "n", "N", "u", "i", "a")
	}
	if array := a.Flag("a"); array != "" {
		names = append(names, array)
	}
	v := value{sources: a.in.sources, remote: a.in.remote, hidden: a.in.hidden}
	switch {
	case a.in.known:
		for _, line := range lines(a.in.text) {
			if len(v.texts) < mostTexts {
				v.texts = append(v.texts, text{line, line})
			}
		}
	case len(a.in.roots) > 0:
		for _, root := range a.in.roots {
			v.texts = append(v.texts, text{root, root})
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	fields := []string(nil)
	if len(v.texts) == 1 && len(names) > 1 {
		fields = strings.Fields(v.texts[0].as)
	}
	for i, name := range names {
		if isEnvironmentName(name) {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: name})
		}
		switch {
		case fields != nil && i < len(fields):
			field := literal(fields[i])
			if i == len(names)-1 {
				field = literal(strings.Join(fields[i:], " "))
			}
			r.scope.set(name, field)
		case len(v.texts) == 0:
			made := open("$" + name)
			made.taint(&v)
			r.scope.set(name, made)
		default:
			r.scope.set(name, v)
		}
		if a.Name != "read" {
			elements := make([]value, len(v.texts))
			for i, t := range v.texts {
				elements[i] = value{texts: []text{t}, sources: v.sources, remote: v.remote}
			}
			if len(elements) > 0 {
				r.array(name, elements, false)
			}
		}
	}
}
