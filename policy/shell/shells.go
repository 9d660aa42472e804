package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

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
	if len(a.Env) > 0 {
		r.startFiles(a, file >= 0)
	}
	r.startTexts(a)
	switch {
	case script >= 0:
		r.scope = r.sub(r.scope)
		r.scope.params = values(a.words()[min(params+1, len(a.words())):])
		if params < len(a.words()) {
			if r.scope.vars == nil {
				r.scope.vars = map[string]value{}
			}
			r.scope.vars["0"] = a.words()[params]
		}
		if a.Name == "fish" {
			a.Args = slices.Clone(a.Args)
			a.Args[script] = fromFish(a.Args[script])
		}
		switch a.Name {
		case "zsh":
			r.zshAgain(a, a.Args[script])
		case "nu":
			a.nushell(a.Args[script])
		case "rc", "es", "csh", "tcsh":
			a.Args = slices.Clone(a.Args)
			a.Args[script] = strings.ReplaceAll(a.Args[script], "$home", "$HOME")
		}
		word := &a.words()[script]
		return r.given(a, a.Args[script], word)
	case file >= 0:
		r.scope = r.sub(r.scope)
		r.scope.params = values(a.words()[file+1:])
		if a.words()[file].made != nil {
			a.in = *a.words()[file].made
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
		r.scope = r.sub(r.scope)
		if i := slices.Index(a.Args, "--"); i >= 0 {
			r.scope.params = values(a.words()[i+1:])
		}
		return r.runInput(a)
	}
	if a.Sudo && !a.Remote {
		a.does(effect.Grant, "a shell as another user")
	}
	return flow{}
}

// startFiles reads the files by which the environment tells a shell what to run
// first. What is not known of them counts only where a script is run.
func (r *reader) startFiles(a *act, script bool) {
	r.handedOn(a)
	for _, name := range [...]string{"BASH_ENV", "ENV", "ZDOTDIR"} {
		p := a.Env[name]
		if p == "" {
			continue
		}
		if name == "ZDOTDIR" {
			p += "/.zshenv"
		}
		if p = a.path(p); script && name == "BASH_ENV" || r.file(p) != nil {
			r.runFile(a, p)
		}
	}
}

// exported is how the names of variables begin in which a shell is handed functions.
const exported = "BASH_FUNC_"

// handedOn reads the functions in the environment: whatever is called may be one.
func (r *reader) handedOn(a *act) {
	for _, name := range sortedNames(a.Env) {
		if strings.HasPrefix(name, exported) {
			r.inner("handed"+a.Env[name]+"\nhanded", a.origin(), flow{})
		}
	}
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
	case in.own:
		r.mark(Pipe)
	default:
		r.mark(Pipe)
		a.does(effect.RunHidden, in.by)
	}
	return flow{piped: true, by: a.Name}
}

// printsSetup reports whether a program prints what shells are to know of it, as
// completions. It could do by itself whatever that says.
func printsSetup(c *Command) bool {
	if strings.Contains(c.Name, "/") || len(c.Args) == 0 || len(c.Args) > 3 {
		return false
	}
	switch c.Args[0] {
	case "completion", "completions", "generate-shell-completion", "shell-completion", "shellenv":
		return true
	}
	return false
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

// fishWords are the words of fish that other shells have in another way.
var fishWords = strings.NewReplacer("; end", "; done", " (", " $(")

// fromFish writes what fish has its own way for as other shells have it.
func fromFish(script string) string {
	script = fishLoop.ReplaceAllString(script, "$1; do ")
	script = fishErase.ReplaceAllString(script, "${1}unset $2")
	script = fishSet.ReplaceAllString(script, "${1}export $2=$3")
	return fishWords.Replace(script)
}

// fishErase and fishSet are how fish forgets variables and hands them on.
var (
	fishErase = regexp.MustCompile(`(^|[;\n&|{(]\s*|\band |\bor )set\s+(?:-[a-zA-Z]*e[a-zA-Z]*|--erase|(?:-\w+\s+|--\w+\s+)+-e|(?:-\w+\s+|--\w+\s+)+--erase)\s+((?:-\w+\s+|--\w+\s+)*\w+)`)
	fishSet   = regexp.MustCompile(`(^|[;\n&|{(]\s*|\band |\bor )set\s+(?:-[a-zA-Z]*x[a-zA-Z]*|--export|(?:-\w+\s+|--\w+\s+)+(?:-x|--export))\s+(\w+)\s+([^\s;]+)`)
)

var fishLoop = regexp.MustCompile(`((?:for \w+ in|while) [^;\n]*);`)
