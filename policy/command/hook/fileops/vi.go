package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// runsInput notes that each line of the input is given to a shell.
func runsInput(a *invocation.Act) {
	if a.In.Piped {
		a.R.Shell.RunInput(a)
		return
	}
	a.Doubt(invocation.Eval)
}

// Ed changes a file by the commands on its input.
func Ed(a *invocation.Act, in *command.Reading) {
	for _, file := range in.Values("path") {
		if strings.HasPrefix(file, "!") {
			a.Script(file[1:])
			continue
		}
		if a.In.Known && exEmpties(Lines(a.In.Text)) {
			follow.Emptied(a, file)
		}
		follow.Adds(a, file, exAdds(a.In.Text), false)
		if !a.In.Known && a.In.Piped || a.In.Known && slices.ContainsFunc(Lines(a.In.Text), exPrints) {
			a.Looks(false, file)
		}
	}
	if a.In.Known {
		for line := range strings.Lines(a.In.Text) {
			follow.ExCommand(a, strings.TrimRight(line, "\r\n"))
		}
	}
}

// exAdds are the lines that the commands a, i and c of a script put into a file, each up to a
// line with nothing but a dot.
func exAdds(script string) string {
	var b strings.Builder
	typing := false
	for line := range strings.Lines(script) {
		text := strings.TrimSpace(line)
		switch {
		case typing && text == ".":
			typing = false
		case typing:
			b.WriteString(line)
		default:
			letter := strings.TrimLeft(text, "%0123456789,$.+-")
			typing = letter == "a" || letter == "i" || letter == "c"
		}
	}
	return b.String()
}

// Vi is for the editors that take commands of ex with -c and +.
func Vi(a *invocation.Act, in *command.Reading) {
	commands, files := in.Values("instruction"), in.Values("path")
	for _, file := range in.Values("script") {
		if !strings.EqualFold(file, "NONE") && file != "NORC" && file != "DEFAULTS" {
			a.Runs(file)
		}
	}
	silent := in.Has("e") || in.Has("E") || in.Has("es") || in.Has("Es") || in.Name == "ex"
	if in.Has("s") && !silent && len(files) > 0 { // keys from a file
		a.Runs(files[0])
		files = files[1:]
	}
	if a.In.Known && (silent || in.Has("s")) {
		for line := range strings.Lines(a.In.Text) {
			commands = append(commands, strings.TrimRight(line, "\r\n"))
		}
	}
	made := ""
	for _, instruction := range commands {
		program, gets := exFilter(instruction)
		switch text := strings.Join(files, " "); {
		case program != "" && !gets: // :r !curl
			made = program
		case program != "" && made != "": // :w !sh
			a.Script(made + " | " + program)
			continue
		case program != "" && text != "" && !strings.ContainsAny(text, " '\"$`\\;|&<>()"):
			a.Script("cat -- " + text + " | " + program)
			continue
		}
		follow.ExCommand(a, instruction)
		runsAddress(a, instruction)
	}
	if slices.ContainsFunc(commands, exPrints) {
		a.Looks(false, files...)
	}
	if in.Name == "view" || in.Name == "rview" || in.Surely("R") || in.Name == "vimdiff" {
		a.Looks(false, files...)
		return
	}
	for _, file := range files {
		if exEmpties(commands) {
			follow.Emptied(a, file)
		}
		a.Put(file, "")
	}
}

// exFilter is the program of a command of ex by which the text comes from it, or goes to
// it: r !date, %w !sh.
func exFilter(instruction string) (program string, gets bool) {
	text := strings.TrimLeft(instruction, "+: \t%0123456789,$.'")
	for _, word := range [...]string{"r", "read", "w", "write"} {
		rest, ok := strings.CutPrefix(text, word)
		if ok && word[0] == 'w' && strings.HasPrefix(rest, "!") { // w! writes in any case
			continue
		}
		if rest = strings.TrimLeft(rest, " \t"); ok && strings.HasPrefix(rest, "!") {
			return strings.TrimSpace(rest[1:]), word[0] == 'w'
		}
	}
	return "", false
}

// runsAddress is a command that runs a script at an address: so http://x.
func runsAddress(a *invocation.Act, instruction string) {
	word, address, _ := strings.Cut(strings.TrimLeft(instruction, "+:"), " ")
	switch strings.TrimSuffix(word, "!") {
	case "so", "source", "luafile", "ru", "runtime":
		if command.IsAddress(address) {
			a.Does(effect.RunRemote, strings.TrimSpace(address))
		}
	}
}

// exPrints reports whether a command of ex or ed prints what is edited.
func exPrints(line string) bool {
	switch word := strings.TrimLeft(strings.TrimSpace(line), "%0123456789,$.:' "); word {
	case "p", "print", "l", "list", "n", "nu", "number", "P", "#":
		return true
	default:
		return (strings.HasPrefix(word, "g/") || strings.HasPrefix(word, "v/")) && (strings.HasSuffix(word, "/p") || strings.HasSuffix(word, "/nu"))
	}
}
