package call

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// dialect is how a file specifies what runs later.
type dialect uint8

const (
	noScript   dialect = iota
	inYAML             // run: and script:
	inJSON             // texts
	inGroovy           // sh '...'
	allOfShell         // the file itself
	ofPackage          // what runs when packages are installed
	inPython           // a program that other programs run unasked
	ofHand             // a script, in which one thing alone is looked for
	ofSettings         // where packages come from, and what runs with them
)

// scriptDialect knows the files that specify what runs on other machines or with
// everyday commands: pipelines, hooks of a project and tasks of an editor.
func scriptDialect(file string) dialect {
	name, dir := path.Base(file), path.Dir(file)
	switch strings.ToLower(name) {
	case ".gitlab-ci.yml", ".gitlab-ci.yaml", "azure-pipelines.yml", "azure-pipelines.yaml", "bitbucket-pipelines.yml", ".travis.yml", ".drone.yml", ".woodpecker.yml", "appveyor.yml", "cloudbuild.yaml", "cloudbuild.yml",
		"action.yml", "action.yaml", ".pre-commit-config.yaml", "lefthook.yml":
		return inYAML
	case "jenkinsfile":
		return inGroovy
	case "tasks.json", "devcontainer.json":
		return inJSON
	case ".envrc":
		return allOfShell
	case "package.json", "composer.json":
		return ofPackage
	case "setup.py", "conftest.py":
		return inPython
	}
	switch base := path.Base(dir); {
	case isPackageSettings(strings.ToLower(name), dir):
		return ofSettings
	case base == "workflows" && path.Base(path.Dir(dir)) == ".github", base == ".circleci", base == ".buildkite", base == ".woodpecker", base == "ci" && path.Base(path.Dir(dir)) == ".gitlab":
		return inYAML
	case base == ".husky", base == ".githooks":
		return allOfShell
	case strings.HasPrefix(name, "Jenkinsfile"):
		return inGroovy
	case strings.HasSuffix(name, ".sh") && !isSample(file):
		return ofHand
	}
	return noScript
}

// pipelines reads what the call writes to files that specify what runs later, as
// the commands that they will be: nobody may check them again before. Only
// effects that are wanted nowhere count: cleaning, filling and shutting down a
// build machine is everyday work.
func (c *Call) pipelines() {
	for i := range c.contents {
		put := &c.contents[i]
		if kind := scriptDialect(put.Path); kind != noScript {
			c.readPipeline(put.Text, kind, put.Whole)
		}
	}
	for i, n := 0, len(c.Effects); i < n; i++ { // what is found is appended
		e := c.Effects[i]
		if e.Verb != effect.Write || e.Command < 0 {
			continue
		}
		kind := scriptDialect(e.Object)
		if kind == noScript {
			continue
		}
		switch {
		case e.Content != "":
			c.readPipeline(e.Content, kind, true)
		case e.From != "":
			if of := c.known(e.From); of != nil {
				c.readPipeline(of.Content, kind, true)
			}
		case e.Command < len(c.Commands):
			c.changes(&c.Commands[e.Command], kind)
		}
	}
}

// readPipeline reads a text in a file of a kind.
func (c *Call) readPipeline(text string, kind dialect, whole bool) {
	if kind == ofSettings {
		c.settings(text)
	} else {
		c.later(commandsIn(text, kind, whole))
	}
}

// changes reads what a command writes to a file that it changes: the lines of a
// patch, or the texts in its arguments.
func (c *Call) changes(by *invocation.Command, kind dialect) {
	var added strings.Builder
	for line := range strings.Lines(by.Input) {
		if text, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(text, "++") {
			added.WriteString(text)
		}
	}
	if added.Len() > 0 {
		c.readPipeline(added.String(), kind, false)
	}
	for _, arg := range by.Args[:min(len(by.Args), maxWords)] {
		for _, text := range textsIn(arg) {
			if kind == ofSettings {
				if strings.HasPrefix(text, "http") { // instead of another address
					text = "registry=" + text
				}
				c.settings(text)
			} else {
				c.later(text)
			}
		}
	}
}

// textsIn are the texts that an edit expression inserts: s/x/y/, a\text, .run =
// "text".
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

// later adds the effects of commands that run later, unless they are everyday
// work, and what else the caller looks for.
func (c *Call) later(script string, also ...effect.Verb) {
	if strings.TrimSpace(script) == "" || !c.another() {
		return
	}
	r := shell.Read(expressions(script), Setting{})
	for i := range r.Effects {
		e := &r.Effects[i]
		switch e.Verb {
		case effect.RunRemote:
			if follow.IsInstaller(e.Object) {
				continue
			}
		case effect.RunHidden, effect.ReverseShell:
		case effect.Send:
			if e.From != "environment" && e.From != "secret" && !isOwnKey(e.From) || strings.HasPrefix(strings.TrimLeft(e.Object, "${"), "CI_") { // to where it runs
				continue
			}
		default:
			if !slices.Contains(also, e.Verb) {
				continue
			}
		}
		e.Command, e.How, e.Remote, e.Guess = -1, c.Name, true, false
		c.affect(e)
	}
}

// expressions replaces a pipeline's own expressions with variables. Where the
// syntax has no meaning, what is between the markers runs: it is read as well.
func expressions(script string) string {
	if !strings.Contains(script, "${{") {
		return script
	}
	var b, between strings.Builder
	for {
		before, rest, ok := strings.Cut(script, "${{")
		b.WriteString(before)
		if !ok {
			break
		}
		inner, after, closed := strings.Cut(rest, "}}")
		if !closed {
			b.WriteString("${CI_VALUE}")
			between.WriteString("\n" + strings.Trim(rest, `'" &|;`))
			break
		}
		switch inner = strings.TrimSpace(inner); {
		case strings.Contains(strings.ToLower(inner), "tojson(secrets)"):
			b.WriteString("$(env)")
		case strings.HasPrefix(inner, "secrets."):
			name, _, _ := strings.Cut(inner[len("secrets."):], " ")
			b.WriteString("${" + strings.Map(nameByte, name) + "}")
		case inner == "github.token":
			b.WriteString("${GITHUB_TOKEN}")
		default:
			b.WriteString("${CI_VALUE}")
		}
		if strings.ContainsAny(inner, " \t\n") {
			between.WriteString("\n" + strings.Trim(inner, `'" &|;`))
		}
		script = after
	}
	return b.String() + between.String()
}

func nameByte(r rune) rune {
	if r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
		return r
	}
	return '_'
}
