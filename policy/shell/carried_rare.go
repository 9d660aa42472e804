package shell

import (
	"slices"
	"strings"
)

// carriedRare reads the commands that programs run which hardly anybody knows for
// it: in the settings of version control, of what draws and of what sets text.
func (r *reader) carriedRare(a *act) {
	switch a.Name {
	case "ip":
		for _, kind := range []string{"netns", "vrf"} {
			if i := slices.Index(a.Args, kind); i >= 0 && i+3 < len(a.Args) && a.Args[i+1] == "exec" {
				a.argv(a.Args[i+3:])
			}
		}
	case "run-parts":
		for _, pattern := range append(a.after("--regex"), attached(a.Args, "--regex=")...) {
			if name := strings.Trim(pattern, "^$"); isWord(name) {
				a.argv(append([]string{name}, append(a.after("-a", "--arg"), attached(a.Args, "--arg=")...)...))
			}
		}
	case "npm", "pnpm", "yarn", "bun":
		a.setsScripts()
	case "unison":
		a.unison()
	case "dotnet", "dotnet-script", "csharprepl":
		for _, arg := range a.Args {
			if strings.Contains(arg, "(") {
				r.lookOver(a, arg)
			}
		}
		if a.in.known && strings.Contains(a.in.text, "(") {
			r.lookOver(a, a.in.text)
		}
	case "vim", "vi", "nvim", "gvim", "nvr":
		for _, keys := range append(a.after("--remote-send", "--remote-expr", "-cc"), attached(a.Args, "--remote-send=", "--remote-expr=")...) {
			a.typedKeys(keys)
		}
		for _, command := range a.after("-c", "--cmd", "+") {
			a.deletesInEditor(command)
		}
		for _, command := range attached(a.Args, "+") {
			a.deletesInEditor(command)
		}
	case "xdotool", "ydotool", "wtype", "dotool", "xte", "wezterm", "kitty", "kitten", "zellij":
		a.typesKeys()
	case "tex", "latex", "pdftex", "pdflatex", "xetex", "xelatex", "luatex", "lualatex", "etex", "latexmk", "context", "tectonic":
		for _, text := range append(slices.Clone(a.Args), a.in.text) {
			r.tex(a, text)
		}
	case "gs", "ghostscript", "gsnd", "ps2pdf":
		for _, text := range append(slices.Clone(a.Args), a.in.text) {
			if _, command, ok := strings.Cut(text, "%pipe%"); ok {
				command, _, _ = strings.Cut(command, ")")
				a.script(command)
			}
		}
	case "sox", "play", "rec", "soxi", "convert", "magick", "identify", "mogrify", "gm":
		for _, arg := range a.Args {
			if command, ok := strings.CutPrefix(arg, "|"); ok {
				a.script(command)
			}
			if file, ok := strings.CutPrefix(arg, "ephemeral:"); ok {
				a.deletes(false, file)
			}
		}
		a.lastWritten()
	case "ffmpeg", "avconv":
		a.lastWritten()
	case "bleachbit":
		if a.Has("s") || a.Has("--shred") {
			a.deletes(true, a.Operands()...)
		}
	}
}

// lastWritten notes the file that a program writes whose last operand it is.
func (a *act) lastWritten() {
	if to := lastOf(a.Args); to != "" && to[0] != '-' && to[0] != '|' && len(a.Args) > 1 && !strings.Contains(to, "://") && !strings.HasSuffix(to, ":") {
		a.writes(to)
	}
}

// setsScripts reads the commands that are put into package.json to be run later.
func (a *act) setsScripts() {
	l := Command{Args: a.Args}
	words := l.Operands("prefix", "C", "w", "workspace", "dir")
	switch {
	case len(words) > 2 && words[0] == "pkg" && words[1] == "set":
		for _, word := range words[2:] {
			if name, command, ok := strings.Cut(word, "="); ok && strings.HasPrefix(name, "scripts") {
				a.script(command)
			}
		}
	case len(words) > 2 && words[0] == "set-script":
		a.script(strings.Join(words[2:], " "))
	}
}

// unison makes one directory what another one is, where it is told which counts.
func (a *act) unison() {
	roots := pastFlags(a.Args)
	winners := append(a.after("-force", "--force"), attached(a.Args, "-force=", "--force=")...)
	if len(roots) < 2 || len(winners) == 0 || a.Has("nodeletion") {
		return
	}
	for i, root := range roots[:2] {
		if winners[0] == roots[1-i] && root != winners[0] {
			a.argv([]string{"rsync", "-a", "--delete", strings.TrimSuffix(winners[0], "/") + "/", root})
		}
	}
}

// tex reads what a text for TeX gives to a shell, or to Lua.
func (r *reader) tex(a *act, text string) {
	for _, word := range []string{`\write18`, `\ShellEscape`, `\input|`, `\openin|`} {
		eachAfter(text, word, func(_, after string) {
			after = strings.TrimLeft(after, " ")
			if command, ok := cutQuote(after); ok {
				a.script(command)
			} else if strings.HasPrefix(after, "{") {
				a.script(inBraces(after))
			}
		})
	}
	eachAfter(text, `\directlua`, func(_, after string) {
		if after = strings.TrimLeft(after, " "); strings.HasPrefix(after, "{") {
			a.program(interpreters["lua"], inBraces(after), -1, nil)
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

// deletesInEditor notes what a function of the editor's own deletes: delete(x,
// "rf") in its language, and in Lua.
func (a *act) deletesInEditor(command string) {
	_, after, ok := strings.Cut(command, "delete(")
	if !ok || !strings.Contains(after, "rf") {
		return
	}
	for _, home := range [...]string{"vim.env.HOME", "$HOME", `expand("~")`, "expand('~')", `vim.fn.expand("~")`, "vim.fn.expand('~')", `os.getenv("HOME")`, "os.getenv('HOME')"} {
		if rest, ok := strings.CutPrefix(after, home); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), ",") {
			a.deletes(true, "~")
		}
	}
	if p, quoted := quotedText(after); quoted && strings.Contains(command, "vim.fn") {
		a.deletes(true, p)
	}
}

// typesKeys reads what programs type into the window, or another terminal, that
// somebody has open: it may be a shell.
func (a *act) typesKeys() {
	for i, arg := range a.Args {
		switch arg {
		case "type", "send-text", "write-chars":
			words := pastTypeFlags(a.Args[i+1:])
			a.typedKeys(strings.Join(words, " "))
			return
		}
	}
	if a.Name == "wtype" || a.Name == "xte" || a.Name == "dotool" {
		for _, arg := range append(slices.Clone(a.Args), a.in.text) {
			a.typedKeys(strings.TrimPrefix(strings.TrimPrefix(arg, "str "), "type "))
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

// typedKeys reads keys as the text that a shell would get, without the names of
// those that stand for no character, and what an editor is told behind a colon.
func (a *act) typedKeys(keys string) {
	text := keyNames.Replace(ansi(keys))
	text = strings.TrimLeft(text, "\x03\x04\x15\x1b \t")
	if command, ok := strings.CutPrefix(text, ":"); ok {
		for line := range strings.Lines(command) {
			a.exCommand(strings.TrimSpace(line))
			a.deletesInEditor(line)
		}
		return
	}
	if strings.ContainsAny(text, " \t\n") {
		a.script(text)
	}
}

// keyNames are keys as editors write them.
var keyNames = strings.NewReplacer("<CR>", "\n", "<cr>", "\n", "<Enter>", "\n", "<Return>", "\n", "<Esc>", "", "<esc>", "", "<ESC>", "", "<C-c>", "", "<C-\\>", "", "<C-n>", "", "\r", "\n", "<Space>", " ", "<lt>", "<")
