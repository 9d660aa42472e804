package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// trimmedLines are the lines of a file of settings.
func trimmedLines(content string) []string {
	var list []string
	for line := range strings.Lines(content) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && len(list) < MostOptions {
			list = append(list, line)
		}
	}
	return list
}

// followEnvironment reads the files that variables tell every program in a
// language, or any program, to load first.
func followEnvironment(r *invocation.Reader, a *invocation.Act) {
	for _, name := range [...]string{"LD_PRELOAD", "DYLD_INSERT_LIBRARIES"} {
		if p := a.Env[name]; p != "" && r.File(a.Path(p)) != nil {
			RunFile(r, a, a.Path(p))
		}
	}
	if a.IsCode() { // it is told so itself
		return
	}
	given := *a
	c := *a.Command
	c.Args = nil
	given.Command = &c
	for _, of := range [...]struct{ name, language string }{{"NODE_OPTIONS", "node"}, {"PYTHONPATH", "python"}, {"PYTHONSTARTUP", "python"}, {"RUBYOPT", "ruby"}, {"PERL5OPT", "perl"}} {
		if a.Env[of.name] != "" {
			preloads(&given, Interpreters[of.language], readLine(&given, Interpreters[of.language]).Reading)
		}
	}
}

// pythonStarts are the modules that Python loads before its program, where it is
// told to look for them, and the file that it begins a session with.
func pythonStarts(a *invocation.Act) []string {
	var list []string
	for dir := range strings.SplitSeq(a.Env["PYTHONPATH"], ":") {
		if dir != "" && len(list) < MostReadings {
			list = append(list, path.Join(dir, "sitecustomize.py"), path.Join(dir, "usercustomize.py"))
		}
	}
	if p := a.Env["PYTHONSTARTUP"]; p != "" {
		list = append(list, p)
	}
	return list
}

// programsOf are the files that the package.json of a directory names as programs.
func programsOf(a *invocation.Act, dir string) (main string, installed []string) {
	if f := a.R.File(a.Path(path.Join(dir, "package.json"))); f != nil && a.R.Pay(len(f.Content)) {
		return project.Programs(f.Content)
	}
	return "", nil
}

// mainOf is the script that a directory stands for, empty if it stands for none.
func mainOf(a *invocation.Act, in *interpreter, dir string) string {
	if in != Interpreters["node"] || path.Ext(dir) != "" && dir != "." && dir != ".." || !a.R.HasFiles() {
		return ""
	}
	if main, _ := programsOf(a, dir); main != "" {
		return written(a, in, path.Join(dir, main))
	}
	return ""
}

// binsOf are the scripts that a package brings as programs.
func binsOf(a *invocation.Act, dir string) []string {
	_, installed := programsOf(a, dir)
	list := make([]string, 0, len(installed))
	for _, p := range installed {
		list = append(list, path.Join(dir, p))
	}
	return Few(a, list)
}

// CutFold is strings.CutPrefix without regard to case.
func CutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// WgetSettings are the files that settings of wget tell it to send.
func WgetSettings(a *invocation.Act, configs []string) []string {
	if a.R.Set.Files == nil && len(a.R.Wrote) == 0 {
		return nil
	}
	var files []string
	for _, content := range contents(a.R, a, append(configs, a.Env["WGETRC"], "~/.wgetrc")...) {
		for _, line := range trimmedLines(content) {
			name, value, _ := strings.Cut(line, "=")
			value = strings.TrimSpace(value)
			switch strings.ReplaceAll(strings.TrimSpace(strings.ToLower(name)), "-", "_") {
			case "post_file", "body_file", "postfile":
				files = append(files, value)
			case "use_askpass":
				a.Script(value)
			}
		}
	}
	return files
}

// Joined is what several files are together, if all of them are known.
func Joined(r *invocation.Reader, paths []string, in *invocation.Flow) {
	if !r.HasFiles() {
		return
	}
	var b strings.Builder
	for _, p := range paths {
		resolved, _ := r.Scope.At.Resolve(p)
		f := r.File(resolved)
		if f == nil || !f.Known || b.Len()+len(f.Content) > invocation.MostKnown {
			return
		}
		b.WriteString(f.Content)
	}
	in.Known, in.Text = true, b.String()
}
