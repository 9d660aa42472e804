package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/project"
)

// task is for programs that run what a file of the project says.
func task(kind string) verb {
	return func(a *act) {
		l := a.line(valued("f file justfile d dir working-directory s session C t taskfile e filter F"))
		if l.has("list", "l", "help", "version", "summary", "n", "dry-run") {
			return
		}
		names := l.operands
		if len(names) > 1 && names[0] == "run" {
			names = names[1:]
		}
		a.does(effect.Run, strings.TrimSpace(kind+strings.Join(names, " ")))
	}
}

var makeTakes = valued("C directory f file makefile I include-dir o old-file W what-if eval l O")

// makes reads what the command line of make runs. The makefile is followed, if the
// conversation wrote it; of others it is only known what is to be made.
func makes(a *act) {
	l := a.line(makeTakes)
	for _, text := range append(l.values("eval"), l.operands...) { // also where nothing is made
		a.shellCalls(text)
	}
	if l.has("n", "just-print", "dry-run", "q", "v", "version", "help") {
		return
	}
	for _, text := range l.values("eval") {
		a.steps(project.Make(project.File{Content: text}, project.MakeSetting{}), a.in)
	}
	for _, operand := range l.operands { // make X='$(shell rm -rf /)'
		if command, ok := strings.CutPrefix(operand, "SHELL="); ok {
			a.script(command)
		}
	}
	if file := l.value("f", "file", "makefile"); file == "-" || file == "/dev/stdin" || file == "/dev/fd/0" {
		switch {
		case a.in.remote != "":
			a.does(effect.RunRemote, a.in.remote)
		case a.in.known:
			a.steps(made(a)(project.File{Content: a.in.text, Whole: true}), a.in)
			return
		}
	}
	dir := l.value("C", "directory")
	for _, file := range makefiles(l.value("f", "file", "makefile")) {
		if !effect.IsAbs(file) {
			file = path.Join(dir, file)
		}
		if a.r.file(a.path(file)) != nil {
			return
		}
	}
	a.does(effect.Run, strings.TrimSpace("make "+strings.Join(l.operands, " ")))
}

// makefiles are the files that make looks for, if none is given.
func makefiles(given string) []string {
	if given != "" {
		return []string{given}
	}
	return []string{"Makefile", "makefile", "GNUmakefile"}
}

// shellCalls reads the $(shell ...) of a makefile.
func (a *act) shellCalls(text string) {
	for range 8 {
		_, rest, ok := strings.Cut(text, "$(shell ")
		if !ok {
			return
		}
		command, after, _ := strings.Cut(rest, ")")
		a.script(command)
		text = after
	}
}

// assignsThenRuns is cross-env A=1 B=2 COMMAND.
func assignsThenRuns(a *act) {
	words := a.Args
	for len(words) > 0 && strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	if a.Name == "cross-env-shell" {
		a.script(strings.Join(words, " "))
		return
	}
	a.argv(words)
}

// behindDashes is for programs that run what is behind --. Without it, some take
// what follows their flags.
func behindDashes(a *act) {
	for i, word := range a.Args {
		if word == "--" {
			if rest := a.Args[i+1:]; len(rest) == 1 && (baseName(rest[0]) == "env" || baseName(rest[0]) == "printenv") && a.Is("aws-vault", "chamber", "doppler", "infisical", "op", "teller") {
				a.reveals("credentials of " + a.Name)
			}
			a.argv(a.Args[i+1:])
			return
		}
	}
	switch l := cutLine(a.Args, valued("e f c p v"), firstEnds); {
	case a.Is("dotenv", "dotenv-cli"):
		a.argv(l.operands)
	case a.Is("dotenvx", "mise", "rtx", "infisical", "doppler") && (l.operand(0) == "run" || l.operand(0) == "exec" || l.operand(0) == "x"):
		inner := cutLine(l.from(1), valued("f env-file p project c config command env"), firstEnds)
		if command := inner.value("command"); command != "" {
			a.script(command)
			return
		}
		words := inner.operands
		for a.Is("mise", "rtx") && len(words) > 0 && strings.Contains(words[0], "@") {
			words = words[1:]
		}
		a.argv(words)
	case a.Is("aws-vault", "chamber") && l.operand(0) == "exec":
		a.argv(l.from(2))
	}
}

// behindFlags is for programs that run what follows their flags.
func behindFlags(values string) verb {
	set := valued(values)
	return func(a *act) { a.argv(cutLine(a.Args, set, firstEnds).operands) }
}

// runsEach is for programs each of whose operands is a command for a shell.
func runsEach(values string) verb {
	set := valued(values)
	return func(a *act) {
		l := a.line(set)
		for _, command := range append(l.values("p", "prepare", "c", "cleanup", "s", "setup"), l.operands...) {
			switch {
			case a.Name == "concurrently" && (strings.HasPrefix(command, "npm:") || strings.HasPrefix(command, "pnpm:") || strings.HasPrefix(command, "yarn:")):
				_, name, _ := strings.Cut(command, ":")
				a.does(effect.Run, "npm script "+name)
			case a.Name == "concurrently" && !strings.ContainsAny(command, " /") && len(command) < 3: // a value of a short flag
			case a.Name == "start-server-and-test" && strings.Contains(command, "://"):
			default:
				a.script(command)
			}
		}
	}
}

func nodemon(a *act) {
	l := cutLine(a.Args, valued("x exec e ext w watch i ignore d delay C config signal"), gnu)
	if command := l.value("x", "exec"); command != "" {
		a.script(strings.Join(append([]string{command}, l.operands...), " "))
		return
	}
	a.argv(append([]string{"node"}, l.operands...))
}

func watchexec(a *act) {
	l := cutLine(a.Args, valued("e exts w watch i ignore f filter d debounce s signal c command shell on-busy-update"), firstEnds)
	if command := l.value("c", "command"); command != "" && a.Name == "chokidar" {
		a.script(command)
	}
	for i, word := range a.Args {
		if a.Name == "chokidar" && (word == "-c" || word == "--command") && i+1 < len(a.Args) {
			a.script(a.Args[i+1])
		}
	}
	if a.Name == "watchexec" {
		a.script(strings.Join(l.operands, " "))
	}
}

// direnv exec DIR COMMAND; allow lets a file of the project run.
func direnv(a *act) {
	l := cutLine(a.Args, nil, firstEnds)
	switch l.operand(0) {
	case "exec":
		a.argv(l.from(2))
	case "allow", "permit", "grant":
		a.does(effect.Run, a.path(".envrc"))
	}
}

// execWord is for programs that run what follows their word exec or run.
func execWord(a *act) {
	l := cutLine(a.Args, nil, firstEnds)
	words := l.from(1)
	switch {
	case l.operand(0) == "install" && a.Is("volta"):
		for _, spec := range words {
			a.installs(spec, "")
		}
		return
	case l.operand(0) != "exec" && l.operand(0) != "run":
		return
	}
	inner := cutLine(words, valued("using node npm version c config"), firstEnds)
	words = inner.operands
	if a.Is("nvm") && len(words) > 0 && strings.Trim(words[0], "v0123456789.") == "" {
		words = words[1:]
	}
	if a.Is("nvm") && l.operand(0) == "run" {
		words = append([]string{"node"}, words...)
	}
	a.argv(words)
}

func pm2(a *act) {
	l := a.line(valued("n name i instances max-memory-restart interpreter cwd watch-delay e o l"))
	switch l.operand(0) {
	case "start":
		if command := l.operand(1); strings.Contains(command, " ") {
			a.script(command)
		} else if command != "" {
			a.does(effect.Run, a.path(command))
		}
	case "startup", "save":
		a.does(effect.Persist, "pm2 "+l.operand(0))
	case "delete", "kill":
		a.does(effect.Kill, strings.TrimSpace("pm2 "+strings.Join(l.from(1), " ")))
	}
}

func perf(a *act) {
	l := cutLine(a.Args, nil, firstEnds)
	if word := l.operand(0); word == "stat" || word == "record" {
		a.argv(cutLine(l.from(1), valued("e event o output F freq p pid c count C cpu r repeat g"), firstEnds).operands)
	}
}
