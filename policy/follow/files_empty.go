package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// PastFlags are the words behind those that are flags.
func PastFlags(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		if words[0] == "--" {
			return words[1:]
		}
		if !strings.Contains(words[0], "=") && len(words) > 1 && (words[0] == "-p" || words[0] == "--profile" || words[0] == "--workdir" || words[0] == "--shell" || words[0] == "--username") {
			words = words[1:]
		}
		words = words[1:]
	}
	return words
}

// Emptied notes that nothing is left in files. What is outside of a project is
// lost by that as if it were removed.
func Emptied(a *invocation.Act, paths ...string) {
	for _, p := range paths {
		if !invocation.IsDevice(p) && !invocation.IsOpen(p) {
			a.DeletesFiles(false, p)
		}
	}
}

// Unspaced leaves out what stands between statements, for strings.Map.
func Unspaced(c rune) rune {
	if c == ' ' || c == '\t' || c == '\n' || c == ';' {
		return -1
	}
	return c
}

// silences reports whether a program of -n or -p prints nothing of the files that
// it changes.
func (l *scriptLine) silences() bool {
	if !l.loops() || len(l.programs) == 0 {
		return false
	}
	for _, p := range l.programs {
		if l.quiet() {
			for _, word := range [...]string{"print", "say", "puts", "write", "syswrite", "$stdout", "STDOUT", "putc"} {
				if strings.Contains(p.text, word) {
					return false
				}
			}
			continue
		}
		switch strings.Map(Unspaced, p.text) {
		case `$_=""`, "$_=''", "$_=undef", "undef$_", "$_=q()", "s/.*//s", "s/.+//s":
		default:
			return false
		}
	}
	return true
}

// mostChanges is how many substitutions a file is followed through.
const mostChanges = 64

// SedResult is what is in a file after substitutions of literal texts, if it was
// known before: what is put together in pieces runs as a whole.
func SedResult(a *invocation.Act, p string, programs []string, quiet bool) (string, bool) {
	if quiet || len(programs) == 0 || a.R.Set.Files == nil && len(a.R.Wrote) == 0 {
		return "", false
	}
	f := a.R.File(a.Path(p))
	if f == nil || !f.Known || f.Remote != "" || len(f.Content) > invocation.MostKnown {
		return "", false
	}
	content, ok := Substituted(a, f.Content, programs)
	return content, ok && content != f.Content
}

// Substituted is what substitutions of literal texts make of a text, if programs are
// nothing else.
func Substituted(a *invocation.Act, content string, programs []string) (string, bool) {
	for _, program := range programs {
		for range mostChanges {
			program = strings.TrimLeft(program, " \t\n;")
			if program == "" {
				break
			}
			from, to, all, rest, ok := cutSubstitution(program)
			if !ok || !a.R.Pay(len(content)) || len(content)*(1+len(to)/(1+len(from))) > 4*invocation.MostKnown {
				return "", false
			}
			n := 1
			if all {
				n = -1
			}
			list := strings.Split(content, "\n")
			for i := range list {
				list[i] = strings.Replace(list[i], from, to, n)
			}
			content, program = strings.Join(list, "\n"), rest
		}
	}
	return content, true
}

// cutSubstitution cuts s/a/b/g of literal texts off a program.
func cutSubstitution(program string) (from, to string, all bool, rest string, ok bool) {
	if len(program) < 4 || program[0] != 's' || invocation.IsNameByte(program[1]) || program[1] == ' ' || program[1] == '\\' {
		return "", "", false, "", false
	}
	parts := strings.SplitN(program[2:], program[1:2], 3)
	if len(parts) != 3 || parts[0] == "" || strings.ContainsAny(parts[0], `.*[]\^$+?()|{}`) || strings.ContainsAny(parts[1], `\&$@`) {
		return "", "", false, "", false
	}
	flags, rest := parts[2], ""
	if i := strings.IndexAny(flags, ";\n"); i >= 0 {
		flags, rest = flags[:i], flags[i+1:]
	}
	switch strings.TrimSpace(flags) {
	case "":
	case "g":
		all = true
	default:
		return "", "", false, "", false
	}
	return parts[0], parts[1], all, rest, true
}
