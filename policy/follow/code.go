package follow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script"
)

// interpreter is a program for scripts. How it is called is in its description, which has
// its name.
type interpreter struct {
	name     string
	language library.Language
	// edits: -i changes the files that are named.
	edits bool
}

// Interpreters are the programs for scripts.
var Interpreters = map[string]*interpreter{
	"python": {name: "python", language: library.Python},
	"perl":   {name: "perl", language: library.Perl, edits: true},
	"ruby":   {name: "ruby", language: library.Ruby, edits: true},
	"php":    {name: "php", language: library.PHP},
	"lua":    {name: "lua", language: library.Lua},
	"r":      {name: "r", language: library.R},
	"node":   {name: "node", language: library.JavaScript},
}

// CodeVerb is what is known of a program that runs scripts, by its name with or
// without a version. It is nil for other names.
func CodeVerb(name string) invocation.Verb {
	switch base := invocation.InterpreterName(name); base {
	case "powershell":
		return powershellVerb
	case "cmd":
		return cmdVerb
	case "":
		if invocation.IsForWindows(name) || invocation.IsOfWindows(name) {
			return windowsVerb
		}
		return nil
	default:
		in := Interpreters[base]
		return func(a *invocation.Act) { interprets(a, in) }
	}
}

// interprets reads how an interpreter is called, and the program that it runs.
func interprets(a *invocation.Act, in *interpreter) {
	l := readLine(a, in)
	if !l.nothing {
		preloads(a, in, l.Reading)
		if len(a.Env) > 0 {
			startsWith(a, in)
		}
	}
	if in.language == library.JavaScript {
		for _, module := range l.Values("load") {
			loadsModule(a, in, module)
		}
	}
	if l.nothing {
		return
	}
	if l.programs != nil {
		for _, at := range l.programs {
			Program(a, in, l.looped(at.text), at.word, l.arguments())
		}
		edited(a, in, &l)
		servedBy(a, in, &l)
	}
	if l.Value("module") != "" { // behind an option that is not known, -c may be the module's
		module(a, l.Value("module"), l.Behind("module"))
	}
	switch {
	case l.programs != nil, l.Value("module") != "":
	case l.Value("listens") != "":
		servesPHP(a, l.Value("listens"), l.Value("serves"))
	case l.Value("named") != "":
		programFile(a, in, l.Value("named"), nil)
	case l.file >= 0 && a.Args[l.file] != "-":
		scriptOf(a, in, l.file)
		for _, at := range l.others {
			scriptOf(a, in, at)
		}
	case a.In.Piped:
		programInput(a, in, a.Args[max(0, l.file):])
	}
}

// loadsModule notes what node --import loads before the program: an address, or
// a program in one.
func loadsModule(a *invocation.Act, in *interpreter, module string) {
	switch {
	case strings.HasPrefix(module, "http://"), strings.HasPrefix(module, "https://"):
		a.Does(effect.RunRemote, module)
	case strings.HasPrefix(module, "data:"):
		Program(a, in, "import("+strconv.Quote(module)+")", -1, nil)
	case strings.HasPrefix(module, "./"), strings.HasPrefix(module, "/"):
		if content, _ := a.File(module); content != "" {
			Program(a, in, content, -1, nil)
		}
	}
}

// servesPHP notes the address that php -S listens to, and the directory that
// others can ask for there.
func servesPHP(a *invocation.Act, address, dir string) {
	host, _, _ := strings.Cut(address, ":")
	if host == "localhost" || strings.HasPrefix(host, "127.") {
		a.Does(effect.Listen, address)
		return
	}
	serves(a, address, dir)
}

// serves notes a directory that others can ask for at an address.
func serves(a *invocation.Act, address, dir string) {
	a.Add(effect.Effect{Verb: effect.Listen, Object: address, From: a.Path(cmp.Or(dir, ".")), Wide: true})
}

// servedBy notes the directory that ruby -run -e httpd serves.
func servedBy(a *invocation.Act, in *interpreter, l *scriptLine) {
	if in.language != library.Ruby || !slices.ContainsFunc(l.programs, func(p programArg) bool { return strings.TrimSpace(p.text) == "httpd" }) {
		return
	}
	dir := "."
	if rest := l.operands(); len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		dir = rest[0]
	}
	serves(a, "httpd", dir)
}

// Program reads a text that an interpreter runs. word is the argument that it is
// in, -1 if it is in none; args are its own name and arguments, if it has any.
func Program(a *invocation.Act, in *interpreter, text string, word int, args []string) {
	if word >= 0 && word < len(a.Words()) {
		switch w := &a.Words()[word]; {
		case w.Remote != "":
			a.Does(effect.RunRemote, w.Remote)
		case w.Hidden != "":
			a.Does(effect.RunHidden, w.Hidden)
		}
		if strings.HasPrefix(text, "$") && (in.language == library.Python || in.language == library.Lua) { // not its own
			a.Doubt(invocation.Variable)
		}
	}
	if !a.R.Pay(invocation.StepCost+len(text)) || a.R.Depth >= invocation.MaxDepth {
		a.Doubt(invocation.Nesting)
		return
	}
	a.R.Depth++
	defer func() { a.R.Depth-- }()
	programPlace(a, text)
	if len(text) <= MostGiven {
		OpensShell(a, text)
	}
	losesRows(a, text)
	libraries(a, in, text)
	if in.language == library.JavaScript {
		javaScript(a, text, args)
		return
	}
	if in.language == library.Python {
		text = magic(a, text)
	}
	uses := script.ReadWith(in.language, text, script.Given{Args: args, Env: a.KnownVariable, Load: loader(a, in, args)})
	killsFound(a, text, uses)
	outer := a.In
	for _, u := range uses {
		if u.What == library.Shell || u.What == library.Argv {
			feeds(a, text, uses)
		}
		readUse(a, in, &u)
		a.In = outer
	}
}

// programInput reads a program that comes from a pipe or a here-document.
func programInput(a *invocation.Act, in *interpreter, args []string) {
	from := a.In
	ran := runsInput(a, func(text string) {
		a.Ran = text
		Program(a, in, text, -1, args)
	})
	a.In = invocation.Flow{}
	switch {
	case ran:
	case (from.By == "cat" || from.By == "<" || from.By == "tee") && len(from.Sources) > 0:
		for _, p := range from.Sources {
			programFile(a, in, p, args)
		}
	default:
		a.Doubt(invocation.Pipe)
		a.Does(effect.RunHidden, from.By)
	}
}

// scriptOf reads the script that an argument names.
func scriptOf(a *invocation.Act, in *interpreter, word int) {
	if word < len(a.Words()) && a.Words()[word].Made != nil { // <(curl x)
		a.In = *a.Words()[word].Made
		programInput(a, in, a.Args[word:])
		return
	}
	p := a.Args[word]
	if a.R.Known[invocation.BaseName(p)] != nil && a.R.Known[invocation.BaseName(p)].Does != nil && a.R.File(a.Path(p)) == nil { // php artisan, python manage.py
		a.Argv(append([]string{invocation.BaseName(p)}, a.Args[word+1:]...))
	}
	if strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") { // deno run
		a.Does(effect.RunRemote, p)
		return
	}
	if p == "/dev/stdin" || p == "/dev/fd/0" || p == "/proc/self/fd/0" {
		programInput(a, in, a.Args[word:])
		return
	}
	Described(a, p, a.Args[word+1:])
	programFile(a, in, p, a.Args[word:])
}

// programFile reads a script in a file that the conversation wrote. Of others it
// is only known that they run.
func programFile(a *invocation.Act, in *interpreter, p string, args []string) {
	if name := written(a, in, p); name != "" {
		p = name // node m is m.js
	} else if name := mainOf(a, in, p); name != "" {
		p = name // node . is what package.json says
	}
	content, known := a.File(p)
	if content != "" {
		Program(a, in, content, -1, args)
	}
	if !known {
		a.Does(effect.Run, a.Path(p))
	}
}

// edited notes the files that -i changes.
func edited(a *invocation.Act, in *interpreter, l *scriptLine) {
	files := l.operands()
	if !in.edits || !l.Has("i") {
		if l.loops() {
			ReadsFiles(a, files...)
		}
		return
	}
	if l.silences() {
		Emptied(a, files...)
	}
	var added strings.Builder
	for i := range l.programs {
		added.WriteString(replacements(l.programs[i].text))
	}
	for _, p := range files {
		if content, ok := SedResult(a, p, l.Values("code"), l.quiet()); ok && !invocation.IsNoFile(p) {
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(p), Content: content})
		} else {
			Replaces(a, p, added.String())
		}
	}
}

// module notes what python -m does.
func module(a *invocation.Act, name string, args []string) {
	if file := strings.ReplaceAll(name, ".", "/") + ".py"; a.R.File(a.Path(file)) != nil {
		a.Argv(append([]string{"python3", file}, args...))
	}
	if throughModule(a, name, args) {
		return
	}
	switch name {
	case "pydoc", "uvicorn", "gunicorn", "flask", "smtpd":
	case "http.server", "SimpleHTTPServer":
		port := "8000"
		for _, arg := range args {
			if arg != "" && '0' <= arg[0] && arg[0] <= '9' {
				port = arg
			}
		}
		dirs := After((&invocation.Act{Command: &invocation.Command{Args: args}}), "-d", "--directory")
		serves(a, ":"+port, invocation.LastOf(dirs))
	case "zipapp":
		zipsApp(a, args)
	case "timeit":
		for _, arg := range args {
			if !strings.HasPrefix(arg, "-") {
				Program(a, Interpreters["python"], arg, -1, nil)
			}
		}
	case "json.tool":
		if files := (&invocation.Command{Args: args}).Operands("indent"); len(files) > 0 {
			a.Looks(false, files[0])
		}
	case "pytest", "unittest", "nose2", "tox", "nox", "xdist":
		ordered(a, name, args)
	case "compileall", "py_compile", "site", "sysconfig", "platform", "this", "calendar", "ensurepip", "doctest", "tokenize", "ast", "dis":
	default: // a program of the same name
		if !strings.Contains(name, ".") && a.R.Pay(invocation.StepCost) && CodeVerb(name) == nil {
			a.Argv(append([]string{name}, args...))
		}
	}
}
