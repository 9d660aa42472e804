package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/project"
)

// makes reads what the command line of make runs. The makefile is followed, if the
// conversation wrote it; of others it is only known what is to be made.
func makes(a *act, in *command.Reading) {
	targets, texts := in.Values("target"), in.Values("eval")
	for _, text := range append(texts, targets...) { // also where nothing is made
		a.shellCalls(text)
	}
	if in.Has("just-print") || in.Has("question") || in.Has("version") {
		return
	}
	for _, text := range texts {
		a.steps(project.Make(project.File{Content: text}, project.MakeSetting{}), a.in)
	}
	for _, target := range targets { // make X='$(shell rm -rf /)'
		if shell, ok := strings.CutPrefix(target, "SHELL="); ok {
			a.script(shell)
		}
	}
	if file := in.Value("file"); file == "-" || file == "/dev/stdin" || file == "/dev/fd/0" {
		switch {
		case a.in.remote != "":
			a.does(effect.RunRemote, a.in.remote)
		case a.in.known:
			a.steps(made(a)(project.File{Content: a.in.text, Whole: true}), a.in)
			return
		}
	}
	for _, file := range makefiles(in.Value("file")) {
		if !effect.IsAbs(file) {
			file = path.Join(in.Value("directory"), file)
		}
		if a.r.file(a.path(file)) != nil {
			return
		}
	}
	a.does(effect.Run, strings.TrimSpace("make "+strings.Join(targets, " ")))
}

// makefiles are the files that make looks for, if none is given.
func makefiles(given string) []string {
	if given != "" {
		return []string{given}
	}
	return []string{"Makefile", "makefile", "GNUmakefile"}
}

// shellCalls reads the $(shell ...) of a makefile, and the files that $(file ...) writes
// and reads.
func (a *act) shellCalls(text string) {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "$(file ")
		if !ok {
			break
		}
		name, _, _ := strings.Cut(after, ")")
		name, _, _ = strings.Cut(name, ",")
		switch p := strings.Trim(name, "<> "); {
		case strings.HasPrefix(strings.TrimSpace(name), "<"):
			a.looks(false, p)
		case p != "":
			a.writes(p)
		}
		rest = after
	}
	for range 8 {
		_, rest, ok := strings.Cut(text, "$(shell ")
		if !ok {
			return
		}
		line, after, _ := strings.Cut(rest, ")")
		a.script(line)
		text = after
	}
}

// runsText runs words that a shell reads as one text.
func runsText(a *act, in *command.Reading) { a.script(strings.Join(in.Values("word"), " ")) }

// runsScripts is for programs each of whose words is a command for a shell, or the name
// of a script of the project.
func runsScripts(a *act, in *command.Reading) {
	for _, text := range in.Values("script") {
		switch kind, name, _ := strings.Cut(text, ":"); {
		case kind == "npm" || kind == "pnpm" || kind == "yarn":
			a.does(effect.Run, "npm script "+name)
		case strings.Contains(text, "://"):
		default:
			a.script(text)
		}
	}
}

// nodemon runs a command with the words, or node.
func nodemon(a *act, in *command.Reading) {
	if text := in.Value("exec"); text != "" {
		a.script(strings.Join(append([]string{text}, in.Values("word")...), " "))
		return
	}
	a.argv(append([]string{"node"}, in.Values("word")...))
}

// runsBehindVersion is nvm exec VERSION COMMAND and nvm run VERSION FILE.
func runsBehindVersion(a *act, in *command.Reading) {
	for words := range in.Begins("argv") {
		if strings.Trim(words[0], "v0123456789.") == "" {
			words = words[1:]
		}
		if in.Value("command") == "run" {
			words = append([]string{"node"}, words...)
		}
		a.argv(words)
	}
}

// keepsRunning is pm2 start, with a command or a file.
func keepsRunning(a *act, in *command.Reading) {
	for _, program := range in.Values("program") {
		if strings.Contains(program, " ") {
			a.script(program)
		} else {
			a.does(effect.Run, a.path(program))
		}
	}
}
