package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Sed changes text by a program of its own, which can write files and run
// commands.
func Sed(a *invocation.Act, in *command.Reading) {
	inPlace, files := in.Has("in-place"), in.Values("path")
	programs := in.Values("program")
	if len(programs) == 1 && programs[0] == "" && inPlace && len(files) > 0 { // sed -i '' on macOS
		programs, files = files[:1], files[1:]
	}
	for _, file := range in.Values("script") {
		programs = append(programs, a.Runs(file))
	}
	added, replaces := sedProgram(a, strings.Join(programs, "\n"))
	quiet := in.Has("quiet")
	for _, p := range files {
		if !inPlace {
			a.Looks(false, p)
			continue
		}
		if sedEmpties(programs, quiet) {
			follow.Emptied(a, p)
		}
		if content, ok := follow.SedResult(a, p, programs, quiet); ok {
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(p), Content: content})
			continue
		}
		if replaces {
			follow.Replaces(a, p, added)
		} else {
			follow.Adds(a, p, added, false)
		}
	}
}

// MasksValues reports whether a program of sed replaces what stands behind the names.
func MasksValues(_ *invocation.Act, in *command.Reading) bool {
	return slices.ContainsFunc(append(in.Values("program"), in.Values("path")...), masks)
}

// masks reports whether a program is like s/=.*/=x/.
func masks(script string) bool {
	if len(script) < 4 || strings.ContainsRune(script, '&') {
		return false
	}
	for _, form := range []string{"=.*", "=.+", `=.\+`, "=[^", "[=:].*", ":.*", `=\S*`, `=\S+`} {
		if i := strings.Index(script, form); i > 0 && strings.Contains(script[:i], "s") {
			return true
		}
	}
	return false
}

// sedProgram notes what the commands of a sed program do outside of the text. It returns the
// lines that they add to it, and whether these take the place of others.
func sedProgram(a *invocation.Act, program string) (lines string, replaces bool) {
	var added strings.Builder
	adds := func(text string) {
		if added.Len()+len(text) <= invocation.MaxText {
			added.WriteString(text)
		}
	}
	for program != "" {
		program = sedAddress(program)
		if program == "" {
			break
		}
		letter, rest := program[0], program[1:]
		switch letter {
		case 's', 'y':
			var put string
			program, put = sedSubstitute(a, letter, rest)
			adds(put)
			replaces = true
		case 'w', 'W':
			var file string
			file, program, _ = strings.Cut(rest, "\n")
			a.WritesFiles(strings.TrimSpace(file))
		case 'r', 'R':
			var file string
			file, program, _ = strings.Cut(rest, "\n")
			follow.ReadsFiles(a, strings.TrimSpace(file))
		case 'e':
			var text string
			text, program, _ = strings.Cut(rest, "\n")
			if text = strings.TrimRight(text, "; }"); strings.TrimSpace(text) == "" {
				runsInput(a)
			} else {
				a.Script(text)
			}
		case 'a', 'i', 'c': // text to the end of a line that does not go on
			program = afterText(rest)
			adds(sedText(rest[:len(rest)-len(program)]))
		case ':', 'b', 't', 'T', '#':
			if letter != '#' {
				if i := strings.IndexAny(rest, ";\n}"); i >= 0 {
					program = rest[i:]
					continue
				}
			}
			_, program, _ = strings.Cut(rest, "\n")
		default:
			program = rest
		}
	}
	return added.String(), replaces
}

// sedText is the text of a, i and c, with or without a backslash before it.
func sedText(s string) string {
	s = strings.TrimLeft(s, " \t")
	if rest, ok := strings.CutPrefix(s, "\\"); ok {
		s = strings.TrimLeft(rest, " \t\n")
	}
	if s = strings.TrimSuffix(s, "\n"); s == "" {
		return ""
	}
	return strings.ReplaceAll(s, "\\\n", "\n") + "\n"
}

// sedAddress cuts off what stands before a command: addresses, blanks, braces.
func sedAddress(program string) string {
	for program != "" {
		switch c := program[0]; {
		case strings.IndexByte(" \t\n\r;{}!,$~+", c) >= 0, '0' <= c && c <= '9':
			program = program[1:]
		case c == '/':
			program = strings.TrimLeft(afterPattern(program[1:], '/'), "IM")
		case c == '\\' && len(program) > 1:
			program = strings.TrimLeft(afterPattern(program[2:], program[1]), "IM")
		default:
			return program
		}
	}
	return ""
}

// afterDelimiter is what follows the next delimiter that is not escaped.
func afterDelimiter(s string, delimiter byte) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case delimiter:
			return s[i+1:]
		case '\\':
			i++
		}
	}
	return ""
}

// mostBracket is how long a bracket in a regular expression is taken to be.
const mostBracket = 256

// afterPattern is afterDelimiter for a regular expression, in which brackets hold
// delimiters too.
func afterPattern(s string, delimiter byte) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case delimiter:
			return s[i+1:]
		case '\\':
			i++
		case '[':
			first := i + 1
			if first < len(s) && s[first] == '^' {
				first++
			}
			if first+1 >= len(s) {
				continue
			}
			// A ] that stands first is meant itself.
			if n := strings.IndexByte(s[first+1:min(first+mostBracket, len(s))], ']'); n >= 0 {
				i = first + 1 + n
			}
		}
	}
	return ""
}

// afterText is what follows the text of a, i and c.
func afterText(s string) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return s[i+1:]
		}
	}
	return ""
}

// sedSubstitute reads s/a/b/flags, of which the flag e runs the result and w
// writes it. It returns what follows, and the text that takes the place of another.
func sedSubstitute(a *invocation.Act, letter byte, rest string) (after, put string) {
	if rest == "" {
		return "", ""
	}
	delimiter := rest[0]
	replaced := afterPattern(rest[1:], delimiter)
	after = afterDelimiter(replaced, delimiter)
	if letter == 'y' {
		return after, ""
	}
	put = follow.Replacement(strings.TrimSuffix(replaced[:len(replaced)-len(after)], string(rune(delimiter))))
	for after != "" {
		flag := after[0]
		switch {
		case flag == 'w':
			file, program, _ := strings.Cut(after[1:], "\n")
			a.WritesFiles(strings.TrimSpace(file))
			return program, put
		case flag == 'e':
			text := replaced[:len(replaced)-len(after)]
			text = strings.TrimSuffix(strings.TrimRight(text, "gpIiMm0123456789"), string(rune(delimiter)))
			if strings.Contains(text, "&") || strings.Contains(text, `\1`) {
				runsInput(a)
			}
			a.Script(text)
			after = after[1:]
		case strings.IndexByte("gpIiMm0123456789", flag) >= 0:
			after = after[1:]
		default:
			return after, put
		}
	}
	return "", put
}
