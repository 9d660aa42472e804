package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var pipTakes = valued(`i index-url extra-index-url f find-links r requirement c constraint e editable t target prefix root python trusted-host proxy platform index default-index only-binary no-binary
	implementation abi cache-dir log progress-bar global-option install-option config-settings python-version p with with-requirements from directory project package group extra env-file source repository G channel`)

func pip(a *act) {
	l := a.line(pipTakes)
	a.pipLine(&l, l.operands)
}

func (a *act) pipLine(l *line, words []string) {
	if len(words) == 0 || l.has("dry-run") {
		return
	}
	switch words[0] {
	case "install", "download", "wheel", "sync", "compile":
		if words[0] == "compile" {
			return
		}
		a.pipInstalls(l, words[1:])
	case "config":
		if len(words) > 3 && words[1] == "set" && (strings.Contains(words[2], "index-url") || strings.Contains(words[2], "trusted-host")) && isForeign(words[3]) {
			a.add(effect.Effect{Verb: effect.Persist, Object: "pip registry", From: words[3]})
		}
	}
}

func (a *act) pipInstalls(l *line, specs []string) {
	registry := a.fromEnvironment("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "PIP_FIND_LINKS")
	for _, given := range l.values("i", "index-url", "extra-index-url", "f", "find-links", "index", "default-index", "source") {
		if _, address, ok := strings.Cut(given, "=http"); ok { // --index name=https://
			given = "http" + address
		}
		if isForeign(given) || registry == "" {
			registry = given
		}
	}
	for _, spec := range specs {
		a.installs(spec, registry)
	}
	for _, spec := range l.values("e", "editable") {
		a.installs(spec, registry)
	}
	for _, file := range l.values("r", "requirement", "with-requirements") {
		if strings.Contains(file, "://") {
			a.add(effect.Effect{Verb: effect.Install, Object: file, From: file})
			continue
		}
		if content, known := a.file(file); known {
			a.requirements(content, registry)
			continue
		}
		a.installs(file, registry)
	}
}

// requirements reads a list of packages that the conversation wrote.
func (a *act) requirements(content, registry string) {
	for text := range strings.Lines(content) {
		text, _, _ = strings.Cut(strings.TrimSpace(text), " #")
		switch {
		case text == "", text[0] == '#':
		case text[0] == '-':
			flag := cutLine(strings.Fields(text), pipTakes, gnu)
			if given := flag.value("i", "index-url", "extra-index-url", "f", "find-links"); given != "" {
				registry = given
			}
			for _, spec := range flag.values("e", "editable") {
				a.installs(spec, registry)
			}
		default:
			a.installs(text, registry)
		}
	}
}

func uv(a *act) {
	l := cutLine(a.Args, pipTakes, firstEnds)
	if len(l.operands) == 0 {
		return
	}
	rest := l.operands[1:]
	inner := cutLine(rest, pipTakes, gnu)
	switch l.operands[0] {
	case "pip":
		a.pipLine(&inner, inner.operands)
	case "add":
		a.pipInstalls(&inner, inner.operands)
	case "sync", "lock":
		if l.operands[0] == "sync" {
			a.pipInstalls(&inner, []string{"."})
		}
	case "run":
		a.pythonRuns(rest)
	case "tool":
		switch inner.operand(0) {
		case "run":
			a.toolRuns(rest[1:])
		case "install":
			a.pipInstalls(&inner, inner.from(1))
		}
	case "x":
		a.toolRuns(rest)
	case "publish":
		a.does(effect.Publish, "package")
	}
}

func uvx(a *act) { a.toolRuns(a.Args) }

// toolRuns is uvx and pipx run: a package is fetched to be run.
func (a *act) toolRuns(words []string) {
	l := cutLine(words, valued("from with python p index index-url extra-index-url default-index spec pip-args i f find-links with-requirements"), firstEnds)
	registry := l.value("index-url", "index", "extra-index-url", "default-index", "i", "f", "find-links")
	spec := l.value("from", "spec")
	if spec == "" {
		spec = l.operand(0)
	}
	for _, s := range append([]string{spec}, l.values("with")...) {
		if _, from := packageOf(s); isAddress(from) {
			a.does(effect.RunRemote, from)
		} else {
			a.installs(s, registry)
		}
	}
	if len(l.operands) > 0 {
		name, _ := packageOf(l.operands[0])
		a.argv(append([]string{name}, l.operands[1:]...))
	}
}

// pythonRuns is uv run: a command, or a script for python.
func (a *act) pythonRuns(words []string) {
	l := cutLine(words, pipTakes.without("i", "c", "t", "e", "f", "r"), firstEnds)
	for _, spec := range l.values("with") {
		for one := range strings.SplitSeq(spec, ",") {
			a.installs(one, l.value("index-url", "index"))
		}
	}
	switch first := l.operand(0); {
	case first == "":
		if a.in.piped {
			a.argv([]string{"python3", "-"})
		}
	case l.exact("m", "module"):
		a.argv(append([]string{"python3", "-m"}, l.operands...))
	case first == "-", l.has("s", "script", "gui-script"): // a program on the input, or in a file of whatever name
		a.argv(append([]string{"python3"}, l.operands...))
	case strings.Contains(first, "://"):
		a.does(effect.RunRemote, first)
	case a.r.verbOf(baseName(first)) != nil:
		a.argv(append([]string{baseName(first)}, l.operands[1:]...))
	case strings.HasSuffix(first, ".py"):
		a.argv(append([]string{"python3"}, l.operands...))
	default:
		a.argv(l.operands)
	}
}

func pipx(a *act) {
	l := cutLine(a.Args, valued("spec python index-url i pip-args suffix"), firstEnds)
	if len(l.operands) == 0 {
		return
	}
	inner := cutLine(l.operands[1:], valued("spec python index-url i pip-args suffix"), gnu)
	switch l.operands[0] {
	case "run":
		a.toolRuns(l.operands[1:])
	case "install", "inject", "upgrade":
		for _, spec := range inner.operands {
			a.installs(spec, inner.value("index-url", "i"))
		}
	}
}

// pythonProject is poetry and those that do the same.
func pythonProject(a *act) {
	l := cutLine(a.Args, valued("C directory P project e env manifest-path"), firstEnds)
	if len(l.operands) == 0 {
		return
	}
	rest := l.operands[1:]
	inner := cutLine(rest, valued("source G group E extras r repository u username p password index i tag branch rev git path python extra-index-url pypi-mirror manifest-path feature"), gnu)
	switch l.operands[0] {
	case "run":
		if command := cutLine(rest, nil, firstEnds).operands; len(command) > 0 {
			if hatchEnv, script, ok := strings.Cut(command[0], ":"); ok && a.Name == "hatch" && hatchEnv != "" {
				command = append([]string{script}, command[1:]...)
			}
			a.pythonRuns(command)
		}
	case "add", "install", "update", "sync":
		if git := inner.value("git"); git != "" {
			a.add(effect.Effect{Verb: effect.Install, Object: firstOr(inner.operands, addressName(git)), From: git, Content: byAddress})
			return
		}
		if len(inner.operands) == 0 {
			a.installs(".", inner.value("index", "i", "extra-index-url", "pypi-mirror"))
		}
		for _, spec := range inner.operands {
			a.installs(spec, inner.value("index", "i", "extra-index-url", "pypi-mirror"))
		}
	case "publish":
		if !inner.has("dry-run") {
			a.does(effect.Publish, "package")
		}
	case "source":
		if inner.operand(0) == "add" && isForeign(inner.operand(2)) {
			a.add(effect.Effect{Verb: effect.Persist, Object: a.Name + " registry", From: inner.operand(2)})
		}
	}
}

func conda(a *act) {
	l := cutLine(a.Args, nil, firstEnds)
	if len(l.operands) == 0 {
		return
	}
	inner := cutLine(l.operands[1:], valued("n name c channel p prefix f file cwd"), gnu)
	switch l.operands[0] {
	case "install", "create", "update":
		channel := ""
		for _, given := range inner.values("c", "channel") {
			if isForeign(given) {
				channel = given
			}
		}
		for _, spec := range inner.operands {
			a.installs(spec, channel)
		}
	case "run":
		a.argv(cutLine(l.operands[1:], valued("n name p prefix cwd"), firstEnds).operands)
	case "env":
		if inner.operand(0) == "remove" {
			a.deletes(true, "~/miniconda3/envs/"+inner.value("n", "name"))
		}
	}
}

func twine(a *act) {
	l := a.line(valued("r repository repository-url u username p password config-file s sign-with i identity f format"))
	if word := l.operand(0); word == "upload" || word == "publish" {
		a.does(effect.Publish, firstOr(l.from(1), "package"))
		if address := l.value("repository-url"); address != "" {
			a.sendsTo(address, l.from(1)...)
		}
	}
}
