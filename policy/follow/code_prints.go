package follow

import (
	"slices"
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
// known before it runs.
func Printed(a *invocation.Act, in *interpreter) (string, bool) {
	l := readLine(a, in)
	program, shows := a.Ran, false
	if len(l.programs) == 1 {
		program = l.programs[0].text
		word := l.programs[0].word
		shows = word > 0 && slices.Contains([]string{"-p", "--print", "-pe", "-ep"}, a.Args[word-1])
	}
	if l.nothing || program == "" || len(l.programs) > 1 || len(program) > mostPrinting || !a.R.Pay(invocation.StepCost+len(program)) {
		return "", false
	}
	var uses []library.Use
	if in.language == library.JavaScript {
		uses = javascript.Prints(program, shows)
	} else {
		uses = script.ReadWith(in.language, program, script.Given{Args: l.arguments(), Env: a.KnownVariable, Prints: true})
	}
	uses = slices.DeleteFunc(uses, func(u library.Use) bool { return u.What != library.Print })
	if len(uses) != 1 {
		return "", false
	}
	return uses[0].Text + "\n", uses[0].Known
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
