package shell

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/project"
)

// follow reads the files by which a project tells programs what to run, where
// the conversation wrote them: what nobody else has seen is judged by what is in
// it.
func (r *reader) follow(a *act) {
	r.followCode(a)
	r.followText(a)
	if strings.IndexByte(a.Text, '.') >= 0 && !r.isProgram(a.Name) {
		r.ownProgram(a)
	}
	if r.set.Files == nil && len(r.wrote) == 0 {
		return
	}
	r.tests(a)
	r.followProject(a)
	r.followOwn(a)
	switch a.Name {
	case "make", "gmake", "bmake":
		dir := a.Flag("C") + a.Flag("directory")
		r.followed(a, made(a), dir, "", makefiles(a.Flag("f")+a.Flag("file")+a.Flag("makefile"))...)
		r.madeByRule(a, dir)
	case "run-parts":
		for _, dir := range a.few(a.Operands("regex", "arg", "umask")) {
			if p := a.path(strings.TrimSuffix(dir, "/") + "/*"); r.file(p) != nil {
				r.runFile(a, p)
			}
		}
	case "just":
		r.followed(a, made(a), "", a.Flag("f")+a.Flag("justfile"), "justfile", "Justfile", ".justfile")
	case "task", "go-task":
		r.followed(a, tasked(a), "", a.Flag("t")+a.Flag("taskfile"), "Taskfile.yml", "Taskfile.yaml")
	case "npm", "pnpm", "yarn", "bun", "turbo", "nx", "lerna":
		r.followed(a, scripted(a), a.Flag("prefix")+a.Flag("cwd"), "", "package.json")
		r.localPackages(a)
	case "ansible-playbook":
		r.playbooks(a)
	case "foreman", "overmind", "honcho":
		r.followed(a, project.Lines, "", a.Flag("f"), "Procfile")
	case "nox":
		r.followedBy(a, "python3", "noxfile.py")
	case "python", "python3":
		for _, arg := range a.Args {
			for _, m := range imports.FindAllStringSubmatch(arg[:min(len(arg), mostMatched)], 16) {
				r.followedBy(a, "python3", m[1]+".py")
			}
		}
	case "pip", "pip3", "uv", "poetry":
		r.followedBy(a, "python3", "setup.py")
	case "cargo":
		r.followedAs(a, "build.rs", "src/main.rs")
	case "go":
		if r.hasFiles() {
			r.followedAs(a, append(a.Operands(), "main.go")...)
			a.buildsGo()
		}
	case "npx", "bunx", "tsx", "ts-node", "zx":
		for _, p := range a.Operands() {
			if ext := path.Ext(p); ext == ".ts" || ext == ".js" || ext == ".mjs" {
				r.followedBy(a, "node", p)
			}
		}
	case "cc", "c++", "tcc", "gcc", "g++", "clang", "clang++", "rustc", "javac", "java", "kotlinc", "dotnet", "swift", "nim", "zig":
		r.followedAs(a, a.Operands("o", "I", "L", "l")...)
		a.compiles()
	case "rake":
		r.followedBy(a, "ruby", "Rakefile")
	case "bundle", "gem":
		r.followedBy(a, "ruby", "Gemfile")
	case "jest", "vitest", "mocha", "node", "webpack", "vite", "gulp", "grunt", "eslint":
		r.followedBy(a, "node", "gulpfile.js", "Gruntfile.js", "webpack.config.js", "vite.config.ts", "vite.config.js", "jest.config.js", ".eslintrc.js")
	}
}

// imports are the modules that a line of Python loads.
var imports = regexp.MustCompile(`(?:^|[;\s])(?:import|from)\s+(\w+)`)

// followed reads the first of some files of which something is known.
func (r *reader) followed(a *act, read func(f project.File) project.Steps, dir, given string, names ...string) {
	if given != "" {
		names = []string{given}
	}
	for _, name := range names {
		if dir != "" && !effect.IsAbs(name) {
			name = strings.TrimSuffix(dir, "/") + "/" + name
		}
		f := r.file(a.path(name))
		if f == nil {
			continue
		}
		if f.Remote != "" {
			a.does(effect.RunRemote, f.Remote)
		}
		if !r.pay(len(f.Content)) {
			return
		}
		outer := r.scope
		if dir != "" { // make -C: they run there
			r.scope = r.sub(outer)
			r.scope.at.Cwd = a.path(dir)
			r.scope.dir = r.scope.at.Cwd
		}
		a.steps(read(f.ofProject()), flow{})
		r.scope = outer
		return
	}
}

// ofProject is what is known of a file for those who read files of projects.
func (f *File) ofProject() project.File { return project.File{Content: f.Content, Whole: f.Known} }

// steps adds what a file of a project tells a program to do.
func (a *act) steps(s project.Steps, in flow) {
	for i := range s.Commands {
		a.step(&s.Commands[i], in)
	}
	for _, removal := range s.Removals {
		a.deletes(removal.All, removal.Path)
	}
	if s.Unknown {
		a.doubt(Unseen)
	}
}

// step runs one command, where and with what the file says.
func (a *act) step(c *project.Command, in flow) {
	r, from, outer := a.r, a.origin(), a.r.scope
	if c.Dir != "" {
		r.scope = r.sub(outer)
		r.scope.at.Cwd = a.path(c.Dir)
		r.scope.dir = r.scope.at.Cwd
	}
	if len(c.Env) > 0 {
		from.env = maps.Clone(c.Env)
		maps.Copy(from.env, a.Env)
	}
	if len(c.Args) > 0 {
		r.argv(c.Args, from, in)
	} else {
		r.inner(c.Shell, from, in)
	}
	r.scope = outer
}

// tasked reads a Taskfile for what a command line names.
func tasked(a *act) func(f project.File) project.Steps {
	var names []string
	for _, word := range a.Operands("t", "taskfile", "d", "dir", "C", "concurrency", "o", "output", "I", "interval") {
		if !strings.Contains(word, "=") {
			names = append(names, word)
		}
	}
	return a.r.parsing("task "+strings.Join(names, " "), func(f project.File) project.Steps { return project.Taskfile(f, names) })
}

// followedBy reads scripts by the program that runs them.
func (r *reader) followedBy(a *act, program string, names ...string) {
	for _, name := range names {
		if r.file(a.path(name)) != nil {
			r.argv([]string{program, name}, a.origin(), flow{})
		}
	}
}

// followedAs reads programs in languages that are read by their look alone.
func (r *reader) followedAs(a *act, names ...string) {
	for _, name := range names {
		if f := r.file(a.path(name)); f != nil {
			if f.Remote != "" {
				a.does(effect.RunRemote, f.Remote)
			}
			r.lookOver(a, f.Content)
		}
	}
}

// matched is what is known of the files that a pattern stands for, as far as the
// text itself wrote them: any of them may be meant.
func (r *reader) matched(pattern string) *File {
	if len(r.wrote) == 0 || !r.pay(searchSteps+fileSteps*len(r.wrote)) {
		return nil
	}
	var all *File
	meant := NewPattern(pattern)
	for _, name := range slices.Sorted(maps.Keys(r.wrote)) {
		if !meant.Matches(name) {
			continue
		}
		f := r.wrote[name]
		if !r.pay(len(f.Content)) {
			break
		}
		if all == nil {
			all = &File{Known: true}
		}
		all.Content += f.Content + "\n"
		all.Known = all.Known && f.Known
		if f.Remote != "" {
			all.Remote = f.Remote
		}
	}
	return all
}

// followedMade reads programs that the shell makes of a command's output.
func (r *reader) followedMade(a *act) {
	for i := range a.words() {
		switch made := a.words()[i].made; {
		case made == nil:
		case made.remote != "":
			a.does(effect.RunRemote, made.remote)
		case made.known:
			r.lookOver(a, made.text)
		}
	}
}
