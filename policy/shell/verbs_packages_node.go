package shell

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var nodeTakes = valued("prefix registry w workspace userconfig loglevel C dir F filter cwd cache tag otp access package p c call")

// nodePackages is npm and those that do the same.
func nodePackages(a *act) {
	values := nodeTakes
	if a.Name == "pnpm" || a.Name == "bun" || a.Name == "yarn" { // -w is the root there, -p production
		values = values.without("w", "p", "c")
	}
	l := cutLine(a.Args, values, firstEnds)
	if len(l.operands) == 0 {
		switch a.Name {
		case "yarn", "ni":
			a.does(effect.Install, ".")
		case "bun":
			codeVerb("bun")(a)
		}
		return
	}
	word, rest := l.operands[0], l.operands[1:]
	if (a.Name == "yarn") && word == "global" && len(rest) > 0 {
		word, rest = rest[0], rest[1:]
	}
	if a.Name == "yarn" && (word == "workspace" || word == "workspaces") && len(rest) > 1 {
		a.argv(append([]string{"yarn"}, rest[1:]...))
		return
	}
	inner := cutLine(rest, values, gnu)
	registry := a.fromEnvironment("npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_REGISTRY", "BUN_CONFIG_REGISTRY")
	for _, given := range []string{l.value("registry"), inner.value("registry")} {
		if given != "" {
			registry = given
		}
	}
	switch word {
	case "install", "i", "add", "isntall", "in", "ins", "inst", "insta", "instal", "ci", "clean-install", "install-clean", "update", "upgrade", "up", "install-test", "it", "link", "ln":
		a.nodeInstalls(word, inner.operands, registry)
	case "exec", "x", "dlx":
		a.nodeRuns(word, rest, &inner)
	case "create", "init", "c":
		if len(inner.operands) > 0 {
			a.installs("create-"+strings.TrimPrefix(inner.operands[0], "create-"), registry)
		}
	case "run", "run-script", "rum", "urn", "test", "t", "tst", "start", "stop", "restart":
		name := word
		if strings.HasPrefix(word, "r") && word != "restart" || word == "urn" {
			if name = inner.operand(0); name == "" {
				return
			}
		}
		if a.Name == "bun" && strings.Contains(name, ".") {
			codeVerb("bun")(a)
			return
		}
		a.projectScript(name)
	case "publish":
		if !inner.has("dry-run") {
			a.does(effect.Publish, firstOr(inner.operands, "package"))
		}
	case "unpublish", "deprecate":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "package " + inner.operand(0), Wide: word == "unpublish"})
	case "npm": // yarn npm publish
		if inner.operand(0) == "publish" {
			a.does(effect.Publish, "package")
		}
	case "config", "set", "c-set":
		a.nodeConfig(word, inner.operands)
	case "token":
		if inner.operand(0) == "create" {
			a.does(effect.Grant, "npm token")
		}
	case "owner", "access", "team":
		switch first, second := inner.operand(0), inner.operand(1); {
		case first == "public", first == "set" && strings.Contains(second+strings.Join(a.Args, " "), "status=public"), first == "2fa-not-required", strings.Contains(second, "mfa=none"):
			a.does(effect.Grant, "public access to package "+strings.Join(inner.from(1), " "))
		case first == "add" || first == "grant":
			a.does(effect.Grant, "npm "+word+" "+strings.Join(inner.from(1), " "))
		}
	default:
		switch {
		case a.Name == "bun" && (strings.Contains(word, ".") || strings.HasPrefix(word, "-")):
			codeVerb("bun")(a)
		case (a.Name == "yarn" || a.Name == "pnpm") && !nodeWords[word]: // a script or a program of the project
			if a.r.verbOf(word) != nil {
				a.argv(l.operands)
			} else {
				a.projectScript(word)
			}
		}
	}
}

// nodeWords are words that only look at things, or change the project alone.
var nodeWords = valued(`list ls ll la why outdated audit info view v show search bin root pack version versions help login logout whoami remove rm uninstall un unlink prune dedupe
	rebuild store cache import patch patch-commit licenses env setup self-update doctor ping fund explain query pkg completion plugin set-version constraints node node-gyp deploy fetch policies check generate-lock-entry autoclean`)

func (a *act) nodeInstalls(word string, specs []string, registry string) {
	if registry == "" {
		registry = a.settingsRegistry(".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml")
	}
	if len(specs) == 0 || word == "ci" || word == "clean-install" {
		a.installs(".", registry)
		if isForeign(registry) {
			a.add(effect.Effect{Verb: effect.Install, Object: ".", From: registry})
		}
		return
	}
	for _, spec := range specs {
		if isShorthand(spec) {
			spec = "github:" + spec
		}
		a.installs(spec, registry)
	}
}

// isShorthand reports whether a package is a repository: owner/name.
func isShorthand(spec string) bool {
	owner, name, ok := strings.Cut(spec, "/")
	return ok && owner != "" && name != "" && strings.IndexByte("@./~", owner[0]) < 0 && !strings.ContainsAny(owner, ":@$") && !strings.Contains(name, "/")
}

// nodeRuns is npm exec, pnpm dlx and the like. What pnpm exec runs is there
// already.
func (a *act) nodeRuns(word string, rest []string, inner *line) {
	if command := inner.value("c", "call"); command != "" {
		a.script(command)
		return
	}
	if a.Name == "pnpm" && word == "exec" || a.Name == "yarn" && word == "exec" {
		l := cutLine(rest, nodeTakes, firstEnds)
		if l.exact("c", "shell-mode") || a.Name == "yarn" && len(l.operands) == 1 {
			a.script(strings.Join(l.operands, " "))
		} else {
			a.argv(l.operands)
		}
		return
	}
	a.packageThenCommand(rest)
}

// packagePrograms are packages whose program has another name.
var packagePrograms = map[string]string{
	"aws-cdk": "cdk", "firebase-tools": "firebase", "cdktf-cli": "cdktf", "sequelize-cli": "sequelize", "knex-cli": "knex", "vercel-cli": "vercel", "netlify-cli": "netlify", "heroku-cli": "heroku",
	"typeorm-ts-node-commonjs": "typeorm", "typeorm-ts-node-esm": "typeorm", "aws-amplify-cli": "amplify", "pm2-runtime": "pm2",
	"claude-code": "claude", "gemini-cli": "gemini", "qwen-code": "qwen", "opencode-ai": "opencode", "copilot": "copilot", "codex-cli": "codex",
}

// runsPackage is npx and those that do the same.
func runsPackage(a *act) { a.packageThenCommand(a.Args) }

func (a *act) packageThenCommand(words []string) {
	l := cutLine(words, valued("p package c call registry cache userconfig shell w workspace from"), firstEnds)
	registry := l.value("registry")
	if registry == "" {
		registry = a.fromEnvironment("npm_config_registry", "NPM_CONFIG_REGISTRY")
	}
	packages := l.values("p", "package")
	if len(packages) == 0 && len(l.operands) > 0 && !l.exact("no-install", "no") {
		packages = l.operands[:1]
	}
	for _, spec := range packages {
		a.runsFrom(spec, registry)
	}
	if command := l.value("c", "call"); command != "" {
		a.script(command)
	}
	if len(l.operands) > 0 {
		name, _ := packageOf(l.operands[0])
		name = name[strings.LastIndexByte(name, '/')+1:]
		if program := packagePrograms[name]; program != "" {
			name = program
		}
		a.argv(append([]string{name}, l.operands[1:]...))
	}
}

// runsFrom notes that a package is fetched to be run: by its name it is an
// install, by its address a program from the network.
func (a *act) runsFrom(spec, registry string) {
	if isShorthand(spec) {
		spec = "github:" + spec
	}
	if _, from := packageOf(spec); from != "" && isAddress(from) {
		a.does(effect.RunRemote, from)
		return
	}
	a.installs(spec, registry)
}

// nodeConfig: settings that decide where packages come from and what they may
// run.
func (a *act) nodeConfig(word string, words []string) {
	if word == "config" {
		if len(words) == 0 || words[0] != "set" {
			return
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	key, value, given := strings.Cut(words[0], "=")
	if !given && len(words) > 1 {
		value = words[1]
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

func corepack(a *act) {
	if l := cutLine(a.Args, nil, firstEnds); len(l.operands) > 1 {
		if name, _, _ := strings.Cut(l.operands[0], "@"); packageVerbsHas(name) {
			a.argv(append([]string{name}, l.operands[1:]...))
		}
	}
}

func packageVerbsHas(name string) bool {
	return name == "npm" || name == "npx" || name == "pnpm" || name == "yarn"
}

func firstOr(list []string, other string) string {
	if len(list) > 0 {
		return list[0]
	}
	return other
}
