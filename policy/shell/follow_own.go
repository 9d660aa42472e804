package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/project"
)

// followOwn reads what programs run of a project in ways that no table tells.
func (r *reader) followOwn(a *act) {
	if len(a.Env) > 0 {
		r.followEnvironment(a)
	}
	switch a.Name {
	case "manage.py", "django-admin":
		if isWord(a.Sub) && r.pay(searchSteps) {
			r.readAs(a, "python", "**/management/commands/"+a.Sub+".py")
		}
	case "rails", "rake":
		r.railsTasks(a)
	case "act":
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "=-self-hosted") }) { // in no container
			for _, content := range r.contents(a, "**/.github/workflows/*.yml|**/.github/workflows/*.yaml") {
				r.once("workflow", func() { a.worded(&projectFile{words: yamlWords, way: byKeys}, content) })
			}
		}
	case "npx", "bunx", "npm", "pnpm", "yarn":
		if slices.Contains(a.Args, ".") {
			r.followedBy(a, "node", a.binsOf(".")...)
		}
	case "pip", "pip3", "uv":
		for _, dir := range a.few(a.Operands("r", "c", "i", "e")) {
			if isLocal(dir) {
				r.followedBy(a, "python3", path.Join(dir, "setup.py"))
			}
		}
	case "ssh", "scp", "sftp", "autossh", "rsync":
		for _, content := range r.contents(a, append(a.after("-F"), attached(a.Args, "-F")...)...) {
			a.sshSettings(trimmedLines(content))
		}
	case "java":
		for _, class := range a.few(a.Operands("cp", "classpath", "jar", "D")) {
			if isWord(class) && path.Ext(class) == "" {
				r.followedAs(a, class+".java")
			}
		}
	}
}

// trimmedLines are the lines of a file of settings.
func trimmedLines(content string) []string {
	var list []string
	for line := range strings.Lines(content) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && len(list) < mostOptions {
			list = append(list, line)
		}
	}
	return list
}

// isLocal reports whether a package is named by its directory.
func isLocal(name string) bool {
	return name == "." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "file:")
}

// followEnvironment reads the files that variables tell every program in a
// language, or any program, to load first.
func (r *reader) followEnvironment(a *act) {
	for _, name := range [...]string{"LD_PRELOAD", "DYLD_INSERT_LIBRARIES"} {
		if p := a.Env[name]; p != "" && r.file(a.path(p)) != nil {
			r.runFile(a, a.path(p))
		}
	}
	if a.isCode() { // it is told so itself
		return
	}
	given := *a
	c := *a.Command
	c.Args = nil
	given.Command = &c
	for _, of := range [...]struct{ name, language string }{{"NODE_OPTIONS", "node"}, {"PYTHONPATH", "python"}, {"PYTHONSTARTUP", "python"}, {"RUBYOPT", "ruby"}, {"PERL5OPT", "perl"}} {
		if a.Env[of.name] != "" {
			given.preloads(interpreters[of.language])
		}
	}
}

// pythonStarts are the modules that Python loads before its program, where it is
// told to look for them, and the file that it begins a session with.
func (a *act) pythonStarts() []string {
	var list []string
	for dir := range strings.SplitSeq(a.Env["PYTHONPATH"], ":") {
		if dir != "" && len(list) < mostReadings {
			list = append(list, path.Join(dir, "sitecustomize.py"), path.Join(dir, "usercustomize.py"))
		}
	}
	if p := a.Env["PYTHONSTARTUP"]; p != "" {
		list = append(list, p)
	}
	return list
}

// programsOf are the files that the package.json of a directory names as programs.
func (a *act) programsOf(dir string) (main string, installed []string) {
	if f := a.r.file(a.path(path.Join(dir, "package.json"))); f != nil && a.r.pay(len(f.Content)) {
		return project.Programs(f.Content)
	}
	return "", nil
}

// mainOf is the script that a directory stands for, empty if it stands for none.
func (a *act) mainOf(in *interpreter, dir string) string {
	if in != interpreters["node"] || path.Ext(dir) != "" && dir != "." && dir != ".." || !a.r.hasFiles() {
		return ""
	}
	if main, _ := a.programsOf(dir); main != "" {
		return a.written(in, path.Join(dir, main))
	}
	return ""
}

// binsOf are the scripts that a package brings as programs.
func (a *act) binsOf(dir string) []string {
	_, installed := a.programsOf(dir)
	list := make([]string, 0, len(installed))
	for _, p := range installed {
		list = append(list, path.Join(dir, p))
	}
	return a.few(list)
}

// localPackages reads the scripts of packages that are installed from a
// directory.
func (r *reader) localPackages(a *act) {
	for _, dir := range a.few(a.Args) {
		if dir != "." && isLocal(dir) {
			r.followed(a, scripted(a), strings.TrimPrefix(dir, "file:"), "", "package.json")
		}
	}
}

// railsTasks reads the tasks of a Rails project that a command names.
func (r *reader) railsTasks(a *act) {
	for _, name := range a.few(a.Operands("e", "environment")) {
		name = name[strings.LastIndexByte(name, ':')+1:]
		if !isWord(name) || !r.pay(searchSteps) {
			continue
		}
		for _, content := range r.contents(a, "**/lib/tasks/*.rake|**/lib/tasks/**/*.rake") {
			if strings.Contains(content, ":"+name) || strings.Contains(content, name+":") || strings.Contains(content, `"`+name+`"`) || strings.Contains(content, "'"+name+"'") {
				r.once("rake "+name, func() { a.program(interpreters["ruby"], content, -1, nil) })
			}
		}
	}
}

// cutFold is strings.CutPrefix without regard to case.
func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// wgetSettings are the files that settings of wget tell it to send.
func (a *act) wgetSettings(configs []string) []string {
	if a.r.set.Files == nil && len(a.r.wrote) == 0 {
		return nil
	}
	var files []string
	for _, content := range a.r.contents(a, append(configs, a.Env["WGETRC"], "~/.wgetrc")...) {
		for _, line := range trimmedLines(content) {
			name, value, _ := strings.Cut(line, "=")
			value = strings.TrimSpace(value)
			switch strings.ReplaceAll(strings.TrimSpace(strings.ToLower(name)), "-", "_") {
			case "post_file", "body_file", "postfile":
				files = append(files, value)
			case "use_askpass":
				a.script(value)
			}
		}
	}
	return files
}

// joined is what several files are together, if all of them are known.
func (r *reader) joined(paths []string, in *flow) {
	if !r.hasFiles() {
		return
	}
	var b strings.Builder
	for _, p := range paths {
		resolved, _ := r.scope.at.Resolve(p)
		f := r.file(resolved)
		if f == nil || !f.Known || b.Len()+len(f.Content) > mostKnown {
			return
		}
		b.WriteString(f.Content)
	}
	in.known, in.text = true, b.String()
}
