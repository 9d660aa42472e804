package invocation

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// Windows notes what a script for Windows does. What it calls that is no part of
// Windows is read as a command.
func (a *Act) Windows(reading windows.Reading) {
	size := 0
	for i := range reading.Commands {
		size += len(reading.Commands[i].Words)
	}
	if !a.R.Pay(StepCost+size+len(reading.Effects)) || a.R.Depth >= MaxDepth {
		a.Doubt(Nesting)
		return
	}
	a.R.Depth++
	defer func() { a.R.Depth-- }()
	for _, e := range reading.Effects {
		switch e.Verb {
		case effect.Send:
			e.Object = KnownHost(e.Object)
		case effect.Run: // it may have been fetched in an earlier call
			if f := a.R.File(e.Object); f != nil && f.Remote != "" {
				a.Does(effect.RunRemote, f.Remote)
			}
		default:
		}
		a.Add(e)
	}
	for _, file := range reading.Scripts {
		if content, known := a.File(file); known {
			a.Windows(windows.PowerShell(content, a.At))
		} else {
			a.Does(effect.Run, a.Path(file))
		}
	}
	for _, c := range reading.Commands {
		if len(c.Words) == 0 || strings.EqualFold(BaseName(c.Words[0]), a.Name) { // this one
			continue
		}
		from := a.Origin()
		from.Sudo = from.Sudo || c.Sudo
		in := a.In
		if c.Piped {
			in = Flow{Piped: true, Known: c.Known, Text: c.Input, Sources: c.Sources, Remote: c.Remote, Hidden: c.Hidden}
		}
		a.R.Shell.Argv(c.Words, from, in)
	}
	for range reading.Unknown {
		a.Doubt(Dialect)
	}
}
