package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/javascript"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/shell"
)

// program reads JavaScript that calls tools, as Codex lets its models write it:
//
//	const r = await tools.exec_command({cmd: "ls"});
//
// What is computed from known text is known; anything else that could reach a
// tool is recorded as unknown. It reports whether something of it could be
// read.
func (c *Call) program(text string, depth int) bool {
	name, server, raw, back := c.Name, c.Server, c.Raw, c.keep()
	before, commands := len(c.Effects), len(c.Commands)
	p := javascript.Read(text)
	hidden := len(p.Calls) == 0 && (len(p.Doubt) > 0 || strings.Contains(text, "tools"))
	noProgram := len(p.Calls)+len(p.Uses) == 0 && (slices.Contains(p.Doubt, javascript.Syntax) || !strings.Contains(text, "("))
	c.passesOf(p.Calls, len(p.Calls) == 0 && len(p.Doubt) > 0 && strings.Contains(text, "tools") && !noProgram)
	for i := range p.Calls {
		called := &p.Calls[i]
		hidden = hidden || called.Tool == "" || !called.Known && onlyUnknown(called.Arguments)
		c.read(said{name: called.Tool, text: called.Arguments, freeform: called.Freeform}, depth+1)
	}
	back()
	hidden = hidden || c.runsUnknown(commands)
	for i := range p.Uses {
		c.use(&p.Uses[i])
		hidden = hidden || p.Uses[i].What == library.Eval || p.Uses[i].Text == javascript.Unknown
	}
	doubt := len(p.Doubt) > 0 || len(p.Calls) == 0
	if doubt {
		c.doubt(Script, everything)
	}
	found := len(p.Calls)+len(p.Uses) > 0
	c.Name, c.Server, c.Raw, c.freeform = name, server, raw, true
	if noProgram {
		// Elsewhere a tool of this name may well be a shell.
		c.shell(text)
	}
	if hidden {
		c.hidden(text, before)
	}
	if len(p.Doubt) > 0 {
		c.passedOn(before)
	}
	if len(c.Commands) > 0 || doubt {
		c.Kind = KindShell
	}
	return found
}

// onlyUnknown reports whether a command in the arguments of a tool is entirely
// unknown.
func onlyUnknown(arguments string) bool {
	return strings.Contains(arguments, `"`+javascript.Unknown+`"`) || arguments == javascript.Unknown
}

// runsUnknown reports whether one of the commands from an index on is an unknown
// text run by a shell, or a program of another language.
func (c *Call) runsUnknown(from int) bool {
	for i := from; i < len(c.Commands); i++ {
		cmd := &c.Commands[i]
		if strings.HasPrefix(strings.Trim(cmd.Name, `"' `), javascript.Unknown) {
			return true
		}
		for n, arg := range cmd.Args {
			if n > 0 && (cmd.Args[n-1] == "-c" || cmd.Args[n-1] == "-e" || cmd.Args[n-1] == "--eval") && strings.HasPrefix(strings.Trim(arg, `"' `), javascript.Unknown) {
				return true
			}
		}
	}
	return false
}

// hidden reads a program that runs something that cannot be seen: what it
// fetched, or one of the texts in it.
func (c *Call) hidden(text string, before int) {
	for i := before; i < len(c.Effects); i++ {
		if e := &c.Effects[i]; e.Verb == effect.Fetch {
			c.affect(&effect.Effect{Verb: effect.RunRemote, Object: e.Object, How: c.Name, Command: -1})
			break
		}
	}
	literals := scan.Quoted(text)
	if len(literals) == scan.MaxQuoted {
		c.doubt(invocation.Long, everything)
	}
	for _, literal := range literals {
		if !strings.ContainsAny(literal, " \t") || strings.HasPrefix(literal, "*** Begin Patch") {
			continue
		}
		r := shell.Read(literal, c.setting())
		for i := range r.Effects {
			e := &r.Effects[i]
			e.Command, e.How = -1, c.Name
			c.affect(e)
		}
	}
}

// passedOn assumes that what a program sends without naming a source comes from
// what it has read.
func (c *Call) passedOn(before int) {
	var read []string
	for i, n := before, len(c.Effects); i < n; i++ {
		e := &c.Effects[i]
		switch e.Verb {
		case effect.Read:
			if len(read) < mostPassedOn {
				read = append(read, e.Object)
			}
		case effect.Reveal:
			if len(read) < mostPassedOn {
				read = append(read, "secret")
			}
		case effect.Send:
			if e.From != "" || e.Command >= 0 && !strings.Contains(c.Commands[e.Command].Text, javascript.Unknown) {
				continue
			}
			for _, from := range read {
				passed := c.Effects[i]
				passed.From = from
				c.affect(&passed)
			}
		default:
		}
	}
}

// mostPassedOn is how many files may be a source of what a program sends.
const mostPassedOn = 20

// use adds what a program does by itself.
func (c *Call) use(u *library.Use) {
	at := c.at
	if u.Dir != "" {
		at.Cwd, _ = at.Resolve(u.Dir)
	}
	switch u.What {
	case library.Shell, library.Argv:
		outside := c.at
		c.at = at
		if u.What == library.Shell {
			c.shell(u.Text)
		} else {
			c.argv(u.Args)
		}
		c.at = outside
	case library.DeleteFile:
		object, _ := at.Resolve(u.Text)
		c.affect(&effect.Effect{Verb: effect.Delete, Object: object, Wide: u.Recursive, How: c.Name, Command: -1})
	case library.WriteFile:
		c.file(u.Text, writes, at)
		c.put(at, Content{Path: u.Text, Text: u.Content, Whole: true})
	case library.ReadFile:
		c.file(u.Text, reads, at)
	case library.Fetch:
		c.addURL(u.Text)
		c.affect(&effect.Effect{Verb: effect.Fetch, Object: u.Text, How: c.Name, Command: -1})
	case library.Send:
		c.addURL(u.Text)
		c.affect(&effect.Effect{Verb: effect.Send, Object: u.Text, How: c.Name, Command: -1})
	case library.Env:
		if u.Text == library.Environment {
			c.affect(&effect.Effect{Verb: effect.Reveal, Object: "environment", How: c.Name, Command: -1})
		}
	default:
	}
	if !u.Known {
		c.doubt(Script, everything)
	}
}
