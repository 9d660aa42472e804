package follow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Subscripts reads the commands in the subscripts of names that are given to the
// shell itself as words: it evaluates them when it looks for the variable.
func Subscripts(a *invocation.Act) {
	for i, arg := range a.Args {
		if i >= len(a.Words()) {
			continue
		}
		at := strings.IndexByte(arg, '[')
		if at <= 0 || !invocation.IsNameByte(arg[at-1]) {
			continue
		}
		if rest := arg[at:]; strings.HasPrefix(rest, "[$(") || strings.HasPrefix(rest, "[`") || strings.Contains(rest, "+$(") {
			a.Script(`: "` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		}
	}
}

// FinderActions reads the commands that keys and events of a finder run:
// start:execute(command), enter:become[command], ctrl-r:reload:command.
func FinderActions(a *invocation.Act, bind string) {
	for _, action := range [...]string{"execute", "execute-silent", "become", "reload", "reload-sync", "transform", "preview", "change-preview"} {
		rest := bind
		for range 8 {
			_, after, ok := strings.Cut(rest, ":"+action)
			if !ok {
				_, after, ok = strings.Cut(rest, "+"+action)
			}
			if !ok || after == "" {
				break
			}
			rest = after
			command := after[1:]
			if end := strings.IndexByte("([{<", after[0]); end >= 0 {
				if last := strings.LastIndexByte(command, ")]}>"[end]); last >= 0 {
					command = command[:last]
				}
			} else if after[0] != ':' {
				continue
			}
			a.Script(command)
		}
	}
}

// Unregisters notes that a machine that others keep things in is given up.
func Unregisters(a *invocation.Act, what string) {
	a.Add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace("machine " + what), Wide: true})
}

// LastWritten notes the file that a program writes whose last operand it is.
func LastWritten(a *invocation.Act) {
	if to := invocation.LastOf(a.Args); to != "" && to[0] != '-' && to[0] != '|' && len(a.Args) > 1 && !strings.Contains(to, "://") && !strings.HasSuffix(to, ":") {
		a.WritesFiles(to)
	}
}

// SetsScripts reads the commands that are put into package.json to be run later.
func SetsScripts(a *invocation.Act) {
	l := invocation.Command{Args: a.Args}
	words := l.Operands("prefix", "C", "w", "workspace", "dir")
	switch {
	case len(words) > 2 && words[0] == "pkg" && words[1] == "set":
		for _, word := range words[2:] {
			if name, command, ok := strings.Cut(word, "="); ok && strings.HasPrefix(name, "scripts") {
				a.Script(command)
			}
		}
	case len(words) > 2 && words[0] == "set-script":
		a.Script(strings.Join(words[2:], " "))
	}
}

// Unison makes one directory what another one is, where it is told which counts.
func Unison(a *invocation.Act) {
	roots := PastFlags(a.Args)
	winners := append(After(a, "-force", "--force"), Attached(a.Args, "-force=", "--force=")...)
	if len(roots) < 2 || len(winners) == 0 || a.Has("nodeletion") {
		return
	}
	for i, root := range roots[:2] {
		if winners[0] == roots[1-i] && root != winners[0] {
			a.Argv([]string{"rsync", "-a", "--delete", strings.TrimSuffix(winners[0], "/") + "/", root})
		}
	}
}

// InBraces is what stands between a brace, with which the text begins, and its
// other one.
func InBraces(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[1:i]
			}
		}
	}
	return strings.TrimPrefix(text, "{")
}

// TypesKeys reads what programs type into the window, or another terminal, that
// somebody has open: it may be a shell.
func TypesKeys(a *invocation.Act) {
	for i, arg := range a.Args {
		switch arg {
		case "type", "send-text", "write-chars":
			words := pastTypeFlags(a.Args[i+1:])
			TypedKeys(a, strings.Join(words, " "))
			return
		}
	}
	if a.Name == "wtype" || a.Name == "xte" || a.Name == "dotool" {
		for _, arg := range append(slices.Clone(a.Args), a.In.Text) {
			TypedKeys(a, strings.TrimPrefix(strings.TrimPrefix(arg, "str "), "type "))
		}
	}
}

// pastTypeFlags are the words behind flags and their values.
func pastTypeFlags(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch words[0] {
		case "--delay", "--window", "--args", "-d", "-w", "--key-delay", "--pane-id", "-m", "--match", "-t":
			words = words[min(1, len(words)-1):]
		}
		words = words[1:]
	}
	return words
}

// Nushell notes what nu does to each of the files that it lists.
func Nushell(a *invocation.Act, script string) {
	listed, does, ok := strings.Cut(script, "| each")
	if !ok || !strings.Contains(does, "rm ") {
		return
	}
	for _, word := range []string{"ls ", "glob "} {
		if _, what, ok := strings.Cut(listed, word); ok {
			for _, p := range Few(a, strings.Fields(what)) {
				if !strings.HasPrefix(p, "-") && p != "|" {
					a.DeletesFiles(true, strings.TrimSuffix(strings.Trim(p, `"'`), "/")+"/*")
					break
				}
			}
		}
	}
}
