package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/javascript"
	"github.com/sluice-project/sluice/policy/program/library"
)

// code reads the programs among the arguments of a tool that runs programs, and
// reports whether there are any. running says that the tool runs something.
func (c *Call) code(t *tool, m members, running bool, depth int) bool {
	if t.kind == KindShell || !m.has(fieldCode) && !m.has(fieldInput) && !m.has(fieldName) && !m.has(fieldSource) && !m.has(fieldPrompt) && !m.has(fieldCommand) {
		return false
	}
	page := means(t.name, "page")
	runs := page || runsCode(t.name)
	if !page && m.has(fieldCommand) && !m.has(fieldCode) && !m.has(fieldInput) && !m.has(fieldName) && !m.has(fieldSource) && !m.has(fieldPrompt) {
		return false
	}
	language, told := m.language()
	if !runs && (!running || !told && !m.has(fieldCode)) {
		return false
	}
	if language == "" && means(t.name, "python") {
		language = "python"
	}
	found := false
	for i := range m {
		v := &m[i]
		switch {
		case v.kind != jsonscan.String:
			continue
		case v.field == fieldCode, v.field == fieldInput, v.field == fieldSource && told:
		case v.field == fieldPrompt && runs && !page:
		case page && (v.field == fieldName || v.field == fieldCommand):
		default:
			continue
		}
		found = true
		if page {
			c.inPage(v.text)
		} else {
			c.inLanguage(language, v.text, depth)
		}
	}
	return found
}

// inLanguage reads a program in a language, or in all possible ones if that is
// unknown.
func (c *Call) inLanguage(language, text string, depth int) {
	c.doubt(Script, everything)
	at, kind, name := c.at, c.Kind, languageOf(language)
	interpreter := tables().Interpreters[name]
	switch {
	case interpreter != nil:
		c.argv(append(slices.Clone(interpreter), text))
	case name == "sh":
		c.shell(text)
	case name == "python":
		c.python(text)
	default:
		if !c.program(text, depth) && name == "" {
			c.python(text)
		}
		c.at, c.freeform = at, false
	}
	if kind == KindMCP {
		c.Kind = kind
	}
}

// language is the language that the arguments name.
func (m members) language() (string, bool) {
	for i := range m {
		if m[i].field == fieldLanguage && m[i].kind == jsonscan.String {
			return strings.ToLower(m[i].text), true
		}
	}
	return "", false
}

// python reads a Python program as a command that runs it, and the commands
// that a notebook passes to a shell.
func (c *Call) python(text string) {
	interpreter := "python3"
	if strings.ContainsAny(text, "!%") {
		interpreter = "ipython"
	}
	if strings.TrimSpace(text) != "" {
		c.argv([]string{interpreter, "-c", text})
	}
	c.doubt(Script, everything)
	if c.Kind == KindOther {
		c.Kind = KindShell
	}
}

// inPage reads a program that runs in a web page. It should reach no more than
// the network, but what it would do elsewhere counts as well: some tools run it
// there.
func (c *Call) inPage(text string) {
	p := javascript.Read(text)
	for i := range p.Uses {
		switch u := &p.Uses[i]; u.What {
		case library.Fetch, library.Send, library.Shell, library.Argv, library.DeleteFile, library.WriteFile, library.ReadFile:
			c.use(u)
			c.Sends = c.Sends || u.What == library.Send
		default: // a page has no such thing
		}
	}
	c.leavesPage(text)
}

// leavesPage records what a page stores about its visitor, if a program in it
// sends that to another address.
func (c *Call) leavesPage(text string) {
	page := tables().Page
	i := strings.Index(text, "//")
	if !containsAny(text, page["keeps"]) || !containsAny(text, page["gives"]) || i < 0 {
		return
	}
	end := i + 2
	for end < len(text) && strings.IndexByte(" \t\r\n\"'`<>\\+,)", text[end]) < 0 {
		end++
	}
	if to := "https:" + text[i:end]; end > i+2 {
		c.Sends = true
		c.affect(&effect.Effect{Verb: effect.Send, Object: to, From: "secret", How: c.Name, Command: -1})
	}
}

// runsCode reports whether a tool runs programs that it is given.
func runsCode(name string) bool {
	return means(name, "code") || means(name, "python") || means(name, "programs")
}

// languageOf is the canonical name of a language, empty if it is unknown.
func languageOf(name string) string {
	return tables().languages[strings.TrimRight(folded(name), "0123456789.")]
}

// cell reads the source that a tool writes to a notebook cell as the program
// that runs with the notebook: nothing checks it again before that.
func (c *Call) cell(t *tool, text string) {
	name := t.name
	switch book := means(name, "notebook") || means(c.Server, "notebook"); {
	case means(name, "markdown"):
		return
	case book && (t.kind == KindEdit || means(name, "cell")), means(name, "code-cell"):
	default:
		return
	}
	args := parsed(text)
	source := args.first("newsource", "cellsource", "newstring", "newcode", "source", "cellcontent", "content")
	if source == "" {
		return
	}
	switch strings.ToLower(args.first("celllanguage", "language", "celltype")) {
	case "", "code", "python":
		c.as("ipython", "-c", source)
	case "shell", "bash", "sh":
		c.as("sh", "-c", source)
	}
}
