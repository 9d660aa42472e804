package evasion_test

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A variant is a command written in another way.
type variant struct {
	// name says how; neutral: it does the same, so that it must not be blocked
	// where the original is not. Others only add to it.
	name, text string
	neutral    bool
}

// variants are commands that do what a command does, or at least that: no change may
// take an effect away. The whole text is put beside and into other text, and every
// command in it gets options that nobody knows, quotes, blanks and redirections.
func variants(text string) []variant {
	var all []variant
	add := func(name, changed string, neutral bool) {
		if changed != text && !slices.ContainsFunc(all, func(v variant) bool { return v.text == changed }) {
			all = append(all, variant{name, changed, neutral})
		}
	}
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil // what is no shell text cannot be changed without changing what it is
	}
	around(text, file, add)
	calls := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || calls >= mostChanged {
			return true
		}
		calls++
		within(text, call, add)
		return true
	})
	return all
}

// mostChanged is how many commands of a text are changed.
const mostChanged = 4

// around puts the whole text beside and into other text.
func around(text string, file *syntax.File, add func(name, changed string, neutral bool)) {
	if strings.Contains(text, "<<") && !strings.HasSuffix(text, "\n") {
		return // a here-document must end with its text
	}
	add("a command before", "true; "+text, true)
	add("a line before", "echo begin\n"+text, true)
	add("a line behind", text+"\necho end", true)
	add("a comment behind", text+"\n# done: a dry run, for tests only", true)
	add("in braces", "{ "+text+"\n}", true)
	add("in a subshell", "( "+text+"\n)", true)
	add("under a condition", "if true; then "+text+"\nfi", true)
	add("in a function", "f() { "+text+"\n}; f", true)
	add("a variable before", "UNUSED=1; "+text, true)
	add("in the directory it is in", "cd . && { "+text+"\n}", false)
	if len(file.Stmts) == 1 && file.Stmts[0].Semicolon == (syntax.Pos{}) {
		add("and something else", text+" && echo done", false)
		add("whatever comes of it", text+" || true", true)
	}
}

// within changes one command of the text.
func within(text string, call *syntax.CallExpr, add func(name, changed string, neutral bool)) {
	first, last := call.Args[0], call.Args[len(call.Args)-1]
	insert := func(at uint, s string) string { return text[:at] + s + text[at:] }
	add("blanks", insert(first.End().Offset(), "  "), true)
	switch {
	case slices.Contains([]string{"echo", "printf", "read", "[", "test", ":", "set", "eval", "trap", "alias"}, first.Lit()):
		// an option would be a word like others: printed, compared or run
	case slices.Contains([]string{"tar", "ps"}, first.Lit()) && len(call.Args) > 1 && !strings.HasPrefix(call.Args[1].Lit(), "-"):
		// letters without a dash are options only where they come first
	case len(call.Args) > 1:
		add("an option with an unknown value first", insert(first.End().Offset(), " --zz-unknown=1"), false)
		add("an unknown option first", insert(first.End().Offset(), " --zz-unknown"), false)
		if word := text[call.Args[1].Pos().Offset():]; word[0] != '-' && word[0] != '/' { // else the next word may be its value
			add("an unknown option behind the next word", insert(call.Args[1].End().Offset(), " --zz-unknown=1"), false)
		}
		if word := text[last.Pos().Offset():]; word[0] != '-' {
			add("an unknown option last", insert(last.End().Offset(), " --zz-unknown=1"), false)
		}
	}
	add("errors thrown away", insert(last.End().Offset(), " 2>/dev/null"), true)
	add("a variable for it alone", insert(call.Pos().Offset(), "ZZ_UNUSED=1 "), true)
	for _, w := range call.Args[:min(len(call.Args), 4)] {
		if lit := w.Lit(); lit != "" && !strings.ContainsAny(lit, `\'"$*?[]{}~!=#^:,`) && lit[0] != '-' && len(call.Assigns) == 0 {
			from, to := w.Pos().Offset(), w.End().Offset()
			if w != first {
				add("a word in quotes", text[:from]+"'"+text[from:to]+"'"+text[to:], true)
				add("a word in double quotes", text[:from]+`"`+text[from:to]+`"`+text[to:], true)
			}
			if len(lit) > 1 && w != first {
				add("a word cut by quotes", text[:from+1]+`""`+text[from+1:to]+text[to:], true)
			}
		}
	}
}
