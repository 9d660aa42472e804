package shell

import (
	"strings"
)

// sedEmpties reports whether programs of sed leave nothing of a file.
func sedEmpties(programs []string, quiet bool) bool {
	for _, program := range programs {
		switch strings.Map(unspaced, program) {
		case "d", "1,$d", "0,$d", "/^/d", "/.*/d", "/$/d", "/^.*$/d", "1,$!{d};d", "{d}", "1Q", "Q", "D", "1,$D", "/./d", "/./,$d":
			return true
		case "":
			return quiet
		}
	}
	return false
}

func unspaced(c rune) rune {
	if c == ' ' || c == '\t' || c == '\n' || c == ';' {
		return -1
	}
	return c
}

// awkEmpties reports whether programs of awk print nothing.
func awkEmpties(programs []string) bool {
	for _, program := range programs {
		trimmed := strings.TrimSpace(program)
		if strings.Contains(program, "print") || trimmed != "0" && !strings.HasSuffix(trimmed, "}") || strings.Contains(program, "system") {
			return false
		}
		if _, last, ok := strings.Cut(trimmed, "}"); ok && strings.TrimSpace(last) != "" && !strings.HasSuffix(strings.TrimSpace(last), "}") {
			return false
		}
	}
	return len(programs) > 0
}

// exEmpties reports whether commands of ex or ed remove all lines.
func exEmpties(commands []string) bool {
	for _, command := range commands {
		for part := range strings.SplitSeq(command, "|") {
			switch strings.TrimLeft(strings.Map(unspaced, part), ":") {
			case "%d", "%d_", "%delete", "1,$d", ",d", "0,$d", "g/^/d", "g/./d", "g/.*/d", "g/$/d", "normalggdG", "normal!ggdG", "norm!ggdG", "normggdG", "%dl", "1,$delete", "v/^$/d":
				return true
			}
		}
	}
	return false
}

// silences reports whether a program of -n or -p prints nothing of the files that
// it changes.
func (l *scriptLine) silences() bool {
	if !l.loops || len(l.programs) == 0 {
		return false
	}
	for _, p := range l.programs {
		if l.quiet {
			for _, word := range [...]string{"print", "say", "puts", "write", "syswrite", "$stdout", "STDOUT", "putc"} {
				if strings.Contains(p.text, word) {
					return false
				}
			}
			continue
		}
		switch strings.Map(unspaced, p.text) {
		case `$_=""`, "$_=''", "$_=undef", "undef$_", "$_=q()", "s/.*//s", "s/.+//s":
		default:
			return false
		}
	}
	return true
}

// texts are the programs that an interpreter is given.
func (l *scriptLine) texts() []string {
	list := make([]string, 0, len(l.programs))
	for _, p := range l.programs {
		list = append(list, p.text)
	}
	return list
}

// mostChanges is how many substitutions a file is followed through.
const mostChanges = 64

// sedResult is what is in a file after substitutions of literal texts, if it was
// known before: what is put together in pieces runs as a whole.
func (a *act) sedResult(p string, programs []string, quiet bool) (string, bool) {
	if quiet || len(programs) == 0 || a.r.set.Files == nil && len(a.r.wrote) == 0 {
		return "", false
	}
	f := a.r.file(a.path(p))
	if f == nil || !f.Known || f.Remote != "" || len(f.Content) > mostKnown {
		return "", false
	}
	content := f.Content
	for _, program := range programs {
		for range mostChanges {
			program = strings.TrimLeft(program, " \t\n;")
			if program == "" {
				break
			}
			from, to, all, rest, ok := cutSubstitution(program)
			if !ok || !a.r.pay(len(content)) || len(content)*(1+len(to)/(1+len(from))) > 4*mostKnown {
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
	return content, content != f.Content
}

// cutSubstitution cuts s/a/b/g of literal texts off a program.
func cutSubstitution(program string) (from, to string, all bool, rest string, ok bool) {
	if len(program) < 4 || program[0] != 's' || isNameByte(program[1]) || program[1] == ' ' || program[1] == '\\' {
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
