package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/javascript"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script"
)

// Prints notes files whose contents a program prints that does not do so by its
// nature.
func Prints(a *invocation.Act, files ...string) {
	for _, p := range files {
		if !invocation.IsNoFile(p) {
			a.Looks(false, p)
			a.R.Heard = invocation.With(a.R.Heard, a.Path(p))
		}
	}
}

// mostPrinting is the longest program that is asked what it prints.
const mostPrinting = 2000

// Printed is what a program in an argument or on the input prints, if it prints one text that is
// known before it runs. What a program gives to a shell is known, so that what it
// prints can be known by the same means.
func Printed(a *invocation.Act, in *interpreter) (string, bool) {
	l := readLine(a, in)
	program, shows := a.Ran, false
	table, runs := library.Of(in.language), ""
	if way := table.Way("runs"); len(way) > 0 {
		runs = way[0]
	}
	if len(l.programs) == 1 {
		program = l.programs[0].text
		word := l.programs[0].word
		shows = in.language == library.JavaScript && word > 0 && isPrintFlag(a.Args[word-1])
	}
	if l.nothing || program == "" || len(l.programs) > 1 || len(program) > mostPrinting || !a.R.Pay(invocation.StepCost+len(program)) {
		return "", false
	}
	if shows {
		program = runs + "((" + strings.TrimRight(strings.TrimSpace(program), ";") + "))"
	} else {
		at, size := -1, 0
		eachPrinter(program, table.Way("prints"), func(start, end int) bool {
			if at >= 0 {
				at = -2
				return false
			}
			at, size = start, end-start
			return true
		})
		if at < 0 {
			return "", false
		}
		program = program[:at] + asCall(runs, program[at+size:], in.language)
	}
	if in.language == library.JavaScript {
		for _, u := range javascript.Read(program).Uses {
			if u.What == library.Shell {
				return u.Text + "\n", u.Known
			}
		}
		return "", false
	}
	if in.language == library.Python {
		program = "import os\n" + program
	}
	for _, u := range script.ReadWith(in.language, program, script.Given{Args: l.arguments(), Env: a.KnownVariable}) {
		if u.What == library.Shell {
			return u.Text + "\n", u.Known
		}
	}
	return "", false
}

func isPrintFlag(flag string) bool {
	return flag == "-p" || flag == "--print" || flag == "-pe" || flag == "-ep"
}

// asCall puts a call in the place of a statement that prints what follows.
func asCall(runs, after string, language library.Language) string {
	trimmed := strings.TrimLeft(after, " ")
	if strings.HasPrefix(trimmed, "(") || language == library.Perl || language == library.Ruby {
		return runs + after
	}
	end := strings.IndexAny(trimmed, ";\n")
	if end < 0 {
		end = len(trimmed)
	}
	return runs + "(" + trimmed[:end] + ")" + trimmed[end:]
}

// eachPrinter calls f for each of the words in a program that stands by itself and
// not in quotes.
func eachPrinter(program string, words []string, f func(start, end int) bool) {
	quote := byte(0)
	for i := 0; i < len(program); i++ {
		switch c := program[i]; {
		case quote != 0:
			switch c {
			case '\\':
				i++
			case quote:
				quote = 0
			}
			continue
		case c == '"' || c == '\'' || c == '`':
			quote = c
			continue
		}
		if i > 0 && (invocation.IsNameByte(program[i-1]) || program[i-1] == '.' || program[i-1] == '$') {
			continue
		}
		for _, w := range words {
			end := i + len(w)
			if strings.HasPrefix(program[i:], w) && (end == len(program) || !invocation.IsNameByte(program[end]) && program[end] != '.') {
				if !f(i, end) {
					return
				}
				i = end - 1
				break
			}
		}
	}
}

// InterpreterNamed is how a program for scripts is called, nil for other names.
func InterpreterNamed(name string) *interpreter { //nolint:revive // which is only handed back
	return Interpreters[invocation.InterpreterName(name)]
}

// PrintedText is what an awk or jq program prints that prints one text.
func PrintedText(a *invocation.Act) (string, bool) {
	for _, arg := range a.Args {
		text := strings.TrimSpace(arg)
		switch a.Name {
		case "jq", "gojq", "jaq":
			if s, ok := CutQuote(text); ok && text == `"`+s+`"` && (a.Has("n") || a.Has("--null-input")) {
				return s + "\n", true
			}
		default:
			body, ok := strings.CutPrefix(text, "BEGIN")
			if !ok {
				continue
			}
			body = strings.Trim(strings.TrimSpace(body), "{} ;")
			if what, ok := strings.CutPrefix(body, "print"); ok {
				what = strings.TrimSpace(strings.TrimPrefix(what, "f"))
				if s, ok := CutQuote(what); ok && what == `"`+s+`"` {
					return Ansi(s) + "\n", true
				}
			}
		}
	}
	return "", false
}
