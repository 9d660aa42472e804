package javascript

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// global is the path of the object that has all others.
const global = "globalThis"

// isKnown reports whether a name is that of a module that is described, or of what
// only computes.
func isKnown(name string) bool {
	t := library.Of(library.JavaScript)
	return t.Harmless(name) || t.Guarded(name)
}

// isBuiltin reports whether a name means something that the program did not make.
func isBuiltin(name string) bool {
	switch name {
	case global, "global", "window", "self", "frames", "top", "NaN", "Infinity", "tools", "codex", "eval", "Function", "require", "fetch", "Reflect", "Proxy", "Deno":
		return true
	}
	return isKnown(name)
}

// global is what a name means that the program does not declare.
func (e *evaluator) global(name string) value {
	switch name {
	case global, "global", "window", "self", "frames", "top":
		return nativeValue(global)
	case "NaN", "Infinity":
		n, _ := toNumber(textValue(name))
		return numberValue(n)
	}
	return nativeValue(name)
}

// isTool reports whether a path leads to the client's tools.
func isTool(path string) bool {
	return path == "tools" || path == "codex" || strings.HasPrefix(path, "tools.") || strings.HasPrefix(path, "codex.")
}

// require is a module by its name.
func (e *evaluator) require(name string) value {
	for _, prefix := range []string{"node:", "npm:", "bun:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	if path, ok := library.Of(library.JavaScript).Alias(name); ok {
		return nativeValue(path)
	}
	if isKnown(name) {
		return nativeValue(name)
	}
	switch {
	case strings.HasSuffix(name, ".json"):
		e.use(library.Use{What: library.ReadFile, Text: name, Known: true, Dir: e.dir})
		return value{}
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		e.use(library.Use{What: library.Fetch, Text: name, Known: true})
		scheme, rest, _ := strings.Cut(name, "://")
		if host, _, _ := strings.Cut(rest, "/"); !library.Of(library.JavaScript).Harmless(scheme + "://" + host) {
			e.use(library.Use{What: library.Eval, Text: name, Known: true})
		}
	}
	e.doubt(Unseen)
	e.clouds = e.clouds || library.Clouds().Named(name)
	return nativeValue("module:" + strings.ReplaceAll(name, ".", "_"))
}

func (e *evaluator) requireValue(v value) value {
	if v.kind != text || v.partial {
		e.doubt(syntax.Reach)
		return value{}
	}
	return e.require(v.text)
}

// maxPath is the length of the longest path of a native that is told apart.
const maxPath = 100

// nativeMember is a member of something that the program did not make.
func (e *evaluator) nativeMember(path, name string) value {
	if path == global {
		if c, ok := e.top.vars[name]; ok {
			return c.value
		}
		return e.global(name)
	}
	if path == "Bun" || path == "Deno" {
		switch name {
		case "argv":
			return e.argvList("bun")
		case "args":
			return e.argvList()
		}
	}
	switch name {
	case "constructor":
		return nativeValue("Function")
	case "default":
		return nativeValue(path)
	case "__proto__":
		e.doubt(syntax.Reach)
	}
	switch {
	case path == "process.env" && (name == "toObject" || name == "get"): // Deno's are methods
		return nativeValue(path + "." + name)
	case path == "process.env":
		return e.variable(name)
	case path == "process" && name == "argv":
		return e.argvList("node")
	case path == "process" && name == "platform", path == "process" && name == "versions", path == "process" && name == "version":
		return value{}
	case path == "timers":
		return nativeValue(name)
	case path == "Number" && name == "MAX_SAFE_INTEGER", len(path)+len(name) > maxPath:
		return value{}
	}
	t := library.Of(library.JavaScript)
	if text, ok := t.Constant(path + "." + name); ok {
		return textValue(text)
	}
	if other, ok := t.Alias(path + "." + name); ok {
		return nativeValue(other)
	}
	return nativeValue(path + "." + name)
}

// argvList are the arguments of the program, behind what stands before them.
func (e *evaluator) argvList(before ...string) value {
	if len(e.args) == 0 {
		return value{}
	}
	words := slices.Concat(before, e.args[:min(len(e.args), maxRounds)])
	if !e.step(len(words)) {
		return value{}
	}
	all := make([]value, len(words))
	for i, word := range words {
		all[i] = textValue(word)
	}
	return e.newList(all)
}

// variable is a variable of the environment. Those that say where the program
// is are known.
func (e *evaluator) variable(name string) value {
	e.use(library.Use{What: library.Env, Text: name, Known: true})
	switch name {
	case "HOME", "USERPROFILE":
		return textValue("$HOME")
	case "PWD", "INIT_CWD":
		return textValue("$PWD")
	}
	for i := range len(name) {
		if !syntax.IsNameByte(name[i]) || name[i] == '$' {
			return value{kind: text, text: Unknown, partial: true}
		}
	}
	if name == "" || syntax.IsDigit(name[0]) {
		return value{kind: text, text: Unknown, partial: true}
	}
	return value{kind: text, text: "${" + name + "}", partial: true}
}
