package javascript

import (
	"slices"
	"strings"
	"unicode/utf8"

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
	case "undefined":
		return value{kind: undefined}
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
	t := library.Of(library.JavaScript)
	for _, prefix := range []string{"node:", "npm:", "bun:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	if path, ok := t.Alias(name); ok {
		return nativeValue(path)
	}
	if isKnown(name) {
		return nativeValue(name)
	}
	if strings.HasSuffix(name, ".json") {
		e.use(library.Use{What: library.ReadFile, Text: name, Known: true, Dir: e.dir})
		return value{}
	}
	if scheme, rest, ok := strings.Cut(name, "://"); ok && (scheme == "http" || scheme == "https") {
		e.use(library.Use{What: library.Fetch, Text: name, Known: true})
		if host, _, _ := strings.Cut(rest, "/"); !t.Harmless(scheme + "://" + host) {
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
	full := path + "." + name
	switch full {
	case "Bun.argv", "Deno.argv":
		return e.argvList("bun")
	case "Bun.args", "Deno.args":
		return e.argvList()
	case "process.argv":
		return e.argvList("node")
	case "process.platform", "process.versions", "process.version", "Number.MAX_SAFE_INTEGER":
		return value{}
	case "process.env.toObject", "process.env.get": // Deno's are methods
		return nativeValue(full)
	}
	switch name {
	case "constructor":
		return nativeValue("Function")
	case "default":
		return nativeValue(path)
	case "__proto__":
		e.doubt(syntax.Reach)
	}
	t := library.Of(library.JavaScript)
	switch {
	case path == "process.env":
		return e.variable(name)
	case path == "timers":
		return nativeValue(name)
	case len(full) > maxPath+1:
		return value{}
	}
	if text, ok := t.Constant(full); ok {
		return textValue(text)
	}
	if other, ok := t.Alias(full); ok {
		return nativeValue(other)
	}
	return nativeValue(full)
}

// argvList are the arguments of the program, behind what stands before them.
func (e *evaluator) argvList(before ...string) value {
	words := slices.Concat(before, e.args[:min(len(e.args), maxRounds)])
	if len(e.args) == 0 || !e.step(len(words)) {
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
	odd := func(c rune) bool { return c >= utf8.RuneSelf || c == '$' || !syntax.IsNameByte(byte(c)) }
	if name == "" || syntax.IsDigit(name[0]) || strings.ContainsFunc(name, odd) {
		return someText()
	}
	return value{kind: text, text: "${" + name + "}", partial: true}
}
