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

// mostTmux is how many formats there may be in a word.
const mostTmux = 4

// TypedKeys types keys into a terminal.
func TypedKeys(a *invocation.Act, in *command.Reading) {
	a.Script(typed(follow.Few(a, in.Values("key")), in.Has("H")))
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
			b.WriteString(strings.NewReplacer("^M", "\n", "^J", "\n").Replace(follow.Ansi(key)))
		}
	}
	return b.String()
}
