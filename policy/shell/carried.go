package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// carried reads the command that a program runs besides what else it does: behind
// --, behind a word of its own, or as the value of a flag.
func (r *reader) carried(a *invocation.Act) {
	r.carriedRare(a)
	switch a.Name {
	case "guix", "opam", "spack", "nx", "nix", "nox", "lldb", "rust-lldb", "gdb", "rust-gdb", "cgdb", "cronitor", "orb", "tart", "machinectl":
		sign := "--"
		if strings.HasSuffix(a.Name, "gdb") {
			sign = "--args"
		}
		if i := slices.Index(a.Args, sign); i >= 0 && i+1 < len(a.Args) && (sign != "--" || starts(invocation.BaseName(a.Args[i+1])) || follow.IsShell(invocation.BaseName(a.Args[i+1]))) {
			a.Argv(a.Args[i+1:]) // guix shell -- rm, gdb -ex run --args rm
		}
		r.carriedBuild(a)
	case "wsl":
		for _, name := range follow.After(a, "--unregister") {
			follow.Unregisters(a, name)
		}
	case "limactl", "colima", "podman", "docker", "nerdctl", "buildah":
		r.carriedMachine(a)
	case "sops":
		if i := slices.IndexFunc(a.Args, func(s string) bool { return s == "exec-env" || s == "exec-file" }); i >= 0 {
			c := invocation.Command{Args: a.Args[i+1:]}
			if words := c.Operands("user", "filename", "input-type", "output-type"); len(words) > 1 {
				a.Script(words[1])
			}
		}
	case "coreutils":
		for i, arg := range a.Args {
			if name, ok := strings.CutPrefix(arg, "--coreutils-prog="); ok {
				a.Argv(append([]string{name}, a.Args[i+1:]...))
				return
			}
		}
	case "make", "gmake", "bazel", "bazelisk", "mvn", "mvnw", "m4", "fzf", "sk", "bat", "batcat", "delta":
		r.carriedBuild(a)
	case "compgen", "complete":
		for _, text := range follow.After(a, "-W", "-P", "-S") {
			r.again(text)
		}
		for _, text := range follow.After(a, "-C") {
			a.Script(text)
		}
	case "test", "[", "printf", "read", "unset", "let", "declare", "typeset", "local", "wait", "mapfile", "readarray":
		follow.Subscripts(a)
	}
}

// carriedMachine reads what runs in a virtual machine, and in the namespaces of a
// container without one.
func (r *reader) carriedMachine(a *invocation.Act) {
	words := a.Args
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	if len(words) < 2 {
		return
	}
	words = append(words[:1:1], follow.PastFlags(words[1:])...)
	if len(words) < 2 {
		return
	}
	inside := func(words []string, names int) {
		if i := slices.Index(words, "--"); i >= 0 {
			words = words[i+1:]
		} else {
			words = follow.PastFlags(words)
			for ; names > 0 && len(words) > 0 && !strings.Contains(words[0], " ") && !starts(invocation.BaseName(words[0])) && !follow.IsShell(invocation.BaseName(words[0])); names-- {
				words = follow.PastFlags(words[1:])
			}
		}
		if len(words) > 0 {
			a.Remotely(strings.Join(words, " "))
		}
	}
	switch sub := words[0]; {
	case sub == "shell" && a.Name == "limactl":
		inside(words[1:], 1)
	case sub == "ssh" && a.Name == "colima":
		inside(words[1:], 0)
	case sub == "machine" && words[1] == "ssh":
		inside(words[2:], 1)
	case sub == "run" && a.Name == "buildah":
		inside(words[1:], 1)
	}
}

// carriedBuild reads commands in the flags of programs that build and show things.
func (r *reader) carriedBuild(a *invocation.Act) {
	switch a.Name {
	case "nx":
		for _, text := range append(follow.After(a, "--command", "--commands"), follow.Attached(a.Args, "--command=", "--commands=")...) {
			a.Script(text)
		}
	case "make", "gmake":
		for _, arg := range a.Args { // make CC='rm -rf x'
			if name, value, ok := strings.Cut(arg, "="); ok && name != "" && invocation.IsCluster(strings.ReplaceAll(name, "_", "")) {
				if first, _, more := strings.Cut(value, " "); more && starts(invocation.BaseName(first)) {
					a.Script(value)
				}
			}
		}
	case "bazel", "bazelisk":
		for _, under := range append(follow.After(a, "--run_under"), follow.Attached(a.Args, "--run_under=")...) {
			rest := ""
			if i := slices.Index(a.Args, "--"); i >= 0 {
				rest = " " + invocation.Quoted(a.Args[i+1:])
			}
			a.Script(strings.TrimSuffix(strings.TrimSpace(under), "&&") + rest)
		}
	case "mvn", "mvnw":
		for _, program := range follow.Attached(a.Args, "-Dexec.executable=") {
			a.Script(program + " " + strings.Join(follow.Attached(a.Args, "-Dexec.args=", "-Dexec.commandlineArgs="), " "))
		}
	case "m4":
		if text := a.In.Text + strings.Join(a.Args, " "); !strings.Contains(text, "syscmd") {
			return
		}
		for _, define := range append(follow.After(a, "-D", "--define"), follow.Attached(a.Args, "-D", "--define=")...) {
			if _, value, ok := strings.Cut(define, "="); ok {
				a.Script(value)
			}
		}
	case "fzf", "sk":
		for _, bind := range append(follow.After(a, "--bind"), follow.Attached(a.Args, "--bind=")...) {
			follow.FinderActions(a, bind)
		}
	case "bat", "batcat", "delta":
		for _, pager := range append(follow.After(a, "--pager"), follow.Attached(a.Args, "--pager=")...) {
			a.Script(pager)
		}
	}
}
