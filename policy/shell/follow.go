package shell

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// follow reads the files by which a project tells programs what to run, where
// the conversation wrote them: what nobody else has seen is judged by what is in
// it.
func (r *reader) follow(a *act) {
	r.followCode(a)
	r.followText(a)
	if strings.IndexByte(a.Text, '.') >= 0 && r.verbOf(a.Name) == nil {
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
		r.followed(a, anyOf(listed), "", a.Flag("t")+a.Flag("taskfile"), "Taskfile.yml", "Taskfile.yaml")
	case "npm", "pnpm", "yarn", "bun", "turbo", "nx", "lerna":
		r.followed(a, scripted(a), a.Flag("prefix")+a.Flag("cwd"), "", "package.json")
		r.localPackages(a)
	case "ansible-playbook":
		r.playbooks(a)
	case "foreman", "overmind", "honcho":
		r.followed(a, anyOf(listed), "", a.Flag("f"), "Procfile")
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
func (r *reader) followed(a *act, commands func(f *File) []string, dir, given string, names ...string) {
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
		for _, command := range commands(f) {
			r.inner(command, a.origin(), flow{})
		}
		r.scope = outer
		return
	}
}

// anyOf are the commands of a file, of whatever kind. Of a part of it any line
// may be one that runs.
func anyOf(commands func(content string) []string) func(f *File) []string {
	return func(f *File) []string {
		list := commands(f.Content)
		if f.Known {
			return list
		}
		for line := range strings.Lines(f.Content) {
			if line = strings.TrimLeft(strings.TrimSpace(line), "@-+"); strings.Contains(line, " ") {
				list = append(list, line)
			}
		}
		return list
	}
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

// makeVariables are the variables of a makefile as a shell has them.
var makeVariables = strings.NewReplacer("$$", "$", "$(HOME)", "$HOME", "${HOME}", "$HOME")

// listed are the commands in a YAML file: whatever stands behind a key or a dash.
func listed(content string) []string {
	var list []string
	for line := range strings.Lines(content) {
		line = strings.TrimLeft(strings.TrimSpace(line), "- ")
		if key, value, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(key, " '\"$/") {
			line = strings.TrimSpace(value)
		}
		if line = strings.Trim(line, `"'|>`); strings.Contains(line, " ") {
			list = append(list, line)
		}
	}
	return list
}
