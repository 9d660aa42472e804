package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// carried reads the command that a program runs besides what else it does: behind
// --, behind a word of its own, or as the value of a flag.
func (r *reader) carried(a *act) {
	r.carriedRare(a)
	switch a.Name {
	case "guix", "opam", "spack", "nx", "nix", "nox", "lldb", "rust-lldb", "gdb", "rust-gdb", "cgdb", "cronitor", "orb", "tart", "machinectl":
		sign := "--"
		if strings.HasSuffix(a.Name, "gdb") {
			sign = "--args"
		}
		if i := slices.Index(a.Args, sign); i >= 0 && i+1 < len(a.Args) && (sign != "--" || starts(baseName(a.Args[i+1])) || isShell(baseName(a.Args[i+1]))) {
			a.argv(a.Args[i+1:]) // guix shell -- rm, gdb -ex run --args rm
		}
		r.carriedBuild(a)
	case "wsl":
		for _, name := range a.after("--unregister") {
			a.unregisters(name)
		}
	case "limactl", "colima", "podman", "docker", "nerdctl", "buildah":
		r.carriedMachine(a)
	case "sops":
		if i := slices.IndexFunc(a.Args, func(s string) bool { return s == "exec-env" || s == "exec-file" }); i >= 0 {
			c := Command{Args: a.Args[i+1:]}
			if words := c.Operands("user", "filename", "input-type", "output-type"); len(words) > 1 {
				a.script(words[1])
			}
		}
	case "coreutils":
		for i, arg := range a.Args {
			if name, ok := strings.CutPrefix(arg, "--coreutils-prog="); ok {
				a.argv(append([]string{name}, a.Args[i+1:]...))
				return
			}
		}
	case "make", "gmake", "bazel", "bazelisk", "mvn", "mvnw", "m4", "fzf", "sk", "bat", "batcat", "delta":
		r.carriedBuild(a)
	case "compgen", "complete":
		for _, text := range a.after("-W", "-P", "-S") {
			r.again(text)
		}
		for _, text := range a.after("-C") {
			a.script(text)
		}
	case "test", "[", "printf", "read", "unset", "let", "declare", "typeset", "local", "wait", "mapfile", "readarray":
		a.subscripts()
	}
}

// subscripts reads the commands in the subscripts of names that are given to the
// shell itself as words: it evaluates them when it looks for the variable.
func (a *act) subscripts() {
	for i, arg := range a.Args {
		if i >= len(a.words()) {
			continue
		}
		at := strings.IndexByte(arg, '[')
		if at <= 0 || !isNameByte(arg[at-1]) {
			continue
		}
		if rest := arg[at:]; strings.HasPrefix(rest, "[$(") || strings.HasPrefix(rest, "[`") || strings.Contains(rest, "+$(") {
			a.script(`: "` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		}
	}
}

// carriedMachine reads what runs in a virtual machine, and in the namespaces of a
// container without one.
func (r *reader) carriedMachine(a *act) {
	words := a.Args
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	if len(words) < 2 {
		return
	}
	words = append(words[:1:1], pastFlags(words[1:])...)
	if len(words) < 2 {
		return
	}
	inside := func(words []string, names int) {
		if i := slices.Index(words, "--"); i >= 0 {
			words = words[i+1:]
		} else {
			words = pastFlags(words)
			for ; names > 0 && len(words) > 0 && !strings.Contains(words[0], " ") && !starts(baseName(words[0])) && !isShell(baseName(words[0])); names-- {
				words = pastFlags(words[1:])
			}
		}
		if len(words) > 0 {
			a.remotely(strings.Join(words, " "))
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

// pastFlags are the words behind those that are flags.
func pastFlags(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		if words[0] == "--" {
			return words[1:]
		}
		if !strings.Contains(words[0], "=") && len(words) > 1 && (words[0] == "-p" || words[0] == "--profile" || words[0] == "--workdir" || words[0] == "--shell" || words[0] == "--username") {
			words = words[1:]
		}
		words = words[1:]
	}
	return words
}

// carriedBuild reads commands in the flags of programs that build and show things.
func (r *reader) carriedBuild(a *act) {
	switch a.Name {
	case "nx":
		for _, text := range append(a.after("--command", "--commands"), attached(a.Args, "--command=", "--commands=")...) {
			a.script(text)
		}
	case "make", "gmake":
		for _, arg := range a.Args { // make CC='rm -rf x'
			if name, value, ok := strings.Cut(arg, "="); ok && name != "" && isCluster(strings.ReplaceAll(name, "_", "")) {
				if first, _, more := strings.Cut(value, " "); more && starts(baseName(first)) {
					a.script(value)
				}
			}
		}
	case "bazel", "bazelisk":
		for _, under := range append(a.after("--run_under"), attached(a.Args, "--run_under=")...) {
			rest := ""
			if i := slices.Index(a.Args, "--"); i >= 0 {
				rest = " " + quoted(a.Args[i+1:])
			}
			a.script(strings.TrimSuffix(strings.TrimSpace(under), "&&") + rest)
		}
	case "mvn", "mvnw":
		for _, program := range attached(a.Args, "-Dexec.executable=") {
			a.script(program + " " + strings.Join(attached(a.Args, "-Dexec.args=", "-Dexec.commandlineArgs="), " "))
		}
	case "m4":
		if text := a.in.text + strings.Join(a.Args, " "); !strings.Contains(text, "syscmd") {
			return
		}
		for _, define := range append(a.after("-D", "--define"), attached(a.Args, "-D", "--define=")...) {
			if _, value, ok := strings.Cut(define, "="); ok {
				a.script(value)
			}
		}
	case "fzf", "sk":
		for _, bind := range append(a.after("--bind"), attached(a.Args, "--bind=")...) {
			a.finderActions(bind)
		}
	case "bat", "batcat", "delta":
		for _, pager := range append(a.after("--pager"), attached(a.Args, "--pager=")...) {
			a.script(pager)
		}
	}
}

// finderActions reads the commands that keys and events of a finder run:
// start:execute(command), enter:become[command], ctrl-r:reload:command.
func (a *act) finderActions(bind string) {
	for _, action := range [...]string{"execute", "execute-silent", "become", "reload", "reload-sync", "transform", "preview", "change-preview"} {
		rest := bind
		for range 8 {
			_, after, ok := strings.Cut(rest, ":"+action)
			if !ok {
				_, after, ok = strings.Cut(rest, "+"+action)
			}
			if !ok || after == "" {
				break
			}
			rest = after
			command := after[1:]
			if end := strings.IndexByte("([{<", after[0]); end >= 0 {
				if last := strings.LastIndexByte(command, ")]}>"[end]); last >= 0 {
					command = command[:last]
				}
			} else if after[0] != ':' {
				continue
			}
			a.script(command)
		}
	}
}

// emptied notes that nothing is left in files. What is outside of a project is
// lost by that as if it were removed.
func (a *act) emptied(paths ...string) {
	for _, p := range paths {
		if !isDevice(p) && !isOpen(p) {
			a.deletes(false, p)
		}
	}
}

// nothingIn reports whether the input of a command is known to be empty.
func (a *act) nothingIn() bool {
	return a.in.piped && a.in.known && a.in.text == "" && a.in.remote == ""
}

// unregisters notes that a machine that others keep things in is given up.
func (a *act) unregisters(what string) {
	a.add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace("machine " + what), Wide: true})
}
