package call

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/internal/describe"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
	"github.com/sluice-project/sluice/policy/shell"
)

// laterTable is later.yaml.
type laterTable struct {
	Later   map[string]list `yaml:"later"`
	Keys    list            `yaml:"keys"`
	Words   list            `yaml:"words"`
	Unasked list            `yaml:"unasked"`
	Signs   list            `yaml:"signs"`
	Samples list            `yaml:"samples"`
	OwnKeys list            `yaml:"keys-of-people"`
}

var later = sync.OnceValue(func() (t laterTable) {
	decode("later.yaml", &t)
	return t
})

// laterKind says how a file is read that specifies what runs later, empty if it is none.
func laterKind(file string) string {
	if !strings.HasPrefix(file, "/") {
		file = "/" + file
	}
	file = strings.ToLower(file)
	for _, kind := range [...]string{"yaml", "words", "texts", "shell", "package", "python", "settings", "script"} {
		if matchesAny(later().Later[kind], file) && (kind != "script" || !containsAny(file, later().Samples)) {
			return kind
		}
	}
	return ""
}

func matchesAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return describe.Wild(p, text) })
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// pipelines reads what the call writes to files that specify what runs later, as
// the commands that they will be: nobody may check them again before. Only
// effects that are wanted nowhere count: cleaning, filling and shutting down a
// build machine is everyday work.
func (c *Call) pipelines() {
	for i := range c.contents {
		put := &c.contents[i]
		c.readPipeline(put.Path, put.Text, put.Whole)
	}
	for i, n := 0, len(c.Effects); i < n; i++ { // what is found is appended
		e := c.Effects[i]
		if e.Verb != effect.Write || e.Command < 0 || laterKind(e.Object) == "" {
			continue
		}
		switch {
		case e.Content != "":
			c.readPipeline(e.Object, e.Content, true)
		case e.From != "":
			if of := c.known(e.From); of != nil {
				c.readPipeline(e.Object, of.Content, true)
			}
		case e.Command < len(c.Commands):
			c.alters(&c.Commands[e.Command], e.Object)
		}
	}
}

// readPipeline reads what is put into a file.
func (c *Call) readPipeline(file, text string, whole bool) {
	switch kind := laterKind(file); kind {
	case "":
	case "settings":
		c.settings(text)
	case "script": // which is not run yet
		if strings.Contains(text, "/dev/tcp/") {
			c.later(text, effect.ReverseShell)
		}
	default:
		c.later(commandsIn(text, kind, whole), effect.RunRemote, effect.RunHidden, effect.ReverseShell, effect.Send)
	}
}

// commandsIn are the commands in a file that specifies what runs later. In a part of a file,
// lines that are nothing else are commands too.
func commandsIn(text, kind string, whole bool) string {
	f := project.File{Content: text, Whole: whole}
	var s project.Steps
	switch kind {
	case "yaml":
		if s = project.YAMLWords(f, later().Keys); !whole || s.Unknown {
			s.Commands = append(s.Commands, project.Lines(project.File{Content: text, Whole: true}).Commands...)
		}
	case "words":
		s = project.Words(text, later().Words)
	case "texts":
		s = project.Quoted(f)
	case "package":
		if s = project.NamedTasks(text, later().Unasked); !whole && len(s.Commands) == 0 {
			s = project.Quoted(f)
		}
	case "python":
		if !containsAny(text, later().Signs) {
			return ""
		}
		return "python3 -c " + invocation.Quote(text)
	default:
		return text
	}
	var b strings.Builder
	for i := range s.Commands {
		line := s.Commands[i].Shell
		if line == "" {
			line = invocation.Quoted(s.Commands[i].Args)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// alters reads what a command writes to a file that it changes: the lines of a
// patch, or the texts in its arguments.
func (c *Call) alters(by *invocation.Command, file string) {
	var added strings.Builder
	for line := range strings.Lines(by.Input) {
		if text, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(text, "++") {
			added.WriteString(text)
		}
	}
	if added.Len() > 0 {
		c.readPipeline(file, added.String(), false)
	}
	for _, arg := range by.Args[:min(len(by.Args), maxWords)] {
		for _, text := range textsIn(arg) {
			if laterKind(file) != "settings" {
				c.later(text, effect.RunRemote, effect.RunHidden, effect.ReverseShell, effect.Send)
				continue
			}
			if strings.HasPrefix(text, "http") { // instead of another address
				text = "registry=" + text
			}
			c.settings(text)
		}
	}
}

// textsIn are the texts that an edit expression inserts, and those in quotes.
func textsIn(arg string) []string {
	var list []string
	for clause := range strings.SplitSeq(arg, "\n") {
		at := strings.IndexByte(clause, 's')
		if at < 0 || at+1 >= len(clause) || !strings.ContainsRune("/|#,!@:;~%", rune(clause[at+1])) {
			continue
		}
		parts := strings.Split(clause[at+2:], clause[at+1:at+2])
		if clause[at+1] == '|' && len(parts) > 2 { // the delimiter may occur in the text, after a backslash
			parts[1] = strings.Join(parts[1:len(parts)-1], "|")
		}
		if len(parts) > 1 {
			list = append(list, strings.NewReplacer(`\n`, "\n", `\|`, "|", `\/`, "/", `\&`, "&").Replace(parts[1]))
		}
	}
	for _, quote := range []string{`"`, "'"} {
		parts := strings.Split(arg, quote)
		for i := 1; i < len(parts) && i < maxWords; i += 2 {
			list = append(list, parts[i])
		}
	}
	if _, text, ok := strings.Cut(arg, `\`); ok {
		list = append(list, strings.TrimSpace(strings.TrimPrefix(text, "\n")))
	}
	return list
}

// later adds the effects of commands that run later that have one of the verbs, but for those
// that are everyday work.
func (c *Call) later(script string, verbs ...effect.Verb) {
	if strings.TrimSpace(script) == "" || !c.another() {
		return
	}
	r := shell.Read(expressions(script), Setting{})
	for i := range r.Effects {
		e := &r.Effects[i]
		switch {
		case !slices.Contains(verbs, e.Verb), e.Verb == effect.RunRemote && follow.IsInstaller(e.Object):
			continue
		case e.Verb == effect.Send: // to where it runs
			private := e.From == "environment" || e.From == "secret" || matchesAny(later().OwnKeys, e.From) && path.Ext(e.From) != ".pub"
			if !private || strings.HasPrefix(strings.TrimLeft(e.Object, "${"), "CI_") {
				continue
			}
		}
		e.Command, e.How, e.Remote, e.Guess = -1, c.Name, true, false
		c.affect(e)
	}
}

// expression is one of a pipeline's own.
var expression = regexp.MustCompile(`(?s)\$\{\{.*?(?:\}\}|$)`)

// expressions replaces a pipeline's own expressions with variables. Where the
// syntax has no meaning, what is between the markers runs: it is read as well.
func expressions(script string) string {
	var between strings.Builder
	return expression.ReplaceAllStringFunc(script, func(marked string) string {
		inner, closed := strings.CutSuffix(marked[len("${{"):], "}}")
		inner = strings.TrimSpace(inner)
		if !closed || strings.ContainsAny(inner, " \t\n") {
			between.WriteString("\n" + strings.Trim(inner, `'" &|;`))
		}
		name, secret := strings.CutPrefix(inner, "secrets.")
		switch {
		case strings.Contains(strings.ToLower(inner), "tojson(secrets)"):
			return "$(env)"
		case secret && closed:
			name, _, _ = strings.Cut(name, " ")
			return "${" + notInName.ReplaceAllString(name, "_") + "}"
		case inner == "github.token" && closed:
			return "${GITHUB_TOKEN}"
		}
		return "${CI_VALUE}"
	}) + between.String()
}

var notInName = regexp.MustCompile(`[^0-9A-Za-z_]`)

// settings reads what the call puts into the settings of a package manager: every
// later installation does what they say, as if its command line said so.
func (c *Call) settings(text string) {
	registries, programs := invocation.PackageSettings(text)
	for _, address := range registries {
		c.affect(&effect.Effect{Verb: effect.Install, Object: "packages", From: address, How: c.Name, Command: -1})
	}
	for _, program := range programs {
		if invocation.IsTemporary(program) {
			c.affect(&effect.Effect{Verb: effect.Persist, Object: "package settings", From: program, How: c.Name, Command: -1})
		} else if strings.Contains(program, " ") {
			c.later(program, effect.RunRemote, effect.RunHidden, effect.ReverseShell, effect.Send, effect.Delete)
		}
	}
}
