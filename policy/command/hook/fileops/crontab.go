package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// ReplacesCrontab is crontab with a file, with its input or with an editor: what runs
// by the clock from then on.
func ReplacesCrontab(a *invocation.Act, in *command.Reading) {
	file := in.Value("file")
	if in.Surely("l", "V", "r", "d") || file == "" && !in.Has("e") && !a.In.Piped {
		return
	}
	e := effect.Effect{Verb: effect.Persist, Object: "crontab", From: a.CameFrom()}
	if !invocation.IsNoFile(file) {
		e.From = a.Path(file)
	} else if a.In.Known {
		e.Content = a.In.Text
		a.Add(e)
		cronLines(a, a.In.Text)
		return
	}
	a.Add(e)
}

// cronLines reads the commands of a crontab.
func cronLines(a *invocation.Act, text string) {
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
			a.Script(line)
		}
	}
}
