package call

import (
	"maps"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/shell"
)

// commands reads the commands in the arguments.
func (c *Call) commands(t *tool, m members, depth int) {
	if t.touch&byVerb != 0 {
		return
	}
	first := len(c.Commands)
	found := false
	for i := range m {
		v := &m[i]
		switch {
		case v.field != fieldCommand && v.field != fieldCommands:
			continue
		case v.kind == jsonscan.String:
			c.shell(v.text)
		case v.kind == jsonscan.Array && v.field == fieldCommands:
			for _, text := range v.list {
				c.shell(text)
			}
		case v.kind == jsonscan.Array:
			c.argv(v.list)
		case v.kind == jsonscan.Object, v.kind == jsonscan.Null: // what is in it was read by itself
			continue
		default:
			c.doubt(Shape, everything)
		}
		found = true
	}
	if t.kind == KindShell && !found {
		c.otherCommands(t, m, depth)
	}
	if strings.EqualFold(t.name, "PowerShell") || strings.EqualFold(t.name, "cmd") {
		c.doubt(shell.Dialect, everything)
	}
	if t.kind == KindOther && m.has(fieldCode) && isCodeTool(t.name) {
		c.doubt(Script, everything)
	}
	c.setEnv(m, c.Commands[first:])
	for i := first; i < len(c.Commands); i++ {
		c.touches(&c.Commands[i])
	}
}

// isCodeTool reports whether a tool runs programs in another language.
func isCodeTool(name string) bool {
	switch string(appendFolded(make([]byte, 0, mostName), name)) {
	case "codeexecution", "jsrepl", "python", "code", "exec", "codeinterpreter", "javascript", "ipython", "nodejs":
		return true
	}
	return false
}

// otherCommands reads a shell tool whose commands have an unusual name.
func (c *Call) otherCommands(t *tool, m members, depth int) {
	for i := range m {
		v := &m[i]
		switch {
		case v.field == fieldRestart:
			return
		case v.field == fieldCode && v.kind == jsonscan.String:
			c.freeText(t, v.text, depth)
			return
		case v.field != fieldInput:
			continue
		case v.kind == jsonscan.Array:
			c.argv(v.list)
			return
		case v.kind == jsonscan.String:
			switch folded(t.name) {
			case "writestdin", "interactwithprocess", "sendtoterminal":
				if strings.Trim(v.text, " \t\r\n\x03\x04\x1a\x1b") == "" {
					return // only waits, or ends the program
				}
				c.doubt(Input, everything)
			}
			c.shell(v.text)
			return
		}
	}
	if folded(t.name) != "writestdin" {
		c.doubt(Shape, everything)
	}
}

// shell adds the commands of a shell text.
func (c *Call) shell(text string) {
	c.add(shell.Split(text))
}

// argv adds the command of an argument list.
func (c *Call) argv(argv []string) {
	if len(argv) == 0 {
		return
	}
	// A program's name has no blanks: some clients join such a list and give it
	// to a shell.
	if strings.ContainsAny(argv[0], " \t\n;|&") {
		c.shell(strings.Join(argv, " "))
		return
	}
	c.add(shell.FromArgs(argv))
}

func (c *Call) add(commands []shell.Command, unknown []string) {
	if room := shell.MaxCommands - len(c.Commands); len(commands) > room {
		commands = commands[:room]
		c.doubt(shell.Many, everything)
	}
	if len(c.Commands) == 0 {
		c.Commands = commands
	} else {
		c.Commands = append(c.Commands, commands...)
	}
	for _, reason := range unknown {
		c.doubt(reason, everything)
	}
}

// maxEnv is how many variables of a call are given to its commands.
const maxEnv = 256

// setEnv gives the commands the variables that the call sets for them.
func (c *Call) setEnv(m members, commands []shell.Command) {
	if !m.has(fieldEnv) {
		return
	}
	env := map[string]string{}
	for i := range m {
		if v := &m[i]; v.field == fieldEnv && v.kind == jsonscan.Object {
			var s jsonscan.Scanner
			s.Reset(v.raw)
			s.Object()
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				name := string(key)
				if text, ok := s.Str(nil); ok {
					env[name] = string(text)
				} else {
					s.Skip()
				}
			}
		}
	}
	if len(env) > maxEnv {
		c.doubt(shell.Many, Incomplete{Commands: true})
	}
	if len(env) == 0 || len(env) > maxEnv {
		return
	}
	for i := range commands {
		own := commands[i].Env
		if own == nil {
			commands[i].Env = env
			continue
		}
		merged := maps.Clone(env)
		maps.Copy(merged, own)
		commands[i].Env = merged
	}
}
