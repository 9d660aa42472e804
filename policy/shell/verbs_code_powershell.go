package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// powershellVerb reads what PowerShell is called with.
func powershellVerb(a *act) {
	if a.in.piped && windows.ReadsInput(a.Args) {
		a.windowsInput(windows.PowerShell)
		return
	}
	a.windows(windows.RunPowerShell(a.Args, a.at))
}

// cmdletLine is a command as PowerShell reads it, to which a backslash is no
// escape.
func (a *act) cmdletLine() string {
	if strings.Contains(a.Text, `\`) {
		if start := a.calledAt(a.Text); start >= 0 {
			return a.Text[start:]
		}
	}
	return asLine(a)
}

// cmdVerb reads what cmd.exe is called with.
func cmdVerb(a *act) {
	if a.in.piped && len(a.Args) == 0 {
		a.windowsInput(windows.Cmd)
		return
	}
	if line := a.windowsLine(); line != asLine(a) {
		a.windows(windows.Cmd(line, a.at))
		return
	}
	a.windows(windows.RunCmd(a.Args, a.at))
}

// windowsInput reads a script that comes from a pipe.
func (a *act) windowsInput(read func(string, effect.Place) windows.Reading) {
	in := a.in
	a.in = flow{}
	switch {
	case in.remote != "":
		a.does(effect.RunRemote, in.remote)
	case in.known:
		a.windows(read(in.text, a.at))
	case in.hidden != "":
		a.does(effect.RunHidden, in.hidden)
	case in.own:
		a.doubt(Pipe)
	default:
		a.doubt(Pipe)
		a.does(effect.RunHidden, in.by)
	}
}

// windows notes what a script for Windows does. What it calls that is no part of
// Windows is read as a command.
func (a *act) windows(reading windows.Reading) {
	size := 0
	for i := range reading.Commands {
		size += len(reading.Commands[i].Words)
	}
	if !a.r.pay(stepCost+size+len(reading.Effects)) || a.r.depth >= MaxDepth {
		a.doubt(Nesting)
		return
	}
	a.r.depth++
	defer func() { a.r.depth-- }()
	for _, e := range reading.Effects {
		switch e.Verb {
		case effect.Send:
			e.Object = knownHost(e.Object)
		case effect.Run: // it may have been fetched in an earlier call
			if f := a.r.file(e.Object); f != nil && f.Remote != "" {
				a.does(effect.RunRemote, f.Remote)
			}
		default:
		}
		a.add(e)
	}
	for _, file := range reading.Scripts {
		if content, known := a.file(file); known {
			a.windows(windows.PowerShell(content, a.at))
		} else {
			a.does(effect.Run, a.path(file))
		}
	}
	for _, c := range reading.Commands {
		if len(c.Words) == 0 || strings.EqualFold(baseName(c.Words[0]), a.Name) { // this one
			continue
		}
		from := a.origin()
		from.sudo = from.sudo || c.Sudo
		in := a.in
		if c.Piped {
			in = flow{piped: true, known: c.Known, text: c.Input, sources: c.Sources, remote: c.Remote, hidden: c.Hidden}
		}
		a.r.argv(c.Words, from, in)
	}
	for range reading.Unknown {
		a.doubt(Dialect)
	}
}
