package follow

import (
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// Once reads a file whose commands may ask for each other: it is read as a whole
// the first time.
func Once(r *invocation.Reader, file string, read func()) {
	if slices.Contains(r.Active, file) || len(r.Active) >= invocation.MaxDepth {
		return
	}
	r.Active = append(r.Active, file)
	read()
	r.Active = r.Active[:len(r.Active)-1]
}

// contents is what is known of files, each once. Those that were fetched are run.
func contents(r *invocation.Reader, a *invocation.Act, names ...string) []string {
	var list []string
	for _, name := range Few(a, names) {
		if name == "-" {
			name = "/dev/stdin"
		}
		f := r.File(a.Path(name))
		if f == nil {
			continue
		}
		if f.Remote != "" {
			a.Does(effect.RunRemote, f.Remote)
		}
		if f.Content != "" {
			list = append(list, f.Content)
		}
	}
	return list
}

// cmakeTool reads what cmake does itself with -E.
func cmakeTool(a *invocation.Act) {
	i := slices.Index(a.Args, "-E")
	if i < 0 || i+1 >= len(a.Args) {
		return
	}
	c := invocation.Command{Args: a.Args[i+2:]}
	switch words := c.Operands(); a.Args[i+1] {
	case "rm", "remove", "remove_directory":
		a.DeletesFiles(a.Args[i+1] == "remove_directory" || c.Has("r") || c.Has("R"), words...)
	case "cat", "md5sum":
		if a.Args[i+1] == "cat" {
			Prints(a, words...)
		}
	case "env", "time":
		a.Argv(append([]string{"env"}, c.Args...))
	case "chdir":
		if len(c.Args) > 1 {
			a.Argv(append([]string{"env", "-C", c.Args[0]}, c.Args[1:]...))
		}
	case "copy", "copy_directory", "rename", "create_symlink", "copy_if_different":
		program := map[string]string{"rename": "mv", "create_symlink": "ln"}[a.Args[i+1]]
		if program == "" {
			program = "cp"
		}
		a.Argv(append([]string{program}, c.Args...))
	}
}

// kubeObjects notes what objects that are made in a cluster do to its machines:
// what runs in them as if it were outside, and with the machine's own files.
func kubeObjects(a *invocation.Act, content string) {
	read := readYAML(a.R, "objects", project.File{Content: content}, func(f project.File) invocation.ParsedFile { return invocation.ParsedFile{Host: project.TakesHost(f)} })
	if read.Host {
		a.Does(effect.Grant, "the host of a pod")
	}
}
