package javascript

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// global is the path of the object that has all others.
const global = "globalThis"

// globals are the names that a program finds and that only compute.
var globals = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`Object Array String Number Boolean Symbol BigInt Math JSON Date Map Set WeakMap WeakSet
		WeakRef Promise RegExp Error TypeError RangeError SyntaxError AggregateError URL URLSearchParams TextEncoder TextDecoder Intl console parseInt parseFloat isNaN isFinite
		encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape atob btoa Buffer Uint8Array Uint16Array Uint32Array Int8Array
		Int16Array Int32Array Float32Array Float64Array ArrayBuffer DataView setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask
		structuredClone performance crypto AbortController AbortSignal Event EventTarget Blob File FormData Headers process
		text image notify store load exit yield_control generatedImage yield_time
		path util url events assert stream querystring string_decoder timers perf_hooks os buffer zlib readline tty
		module exports __dirname __filename describe it test expect`) {
		all[name] = true
	}
	return all
}()

// modules are those whose calls are known, and what they are called here.
var modules = map[string]string{
	"fs/promises": "fs.promises", "fs-extra": "fs", "graceful-fs": "fs", "path/posix": "path", "path/win32": "path", "child_process/promises": "child_process",
	"node-fetch": "fetch", "ws": "WebSocket", "isomorphic-ws": "WebSocket", "cross-fetch": "fetch", "isomorphic-fetch": "fetch", "cross-spawn": "child_process.spawn", "util/types": "util",
	"stream/promises": "stream", "timers/promises": "timers", "dns/promises": "dns", "readline/promises": "readline", "assert/strict": "assert",
	"bun": "Bun", "process": "process", "buffer": "buffer", "del": "rimraf", "trash": "rimraf",
}

// known modules that have the name of their path.
func isModule(name string) bool {
	switch name {
	case "fs", "child_process", "os", "path", "util", "url", "http", "https", "http2", "net", "tls", "dgram", "dns", "vm", "crypto", "zlib", "readline",
		"events", "assert", "stream", "string_decoder", "querystring", "timers", "perf_hooks", "tty", "buffer", "process", "module", "worker_threads",
		"axios", "got", "undici", "superagent", "request", "needle", "execa", "shelljs", "rimraf", "zx", "Bun":
		return true
	}
	return false
}

// global is what a name means that the program does not declare.
func (e *evaluator) global(name string) (value, bool) {
	switch name {
	case global, "global", "window", "self", "frames", "top":
		return nativeValue(global), true
	case "NaN", "Infinity":
		n, _ := toNumber(textValue(name))
		return numberValue(n), true
	case "tools", "codex", "eval", "Function", "require", "fetch", "Reflect", "Proxy", "Deno", "Bun":
		return nativeValue(name), true
	}
	return nativeValue(name), globals[name] || isModule(name)
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
	if path, ok := modules[name]; ok {
		return nativeValue(path)
	}
	if isModule(name) {
		return nativeValue(name)
	}
	switch {
	case strings.HasSuffix(name, ".json"):
		e.use(library.Use{What: library.ReadFile, Text: name, Known: true, Dir: e.dir})
		return value{}
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		e.use(library.Use{What: library.Fetch, Text: name, Known: true})
	}
	e.doubt(Unseen)
	return nativeValue("module:" + strings.ReplaceAll(name, ".", "_"))
}

func (e *evaluator) requireValue(v value) value {
	if v.kind != text || v.partial {
		e.doubt(Reach)
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
		v, _ := e.global(name)
		return v
	}
	if path == "Bun" || path == "Deno" {
		switch name {
		case "env":
			path, name = "process", "env"
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
		e.doubt(Reach)
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
	case path == "process" && name == "execPath":
		return textValue("node")
	case path == "path" && (name == "posix" || name == "win32"):
		return nativeValue(path)
	case path == "path" && name == "sep":
		return textValue("/")
	case path == "os" && name == "EOL":
		return textValue("\n")
	case path == "buffer" && name == "Buffer":
		return nativeValue("Buffer")
	case path == "timers":
		return nativeValue(name)
	case path == "undici" && name == "fetch":
		return nativeValue("fetch")
	case path == "zx", path == "Bun" && name == "$":
		return nativeValue("$")
	case path == "Number" && name == "MAX_SAFE_INTEGER", len(path)+len(name) > maxPath:
		return value{}
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
		if !isNameByte(name[i]) || name[i] == '$' {
			return value{kind: text, text: Unknown, partial: true}
		}
	}
	if name == "" || isDigit(name[0]) {
		return value{kind: text, text: Unknown, partial: true}
	}
	return value{kind: text, text: "${" + name + "}", partial: true}
}
