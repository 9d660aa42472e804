package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/project"
)

// followText reads the programs that build tools and others are given as a text:
// in an argument, on the input, or in a file of which something is known.
func (r *reader) followText(a *act) {
	switch a.Name {
	case "cmake":
		r.cmake(a)
	case "ctest":
		r.readAs(a, "cmake", a.after("-S", "--script")...)
	case "scons":
		files := append(a.after("-f", "--file", "--makefile", "--sconstruct"), attached(a.Args, "--file=", "--sconstruct=", "--makefile=")...)
		r.readAs(a, "python", append(files, "SConstruct", "SConscript")...)
	case "ant":
		r.readAs(a, "", append(a.after("-f", "-file", "-buildfile"), "build.xml")...)
	case "gradle", "gradlew":
		r.readAs(a, "", append(a.after("-I", "--init-script", "-b", "--build-file", "-c", "--settings-file"), attached(a.Args, "--init-script=", "--build-file=")...)...)
	case "mvn", "mvnw":
		r.readAs(a, "", append(a.after("-f", "--file"), "pom.xml")...)
	case "puppet":
		for _, text := range a.after("-e", "--execute") {
			a.steps(project.Puppet(text), a.in)
		}
		for _, content := range r.contents(a, a.Operands("e", "execute")...) {
			a.steps(project.Puppet(content), a.in)
		}
	case "chef-apply", "cinc-apply", "chef-client", "cinc-client", "chef-solo":
		for _, text := range a.after("-e", "--execute") {
			r.coded(a, "ruby", text)
			r.lookOver(a, text)
		}
		for _, content := range r.contents(a, a.Operands("e", "execute")...) {
			r.lookOver(a, content)
		}
		if a.Has("s") || a.Has("stdin") {
			r.lookOver(a, a.in.text)
		}
	case "tcc":
		if slices.Contains(a.Args, "-") && a.Has("run") {
			a.looksOverInput()
		}
	case "tox":
		r.once("tox.ini", func() {
			r.followed(a, project.Settings, "", strings.Join(a.after("-c", "--conf"), ""), "tox.ini", "setup.cfg", "pyproject.toml")
		})
	case "poe", "hatch", "pdm", "pixi", "rye", "taskipy", "cargo-make", "makers", "mise":
		r.once("settings", func() {
			r.followed(a, project.Settings, "", "", "pyproject.toml", "pixi.toml", "Makefile.toml", "mise.toml", ".mise.toml")
		})
	case "composer":
		r.once("composer.json", func() { r.followed(a, project.ComposerScripts, "", "", "composer.json") })
	case "doit":
		r.readAs(a, "python", "dodo.py")
	case "waf":
		r.readAs(a, "python", "wscript")
	case "earthly":
		r.once("Earthfile", func() { r.followed(a, project.Lines, "", "", "Earthfile") })
	case "go":
		if a.Sub == "generate" {
			r.generates(a)
		}
	case "kubectl", "oc", "k", "kubecolor":
		if a.Sub == "apply" || a.Sub == "create" || a.Sub == "replace" || a.Sub == "run" {
			r.kubeObjects(a)
		}
	}
}

// once reads a file whose commands may ask for each other: it is read as a whole
// the first time.
func (r *reader) once(file string, read func()) {
	if slices.Contains(r.active, file) || len(r.active) >= MaxDepth {
		return
	}
	r.active = append(r.active, file)
	read()
	r.active = r.active[:len(r.active)-1]
}

// contents is what is known of files, each once. Those that were fetched are run.
func (r *reader) contents(a *act, names ...string) []string {
	var list []string
	for _, name := range a.few(names) {
		if name == "-" {
			name = "/dev/stdin"
		}
		f := r.file(a.path(name))
		if f == nil {
			continue
		}
		if f.Remote != "" {
			a.does(effect.RunRemote, f.Remote)
		}
		if f.Content != "" {
			list = append(list, f.Content)
		}
	}
	return list
}

// readAs reads files that are programs in a language, or in one that is only
// looked over.
func (r *reader) readAs(a *act, language string, names ...string) {
	for _, content := range r.contents(a, names...) {
		switch in := interpreters[language]; {
		case in != nil:
			a.program(in, content, -1, nil)
		case language == "cmake":
			a.steps(project.CMake(content), a.in)
		default:
			r.lookOver(a, content)
		}
	}
}

// looksOverInput reads a program in a language that is only looked over from the
// input.
func (a *act) looksOverInput() {
	switch {
	case a.in.remote != "":
		a.does(effect.RunRemote, a.in.remote)
	case a.in.known:
		a.r.lookOver(a, a.in.text)
	case a.in.hidden != "":
		a.does(effect.RunHidden, a.in.hidden)
	}
}

// cmake reads what it does itself with -E, and scripts of -P.
func (r *reader) cmake(a *act) {
	for _, content := range r.contents(a, a.after("-P")...) {
		a.steps(project.CMake(content), a.in)
	}
	i := slices.Index(a.Args, "-E")
	if i < 0 || i+1 >= len(a.Args) {
		return
	}
	c := Command{Args: a.Args[i+2:]}
	switch words := c.Operands(); a.Args[i+1] {
	case "rm", "remove", "remove_directory":
		a.deletes(a.Args[i+1] == "remove_directory" || c.Has("r") || c.Has("R"), words...)
	case "cat", "md5sum":
		if a.Args[i+1] == "cat" {
			a.prints(words...)
		}
	case "env", "time":
		a.argv(append([]string{"env"}, c.Args...))
	case "chdir":
		if len(c.Args) > 1 {
			a.argv(append([]string{"env", "-C", c.Args[0]}, c.Args[1:]...))
		}
	case "copy", "copy_directory", "rename", "create_symlink", "copy_if_different":
		program := map[string]string{"rename": "mv", "create_symlink": "ln"}[a.Args[i+1]]
		if program == "" {
			program = "cp"
		}
		a.argv(append([]string{program}, c.Args...))
	}
}

// generates reads the commands that files of Go have for go generate.
func (r *reader) generates(a *act) {
	names := []string{"**/*.go", "*.go", "gen.go", "generate.go", "main.go", "doc.go", "tools.go"}
	for _, operand := range a.Operands("run", "skip", "tags", "C") {
		if path.Ext(operand) == ".go" {
			names = append(names, operand)
		}
	}
	read := map[string]bool{}
	for _, content := range r.contents(a, names...) {
		for _, c := range project.GoGenerate(content).Commands {
			if !read[c.Shell] && len(read) < mostServices {
				read[c.Shell] = true
				r.inner(c.Shell, a.origin(), flow{})
			}
		}
	}
}

// kubeObjects notes what objects that are made in a cluster do to its machines:
// what runs in them as if it were outside, and with the machine's own files.
func (r *reader) kubeObjects(a *act) {
	for _, content := range r.contents(a, append(a.after("-f", "--filename"), attached(a.Args, "-f=", "--filename=")...)...) {
		read := r.readYAML("objects", project.File{Content: content}, func(f project.File) parsedFile { return parsedFile{host: project.TakesHost(f)} })
		if read.host {
			a.does(effect.Grant, "the host of a pod")
		}
	}
}
