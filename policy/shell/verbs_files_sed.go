package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var sedUsage = usage{values: "ef", attached: "i", long: []string{"expression", "file", "line-length"}}

// sed changes text by a program of its own, which can write files and run
// commands.
func sed(a *act) {
	g := a.given(&sedUsage)
	in := g.has("i", "in-place", "I")
	programs := g.all("e", "expression")
	for _, file := range g.all("f", "file") {
		programs = append(programs, a.runs(file))
	}
	if len(g.operands) > 1 && (in && g.operands[0] == "" || g.has("l") && isDigits(g.operands[0])) {
		g.first() // sed -i '' on macOS, and -l 5 elsewhere
	}
	if len(programs) == 0 {
		programs = append(programs, g.first())
	}
	for _, program := range programs {
		a.sedProgram(program)
	}
	quiet := g.has("n", "quiet", "silent")
	for _, p := range g.operands {
		if in {
			if sedEmpties(programs, quiet) {
				a.emptied(p)
			}
			if content, ok := a.sedResult(p, programs, quiet); ok {
				a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), Content: content})
				continue
			}
			a.put(p, "")
		} else {
			a.looks(false, p)
		}
	}
}

// sedProgram notes what the commands of a sed program do outside of the text.
func (a *act) sedProgram(program string) {
	for program != "" {
		program = sedAddress(program)
		if program == "" {
			return
		}
		command, rest := program[0], program[1:]
		switch command {
		case 's', 'y':
			program = a.sedSubstitute(command, rest)
		case 'w', 'W':
			var file string
			file, program, _ = strings.Cut(rest, "\n")
			a.writes(strings.TrimSpace(file))
		case 'r', 'R':
			var file string
			file, program, _ = strings.Cut(rest, "\n")
			a.reads(strings.TrimSpace(file))
		case 'e':
			var text string
			text, program, _ = strings.Cut(rest, "\n")
			if text = strings.TrimRight(text, "; }"); strings.TrimSpace(text) == "" {
				a.runsInput()
			} else {
				a.script(text)
			}
		case 'a', 'i', 'c': // text to the end of a line that does not go on
			program = afterText(rest)
		case ':', 'b', 't', 'T', '#':
			if command != '#' {
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
// writes it.
func (a *act) sedSubstitute(command byte, rest string) string {
	if rest == "" {
		return ""
	}
	delimiter := rest[0]
	replaced := afterPattern(rest[1:], delimiter)
	after := afterDelimiter(replaced, delimiter)
	if command == 'y' {
		return after
	}
	for after != "" {
		flag := after[0]
		switch {
		case flag == 'w':
			file, program, _ := strings.Cut(after[1:], "\n")
			a.writes(strings.TrimSpace(file))
			return program
		case flag == 'e':
			text := replaced[:len(replaced)-len(after)]
			text = strings.TrimSuffix(strings.TrimRight(text, "gpIiMm0123456789"), string(rune(delimiter)))
			if strings.Contains(text, "&") || strings.Contains(text, `\1`) {
				a.runsInput()
			}
			a.script(text)
			after = after[1:]
		case strings.IndexByte("gpIiMm0123456789", flag) >= 0:
			after = after[1:]
		default:
			return after
		}
	}
	return ""
}
