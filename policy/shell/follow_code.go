package shell

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
	"github.com/sluice-project/sluice/policy/project"
)

// followCode reads programs and scripts that programs are given in ways of their
// own.
func (r *reader) followCode(a *act) {
	switch a.Name {
	case "manage.py", "django-admin":
		if a.Sub == "shell" || a.Sub == "shell_plus" {
			r.coded(a, "python", a.Flag("c")+a.Flag("command"))
			r.codedInput(a, "python")
		}
	case "rails":
		if (a.Sub == "runner" || a.Sub == "r") && len(a.Operands("e", "environment")) > 1 {
			if p := a.Operands("e", "environment")[1]; path.Ext(p) == ".rb" {
				r.followedBy(a, "ruby", p)
			} else if p != "-" {
				r.coded(a, "ruby", p)
			}
		}
		if a.Sub == "runner" || a.Sub == "console" || a.Sub == "c" || a.Sub == "r" {
			r.codedInput(a, "ruby")
		}
	case "artisan":
		if a.Sub == "tinker" {
			r.coded(a, "php", a.Flag("execute"))
			r.codedInput(a, "php")
		}
	case "wp":
		if a.Sub == "eval" && len(a.Operands()) > 1 {
			r.coded(a, "php", a.Operands()[1])
		}
	case "drush":
		if (a.Sub == "php:eval" || a.Sub == "ev" || a.Sub == "php-eval" || a.Sub == "eval") && len(a.Operands()) > 1 {
			r.coded(a, "php", a.Operands()[1])
		}
	case "flask", "scrapy":
		if a.Sub == "shell" {
			r.coded(a, "python", a.Flag("c"))
			r.codedInput(a, "python")
		}
	case "jupyter", "jupyter-nbconvert", "jupyter-execute", "jupyter-run", "papermill", "ipython", "ipython3":
		r.notebooks(a)
	case "zx":
		r.coded(a, "node", a.Flag("eval")+a.Flag("e"))
		r.codedInput(a, "node")
	case "deno", "bun":
		for _, arg := range a.Args {
			if strings.HasPrefix(arg, "https://") || strings.HasPrefix(arg, "http://") {
				if a.Sub == "run" || a.Sub == "install" || a.Sub == "x" || a.Sub == "serve" || a.Sub == arg || a.Sub == "i" {
					a.does(effect.RunRemote, arg)
				}
			}
		}
	case "vi", "vim", "nvim", "ex", "view", "gvim":
		files := a.after("-s", "-S", "-u")
		for _, command := range a.after("-c", "--cmd", "+") {
			if word, file, ok := strings.Cut(strings.TrimLeft(command, ":"), " "); ok && (word == "so" || word == "source" || word == "runtime") {
				files = append(files, file)
			}
		}
		r.followedAs(a, files...)
		r.followedBy(a, "lua", a.after("-l")...)
	case "gdb", "lldb":
		r.followedAs(a, append(a.after("-x", "--command", "-s", "--source", "-command"), attached(a.Args, "--command=", "-command=")...)...)
	case "emacs", "emacsclient":
		r.followedAs(a, append(a.after("-l", "--load", "--script", "-script"), attached(a.Args, "--load=", "--script=")...)...)
	case "screen", "tmux":
		r.followed(a, terminalCommands, "", strings.Join(a.after("-c", "-f", "source-file", "source"), ""))
	case "direnv":
		if f := r.file(a.path(".envrc")); f != nil && a.Sub != "deny" {
			r.inner(f.Content, a.origin(), flow{})
		}
	case "cmake", "ctest":
		r.followedAs(a, "CMakeLists.txt")
		r.followed(a, project.CMakeLists, "", "", "CMakeLists.txt")
	case "pre-commit", "lefthook":
		r.followed(a, r.parsing("texts", project.Texts), "", a.Flag("c")+a.Flag("config"), ".pre-commit-config.yaml", "lefthook.yml")
	case "gradle", "gradlew":
		r.followedAs(a, "build.gradle", "build.gradle.kts")
	case "terraform", "tofu", "packer":
		if a.Sub == "apply" || a.Sub == "build" {
			r.followed(a, project.Quoted, "", "", "main.tf", "build.pkr.hcl")
		}
	case "docker", "podman", "docker-compose", "podman-compose", "nerdctl", "buildah":
		if a.Sub == "compose" || strings.HasSuffix(a.Name, "-compose") {
			r.followedMade(a)
		}
		r.followContainers(a)
	case "guix", "ansible-playbook", "nix-build", "nix-instantiate":
		r.followedMade(a)
	case "go", "rustc", "gcc", "clang", "tcc", "swift", "java":
		r.followedMade(a)
	case "osascript":
		r.appleEvents(a)
	case "rmdir", "mkdir", "format", "shutdown", "type", "find", "sort", "timeout": // as cmd.exe has them
		if len(a.Args) > 0 && (strings.EqualFold(a.Args[0], "/s") || strings.EqualFold(a.Args[0], "/q")) {
			a.windows(windows.Cmd(a.windowsLine(), a.at))
		}
	}
}

// attached are the values that stand in the same word as their flags.
func attached(args []string, flags ...string) []string {
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

// coded reads a program in a language that an interpreter is known for.
func (r *reader) coded(a *act, language, text string) {
	if text != "" {
		a.program(interpreters[language], text, slices.Index(a.Args, text), nil)
	}
}

// codedInput reads a program from the input, as consoles take it.
func (r *reader) codedInput(a *act, language string) {
	if a.in.piped && (a.in.known || a.in.remote != "" || a.in.hidden != "") {
		given := *a
		given.programInput(interpreters[language], nil)
	}
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
func (a *act) magic(program string) string {
	switch {
	case strings.HasPrefix(a.Name, "ipython"), strings.HasPrefix(a.Name, "jupyter"), a.Name == "papermill":
	default:
		return program
	}
	var rest strings.Builder
	for line := range strings.Lines(program) {
		trimmed := strings.TrimSpace(line)
		if _, command, ok := strings.Cut(trimmed, "= !"); ok { // out = !command
			trimmed = "!" + command
		}
		word, command, _ := strings.Cut(trimmed, " ")
		switch {
		case word == "%%bash", word == "%%sh", word == "%%script", word == "%%system", word == "%%!":
			_, cell, _ := strings.Cut(program, word)
			_, cell, _ = strings.Cut(cell, "\n")
			a.script(cell)
			return rest.String()
		case strings.HasPrefix(trimmed, "!"):
			a.script(strings.TrimLeft(trimmed, "!"))
		case word == "%sx", word == "%system", word == "%rm":
			if word == "%rm" {
				command = "rm " + command
			}
			a.script(command)
		default:
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// notebooks reads the cells of notebooks that are run.
func (r *reader) notebooks(a *act) {
	read := func(content string) {
		if !r.pay(len(content)) {
			return
		}
		var book struct {
			Cells []struct {
				Kind   string          `json:"cell_type"`
				Source json.RawMessage `json:"source"`
			} `json:"cells"`
		}
		if json.Unmarshal([]byte(content), &book) != nil {
			r.lookOver(a, content)
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
				a.program(interpreters["python"], text, -1, nil)
			}
		}
	}
	for i, arg := range a.Args {
		switch {
		case i < len(a.words()) && a.words()[i].made != nil:
			if made := a.words()[i].made; made.remote != "" {
				a.does(effect.RunRemote, made.remote)
			} else if made.known {
				read(made.text)
			}
		case path.Ext(arg) == ".ipynb":
			if content, _ := a.file(arg); content != "" {
				read(content)
			}
		}
	}
}

// appleEvents notes what a script tells the programs of macOS to do.
func (r *reader) appleEvents(a *act) {
	script := strings.ToLower(strings.Join(append(a.after("-e"), a.in.text), "\n"))
	if content, known := a.file(lastOf(a.Args)); known {
		script += strings.ToLower(content)
	}
	for _, text := range append(a.after("-e"), a.in.text) {
		eachAfter(text, "keystroke ", func(_, after string) {
			if keys, ok := quotedText(after); ok {
				a.typedKeys(keys)
			}
		})
	}
	if strings.Contains(script, "login item") && strings.Contains(script, "make") {
		a.does(effect.Persist, "login item")
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
			a.deletes(true, "~")
		case strings.Contains(what, "desktop"):
			a.deletes(true, "~/Desktop")
		case strings.Contains(what, "documents"):
			a.deletes(true, "~/Documents")
		case strings.Contains(what, "startup disk"), strings.Contains(what, "every disk"):
			a.deletes(true, "/")
		default:
			for _, p := range inQuotes(what) {
				if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
					a.deletes(true, p)
				} else if strings.Contains(p, ":") { // Macintosh HD:Users:alice
					_, rest, _ := strings.Cut(p, ":")
					a.deletes(true, "/"+strings.ReplaceAll(rest, ":", "/"))
				}
			}
		}
	}
}
