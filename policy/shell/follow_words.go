package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/project"
)

// mostCommands is how many commands of a file are read.
const mostCommands = 128

// worded adds the commands that stand beside the words of an entry, or programs where
// the entry says that they are in a language.
func (a *act) worded(p *projectFile, content string) {
	var s project.Steps
	if p.way == byKeys {
		read := a.r.parsing(strings.Join(p.words, " "), func(f project.File) project.Steps { return project.YAMLWords(f, p.words) })
		s = read(project.File{Content: content})
	} else {
		s = project.Words(content, p.words)
	}
	in := interpreters[p.inner]
	if in == nil {
		a.steps(s, a.in)
		return
	}
	for _, c := range s.Commands {
		if len(c.Args) > 0 {
			c.Shell = c.Args[0]
		}
		a.program(in, c.Shell, -1, nil)
	}
}

// starters are the names of calls that start a program, with what stands before
// them: others of that name are the program's own.
var starters = map[string]string{"exec": "getRuntime().", "ProcessBuilder": "new ", "cmd": "System.", "shell": "System.", "Start": "Process."}

// started reads the commands that such calls are given.
func (a *act) started(program string) {
	left := mostCommands
	eachNameWith(program, mostCall, func(name, before, after string) bool {
		with, ok := starters[name]
		if !ok || !strings.HasSuffix(before, with) || !strings.HasPrefix(after, "(") {
			return true
		}
		switch texts, _ := scan.Bracketed(after); {
		case len(texts) > 1:
			a.script(strings.Join(texts[:1], "") + " " + quoted(texts[1:]))
		case len(texts) == 1:
			a.script(texts[0])
		}
		left--
		return left > 0
	})
}
