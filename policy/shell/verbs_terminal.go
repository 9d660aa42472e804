package shell

import (
	"encoding/hex"
	"slices"
	"strings"
)

// terminalVerbs are programs that keep terminals and type into them.
var terminalVerbs = map[string]verb{"tmux": tmux, "byobu": tmux, "byobu-tmux": tmux, "psmux": tmux, "screen": screen, "byobu-screen": screen, "wine": wine, "wine64": wine}

var tmuxTakes = valued("L S f c T")

// tmux reads the commands that are given to a server of terminals.
func tmux(a *act) {
	l := cutLine(a.Args, tmuxTakes, firstEnds)
	if script := l.value("c"); script != "" {
		a.script(script)
	}
	a.tmuxCommands(l.operands, 0)
}

// mostTmux is how deep commands of tmux may stand in one another.
const mostTmux = 4

// tmuxCommands reads a list of words as commands with ";" between them.
func (a *act) tmuxCommands(words []string, depth int) {
	if depth > mostTmux || !a.r.pay(argumentSteps*len(words)) {
		a.doubt(Nesting)
		return
	}
	start := 0
	for i, w := range words {
		last, ends := strings.CutSuffix(w, ";")
		if !ends || strings.HasSuffix(last, `\`) {
			continue
		}
		command := slices.Clone(words[start:i])
		if last != "" {
			command = append(command, last)
		}
		a.tmuxCommand(command, depth)
		start = i + 1
	}
	a.tmuxCommand(words[start:], depth)
}

// tmuxNames are the commands of tmux that run something, with their short names
// and the flags that have values.
var tmuxNames = []struct{ name, short, takes string }{
	{"new-session", "new", "c e F f n s t x y"}, {"new-window", "neww", "c e F n t"}, {"split-window", "splitw", "c e F l p t"},
	{"respawn-pane", "respawnp", "c e t"}, {"respawn-window", "respawnw", "c e t"}, {"display-popup", "popup", "b c d e h s S t T w x y"},
	{"send-keys", "send", "N t c"}, {"run-shell", "run", "d t c"}, {"if-shell", "if", "t"}, {"set-hook", "set-hook", "t"}, {"bind-key", "bind", "N T"},
	{"pipe-pane", "pipep", "t"}, {"confirm-before", "confirm", "p t c"}, {"command-prompt", "command-prompt", "I p t T"}, {"set-option", "set", "t"}, {"set-window-option", "setw", "t"},
	{"source-file", "source", "t"}, {"set-buffer", "setb", "b t n"}, {"display-menu", "menu", "b c C H s S t T x y"},
}

func (a *act) tmuxCommand(words []string, depth int) {
	if len(words) == 0 {
		return
	}
	for _, w := range words { // a format may hold a command
		for range mostTmux {
			_, after, ok := strings.Cut(w, "#(")
			if !ok {
				break
			}
			command, rest, _ := strings.Cut(after, ")")
			a.script(command)
			w = rest
		}
	}
	for _, known := range tmuxNames {
		if words[0] != known.short && (len(words[0]) < 4 || !strings.HasPrefix(known.name, words[0])) {
			continue
		}
		l := cutLine(words[1:], valued(known.takes), firstEnds)
		a.tmuxRuns(known.name, &l, depth)
		return
	}
}

func (a *act) tmuxRuns(name string, l *line, depth int) {
	switch name {
	case "new-session", "new-window", "split-window", "respawn-pane", "respawn-window", "display-popup", "pipe-pane":
		if len(l.operands) == 1 || strings.Contains(l.operand(0), " ") { // a name with blanks is a text
			a.script(l.operand(0))
		} else {
			a.argv(l.operands)
		}
	case "run-shell":
		if l.has("C") {
			a.tmuxText(l.operand(0), depth)
		} else {
			a.script(l.operand(0))
		}
	case "if-shell":
		if !l.has("F") {
			a.script(l.operand(0))
		}
		for _, command := range l.from(1) {
			a.tmuxText(command, depth)
		}
	case "set-hook", "bind-key":
		if rest := l.from(1); len(rest) == 1 || len(rest) > 1 && strings.Contains(rest[0], " ") {
			a.tmuxText(rest[0], depth)
		} else {
			a.tmuxCommands(rest, depth+1)
		}
	case "confirm-before", "command-prompt", "display-menu":
		for _, command := range l.operands {
			a.tmuxText(command, depth)
		}
	case "set-option", "set-window-option":
		if strings.HasPrefix(l.operand(0), "default-command") || strings.HasPrefix(l.operand(0), "default-shell") {
			a.script(strings.Join(l.from(1), " "))
		}
	case "send-keys":
		a.script(typed(l.operands, l.has("H")))
	case "source-file":
		for _, file := range a.few(l.operands) {
			text, known := a.in.text, a.in.known
			if file != "-" && file != "/dev/stdin" {
				text, known = a.file(file)
			}
			if known {
				for command := range strings.Lines(text) {
					a.tmuxText(command, depth)
				}
			}
		}
	case "set-buffer": // to be pasted
		a.script(l.operand(0))
	}
}

// typed is the text that keys stand for.
func typed(keys []string, inHex bool) string {
	var b strings.Builder
	for _, key := range keys {
		switch {
		case inHex:
			if raw, err := hex.DecodeString(key); err == nil {
				b.Write(raw)
			}
		case key == "Enter", key == "C-m", key == "C-j", key == "KPEnter", key == "^M":
			b.WriteByte('\n')
		case key == "Space":
			b.WriteByte(' ')
		case key == "Tab", key == "C-i":
			b.WriteByte('\t')
		case len(key) == 3 && (strings.HasPrefix(key, "C-") || strings.HasPrefix(key, "M-")), key == "Escape", key == "BSpace", key == "Up", key == "Down", key == "Left", key == "Right":
		default:
			b.WriteString(key)
		}
	}
	return b.String()
}

// tmuxText reads commands of tmux that stand in a text.
func (a *act) tmuxText(text string, depth int) {
	if a.r.pay(len(text)) {
		a.tmuxCommands(quotedWords(strings.Trim(text, "{} ")), depth+1)
	}
}

// quotedWords are the words of a text in which quotes keep some together.
func quotedWords(text string) []string {
	var list []string
	var b strings.Builder
	word, quote := false, byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '"' || c == '\'':
			quote, word = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if word {
				list = append(list, b.String())
			}
			b.Reset()
			word = false
		default:
			b.WriteByte(c)
			word = true
		}
	}
	if word {
		list = append(list, b.String())
	}
	return list
}

// screen reads what is started in a terminal, or typed into one.
func screen(a *act) {
	at := slices.Index(a.Args, "-X")
	if at < 0 {
		l := cutLine(a.Args, valued("S c e h p s t T"), firstEnds)
		a.argv(l.operands)
		return
	}
	a.screenCommand(a.Args[at+1:], 0)
}

func (a *act) screenCommand(words []string, depth int) {
	if len(words) < 2 || depth > mostTmux {
		return
	}
	rest := words[1:]
	switch words[0] {
	case "stuff", "paste", "register":
		for _, keys := range a.few(rest) {
			a.script(strings.NewReplacer("^M", "\n", "^J", "\n").Replace(ansi(keys)))
		}
	case "exec":
		if strings.Trim(rest[0], ".!:|") == "" {
			rest = rest[1:]
		}
		a.argv(rest)
	case "screen", "backtick":
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || strings.Trim(rest[0], "0123456789") == "") {
			rest = rest[1:]
		}
		a.argv(rest)
	case "eval":
		for _, command := range rest {
			a.screenCommand(quotedWords(command), depth+1)
		}
	case "bind", "bindkey", "at", "idle":
		a.screenCommand(rest[1:], depth+1)
	}
}
