package follow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/javascript"
	"github.com/sluice-project/sluice/policy/program/library"
)

// javaScript reads what a program in JavaScript does.
func javaScript(a *invocation.Act, text string, args []string) {
	in := Interpreters["node"]
	program := javascript.ReadWith(text, args)
	killsFound(a, text, program.Uses)
	outer := a.In
	for i := range program.Uses {
		u := program.Uses[i]
		u.Names = []string{"__unknown"}
		before := program.Uses[:i]
		switch u.What {
		case library.Env:
			continue
		case library.Fetch:
			if told := toldIn(before, &u); len(told) > 0 {
				u.What, u.From = library.Send, told
			}
		case library.Send:
			u.From = invocation.Merge(toldIn(before, &u), readBefore(before))
			if !strings.Contains(u.Text, "://") || strings.HasPrefix(u.Text, "ws") { // what is written to a connection comes after it
				u.From = invocation.Merge(u.From, readBefore(program.Uses[i:]))
			}
			u.Content = ""
		case library.Eval:
			if !strings.Contains(u.Text, "://") {
				u.Text = ""
				if !u.Known { // what was fetched before may be it
					u.Text = fetchedIn(program.Uses)
				}
			}
		case library.Shell, library.Argv:
			feeds(a, text, program.Uses)
			if strings.Contains(u.Text, javascript.Unknown) || slices.ContainsFunc(u.Args, func(s string) bool { return strings.Contains(s, javascript.Unknown) }) {
				u.From = readBefore(before)
			}
			if !u.Known && u.Text == javascript.Unknown {
				if from := fetchedIn(program.Uses); from != "" {
					a.Does(effect.RunRemote, from)
				}
			}
		default:
		}
		readUse(a, in, &u)
		a.In = outer
	}
	for _, reason := range program.Doubt {
		switch reason {
		case javascript.Nesting: // a function that calls itself, mostly
			a.Doubt(invocation.Unseen)
		case javascript.Syntax, javascript.Long, javascript.Steps, javascript.Many: // what is not followed is at least looked at
			a.Doubt(invocation.Unseen)
			a.R.Shell.LookOver(a, text)
		}
	}
}

// readBefore are the files that a program read before it sent something: what
// was read may be what is sent.
func readBefore(uses []library.Use) []string {
	var files []string
	for i := range uses {
		switch u := &uses[i]; {
		case u.What == library.ReadFile && u.Known && !slices.Contains(files, u.Text) && len(files) < invocation.MostSources:
			files = append(files, u.Text)
		case u.What == library.Env && u.Text == library.Environment:
			files = append(files, invocation.Environment)
		}
	}
	return files
}

// toldIn are the sources of what is put into an address: variables with secrets
// by their names, and what was read before if it is not known what it is.
func toldIn(before []library.Use, u *library.Use) []string {
	if u.Known {
		return nil
	}
	told := invocation.SecretVariables(u.Text)
	if strings.Contains(u.Text, javascript.Unknown) {
		told = invocation.Merge(told, readBefore(before))
		for i := range before {
			if b := &before[i]; b.What == library.Env && invocation.IsSecretOf(b.Text) {
				told = invocation.With(told, "$"+b.Text)
			}
		}
	}
	return told
}

// fetchedIn is the address that a program fetches something from, empty if it
// fetches nothing.
func fetchedIn(uses []library.Use) string {
	for i := range uses {
		switch u := &uses[i]; u.What {
		case library.Fetch:
			return u.Text
		case library.Shell, library.Argv: // curl and the like
			for _, word := range append(strings.Fields(u.Text), u.Args...) {
				if word = strings.Trim(word, `"'`); strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://") {
					return word
				}
			}
		default:
		}
	}
	return ""
}
