package shell

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// packagePrograms are packages whose program has another name.
var packagePrograms = map[string]string{
	"aws-cdk": "cdk", "firebase-tools": "firebase", "cdktf-cli": "cdktf", "sequelize-cli": "sequelize", "knex-cli": "knex", "vercel-cli": "vercel", "netlify-cli": "netlify", "heroku-cli": "heroku",
	"typeorm-ts-node-commonjs": "typeorm", "typeorm-ts-node-esm": "typeorm", "aws-amplify-cli": "amplify", "pm2-runtime": "pm2",
	"claude-code": "claude", "gemini-cli": "gemini", "qwen-code": "qwen", "opencode-ai": "opencode", "copilot": "copilot", "codex-cli": "codex",
}

// runsPackage is npx, uvx and those that do the same: a package is fetched, and its
// program or another command runs.
func runsPackage(a *act, in *command.Reading) {
	specs := in.Values("package")
	for _, spec := range specs {
		a.runsFrom(spec, registryOf(in))
	}
	if text := in.Value("call"); text != "" {
		a.script(text)
	}
	for words := range in.Begins("argv") {
		if len(specs) == 0 && !in.Has("no-install") {
			a.runsFrom(words[0], registryOf(in))
		}
		name, _ := packageOf(words[0])
		name = name[strings.LastIndexByte(name, '/')+1:]
		if program := packagePrograms[name]; program != "" {
			name = program
		}
		a.argv(append([]string{name}, words[1:]...))
	}
}

// runsFrom notes that a package is fetched to be run: by its name it is an
// install, by its address a program from the network.
func (a *act) runsFrom(spec, registry string) {
	if isShorthand(spec) {
		spec = "github:" + spec
	}
	if _, from := packageOf(spec); from != "" && command.IsAddress(from) {
		a.does(effect.RunRemote, from)
		return
	}
	a.installs(spec, registry)
}

// setsPackages: settings that decide where packages come from and what they may run.
func setsPackages(a *act, in *command.Reading) {
	key, value, given := strings.Cut(in.Value("key"), "=")
	if !given {
		value = in.Value("value")
	}
	lower := strings.ToLower(key)
	switch {
	case strings.HasSuffix(lower, "registry") || strings.HasSuffix(lower, "registryserver"):
		if isForeign(value) {
			a.add(effect.Effect{Verb: effect.Persist, Object: "npm registry", From: value})
		}
	case lower == "ignore-scripts" && value == "false", lower == "strict-ssl" && value == "false", lower == "script-shell", lower == "node-options", lower == "init-module", lower == "onload-script", lower == "git", lower == "editor" && strings.Contains(value, " "):
		a.add(effect.Effect{Verb: effect.Persist, Object: "npm " + lower, From: value})
	case strings.Contains(lower, "_auth"):
		a.add(effect.Effect{Verb: effect.SetVariable, Object: "npm " + key, From: value})
	}
}

// runsScript is npm run NAME, npm test and the like.
func runsScript(a *act, in *command.Reading) {
	name := in.Value("script")
	if name == "" {
		if name = in.Value("command"); strings.HasPrefix(name, "r") && name != "restart" || name == "urn" {
			return
		}
	}
	if in.Name == "bun" && strings.Contains(name, ".") {
		codeVerb("bun")(a)
		return
	}
	a.projectScript(name)
}

// runsWord is yarn WORD: a program of the project, or one of its scripts.
func runsWord(a *act, in *command.Reading) {
	words := append(in.Values("command"), in.Values("word")...)
	if a.r.isProgram(words[0]) {
		a.argv(words)
	} else {
		a.projectScript(words[0])
	}
}

// runsBunFile is bun FILE.
func runsBunFile(a *act, in *command.Reading) {
	if word := in.Value("command"); word == "" || strings.Contains(word, ".") {
		codeVerb("bun")(a)
	}
}

// runsWords runs a program that is called as a subcommand of another: cargo sqlx.
func runsWords(a *act, in *command.Reading) {
	a.argv(append(in.Values("command"), in.Values("word")...))
}

// projectScript runs a script of package.json: read if the conversation wrote
// it, otherwise only named.
func (a *act) projectScript(name string) {
	content, known := a.file("package.json")
	if !known {
		a.does(effect.Run, "npm script "+name)
		return
	}
	var project struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(content), &project) != nil || project.Scripts[name] == "" {
		a.does(effect.Run, "npm script "+name)
		return
	}
	if !a.r.pay(len(content)) || slices.Contains(a.r.active, "npm script "+name) {
		return
	}
	a.r.active = append(a.r.active, "npm script "+name) // a script may run itself
	for _, script := range []string{"pre" + name, name, "post" + name} {
		if text := project.Scripts[script]; text != "" {
			a.script(text)
		}
	}
	a.r.active = a.r.active[:len(a.r.active)-1]
}
