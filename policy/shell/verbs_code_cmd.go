package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// isOfWindows reports whether a program comes with Windows or is made for it,
// beside those that isForWindows knows.
func isOfWindows(name string) bool {
	switch strings.ToLower(name) {
	case "auditpol", "ntdsutil", "sdelete", "sdelete64", "mpcmdrun", "manage-bde", "forfiles", "runas", "reagentc", "start", "bcdboot", "tskill", "esentutl", "cmstp", "installutil", "procdump64":
		return true
	}
	return false
}

// windowsVerb reads a program of Windows that is called from another shell.
func windowsVerb(a *act) {
	line := a.windowsLine()
	called, _, _ := strings.Cut(line, " ")
	if p := strings.Trim(called, `"'`); strings.Contains(p, "/") && !strings.HasSuffix(strings.ToLower(p), ".exe") { // a script of that name
		a.r.scriptFile(a, p)
		return
	}
	if strings.EqualFold(a.Name, "diskpart") && a.in.piped && (!a.in.known || windows.Erases(a.in.text)) {
		a.does(effect.Format, "disk")
	}
	a.windows(windows.Cmd(line, a.at))
}

// firstLine is the command up to the end of its line. A backslash by itself at the end
// goes on with the next line.
func (a *act) firstLine() string {
	text := a.Text
	if strings.Contains(text, " \\\n") {
		text = strings.ReplaceAll(text, " \\\n", " ")
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// windowsLine is the command as cmd.exe reads it. The backslashes of paths are
// no escapes there, so that the text counts from which the shell took them.
func (a *act) windowsLine() string {
	text := a.firstLine()
	if !strings.Contains(text, `\`) || unknown(text) {
		return asLine(a)
	}
	start := a.calledAt(text)
	if start < 0 {
		return asLine(a)
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
		return asLine(a)
	}
	return b.String()
}

// windowsArgs are the arguments as cmd.exe reads them.
func (a *act) windowsArgs() []string {
	words := windows.Words(a.windowsLine())[1:]
	if len(words) != len(a.Args) {
		return a.Args
	}
	for i, word := range words {
		if strings.ReplaceAll(word, `\`, "") != strings.ReplaceAll(a.Args[i], `\`, "") {
			return a.Args // they were not cut by a shell
		}
	}
	return words
}

// calledAt is where in a text the name of the command stands, -1 if it is not
// found: wrappers may stand before it.
func (a *act) calledAt(text string) int {
	at := 0
	for at < len(text) {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		end := strings.IndexAny(text[at:], " \t")
		if end < 0 {
			end = len(text) - at
		}
		word := strings.NewReplacer(`"`, "", "'", "").Replace(text[at : at+end])
		if baseName(word) == a.Name || baseName(strings.ReplaceAll(word, `\`, "")) == a.Name {
			return at
		}
		at += end
	}
	return -1
}

// ownProgram reads a program of Windows that is called by the name of its file:
// there the working directory is searched too.
func (r *reader) ownProgram(a *act) {
	text := a.firstLine()
	start := a.calledAt(text)
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
	p := a.path(windows.Expand(called))
	f := r.file(p)
	switch {
	case f == nil || f.From != "" && !f.Known && r.decoded(p):
		if f != nil {
			a.does(effect.RunHidden, windows.Decoder)
		}
		a.does(effect.Run, p)
	case f.Remote != "":
		a.does(effect.RunRemote, f.Remote)
	case f.Content == "":
		a.does(effect.Run, p)
	default:
		a.windowsScript(path.Ext(called), f.Content)
	}
}

// wine runs a program of Windows, for which the disk Z: is the whole machine.
func wine(a *act) {
	first := len(a.r.reading.Effects)
	a.argv(pastFlags(a.Args))
	for i := range a.r.reading.Effects[first:] {
		e := &a.r.reading.Effects[first+i]
		if rest, ok := cutFold(e.Object, "z:/"); ok {
			e.Object = "/" + rest
		}
	}
}

// decoded reports whether a file is what certutil made of another one.
func (r *reader) decoded(p string) bool {
	for i := range r.reading.Effects {
		if e := &r.reading.Effects[i]; e.Verb == effect.Write && e.How == windows.Decoder && e.Object == p {
			return true
		}
	}
	return false
}

// windowsScript reads a script for Windows by the ending of its file.
func (a *act) windowsScript(ending, content string) {
	if !a.r.pay(len(content)) {
		return
	}
	switch strings.ToLower(ending) {
	case ".bat", ".cmd":
		a.windows(windows.Cmd(content, a.at))
	case ".ps1":
		a.windows(windows.PowerShell(content, a.at))
	default:
		a.r.lookOver(a, content)
	}
}
