package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script"
)

// interpreter is how a program for scripts is called.
type interpreter struct {
	language library.Language
	// programs are the letters and words whose value is a program, values those
	// whose value is something else; only in the next word, or also behind the
	// letter. attached are letters that take the rest of their word, if any.
	programs, values []string
	attached         string
	// edits: -i changes the files that are named.
	edits bool
}

var interpreters = map[string]*interpreter{
	"python": {language: library.Python, programs: []string{"c"}, values: []string{"W", "X", "Q", "check-hash-based-pycs"}},
	"perl":   {language: library.Perl, programs: []string{"e", "E"}, values: []string{"I", "M", "m"}, attached: "iF0lCdDxVMmI", edits: true},
	"ruby":   {language: library.Ruby, programs: []string{"e"}, values: []string{"r", "I", "C", "E", "W", "encoding", "require"}, attached: "iF0KTxW", edits: true},
	"php":    {language: library.PHP, programs: []string{"r", "run", "B", "process-begin", "R", "process-code", "E", "process-end"}, values: []string{"d", "define", "c", "php-ini", "z", "zend-extension", "t", "docroot"}},
	"lua":    {language: library.Lua, programs: []string{"e"}, values: []string{"l"}},
	"r":      {language: library.R, programs: []string{"e"}, values: []string{"g", "gui", "d", "debugger"}},
	"node": {language: library.JavaScript, programs: []string{"e", "eval", "p", "print", "pe"}, values: []string{
		"r", "require", "import", "loader", "experimental-loader", "C", "conditions", "env-file", "input-type", "max-old-space-size", "title", "watch-path", "test-reporter", "test-name-pattern", "icu-data-dir", "redirect-warnings",
		"c", "config", "preload", "cwd", "define",
	}},
}

// codeVerb is what is known of a program that runs scripts, by its name with or
// without a version. It is nil for other names.
func codeVerb(name string) verb {
	switch base := interpreterName(name); base {
	case "powershell":
		return powershellVerb
	case "cmd":
		return cmdVerb
	case "":
		if isForWindows(name) || isOfWindows(name) {
			return windowsVerb
		}
		return nil
	default:
		in := interpreters[base]
		return func(a *act) { a.interprets(in) }
	}
}

// interpreterName is what an interpreter is called without its version, or empty.
func interpreterName(name string) string {
	end := len(name) // without a version
	for end > 0 && (name[end-1] >= '0' && name[end-1] <= '9' || name[end-1] == '.' || name[end-1] == '-') {
		end--
	}
	switch base := strings.ToLower(name[:end]); base {
	case "python", "pypy", "ipython", "pythonw", "py", "micropython", "jython", "graalpy":
		return "python"
	case "perl", "ruby", "php", "lua", "node", "cmd":
		return base
	case "jruby", "truffleruby", "irb", "mruby":
		return "ruby"
	case "luajit", "texlua":
		return "lua"
	case "rscript", "r", "littler":
		return "r"
	case "php-cgi", "php-cli", "hhvm":
		return "php"
	case "nodejs", "bun", "deno", "tsx", "ts-node", "qjs", "d8":
		return "node"
	case "powershell", "pwsh", "pwsh-preview":
		return "powershell"
	}
	return ""
}

// isCode reports whether the command runs a program in another language, or one
// of Windows.
func (a *act) isCode() bool { return a.facts().isCode() }

// interprets reads how an interpreter is called, and the program that it runs.
func (a *act) interprets(in *interpreter) {
	l := scriptLine{in: in, args: a.Args, plain: a.Is("node", "nodejs")}
	l.read()
	if !l.nothing {
		a.preloads(in)
		if len(a.Env) > 0 {
			a.startsWith(in)
		}
	}
	for _, module := range l.loaded {
		a.loadsModule(in, module)
	}
	switch {
	case l.nothing:
		return
	case l.programs != nil:
		for _, at := range l.programs {
			a.program(in, l.looped(at.text), at.word, l.arguments())
		}
		a.edited(in, &l)
		a.servedBy(in, &l)
	case l.module != "":
		a.module(l.module, a.Args[l.rest:])
	case l.listens != "":
		a.servesPHP(&l)
	case l.named != "":
		a.programFile(in, l.named, nil)
	case l.file >= 0 && a.Args[l.file] != "-":
		a.scriptOf(in, l.file)
	case a.in.piped:
		a.programInput(in, a.Args[max(0, l.file):])
	}
}

// loadsModule notes what node --import loads before the program: an address, or
// a program in one.
func (a *act) loadsModule(in *interpreter, module string) {
	switch {
	case strings.HasPrefix(module, "http://"), strings.HasPrefix(module, "https://"):
		a.does(effect.RunRemote, module)
	case strings.HasPrefix(module, "data:"):
		a.program(in, "import("+strconv.Quote(module)+")", -1, nil)
	case strings.HasPrefix(module, "./"), strings.HasPrefix(module, "/"):
		if content, _ := a.file(module); content != "" {
			a.program(in, content, -1, nil)
		}
	}
}

// servesPHP notes the address that php -S listens to, and the directory that
// others can ask for there.
func (a *act) servesPHP(l *scriptLine) {
	host, _, _ := strings.Cut(l.listens, ":")
	if host == "localhost" || strings.HasPrefix(host, "127.") {
		a.does(effect.Listen, l.listens)
		return
	}
	dir := l.serves
	if dir == "" {
		dir = "."
	}
	a.add(effect.Effect{Verb: effect.Listen, Object: l.listens, From: a.path(dir), Wide: true})
}

// servedBy notes the directory that ruby -run -e httpd serves.
func (a *act) servedBy(in *interpreter, l *scriptLine) {
	if in.language != library.Ruby || !slices.ContainsFunc(l.programs, func(p programArg) bool { return strings.TrimSpace(p.text) == "httpd" }) {
		return
	}
	dir := "."
	if rest := l.args[l.rest:]; len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		dir = rest[0]
	}
	a.add(effect.Effect{Verb: effect.Listen, Object: "httpd", From: a.path(dir), Wide: true})
}

// program reads a text that an interpreter runs. word is the argument that it is
// in, -1 if it is in none; args are its own name and arguments, if it has any.
func (a *act) program(in *interpreter, text string, word int, args []string) {
	if word >= 0 && word < len(a.words()) {
		switch w := &a.words()[word]; {
		case w.remote != "":
			a.does(effect.RunRemote, w.remote)
		case w.hidden != "":
			a.does(effect.RunHidden, w.hidden)
		}
		if strings.HasPrefix(text, "$") && (in.language == library.Python || in.language == library.Lua) { // not its own
			a.doubt(Variable)
		}
	}
	a.loadsIn(in, text, args)
	if !a.r.pay(stepCost+len(text)) || a.r.depth >= MaxDepth {
		a.doubt(Nesting)
		return
	}
	a.r.depth++
	defer func() { a.r.depth-- }()
	a.programPlace(text)
	if len(text) <= mostGiven {
		a.opensShell(text)
	}
	a.losesRows(text)
	a.libraries(in, text)
	if in.language == library.JavaScript {
		a.javaScript(text, args)
		return
	}
	if in.language == library.Python {
		text = a.withImported(in, a.magic(text), args)
	}
	uses := script.ReadWith(in.language, text, script.Given{Args: args, Env: a.variable})
	a.killsFound(text, commandsOf(uses))
	for _, u := range uses {
		a.uses(in, &u)
	}
}

// programInput reads a program that comes from a pipe or a here-document.
func (a *act) programInput(in *interpreter, args []string) {
	from := a.in
	a.in = flow{}
	switch {
	case from.remote != "":
		a.does(effect.RunRemote, from.remote)
	case from.known:
		a.ran = from.text
		a.program(in, from.text, -1, args)
	case from.hidden != "":
		a.does(effect.RunHidden, from.hidden)
	case (from.by == "cat" || from.by == "<" || from.by == "tee") && len(from.sources) > 0:
		for _, p := range from.sources {
			a.programFile(in, p, args)
		}
	default:
		a.doubt(Pipe)
		a.does(effect.RunHidden, from.by)
	}
}

// scriptOf reads the script that an argument names.
func (a *act) scriptOf(in *interpreter, word int) {
	if word < len(a.words()) && a.words()[word].made != nil { // <(curl x)
		a.in = *a.words()[word].made
		a.programInput(in, a.Args[word:])
		return
	}
	p := a.Args[word]
	if a.r.known[baseName(p)] != nil && a.r.known[baseName(p)].does != nil && a.r.file(a.path(p)) == nil { // php artisan, python manage.py
		a.argv(append([]string{baseName(p)}, a.Args[word+1:]...))
	}
	if strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") { // deno run
		a.does(effect.RunRemote, p)
		return
	}
	if p == "/dev/stdin" || p == "/dev/fd/0" || p == "/proc/self/fd/0" {
		a.programInput(in, a.Args[word:])
		return
	}
	a.programFile(in, p, a.Args[word:])
}

// programFile reads a script in a file that the conversation wrote. Of others it
// is only known that they run.
func (a *act) programFile(in *interpreter, p string, args []string) {
	if name := a.written(in, p); name != "" {
		p = name // node m is m.js
	} else if name := a.mainOf(in, p); name != "" {
		p = name // node . is what package.json says
	}
	content, known := a.file(p)
	if content != "" {
		a.program(in, content, -1, args)
	}
	if !known {
		a.does(effect.Run, a.path(p))
	}
}

// edited notes the files that -i changes.
func (a *act) edited(in *interpreter, l *scriptLine) {
	if !in.edits || !l.inPlace {
		if l.loops {
			a.reads(a.Args[l.rest:]...)
		}
		return
	}
	if l.silences() {
		a.emptied(a.Args[l.rest:]...)
	}
	for _, p := range a.Args[l.rest:] {
		if content, ok := a.sedResult(p, l.texts(), l.quiet); ok && !isNoFile(p) {
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), Content: content})
		} else {
			a.writes(p)
		}
	}
}

// module notes what python -m does.
func (a *act) module(name string, args []string) {
	if file := strings.ReplaceAll(name, ".", "/") + ".py"; a.r.file(a.path(file)) != nil {
		a.argv(append([]string{"python3", file}, args...))
	}
	if a.throughModule(name, args) {
		return
	}
	switch name {
	case "http.server", "SimpleHTTPServer", "pydoc", "uvicorn", "gunicorn", "flask", "smtpd":
		if name == "http.server" || name == "SimpleHTTPServer" {
			address := ":8000"
			for _, arg := range args {
				if arg != "" && '0' <= arg[0] && arg[0] <= '9' {
					address = ":" + arg
				}
			}
			dir := "."
			for i, arg := range args {
				if (arg == "-d" || arg == "--directory") && i+1 < len(args) {
					dir = args[i+1]
				}
			}
			a.add(effect.Effect{Verb: effect.Listen, Object: address, From: a.path(dir), Wide: true})
		}
	case "zipapp":
		a.zipsApp(args)
	case "zipfile", "tarfile":
		if len(args) > 2 && (args[0] == "-e" || args[0] == "--extract") {
			a.within(args[2], a.path(args[1]))
		}
	case "timeit":
		for _, arg := range args {
			if !strings.HasPrefix(arg, "-") {
				a.program(interpreters["python"], arg, -1, nil)
			}
		}
	case "json.tool":
		if files := (&Command{Args: args}).Operands("indent"); len(files) > 0 {
			a.looks(false, files[0])
		}
	case "pytest", "unittest", "compileall", "py_compile", "site", "sysconfig", "platform", "this", "calendar", "ensurepip", "doctest", "tokenize", "ast", "dis":
	default: // a program of the same name
		if !strings.Contains(name, ".") && a.r.pay(stepCost) && codeVerb(name) == nil {
			a.argv(append([]string{name}, args...))
		}
	}
}
