package call

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// commands reads the commands in the arguments and reports whether there are
// some, or there are known to be none.
func (c *Call) commands(t *tool, m members, depth int) bool {
	if t.touch&byVerb != 0 {
		return true
	}
	first := len(c.Commands)
	found := false
	for i := range m {
		v := &m[i]
		switch {
		case v.field == fieldShell:
			found = c.givenShell(v, m.hasCommand()) || found
			continue
		case v.field != fieldCommand && v.field != fieldCommands:
			continue
		case v.kind == jsonscan.String:
			c.commandText(t, m, v.text, depth)
			c.argv(v.list)
		case v.kind == jsonscan.Array && v.field == fieldCommands:
			for _, text := range v.list {
				c.shell(text)
			}
		case v.kind == jsonscan.Array:
			c.argvs(v)
		case v.kind == jsonscan.Object, v.kind == jsonscan.Null: // what is in it was read by itself
			continue
		default:
			c.doubt(Shape, everything)
		}
		found = true
	}
	if t.kind == KindShell && !found {
		found = c.otherCommands(t, m, depth)
	}
	c.dialect(t, m)
	if t.kind == KindOther && m.has(fieldCode) && means(t.name, "code") {
		c.doubt(Script, everything)
	}
	c.setEnv(m, c.Commands[first:])
	return found
}

// dialect reads the commands of a tool that passes them to another system's
// shell, as that shell does.
func (c *Call) dialect(t *tool, m members) {
	name := dialectOf(t.name)
	if name == "" {
		name = dialectOf(c.Server)
	}
	if name == "" {
		if name, _ = m.text(fieldShell); name == "" {
			return
		}
	}
	language := languageOf(strings.TrimSuffix(strings.ToLower(name[strings.LastIndexAny(name, `/\\`)+1:]), ".exe"))
	if language != "powershell" && language != "osascript" && language != "cmd" {
		return
	}
	c.doubt(invocation.Dialect, everything)
	for i := range m {
		if m[i].field == fieldCommand && m[i].kind == jsonscan.String {
			c.as(append(slices.Clone(tables().Interpreters[language]), m[i].text)...)
		}
	}
}

// commandText reads a command, which for some tools is a program in another
// language.
func (c *Call) commandText(t *tool, m members, text string, depth int) {
	if language, ok := m.language(); ok && !isShellName(language) && languageOf(language) != "" {
		c.inLanguage(language, text, depth)
		return
	}
	if t.kind != KindShell && means(t.name, "python") {
		c.python(text)
	}
	if means(t.name, "code") && strings.Contains(text, "tools.") {
		c.inLanguage("javascript", text, depth)
		return
	}
	c.shell(text)
}

// otherCommands reads a shell tool whose command member has an unusual name,
// and reports whether it is known what it does.
func (c *Call) otherCommands(t *tool, m members, depth int) bool {
	for i := range m {
		v := &m[i]
		switch {
		case v.field == fieldRestart:
			return true
		case v.field == fieldCode && v.kind == jsonscan.String, v.field == fieldInput && v.kind == jsonscan.String && means(t.name, "code"):
			language, _ := m.language()
			if language == "" {
				c.freeText(t, v.text, depth)
				c.freeform = false
			} else {
				c.inLanguage(language, v.text, depth)
			}
			return true
		case v.field != fieldInput:
			continue
		case v.kind == jsonscan.Array:
			c.argvs(v)
			return true
		case v.kind == jsonscan.String:
			if !means(t.name, "types") {
				c.shell(v.text)
			} else if strings.Trim(v.text, " \t\r\n\x03\x04\x1a\x1b") != "" { // otherwise it only waits, or ends the program
				c.typed(v.text)
			}
			return true
		}
	}
	if folded(t.name) == "writestdin" {
		return true
	}
	c.doubt(Shape, everything)
	return false
}

// shell adds the commands of a shell text.
func (c *Call) shell(text string) {
	if !c.another() {
		return
	}
	r := shell.Read(text, c.setting())
	c.add(r)
	c.moves(given{text: text}, &r)
}

// MaxTexts is how many texts and nested calls of a call are read. The rest is
// recorded as unknown.
const MaxTexts = 2000

// another reports whether another text may be read.
func (c *Call) another() bool {
	if c.texts++; c.texts > MaxTexts {
		c.doubt(invocation.Long, everything)
		return false
	}
	return true
}

// argvs adds the command of a list, in every way that clients read it.
func (c *Call) argvs(v *value) {
	for _, words := range readings(v.list) {
		c.argv(words)
	}
}

// argv adds the command of an argument list.
func (c *Call) argv(argv []string) {
	if len(argv) == 0 {
		return
	}
	// A program's name has no spaces: some clients join such a list and pass it
	// to a shell.
	if strings.ContainsAny(argv[0], " \t\n;|&") {
		c.shell(strings.Join(argv, " "))
		return
	}
	if !c.another() {
		return
	}
	r := shell.ReadArgs(argv, c.setting())
	c.add(r)
	c.moves(given{argv: argv}, &r)
}

// add adds what was read from a shell text.
func (c *Call) add(r invocation.Reading) {
	c.goesOn(&r)
	commands, first := r.Commands, len(c.Commands)
	if room := invocation.MaxCommands - len(c.Commands); len(commands) > room {
		commands = commands[:room]
		c.doubt(invocation.Many, everything)
	}
	if len(c.Commands) == 0 {
		c.Commands = commands
	} else {
		c.Commands = append(c.Commands, commands...)
	}
	c.affectAll(r.Effects, first)
	for _, program := range r.Strange {
		if !slices.Contains(c.Strange, program) {
			c.Strange = append(c.Strange, program)
		}
	}
	for _, reason := range r.Unknown {
		switch reason {
		case invocation.Path, invocation.More, invocation.Subcommand:
			c.doubt(reason, doubtOf(reads|writes))
		case invocation.Substitution, invocation.Unseen:
			// The commands and effects are all there: a substitution stands in
			// the arguments and objects that it is a part of, and a script that
			// nobody has shown is the effect run.
			c.doubt(reason, Incomplete{})
		default:
			c.doubt(reason, everything)
		}
	}
	for i := range commands {
		c.commandURLs(&commands[i])
		c.patchCommand(&commands[i])
	}
}

// patchCommand reads apply_patch as a command, as some models write it.
func (c *Call) patchCommand(cmd *invocation.Command) {
	if cmd.Name != "apply_patch" && cmd.Name != "applypatch" {
		return
	}
	text := cmd.Input
	if len(cmd.Args) > 0 {
		text = cmd.Args[0]
	}
	at := c.at
	if cmd.Dir != "" {
		at.Cwd = cmd.Dir
	}
	if !c.patch(text, at) {
		c.doubt(Shape, doubtOf(writes))
	}
}

// maxEnv is how many variables of a call are passed to its commands.
const maxEnv = 256

// setEnv adds the variables that the call sets to its commands.
func (c *Call) setEnv(m members, commands []invocation.Command) {
	if !m.has(fieldEnv) {
		return
	}
	env := map[string]string{}
	for i := range m {
		if v := &m[i]; v.field == fieldEnv && v.kind == jsonscan.Object {
			var given map[string]any
			_ = json.Unmarshal(v.raw, &given) // it is valid
			for name, value := range given {
				if text, ok := value.(string); ok {
					env[name] = text
				}
			}
		}
	}
	if len(env) > maxEnv {
		c.doubt(invocation.Many, Incomplete{Commands: true})
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

// dialectOf is the other system's shell that a tool or server is named after, if
// any.
func dialectOf(name string) string {
	for _, dialect := range []string{"powershell", "osascript", "cmd"} {
		if means(name, dialect) {
			return dialect
		}
	}
	return ""
}
