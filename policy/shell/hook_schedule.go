package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// persists notes that something runs again by itself.
func (a *act) persists(what string) { a.does(effect.Persist, what) }

// replacesCrontab is crontab with a file, with its input or with an editor: what runs
// by the clock from then on.
func replacesCrontab(a *act, in *command.Reading) {
	file := in.Value("file")
	if in.Has("l") || in.Has("V") || in.Has("r") || in.Has("d") || file == "" && !in.Has("e") && !a.in.piped {
		return
	}
	e := effect.Effect{Verb: effect.Persist, Object: "crontab", From: a.cameFrom()}
	if !isNoFile(file) {
		e.From = a.path(file)
	} else if a.in.known {
		e.Content = a.in.text
		a.add(e)
		a.cronLines(a.in.text)
		return
	}
	a.add(e)
}

// cronLines reads the commands of a crontab.
func (a *act) cronLines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := 5
		if line[0] == '@' {
			fields = 1
		}
		for range fields {
			i := strings.IndexAny(line, " \t")
			if i < 0 {
				line = ""
				break
			}
			line = strings.TrimLeft(line[i:], " \t")
		}
		if line != "" {
			a.script(line)
		}
	}
}

// runsLater is at, which runs a file or its input.
func runsLater(a *act, in *command.Reading) {
	switch file := in.Value("file"); {
	case in.Has("l"), in.Has("d"), in.Has("r"), in.Has("V"), in.Has("c"):
	case file != "":
		a.runs(file)
	case a.in.piped:
		a.runsInput()
	}
}
