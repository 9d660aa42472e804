package shell

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// tmuxFormats runs the commands in formats, which may stand in any word.
func tmuxFormats(a *act, in *command.Reading) {
	for _, w := range slices.Concat(in.Values("words"), in.Values("options")) {
		for range mostTmux {
			_, after, ok := strings.Cut(w, "#(")
			if !ok {
				break
			}
			text, rest, _ := strings.Cut(after, ")")
			a.script(text)
			w = rest
		}
	}
}

// mostTmux is how many formats there may be in a word, and how deep commands of screen
// may stand in one another.
const mostTmux = 4

// tmuxText reads each word as commands of tmux.
func tmuxText(a *act, in *command.Reading) {
	for _, text := range a.few(in.Values("text")) {
		a.tmuxText(text)
	}
}

// tmuxWords reads words as a command of tmux, which may also be in one of them.
func tmuxWords(a *act, in *command.Reading) {
	if words := in.Values("text"); len(words) == 1 || len(words) > 1 && strings.Contains(words[0], " ") { // a name with blanks is a text
		a.tmuxText(words[0])
	} else {
		a.tmuxCommand(words)
	}
}

// tmuxText reads commands of tmux that stand in a text.
func (a *act) tmuxText(text string) {
	if a.r.pay(len(text)) {
		a.r.once("tmux "+text, func() { a.tmuxCommand(quotedWords(strings.Trim(text, "{} "))) })
	}
}

func (a *act) tmuxCommand(words []string) {
	if len(words) == 0 || !a.r.pay(argumentSteps*len(words)) {
		return
	}
	d := describedAct{act: a}
	command.Builtin().Program("tmux").Resolve(&command.Invocation{Name: "tmux", Args: words}, &d)
	d.write()
}

func tmuxTest(a *act, in *command.Reading) { a.script(in.Value("test")) }

func tmuxValue(a *act, in *command.Reading) { a.script(strings.Join(in.Values("value"), " ")) }

func tmuxKeys(a *act, in *command.Reading) { a.script(typed(in.Values("key"), in.Has("H"))) }

// runsTextWord is for a text for a shell that need not have a blank in it.
func runsTextWord(a *act, in *command.Reading) { a.script(in.Value("text")) }

// tmuxFile reads the commands in files.
func tmuxFile(a *act, in *command.Reading) {
	for _, file := range a.few(in.Values("file")) {
		text, known := a.in.text, a.in.known
		if file != "-" && file != "/dev/stdin" {
			text, known = a.file(file)
		}
		if known {
			for line := range strings.Lines(text) {
				a.tmuxText(line)
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

// screen reads what is typed into a terminal, or started in it.
func screen(a *act, in *command.Reading) {
	for words := range in.Begins("line") {
		a.screenCommand(words, 0)
	}
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
