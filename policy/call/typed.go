package call

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// The names under which a conversation remembers the program that waits for its
// input, and what was typed into it and not ended with a line.
const (
	SessionFile = "/dev/tty/session"
	TypedFile   = "/dev/tty/typed"
)

// mostSession is the longest command that is remembered as one that waits.
const mostSession = 1000

// typed reads a text that is typed into a program that runs already: as a line for
// a shell, and as one for the program, if the conversation has opened one.
func (c *Call) typed(text string) {
	c.doubt(Input, everything)
	text = keyed(text)
	if c.before != nil {
		if begun := c.before.File(TypedFile); begun != nil {
			text = begun.Content + text
		}
	}
	c.types = text
	c.shell(text)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, sign := range []string{":!", `\!`, "!", ".shell ", ".system ", "system ", "shell "} { // editors, pagers, debuggers and databases
			if command, ok := strings.CutPrefix(line, sign); ok {
				c.shell(command)
			}
		}
	}
	var session *invocation.File
	if c.before != nil {
		session = c.before.File(SessionFile)
	}
	switch {
	case session != nil && session.Content != "":
		c.shell(session.Content + " <<'SLUICE_END'\n" + strings.ReplaceAll(text, "SLUICE_END", "") + "\nSLUICE_END\n")
	case strings.Contains(text, "("): // it may be an interpreter
		if strings.Contains(text, "require(") || strings.Contains(text, "import(") {
			c.argv([]string{"node", "-e", text})
		} else {
			c.argv([]string{"python3", "-c", text})
		}
	}
}

// keyed is the text that is left of keys: an interrupt begins a new line, and what
// was rubbed out is gone.
func keyed(keys string) string {
	if strings.IndexFunc(keys, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }) < 0 {
		return keys
	}
	b := make([]byte, 0, len(keys))
	for i := range len(keys) {
		switch k := keys[i]; k {
		case '\r', 0x03, 0x04, 0x1a, 0x15, 0x0b:
			b = append(b, '\n')
		case 0x7f, '\b':
			if len(b) > 0 {
				b = b[:len(b)-1]
			}
		case '\n', '\t':
			b = append(b, k)
		default:
			if k >= ' ' {
				b = append(b, k)
			}
		}
	}
	return string(b)
}

// Opens is the command of a call that waits for its input, empty if there is none.
func (c *Call) Opens() string {
	if c.Kind != KindShell || means(c.Name, "types") {
		return ""
	}
	for i := len(c.Commands) - 1; i >= 0; i-- {
		cmd := &c.Commands[i]
		if cmd.Depth > 0 {
			continue
		}
		if len(cmd.Text) > mostSession || strings.ContainsAny(cmd.Text, "\n<|") || !c.waits(i) {
			return ""
		}
		return cmd.Text
	}
	return ""
}

// waits reports whether a command, or one that it runs, is a program that reads
// commands from whoever uses it.
func (c *Call) waits(from int) bool {
	for i := from; i < len(c.Commands); i++ {
		name := []string{strings.TrimRight(c.Commands[i].Name, "0123456789.")}
		if says(name, "waiting") || says(name, "consoles") && says([]string{c.Commands[i].Sub}, "console-commands") {
			return true
		}
	}
	return false
}

// Typed is what the call types into a program that runs already, and whether it is
// a call that does so. Of what ends with a line nothing is left to remember.
func (c *Call) Typed() (begun string, ok bool) {
	if !means(c.Name, "types") {
		return "", false
	}
	begun = c.types[strings.LastIndexByte(c.types, '\n')+1:]
	return begun[:min(len(begun), mostSession)], true
}
