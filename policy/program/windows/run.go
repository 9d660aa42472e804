package windows

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// run reads a command with its words. in is what comes from the pipeline.
func (r *reader) run(words []value, in value) value {
	if len(words) == 0 || !r.Step() {
		return value{}
	}
	if len(list(words[0])) > 0 {
		words = append(slices.Clip(list(words[0])), words[1:]...)
	}
	first := words[0]
	if first.Kind() == "block" {
		if functionOf(first) != nil && len(words) > 1 {
			return r.invoke(functionOf(first), words[1:], in)
		}
		return first.As("").Calling(nil) // what came out where it stands
	}
	if strings.HasPrefix(shown(first), "$") && !known(first) {
		if !r.foreign(&first) {
			r.doubt(Variable)
		}
		return value{}
	}
	name := programName(shown(first))
	if (name == "curl" || name == "wget") && (strings.HasSuffix(strings.ToLower(shown(first)), ".exe") || unixFlags(words[1:])) {
		return r.other(words, in)
	}
	if full, ok := r.alias(name); ok {
		name = full
	}
	if f := r.functions[name]; f != nil {
		if out := r.invoke(f, words[1:], in); r.isOwn(name) {
			return out
		}
	}
	c := r.cmdlet(name, words[1:], in)
	if strings.Contains(name, "-") {
		if v, ok := c.described(library.PowerShell, name); ok {
			return v
		}
	}
	if v, ok := r.ofWindows(name, words[1:], in); ok {
		return v
	}
	if strings.HasSuffix(strings.ToLower(shown(first)), ".ps1") {
		r.file(shown(first))
		return value{}
	}
	if isCmdlet(name) {
		return made(name, append([]value{in}, words...))
	}
	return r.other(words, in)
}

// ofWindows runs a program that comes with Windows, and reports whether it is one that
// is described.
func (r *reader) ofWindows(name string, words []value, in value) (value, bool) {
	if !library.Of(library.Cmd).Has(name) {
		return value{}, false
	}
	return r.program(name, ownWords(name, words), in, false).described(library.Cmd, name)
}

// ownWords are the words of a program without those that begin with two dashes, which are
// no options of the programs that come with Windows, and no files.
func ownWords(name string, words []value) []value {
	switch name {
	case "powershell", "pwsh", "cmd", "wsl", "winget":
		return words
	}
	isOption := func(v value) bool { return strings.HasPrefix(shown(v), "--") }
	if !slices.ContainsFunc(words, isOption) {
		return words
	}
	return slices.DeleteFunc(slices.Clone(words), isOption)
}

// method is a call of a method, on a value or a type.
func (r *reader) method(v value, name string, args []value) value {
	c := &call{r: r, name: name, in: v, words: args, all: args, exact: true}
	if kind, ok := strings.CutPrefix(v.Kind(), "type "); ok {
		if out, ok := c.described(library.PowerShell, kind+"."+name); ok {
			return out
		}
		if name == "new" {
			return r.object(kind, args)
		}
	}
	if out, ok := c.described(library.PowerShell, "."+name); ok {
		return out
	}
	out := made(name, append([]value{v}, args...))
	return out.As(v.Kind())
}

// object is New-Object and ::new().
func (r *reader) object(kind string, args []value) value {
	kind = strings.TrimPrefix(strings.ToLower(kind), "system.")
	c := &call{r: r, name: kind, words: args, all: args, exact: true}
	if strings.Contains(kind, "passwordvault") {
		kind = "windows.security.credentials.passwordvault"
	}
	if out, ok := c.described(library.PowerShell, kind+".new"); ok {
		return out
	}
	return made("object", args)
}

// made is something that is not known and was made of values.
func made(name string, of []value) value {
	out := values.Unknown(name)
	for i := range of {
		out.Taint(&of[i])
	}
	return out
}

// programName is the name of a program without its directory and ending.
func programName(s string) string {
	s = strings.ToLower(strings.Trim(s, `"' `))
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	for _, ending := range []string{".exe", ".com", ".cmd", ".bat"} {
		s = strings.TrimSuffix(s, ending)
	}
	return s
}

// other gives a command back to those who know it, with what it is given on its
// input.
func (r *reader) other(words []value, in value) value {
	if len(r.out.Commands) >= MaxEffects {
		r.doubt(Limit)
		return value{}
	}
	name := programName(shown(words[0]))
	r.loads(shown(words[0]))
	c := Command{Sudo: r.sudo, Sources: in.Sources(), Remote: in.Remote(), Hidden: in.Hidden(), Piped: !isNothing(in)}
	if known(in) && len(list(in)) == 0 && in.Remote() == "" {
		c.Input, c.Known = shown(in), shown(in) != ""
	}
	out, before := values.Unknown("output"), ""
	for i := range words {
		for _, w := range paths(words[i]) {
			if i == 0 || strings.HasPrefix(w, "~") || len(w) > 2 && w[1] == ':' && w[2] == '/' {
				w = strings.ReplaceAll(w, `\`, "/")
			}
			w = strings.ReplaceAll(w, "$env:", "$")
			if len(c.Words) < 1024 {
				c.Words = append(c.Words, w)
			}
			if (name == "curl" || name == "wget") && i > 0 && out.Remote() == "" && isAddress(w, before) {
				out = out.MadeOf(out.Origin().And(values.FromRemote(web(w))))
			}
		}
		out.Taint(&words[i])
		if i > 0 {
			before = shown(words[i])
		}
	}
	r.out.Commands = append(r.out.Commands, c)
	if is("tellers", name) { // what their arguments were made from is told
		for _, w := range words[1:] {
			at := slices.IndexFunc(w.Sources(), func(s string) bool { return s != "environment" })
			if to := cmp.Or(out.Remote(), shown(w)); at >= 0 {
				r.sends(to, readFrom(w.Sources()[at]))
			}
		}
	}
	return out
}

// isAddress reports whether an argument of curl or wget is where it fetches from,
// by the argument before it.
func isAddress(w, before string) bool {
	switch {
	case strings.Contains(w, "://"):
		return true
	case len(w) < 4 || w[0] == '-' || !strings.Contains(w, "."):
		return false
	case before == "" || before[0] != '-':
		return true
	case strings.HasPrefix(before, "--"):
		return before == "--url" || before == "--silent" || before == "--location" || before == "--insecure" || before == "--fail"
	}
	return strings.IndexByte("sSLfkgqn#4601", before[len(before)-1]) >= 0
}

// isCmdlet reports whether a name has the form of a cmdlet's.
func isCmdlet(name string) bool {
	verb, _, ok := strings.Cut(name, "-")
	return ok && is("verbs", verb)
}

// alias is the cmdlet that has another name, in PowerShell or in the script.
func (r *reader) alias(name string) (string, bool) {
	if full, ok := r.aliases[name]; ok {
		return full, true
	}
	return library.Of(library.PowerShell).Alias(name)
}

// unixFlags reports whether arguments are those of the program curl rather than
// of the cmdlet that has its name as an alias.
func unixFlags(words []value) bool {
	return slices.ContainsFunc(words, func(w value) bool {
		return w.Bare && (strings.HasPrefix(shown(w), "--") || len(shown(w)) >= 2 && shown(w)[0] == '-' && (len(shown(w)) == 2 || strings.ToLower(shown(w)) == shown(w) && len(shown(w)) <= 5 && shown(w) != "-uri" && shown(w) != "-body"))
	})
}
