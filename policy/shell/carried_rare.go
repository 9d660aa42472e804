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
		follow.SetsScripts(a)
	case "unison":
		follow.Unison(a)
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
		follow.TypesKeys(a)
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
		follow.LastWritten(a)
	case "ffmpeg", "avconv":
		follow.LastWritten(a)
	case "bleachbit":
		if a.Has("s") || a.Has("--shred") {
			a.DeletesFiles(true, a.Operands()...)
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
				a.Script(follow.InBraces(after))
			}
		})
	}
	follow.EachAfter(text, `\directlua`, func(_, after string) {
		if after = strings.TrimLeft(after, " "); strings.HasPrefix(after, "{") {
			follow.Program(a, follow.Interpreters["lua"], follow.InBraces(after), -1, nil)
		}
	})
}
