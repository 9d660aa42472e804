package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// windowsVerb reads a program of Windows that is called from another shell.
func windowsVerb(a *invocation.Act) {
	line := WindowsLine(a)
	called, _, _ := strings.Cut(line, " ")
	if p := strings.Trim(called, `"'`); strings.Contains(p, "/") && !strings.HasSuffix(strings.ToLower(p), ".exe") { // a script of that name
		ScriptFile(a.R, a, p)
		return
	}
	if strings.EqualFold(a.Name, "diskpart") && a.In.Piped && (!a.In.Known || windows.Erases(a.In.Text)) {
		a.Does(effect.Format, "disk")
	}
	a.Windows(windows.Cmd(line, a.At))
}

// firstLine is the command up to the end of its line. A backslash by itself at the end
// goes on with the next line.
func firstLine(a *invocation.Act) string {
	text := a.Text
	if strings.Contains(text, " \\\n") {
		text = strings.ReplaceAll(text, " \\\n", " ")
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// WindowsLine is the command as cmd.exe reads it. The backslashes of paths are
// no escapes there, so that the text counts from which the shell took them.
func WindowsLine(a *invocation.Act) string {
	text := firstLine(a)
	if !strings.Contains(text, `\`) || invocation.Unknown(text) {
		return AsLine(a)
	}
	start := calledAt(a, text)
	if start < 0 {
		return AsLine(a)
	}
	var b strings.Builder
	escapes, quote := false, byte(0)
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote == '"' && i+1 < len(text) && text[i+1] == '"': // a quote within quotes
			i++
		case c == quote:
			quote = 0
			b.WriteByte('"')
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
			b.WriteByte('"')
		default:
			escapes = escapes || c == '\\' && quote == 0
			b.WriteByte(c)
		}
	}
	if !escapes {
		return AsLine(a)
	}
	return b.String()
}

// calledAt is where in a text the name of the command stands, -1 if it is not
// found: wrappers may stand before it.
func calledAt(a *invocation.Act, text string) int {
	at := 0
	for at < len(text) {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		end := strings.IndexAny(text[at:], " \t")
		if end < 0 {
			end = len(text) - at
		}
		word := strings.NewReplacer(`"`, "", "'", "").Replace(text[at : at+end])
		if invocation.BaseName(word) == a.Name || invocation.BaseName(strings.ReplaceAll(word, `\`, "")) == a.Name {
			return at
		}
		at += end
	}
	return -1
}

// ownProgram reads a program of Windows that is called by the name of its file:
// there the working directory is searched too.
func ownProgram(r *invocation.Reader, a *invocation.Act) {
	text := firstLine(a)
	start := calledAt(a, text)
	if start < 0 {
		return
	}
	called, _, _ := strings.Cut(text[start:], " ")
	called = strings.ReplaceAll(strings.Trim(called, `"'`), `\`, "/")
	switch strings.ToLower(path.Ext(called)) {
	case ".exe", ".com", ".scr", ".msi", ".bat", ".cmd", ".ps1", ".vbs", ".js", ".hta", ".wsf", ".lnk":
	default:
		return
	}
	p := a.Path(windows.Expand(called))
	f := r.File(p)
	switch {
	case f == nil || f.From != "" && !f.Known && decoded(r, p):
		if f != nil {
			a.Does(effect.RunHidden, windows.Decoder)
		}
		a.Does(effect.Run, p)
	case f.Remote != "":
		a.Does(effect.RunRemote, f.Remote)
	case f.Content == "":
		a.Does(effect.Run, p)
	default:
		windowsScript(a, path.Ext(called), f.Content)
	}
}

// Wine runs a program of Windows, for which the disk Z: is the whole machine.
func Wine(a *invocation.Act) {
	first := len(a.R.Reading.Effects)
	a.Argv(PastFlags(a.Args))
	for i := range a.R.Reading.Effects[first:] {
		e := &a.R.Reading.Effects[first+i]
		if rest, ok := CutFold(e.Object, "z:/"); ok {
			e.Object = "/" + rest
		}
	}
}

// decoded reports whether a file is what certutil made of another one.
func decoded(r *invocation.Reader, p string) bool {
	for i := range r.Reading.Effects {
		if e := &r.Reading.Effects[i]; e.Verb == effect.Write && e.How == windows.Decoder && e.Object == p {
			return true
		}
	}
	return false
}

// windowsScript reads a script for Windows by the ending of its file.
func windowsScript(a *invocation.Act, ending, content string) {
	if !a.R.Pay(len(content)) {
		return
	}
	switch strings.ToLower(ending) {
	case ".bat", ".cmd":
		a.Windows(windows.Cmd(content, a.At))
	case ".ps1":
		a.Windows(windows.PowerShell(content, a.At))
	default:
		a.R.Shell.LookOver(a, content)
	}
}

// powershellVerb reads what PowerShell is called with.
func powershellVerb(a *invocation.Act) {
	if a.In.Piped && windows.ReadsInput(a.Args) {
		windowsInput(a, windows.PowerShell)
		return
	}
	OpensShell(a, strings.Join(a.Args, " "))
	a.Windows(windows.RunPowerShell(a.Args, a.At))
}

// CmdletLine is a command as PowerShell reads it, to which a backslash is no
// escape.
func CmdletLine(a *invocation.Act) string {
	if strings.Contains(a.Text, `\`) {
		if start := calledAt(a, a.Text); start >= 0 {
			return a.Text[start:]
		}
	}
	return AsLine(a)
}

// cmdVerb reads what cmd.exe is called with.
func cmdVerb(a *invocation.Act) {
	if a.In.Piped && len(a.Args) == 0 {
		windowsInput(a, windows.Cmd)
		return
	}
	if line := WindowsLine(a); line != AsLine(a) {
		a.Windows(windows.Cmd(line, a.At))
		return
	}
	a.Windows(windows.RunCmd(a.Args, a.At))
}

// windowsInput reads a script that comes from a pipe.
func windowsInput(a *invocation.Act, read func(string, effect.Place) windows.Reading) {
	in := a.In
	a.In = invocation.Flow{}
	switch {
	case in.Remote != "":
		a.Does(effect.RunRemote, in.Remote)
	case in.Known:
		a.Windows(read(in.Text, a.At))
	case in.Hidden != "":
		a.Does(effect.RunHidden, in.Hidden)
	case in.Own:
		a.Doubt(invocation.Pipe)
	default:
		a.Doubt(invocation.Pipe)
		a.Does(effect.RunHidden, in.By)
	}
}
