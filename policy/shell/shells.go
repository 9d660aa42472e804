package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// shell reads what a shell would run: a script in its arguments, a file, or its
// input.
func (r *reader) shell(a *invocation.Act) invocation.Flow {
	if onlyChecks(a) {
		return invocation.Flow{}
	}
	script, params, file := shellArgs(a.Args)
	outer := r.Scope
	defer func() { r.Scope = outer }()
	if len(a.Env) > 0 {
		r.startFiles(a, file >= 0)
	}
	r.startTexts(a)
	switch {
	case script >= 0:
		r.Scope = r.Sub(r.Scope)
		r.Scope.Params = follow.Values(a.Words()[min(params+1, len(a.Words())):])
		if params < len(a.Words()) {
			if r.Scope.Vars == nil {
				r.Scope.Vars = map[string]invocation.Value{}
			}
			r.Scope.Vars["0"] = a.Words()[params]
		}
		if a.Name == "fish" {
			a.Args = slices.Clone(a.Args)
			a.Args[script] = fromFish(a.Args[script])
		}
		switch a.Name {
		case "zsh":
			r.zshAgain(a, a.Args[script])
		case "nu":
			follow.Nushell(a, a.Args[script])
		case "rc", "es", "csh", "tcsh":
			a.Args = slices.Clone(a.Args)
			a.Args[script] = strings.ReplaceAll(a.Args[script], "$home", "$HOME")
		}
		word := &a.Words()[script]
		return r.given(a, a.Args[script], word)
	case file >= 0:
		r.Scope = r.Sub(r.Scope)
		r.Scope.Params = follow.Values(a.Words()[file+1:])
		if a.Words()[file].Made != nil {
			a.In = *a.Words()[file].Made
			return r.RunInput(a)
		}
		switch p := a.Args[file]; {
		case p == "/dev/stdin", p == "/dev/fd/0", p == "/proc/self/fd/0":
			return r.RunInput(a)
		case strings.HasPrefix(p, "/dev/fd/"), strings.HasPrefix(p, "/proc/self/fd/"):
			if d, ok := r.Opened[path.Base(p)]; ok {
				a.In = d.In
			}
			return r.RunInput(a)
		default:
			follow.Described(a, p, a.Args[file+1:])
			return follow.ScriptFile(&r.Reader, a, p)
		}
	case a.In.Piped:
		r.Scope = r.Sub(r.Scope)
		if i := slices.Index(a.Args, "--"); i >= 0 {
			r.Scope.Params = follow.Values(a.Words()[i+1:])
		}
		return r.RunInput(a)
	}
	if a.Sudo && !a.Remote {
		a.Does(effect.Grant, "a shell as another user")
	}
	return invocation.Flow{}
}

// startFiles reads the files by which the environment tells a shell what to run
// first. What is not known of them counts only where a script is run.
func (r *reader) startFiles(a *invocation.Act, script bool) {
	r.handedOn(a)
	for _, name := range [...]string{"BASH_ENV", "ENV", "ZDOTDIR"} {
		p := a.Env[name]
		if p == "" {
			continue
		}
		if name == "ZDOTDIR" {
			p += "/.zshenv"
		}
		if p = a.Path(p); script && name == "BASH_ENV" || r.File(p) != nil {
			follow.RunFile(&r.Reader, a, p)
		}
	}
}

// exported is how the names of variables begin in which a shell is handed functions.
const exported = "BASH_FUNC_"

// handedOn reads the functions in the environment: whatever is called may be one.
func (r *reader) handedOn(a *invocation.Act) {
	for _, name := range follow.SortedNames(a.Env) {
		if strings.HasPrefix(name, exported) {
			r.Inner("handed"+a.Env[name]+"\nhanded", a.Origin(), invocation.Flow{})
		}
	}
}

// given reads a script that is a word, with what is known of where it is from.
func (r *reader) given(a *invocation.Act, script string, word *invocation.Value) invocation.Flow {
	switch {
	case word.Remote != "" && invocation.Unknown(script):
		a.Does(effect.RunRemote, word.Remote)
	case word.Hidden != "" && invocation.Unknown(script):
		a.Does(effect.RunHidden, word.Hidden)
	}
	return r.Inner(script, a.Origin(), a.In)
}

// RunInput reads what an interpreter of shell text is given on its input.
func (r *reader) RunInput(a *invocation.Act) invocation.Flow {
	in := a.In
	switch {
	case in.Remote != "":
		a.Does(effect.RunRemote, in.Remote)
	case in.Known:
		return r.Inner(in.Text, a.Origin(), invocation.Flow{})
	case in.Hidden != "":
		a.Does(effect.RunHidden, in.Hidden)
	case in.By == "cat" || in.By == "<" || in.By == "tee":
		for _, p := range in.Sources {
			follow.RunFile(&r.Reader, a, p)
		}
		if len(in.Sources) == 0 {
			r.Mark(invocation.Pipe)
			a.Does(effect.RunHidden, in.By)
		}
	case in.Own:
		r.Mark(invocation.Pipe)
	default:
		r.Mark(invocation.Pipe)
		a.Does(effect.RunHidden, in.By)
	}
	return invocation.Flow{Piped: true, By: a.Name}
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

// onlyChecks reports whether a shell surely runs nothing of what it reads: -n stands before
// that, is the value of no option and is not taken back, and the shell is not interactive.
func onlyChecks(a *invocation.Act) bool {
	if a.Name == "nu" || a.Name == "xonsh" || a.Name == "elvish" || a.Name == "rc" { // -n means something else
		return false
	}
	checks := false
	for _, word := range a.Args {
		switch {
		case strings.HasPrefix(word, "--"), strings.HasPrefix(word, "+"), strings.HasPrefix(word, "-") && strings.ContainsAny(word, "oOi"):
			return false
		case len(word) < 2 || word[0] != '-':
			return checks
		}
		checks = checks || strings.Contains(word, "n")
	}
	return checks
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
