package javascript

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// isShellTag reports whether a template after this name is a shell command.
func isShellTag(path string) bool {
	switch path {
	case "$", "Bun.$", "zx.$", "execa.$", "module:zx.$", "module:dax.$":
		return true
	}
	return false
}

// arg is an argument, which is undefined if it is missing.
func arg(args []value, i int) value {
	if i < len(args) {
		return args[i]
	}
	return value{kind: undefined}
}

// option is a member of the options among the arguments.
func (e *evaluator) option(args []value, name string) value {
	for _, a := range args {
		if a.kind == record {
			if v := e.member(a, name); v.kind != undefined {
				return v
			}
		}
	}
	return value{kind: undefined}
}

// about is a use with a text.
func (e *evaluator) about(what library.What, v value) library.Use {
	t := e.toText(v)
	if t.kind != text {
		t = value{kind: text, text: Unknown, partial: true}
	}
	return library.Use{What: what, Text: t.text, Known: !t.partial, Dir: e.dir}
}

// visible notes a call of a module of Node, Bun or Deno and reports whether the
// path leads to one.
func (e *evaluator) visible(path string, args []value) bool {
	module, name, _ := strings.Cut(path, ".")
	switch module {
	case "child_process", "execa", "shelljs", "$":
		e.starts(module, name, args)
	case "fs":
		e.file(strings.TrimPrefix(name, "promises."), args)
	case "rimraf":
		u := e.about(library.DeleteFile, arg(args, 0))
		u.Recursive = true
		e.use(u)
	case "Bun", "Deno":
		e.runtime(module, name, args)
	case "fetch", "axios", "got", "undici", "superagent", "request", "needle", "http", "https", "http2", "WebSocket", "EventSource", "XMLHttpRequest", "navigator":
		e.web(module, name, args)
	case "net", "tls", "dgram", "dns":
		e.socket(module, name, args)
	case "process":
		if name != "dlopen" {
			return false
		}
		e.doubt(Reach)
	default:
		return false
	}
	for _, a := range args {
		if a.kind == function {
			e.escape(a)
		}
	}
	return true
}

// argv is a program with its arguments.
func (e *evaluator) argv(program, args value) library.Use {
	u := e.about(library.Argv, program)
	u.Args = []string{u.Text}
	u.Text = ""
	all, known := e.elements(args, false)
	if args.kind == undefined || args.kind == record || args.kind == function {
		all, known = nil, true
	}
	u.Known = u.Known && known
	for _, a := range all {
		t := e.toText(a)
		if t.kind != text {
			t = value{kind: text, text: Unknown, partial: true}
		}
		u.Known = u.Known && !t.partial
		u.Args = append(u.Args, t.text)
	}
	if !known {
		u.Args = append(u.Args, Unknown)
	}
	return u
}

// awaits reports whether a command is a shell that takes what it does from its
// input.
func awaits(command string) bool {
	switch command[strings.LastIndexByte(command, '/')+1:] {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "bash -s", "sh -s":
		return true
	}
	return false
}

// started is what a call that was noted gives: the names in a directory, or a
// shell that can be told what to do.
func (e *evaluator) started(path string, args []value) value {
	switch path {
	case "child_process.spawn", "child_process.exec", "child_process.execFile":
		all, known := e.elements(arg(args, 1), false)
		if t := e.toText(arg(args, 0)); t.kind == text && awaits(t.text) && (!known || len(all) == 0 || len(all) == 1 && all[0].text == "-s") {
			return nativeValue("child_process.shell")
		}
	}
	return e.names(path)
}

// in gives a use the directory of the options.
func (e *evaluator) in(u library.Use, args []value) library.Use {
	if dir := e.option(args, "cwd"); dir.kind != undefined {
		u.Dir = e.about(0, dir).Text
	}
	return u
}

// starts notes a program that is started.
func (e *evaluator) starts(module, name string, args []value) {
	first := arg(args, 0)
	if input := e.option(args, "input"); input.kind != undefined && awaits(e.toText(first).text) {
		e.use(e.about(library.Shell, input))
	}
	if strings.HasPrefix(name, "shell.") { // what goes into its input
		switch name {
		case "shell.stdin.write", "shell.stdin.end":
			if first.kind != undefined && first.kind != function {
				e.use(e.about(library.Shell, first))
			}
		}
		return
	}
	switch strings.TrimSuffix(name, "Sync") {
	case "exec", "command", "execaCommand":
		e.use(e.in(e.about(library.Shell, first), args))
	case "fork", "execaNode":
		u := e.argv(textValue("node"), e.newList([]value{first}))
		e.use(e.in(u, args))
	case "spawn", "execFile", "", "execa", "sync", "spawn.sync":
		u := e.in(e.argv(first, arg(args, 1)), args)
		shell := e.option(args, "shell")
		if yes, ok := shell.truth(); yes || !ok || shell.kind == unknown {
			u.What, u.Text, u.Args = library.Shell, strings.Join(u.Args, " "), nil
		}
		e.use(u)
	default:
		switch module {
		case "shelljs": // its functions have the names of programs
			var flat []value
			for _, a := range args {
				some, ok := e.elements(a, false)
				if a.kind != list || !ok {
					some = []value{a}
				}
				flat = append(flat, some...)
			}
			e.use(e.argv(textValue(name), e.newList(flat)))
		default:
			e.doubt(Unseen)
		}
	}
}

// file notes what a function of fs does.
func (e *evaluator) file(name string, args []value) {
	first, second := arg(args, 0), arg(args, 1)
	switch strings.TrimSuffix(name, "Sync") {
	case "rm", "rmdir", "unlink", "remove", "emptyDir", "emptydir":
		u := e.about(library.DeleteFile, first)
		recursive := e.option(args[min(1, len(args)):], "recursive")
		yes, known := recursive.truth()
		u.Recursive = yes || !known || strings.HasPrefix(name, "remove") || strings.HasPrefix(strings.ToLower(name), "emptydir")
		e.use(u)
	case "writeFile", "appendFile", "outputFile", "writeJson", "writeJSON", "outputJson", "createWriteStream":
		u := e.about(library.WriteFile, first)
		if second.kind != record || !strings.HasPrefix(name, "create") {
			u.Content = e.content(second)
		}
		e.use(u)
	case "chmod", "lchmod":
		u := e.about(library.Mode, first)
		u.Content = e.octal(second)
		e.use(u)
	case "truncate", "chown", "lchown", "utimes", "lutimes", "mkdir", "mkdirs", "mkdirp", "ensureDir", "ensureFile", "createFile", "mkdtemp":
		e.use(e.about(library.WriteFile, first))
	case "rename", "move":
		e.use(e.about(library.WriteFile, first))
		e.use(e.about(library.WriteFile, second))
	case "copyFile", "cp", "copy", "link", "symlink":
		u := e.about(library.ReadFile, first)
		if recursive := e.option(args[min(2, len(args)):], "recursive"); recursive.kind != undefined {
			yes, known := recursive.truth()
			u.Recursive = yes || !known
		}
		e.use(u)
		e.use(e.about(library.WriteFile, second))
	case "open":
		u := e.about(library.ReadFile, first)
		if second.kind != undefined && (second.kind != text || second.partial || second.text != "r") && second.kind != function {
			u.What = library.WriteFile
		}
		e.use(u)
	case "readFile", "createReadStream", "readdir", "readJson", "readJSON", "readlink", "opendir", "glob":
		e.use(e.about(library.ReadFile, first))
	default:
		if strings.HasSuffix(name, "?") {
			e.doubt(Dynamic)
		}
	}
}

// octal is a mode as chmod writes it.
func (e *evaluator) octal(v value) string {
	if v.kind == number && v.num >= 0 && v.num < 1<<16 {
		return strconv.FormatInt(int64(v.num), 8)
	}
	if t := e.toText(v); t.kind == text && !t.partial {
		return strings.TrimPrefix(t.text, "0o")
	}
	return ""
}

// content is what is written or sent, as far as it is known.
func (e *evaluator) content(v value) string {
	if v.kind == undefined || v.kind == null {
		return ""
	}
	if v.kind == record {
		if _, ok := v.members().by["\x00bytes"]; !ok {
			e.tellsEnvironment(v, 0)
			v = e.stringify(v)
		}
	}
	t := e.toText(v)
	if t.kind != text {
		return Unknown
	}
	return t.text
}

// tellsEnvironment notes all variables where they are put into what is written or
// sent.
func (e *evaluator) tellsEnvironment(v value, depth int) {
	switch {
	case v.kind == native && v.text == "process.env":
		e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	case v.kind == record && depth < mostTold:
		for _, member := range v.members().by {
			if member.kind == native || member.kind == record {
				e.tellsEnvironment(member, depth+1)
			}
		}
	}
}

// mostTold is how deep in a value that is sent variables are looked for.
const mostTold = 3

// runtime notes what functions of Bun and Deno do.
func (e *evaluator) runtime(module, name string, args []value) {
	first := arg(args, 0)
	switch strings.TrimSuffix(name, "Sync") {
	case "spawn", "run":
		words := first
		if first.kind == record {
			words = e.member(first, "cmd")
		}
		all, _ := e.elements(words, false)
		u := e.argv(arg(all, 0), e.method(words, "slice", []value{numberValue(1)}))
		e.use(e.in(u, args))
	case "Command":
		e.use(e.in(e.argv(first, e.option(args, "args")), args))
	case "write":
		u := e.about(library.WriteFile, first)
		u.Content = e.content(arg(args, 1))
		e.use(u)
	case "file":
		e.use(e.about(library.ReadFile, first))
	case "remove":
		e.file("rm", args)
	case "writeTextFile":
		e.file("writeFile", args)
	case "readTextFile", "readDir":
		e.file("readFile", args)
	case "env.toObject":
		e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	case "connect":
		e.socket("net", "connect", args)
	case "serve", "build", "version", "inspect", "exit", "sleep":
	default:
		if module != "Deno" {
			e.doubt(Unseen)
		}
		e.file(name, args)
	}
}
