package follow

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/windows"
	"github.com/sluice-project/sluice/policy/project"
)

// order is a text by which a program is told what to run: that of a file, or of an
// argument or the input, which have no name.
type order struct {
	Name string
	invocation.File
}

// way reads such a text.
type way = func(a *invocation.Act, o *command.Orders, f *order)

// byGoal are the ways in which only that is read of a file which the command line names.
var byGoal = map[string]bool{"make": true, "taskfile": true, "package": true, "compiled": true}

// ways are how texts are read, by the names that the catalogue has for them.
var ways = map[string]way{
	// Languages.
	"python": inLanguage("python"), "ruby": inLanguage("ruby"), "node": inLanguage("node"), "php": inLanguage("php"), "lua": inLanguage("lua"), "perl": inLanguage("perl"),
	"python and words": both(inLanguage("python"), worded), "lua and words": both(inLanguage("lua"), worded),
	"shell": func(a *invocation.Act, _ *command.Orders, f *order) {
		a.R.Shell.Inner(f.Content, a.Origin(), invocation.Flow{})
	},
	"bats": func(a *invocation.Act, _ *command.Orders, f *order) {
		a.Script(batsRun.ReplaceAllString(batsTest.ReplaceAllString(f.Content, "{"), "$1"))
	},
	"look":     func(a *invocation.Act, _ *command.Orders, f *order) { a.R.Shell.LookOver(a, f.Content) },
	"notebook": func(a *invocation.Act, _ *command.Orders, f *order) { notebook(a, f.Content) },
	"calls": func(a *invocation.Act, _ *command.Orders, f *order) {
		compiledCalls(a, f.Content)
		CalledIn(a, f.Content)
		started(a, f.Content)
	},
	"compiled-calls": func(a *invocation.Act, _ *command.Orders, f *order) { compiledCalls(a, f.Content) },
	"apple-events":   func(a *invocation.Act, _ *command.Orders, f *order) { appleEvents(a, f.Content) },
	"schema":         func(a *invocation.Act, _ *command.Orders, f *order) { schemaLost(a, f.Content) },
	"cmd":            func(a *invocation.Act, _ *command.Orders, _ *order) { a.Windows(windows.Cmd(WindowsLine(a), a.At)) },
	// Files of tasks and builds.
	"words": worded, "yaml": worded,
	"make": func(a *invocation.Act, _ *command.Orders, f *order) {
		Steps(a, Made(a)(f.OfProject()), invocation.Flow{})
	},
	"taskfile": func(a *invocation.Act, _ *command.Orders, f *order) {
		Steps(a, tasked(a)(f.OfProject()), invocation.Flow{})
	},
	"package":     packageScripts,
	"playbook":    steps(playbookSteps),
	"texts":       steps(project.Texts),
	"lines":       steps(project.Lines),
	"settings":    steps(project.Settings),
	"composer":    steps(project.ComposerScripts),
	"cmake-lists": steps(project.CMakeLists),
	"quoted":      steps(project.Quoted),
	"terminal":    steps(terminalCommands),
	"puppet":      steps(func(f project.File) project.Steps { return project.Puppet(f.Content) }),
	"cmake":       steps(func(f project.File) project.Steps { return project.CMake(f.Content) }),
	"xml":         steps(func(f project.File) project.Steps { return project.Elements(f.Content) }),
	"lisp":        steps(func(f project.File) project.Steps { return project.Dune(f.Content) }),
	"go-generate": steps(func(f project.File) project.Steps { return project.GoGenerate(f.Content) }),
	"json-tasks": func(a *invocation.Act, _ *command.Orders, f *order) {
		Steps(a, project.NamedTasks(f.Content, Few(a, a.Args)), a.In)
	},
	"backend":       func(a *invocation.Act, _ *command.Orders, f *order) { backend(a, f.Content) },
	"compose":       func(a *invocation.Act, _ *command.Orders, f *order) { composed(a.R, a, f.Content) },
	"containerfile": func(a *invocation.Act, _ *command.Orders, f *order) { built(a.R, a, f.Content) },
	"objects":       func(a *invocation.Act, _ *command.Orders, f *order) { kubeObjects(a, f.Content) },
	"ssh-settings":  func(a *invocation.Act, _ *command.Orders, f *order) { SshSettings(a, trimmedLines(f.Content)) },
	// What is not in a file.
	"cmake-tool": func(a *invocation.Act, _ *command.Orders, _ *order) { cmakeTool(a) },
	"compiler":   func(a *invocation.Act, _ *command.Orders, _ *order) { compiles(a) },
	"go-build":   func(a *invocation.Act, _ *command.Orders, _ *order) { buildsGo(a) },
	"compiled": func(a *invocation.Act, _ *command.Orders, f *order) { // x of x.c
		a.Argv([]string{"cc", "-o", strings.TrimSuffix(f.Name, path.Ext(f.Name)), f.Name})
	},
	"package-programs": func(a *invocation.Act, _ *command.Orders, _ *order) {
		for _, p := range binsOf(a, ".") {
			a.Argv([]string{"node", p})
		}
	},
	"directory": func(a *invocation.Act, _ *command.Orders, _ *order) {
		for _, dir := range Few(a, a.Operands("regex", "arg", "umask")) {
			if p := a.Path(strings.TrimSuffix(dir, "/") + "/*"); a.R.File(p) != nil {
				RunFile(a.R, a, p)
			}
		}
	},
	"address": func(a *invocation.Act, _ *command.Orders, _ *order) {
		for _, arg := range a.Args {
			if strings.HasPrefix(arg, "https://") || strings.HasPrefix(arg, "http://") {
				a.Does(effect.RunRemote, arg)
			}
		}
	},
	"ex-sources": func(a *invocation.Act, _ *command.Orders, f *order) {
		if word, file, ok := strings.Cut(strings.TrimLeft(f.Content, ":"), " "); ok && slices.Contains([]string{"so", "source", "runtime"}, word) {
			if content, _ := a.File(file); content != "" {
				a.R.Shell.LookOver(a, content)
			}
		}
	},
}

// Ways are the names of the ways, which the catalogue may use.
func Ways() []string {
	names := make([]string, 0, len(ways))
	for name := range ways {
		names = append(names, name)
	}
	return names
}

// inLanguage reads programs in a language. Of tasks only those count that are named.
func inLanguage(language string) way {
	return func(a *invocation.Act, o *command.Orders, f *order) {
		content := f.Content
		if o.Tasks && language == "ruby" && !slices.ContainsFunc(Few(a, a.Operands()), func(name string) bool { return namesTask(content, name) }) {
			return
		} else if o.Tasks {
			content = project.PythonTasks(content, a.Args)
		}
		var args []string
		if f.Name != "" && !IsPattern(f.Name) {
			args = []string{f.Name}
		}
		Program(a, Interpreters[language], content, slices.Index(a.Args, content), args)
	}
}

// namesTask reports whether a file of Rake has a task of a name.
func namesTask(content, name string) bool {
	name = name[strings.LastIndexByte(name, ':')+1:]
	return IsWord(name) && invocation.ContainsAny(content, []string{":" + name, name + ":", `"` + name + `"`, "'" + name + "'"})
}

// both reads a text in two ways.
func both(first, second way) way {
	return func(a *invocation.Act, o *command.Orders, f *order) {
		first(a, o, f)
		second(a, o, f)
	}
}

// steps reads files that are lists of commands. One of YAML is parsed once.
func steps(read func(f project.File) project.Steps) way {
	return func(a *invocation.Act, o *command.Orders, f *order) {
		if ext := path.Ext(f.Name); ext == ".yml" || ext == ".yaml" {
			Steps(a, parsing(a.R, o.As, read)(f.OfProject()), a.In)
		} else {
			Steps(a, read(f.OfProject()), a.In)
		}
	}
}

// worded reads the commands that stand beside words, or programs where the entry says that
// they are in a language.
func worded(a *invocation.Act, o *command.Orders, f *order) {
	content := f.Content
	if o.Tasks {
		content = project.PythonTasks(content, a.Args)
	}
	if len(o.Within) > 0 {
		content = project.Blocks(content, o.Within)
	}
	var s project.Steps
	if o.As == "yaml" {
		read := parsing(a.R, strings.Join(o.Beside, " "), func(f project.File) project.Steps { return project.YAMLWords(f, o.Beside) })
		s = read(project.File{Content: content})
	} else {
		s = project.Words(content, o.Beside)
	}
	in := Interpreters[o.Of]
	if in == nil {
		Steps(a, s, a.In)
		return
	}
	for _, c := range s.Commands {
		Program(a, in, strings.Join(append(c.Args[:min(1, len(c.Args))], c.Shell), ""), -1, nil)
	}
}

// packageScripts reads the scripts of a package.json that a command runs, where it lies.
func packageScripts(a *invocation.Act, _ *command.Orders, f *order) {
	names, some := scriptNames(a)
	outer := a.R.Scope
	defer func() { a.R.Scope = outer }()
	if dir := path.Dir(f.Name); dir != "." {
		a.R.Scope = a.R.Sub(outer)
		a.R.Scope.At.Cwd = a.Path(dir)
		a.R.Scope.Dir = a.R.Scope.At.Cwd
	}
	Steps(a, project.Scripts(f.OfProject(), names, !some), invocation.Flow{})
}
