package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// carriedRare reads the commands that programs run which hardly anybody knows for
// it: in the settings of version control, of what draws and of what sets text.
func (r *reader) carriedRare(a *invocation.Act) {
	switch a.Name {
	case "ip":
		for _, kind := range []string{"netns", "vrf"} {
			if i := slices.Index(a.Args, kind); i >= 0 && i+3 < len(a.Args) && a.Args[i+1] == "exec" {
				a.Argv(a.Args[i+3:])
			}
		}
	case "run-parts":
		for _, pattern := range append(follow.After(a, "--regex"), follow.Attached(a.Args, "--regex=")...) {
			if name := strings.Trim(pattern, "^$"); follow.IsWord(name) {
				a.Argv(append([]string{name}, append(follow.After(a, "-a", "--arg"), follow.Attached(a.Args, "--arg=")...)...))
			}
		}
	case "npm", "pnpm", "yarn", "bun":
		setsScripts(a)
	case "unison":
		unison(a)
	case "dotnet", "dotnet-script", "csharprepl":
		for _, arg := range a.Args {
			if strings.Contains(arg, "(") {
				r.LookOver(a, arg)
			}
		}
		if a.In.Known && strings.Contains(a.In.Text, "(") {
			r.LookOver(a, a.In.Text)
		}
	case "vim", "vi", "nvim", "gvim", "nvr":
		for _, keys := range append(follow.After(a, "--remote-send", "--remote-expr", "-cc"), follow.Attached(a.Args, "--remote-send=", "--remote-expr=")...) {
			follow.TypedKeys(a, keys)
		}
		for _, command := range follow.After(a, "-c", "--cmd", "+") {
			follow.DeletesInEditor(a, command)
		}
		for _, command := range follow.Attached(a.Args, "+") {
			follow.DeletesInEditor(a, command)
		}
	case "xdotool", "ydotool", "wtype", "dotool", "xte", "wezterm", "kitty", "kitten", "zellij":
		typesKeys(a)
	case "tex", "latex", "pdftex", "pdflatex", "xetex", "xelatex", "luatex", "lualatex", "etex", "latexmk", "context", "tectonic":
		for _, text := range append(slices.Clone(a.Args), a.In.Text) {
			r.tex(a, text)
		}
	case "gs", "ghostscript", "gsnd", "ps2pdf":
		for _, text := range append(slices.Clone(a.Args), a.In.Text) {
			if _, command, ok := strings.Cut(text, "%pipe%"); ok {
				command, _, _ = strings.Cut(command, ")")
				a.Script(command)
			}
		}
	case "sox", "play", "rec", "soxi", "convert", "magick", "identify", "mogrify", "gm":
		for _, arg := range a.Args {
			if command, ok := strings.CutPrefix(arg, "|"); ok {
				a.Script(command)
			}
			if file, ok := strings.CutPrefix(arg, "ephemeral:"); ok {
				a.DeletesFiles(false, file)
			}
		}
		lastWritten(a)
	case "ffmpeg", "avconv":
		lastWritten(a)
	case "bleachbit":
		if a.Has("s") || a.Has("--shred") {
			a.DeletesFiles(true, a.Operands()...)
		}
	}
}

// lastWritten notes the file that a program writes whose last operand it is.
func lastWritten(a *invocation.Act) {
	if to := invocation.LastOf(a.Args); to != "" && to[0] != '-' && to[0] != '|' && len(a.Args) > 1 && !strings.Contains(to, "://") && !strings.HasSuffix(to, ":") {
		a.WritesFiles(to)
	}
}

// setsScripts reads the commands that are put into package.json to be run later.
func setsScripts(a *invocation.Act) {
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

// unison makes one directory what another one is, where it is told which counts.
func unison(a *invocation.Act) {
	roots := follow.PastFlags(a.Args)
	winners := append(follow.After(a, "-force", "--force"), follow.Attached(a.Args, "-force=", "--force=")...)
	if len(roots) < 2 || len(winners) == 0 || a.Has("nodeletion") {
		return
	}
	for i, root := range roots[:2] {
		if winners[0] == roots[1-i] && root != winners[0] {
			a.Argv([]string{"rsync", "-a", "--delete", strings.TrimSuffix(winners[0], "/") + "/", root})
		}
	}
}

// tex reads what a text for TeX gives to a shell, or to Lua.
func (r *reader) tex(a *invocation.Act, text string) {
	for _, word := range []string{`\write18`, `\ShellEscape`, `\input|`, `\openin|`} {
		follow.EachAfter(text, word, func(_, after string) {
			after = strings.TrimLeft(after, " ")
			if command, ok := follow.CutQuote(after); ok {
				a.Script(command)
			} else if strings.HasPrefix(after, "{") {
				a.Script(inBraces(after))
			}
		})
	}
	follow.EachAfter(text, `\directlua`, func(_, after string) {
		if after = strings.TrimLeft(after, " "); strings.HasPrefix(after, "{") {
			follow.Program(a, follow.Interpreters["lua"], inBraces(after), -1, nil)
		}
	})
}

// inBraces is what stands between a brace, with which the text begins, and its
// other one.
func inBraces(text string) string {
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

// typesKeys reads what programs type into the window, or another terminal, that
// somebody has open: it may be a shell.
func typesKeys(a *invocation.Act) {
	for i, arg := range a.Args {
		switch arg {
		case "type", "send-text", "write-chars":
			words := pastTypeFlags(a.Args[i+1:])
			follow.TypedKeys(a, strings.Join(words, " "))
			return
		}
	}
	if a.Name == "wtype" || a.Name == "xte" || a.Name == "dotool" {
		for _, arg := range append(slices.Clone(a.Args), a.In.Text) {
			follow.TypedKeys(a, strings.TrimPrefix(strings.TrimPrefix(arg, "str "), "type "))
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
