package fileops

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// TmuxFormats runs the commands in formats, which may stand in any word.
func TmuxFormats(a *invocation.Act, in *command.Reading) {
	for _, w := range slices.Concat(in.Values("words"), in.Values("options")) {
		for range mostTmux {
			_, after, ok := strings.Cut(w, "#(")
			if !ok {
				break
			}
			text, rest, _ := strings.Cut(after, ")")
			a.Script(text)
			w = rest
		}
	}
}

// mostTmux is how many formats there may be in a word, and how deep commands of screen
// may stand in one another.
const mostTmux = 4

// TmuxText reads each word as commands of tmux.
func TmuxText(a *invocation.Act, in *command.Reading) {
	for _, text := range follow.Few(a, in.Values("text")) {
		readTmuxText(a, text)
	}
}

// TmuxWords reads words as a command of tmux, which may also be in one of them.
func TmuxWords(a *invocation.Act, in *command.Reading) {
	if words := in.Values("text"); len(words) == 1 || len(words) > 1 && strings.Contains(words[0], " ") { // a name with blanks is a text
		readTmuxText(a, words[0])
	} else {
		tmuxCommand(a, words)
	}
}

// readTmuxText reads commands of tmux that stand in a text.
func readTmuxText(a *invocation.Act, text string) {
	if a.R.Pay(len(text)) {
		follow.Once(a.R, "tmux "+text, func() { tmuxCommand(a, quotedWords(strings.Trim(text, "{} "))) })
	}
}

func tmuxCommand(a *invocation.Act, words []string) {
	if len(words) == 0 || !a.R.Pay(invocation.ArgumentSteps*len(words)) {
		return
	}
	d := invocation.DescribedAct{Act: a}
	command.Builtin().Program("tmux").Resolve(&command.Invocation{Name: "tmux", Args: words}, &d)
	d.Write()
}

// TmuxKeys types keys into a terminal.
func TmuxKeys(a *invocation.Act, in *command.Reading) { a.Script(typed(in.Values("key"), in.Has("H"))) }

// TmuxFile reads the commands in files.
func TmuxFile(a *invocation.Act, in *command.Reading) {
	for _, file := range follow.Few(a, in.Values("file")) {
		text, known := a.In.Text, a.In.Known
		if file != "-" && file != "/dev/stdin" {
			text, known = a.File(file)
		}
		if known {
			for line := range strings.Lines(text) {
				readTmuxText(a, line)
			}
		}
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

// Screen reads what is typed into a terminal, or started in it.
func Screen(a *invocation.Act, in *command.Reading) {
	for words := range in.Begins("line") {
		screenCommand(a, words, 0)
	}
}

func screenCommand(a *invocation.Act, words []string, depth int) {
	if len(words) < 2 || depth > mostTmux {
		return
	}
	rest := words[1:]
	switch words[0] {
	case "stuff", "paste", "register":
		for _, keys := range follow.Few(a, rest) {
			a.Script(strings.NewReplacer("^M", "\n", "^J", "\n").Replace(follow.Ansi(keys)))
		}
	case "exec":
		if strings.Trim(rest[0], ".!:|") == "" {
			rest = rest[1:]
		}
		a.Argv(rest)
	case "screen", "backtick":
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || strings.Trim(rest[0], "0123456789") == "") {
			rest = rest[1:]
		}
		a.Argv(rest)
	case "eval":
		for _, command := range rest {
			screenCommand(a, quotedWords(command), depth+1)
		}
	case "bind", "bindkey", "at", "idle":
		screenCommand(a, rest[1:], depth+1)
	}
}
