package follow

import (
	"encoding/json"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// Attached are the values that stand in the same word as their flags.
func Attached(args []string, flags ...string) []string {
	var list []string
	for _, arg := range args {
		for _, flag := range flags {
			if value, ok := strings.CutPrefix(arg, flag); ok && value != "" {
				list = append(list, value)
			}
		}
	}
	return list
}

// terminalCommands are what the settings of a terminal start.
func terminalCommands(f project.File) project.Steps {
	var s project.Steps
	for line := range strings.Lines(f.Content) {
		for _, word := range []string{"exec ", "screen ", "run-shell ", "run ", "new-window ", "split-window ", "if-shell ", "!"} {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), word); ok {
				s.Commands = append(s.Commands, project.Command{Shell: strings.Trim(command, `"'`)})
			}
		}
	}
	return f.OrLines(s)
}

// magic reads the lines of a notebook or of IPython that are given to a shell,
// and returns the others.
func magic(a *invocation.Act, program string) string {
	switch {
	case strings.HasPrefix(a.Name, "ipython"), strings.HasPrefix(a.Name, "jupyter"), a.Name == "papermill":
	default:
		return program
	}
	var rest strings.Builder
	for line := range strings.Lines(program) {
		trimmed := strings.TrimSpace(line)
		if _, value, ok := strings.Cut(trimmed, "="); ok && strings.HasPrefix(strings.TrimSpace(value), "!") { // out = !command
			trimmed = strings.TrimSpace(value)
		}
		word, command, _ := strings.Cut(trimmed, " ")
		switch {
		case word == "%%bash", word == "%%sh", word == "%%script", word == "%%system", word == "%%sx", word == "%%!":
			_, cell, _ := strings.Cut(program, word)
			_, cell, _ = strings.Cut(cell, "\n")
			a.Script(cell)
			return rest.String()
		case strings.HasPrefix(trimmed, "!") && !strings.HasPrefix(trimmed, "!="):
			a.Script(strings.TrimLeft(trimmed, "!"))
		case word == "%sx", word == "%system", word == "%sc":
			a.Script(command)
		case strings.HasPrefix(word, "%") && len(word) > 1: // %rm, %cd, %pip
			a.Script(trimmed[1:])
		default:
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// notebook reads the cells of a notebook that is run.
func notebook(a *invocation.Act, content string) {
	var book struct {
		Cells []struct {
			Kind   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if json.Unmarshal([]byte(content), &book) != nil {
		a.R.Shell.LookOver(a, content)
		return
	}
	for _, cell := range book.Cells {
		var lines []string
		var text string
		if json.Unmarshal(cell.Source, &lines) == nil {
			text = strings.Join(lines, "")
		} else if json.Unmarshal(cell.Source, &text) != nil {
			continue
		}
		if cell.Kind == "code" || cell.Kind == "" {
			Program(a, Interpreters["python"], text, -1, nil)
		}
	}
}

// appleEvents notes what a script tells the programs of macOS to do.
func appleEvents(a *invocation.Act, text string) {
	EachAfter(text, "keystroke ", func(_, after string) {
		if keys, ok := QuotedText(after); ok {
			TypedKeys(a, keys)
		}
	})
	script := strings.ToLower(text)
	if strings.Contains(script, "login item") && strings.Contains(script, "make") {
		a.Does(effect.Persist, "login item")
	}
	for _, verb := range []string{"delete", "empty trash", "empty the trash", "move"} {
		_, what, ok := strings.Cut(script, verb)
		if !ok || !strings.Contains(script, "finder") && !strings.Contains(script, "system events") {
			continue
		}
		what, _, _ = strings.Cut(what, "\n")
		switch {
		case verb == "move" && !strings.Contains(what, "trash"):
		case strings.Contains(what, "home"):
			a.DeletesFiles(true, "~")
		case strings.Contains(what, "desktop"):
			a.DeletesFiles(true, "~/Desktop")
		case strings.Contains(what, "documents"):
			a.DeletesFiles(true, "~/Documents")
		case strings.Contains(what, "startup disk"), strings.Contains(what, "every disk"):
			a.DeletesFiles(true, "/")
		default:
			for _, p := range InQuotes(what) {
				if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
					a.DeletesFiles(true, p)
				} else if strings.Contains(p, ":") { // Macintosh HD:Users:alice
					_, rest, _ := strings.Cut(p, ":")
					a.DeletesFiles(true, "/"+strings.ReplaceAll(rest, ":", "/"))
				}
			}
		}
	}
}
