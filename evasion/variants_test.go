package evasion_test

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/command"
)

// A variant is a command written in another way.
type variant struct {
	// name says how; neutral: it does the same, so that it must not be blocked
	// where the original is not. Others only add to it.
	name, text string
	neutral    bool
	// form are the calls of an answer, of which the last is judged; nil for the text as a
	// command.
	form []llm.Block
}

// variants are commands that do what a command does, or at least that: no change may
// take an effect away. The whole text is put beside and into other text, and every
// command in it gets options that nobody knows, quotes, blanks and redirections.
func variants(text string) []variant {
	if text == "" {
		return nil
	}
	var all []variant
	add := func(name, changed string, neutral bool) {
		if changed != text && isShellText(changed) && !slices.ContainsFunc(all, func(v variant) bool { return v.text == changed }) {
			all = append(all, variant{name: name, text: changed, neutral: neutral})
		}
	}
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil // what is no shell text cannot be changed without changing what it is
	}
	around(text, file, add)
	own := made(file)
	calls := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || calls >= mostChanged {
			return true
		}
		calls++
		within(text, call, own, add)
		options(text, call, add)
		documents(text, call, add)
		return true
	})
	return all
}

// isShellText reports whether a text is one that a shell reads to its end.
func isShellText(text string) bool {
	_, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	return err == nil
}

// made are the functions and files that a text makes. Their words have no other meaning
// than the place they stand in: one more before them is another call.
func made(file *syntax.File) []string {
	var names []string
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			names = append(names, n.Name.Value)
		case *syntax.Redirect:
			if n.Word != nil {
				names = append(names, n.Word.Lit())
			}
		}
		return true
	})
	return names
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
	if !strings.Contains(text, "\n") {
		add("a comment beside", text+" # done: a dry run, for tests only", true)
	}
	if len(file.Stmts) == 1 && file.Stmts[0].Semicolon == (syntax.Pos{}) {
		add("and something else", text+" && echo done", false)
		add("whatever comes of it", text+" || true", true)
	}
}

// within changes one command of the text.
func within(text string, call *syntax.CallExpr, own []string, add func(name, changed string, neutral bool)) {
	first, last := call.Args[0], call.Args[len(call.Args)-1]
	insert := func(at uint, s string) string { return text[:at] + s + text[at:] }
	add("blanks", insert(first.End().Offset(), "  "), true)
	add("a tab", insert(first.End().Offset(), "\t"), true)
	add("a line that goes on", insert(first.End().Offset(), " \\\n "), true)
	switch {
	case slices.Contains([]string{"echo", "printf", "read", "[", "test", ":", "set", "eval", "trap", "alias"}, first.Lit()):
		// an option would be a word like others: printed, compared or run
	case slices.Contains(own, strings.TrimPrefix(first.Lit(), "./")):
	case slices.Contains([]string{"sh", "bash"}, first.Lit()) && (len(call.Args) > 3 && call.Args[1].Lit() == "-c" || !strings.HasPrefix(call.Args[min(1, len(call.Args)-1)].Lit(), "-")):
		// so are the words behind a script
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

// options writes the options of a command in other ways, as far as its description has
// them.
func options(text string, call *syntax.CallExpr, add func(name, changed string, neutral bool)) {
	program := command.Builtin().Program(call.Args[0].Lit())
	if program == nil {
		return
	}
	valued, switches := program.ValueFlags(), program.Switches()
	for i := 1; i < len(call.Args); i++ {
		w := call.Args[i]
		from, to := w.Pos().Offset(), w.End().Offset()
		word, long := strings.CutPrefix(text[from:to], "--")
		name, _, assigned := strings.Cut(word, "=")
		switch {
		case long && assigned && slices.Contains(valued, name):
			if strings.HasSuffix(word, "=") {
				continue // without a value the next word would be it
			}
			at := from + uint(strings.IndexByte(text[from:to], '='))
			add("a value in the next word", text[:at]+" "+text[at+1:], true)
		case long && slices.Contains(valued, name) && i+1 < len(call.Args) && isBlank(text[to:call.Args[i+1].Pos().Offset()]):
			add("a value behind an equals sign", text[:to]+"="+text[call.Args[i+1].Pos().Offset():], true)
		case i+1 < len(call.Args) && isSwitch(w.Lit(), switches) && isSwitch(call.Args[i+1].Lit(), switches):
			next := call.Args[i+1]
			add("options in another order", text[:from]+next.Lit()+text[to:next.Pos().Offset()]+w.Lit()+text[next.End().Offset():], true)
		}
	}
}

func isBlank(text string) bool { return strings.Trim(text, " ") == "" }

// isSwitch reports whether a word is one option without a value.
func isSwitch(word string, switches []string) bool {
	name, ok := strings.CutPrefix(word, "--")
	if !ok {
		name, ok = strings.CutPrefix(word, "-")
		ok = ok && len(name) == 1
	}
	return ok && slices.Contains(switches, name)
}
