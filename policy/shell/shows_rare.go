package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// prints notes files whose contents a program prints that does not do so by its
// nature.
func (a *act) prints(files ...string) {
	for _, p := range files {
		if !isNoFile(p) {
			a.looks(false, p)
			a.r.heard = with(a.r.heard, a.path(p))
		}
	}
}

// showsRare notes the files that programs print when they are told to take them
// in: languages for settings, clusters' tools that only say what they would do,
// and version control for the text of a message.
func (r *reader) showsRare(a *act) {
	switch a.Name {
	case "nix", "nix-instantiate", "nix-build", "jsonnet", "jrsonnet", "dhall", "dhall-to-json", "dhall-to-yaml", "cue", "pkl", "ytt", "gomplate", "nickel", "kcl", "starlark", "bazel", "consul-template", "envsubst", "j2", "jinja2", "mustache", "handlebars", "pkl-gen", "cpp", "gpp", "m4":
		a.printsNamed()
	case "terraform", "tofu", "terragrunt":
		if a.Sub == "console" {
			a.printsNamed()
		}
	case "helm":
		if a.Sub == "template" || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "--dry-run") }) {
			for _, value := range append(a.after("--set-file"), attached(a.Args, "--set-file=")...) {
				_, file, _ := strings.Cut(value, "=")
				a.prints(file)
			}
			a.prints(append(a.after("-f", "--values"), attached(a.Args, "--values=")...)...)
		}
	case "kubectl", "oc", "k", "kubecolor":
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "--dry-run") && s != "--dry-run=none" }) && (a.Flag("o")+a.Flag("output") != "" || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "-oyaml") || strings.HasPrefix(s, "-ojson") })) {
			for _, value := range append(a.after("--from-file", "--from-env-file"), attached(a.Args, "--from-file=", "--from-env-file=")...) {
				if _, file, ok := strings.Cut(value, "="); ok {
					value = file
				}
				a.prints(value)
			}
		}
	default:
		own := func(e effect.Effect) bool { return e.Verb == effect.Run }
		if a.facts().does == nil && !a.isCode() && !isCodeName(a.Name) && !isShell(a.Name) && !takesKeys(a.Name) && !slices.ContainsFunc(r.reading.Effects[a.first:], own) {
			for _, arg := range a.Args {
				if isPrivateKey(arg) {
					a.prints(arg)
				}
			}
		}
	}
}

// printsNamed notes the private files that the expressions of a program name: in
// its arguments and on its input.
func (a *act) printsNamed() {
	for _, text := range append(slices.Clone(a.Args), a.in.text) {
		if len(text) > mostKnown || !strings.ContainsRune(text, '/') && !strings.ContainsRune(text, '.') {
			continue
		}
		for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()[]{},;=@:", c) }) {
			if isPrivateKey(word) || containsAny(word, privateNames) {
				a.prints(word)
			}
		}
	}
}

// isPrivateKey reports whether a path is one of a file that is a secret as a
// whole: nothing but what needs it is given it.
func isPrivateKey(p string) bool {
	if strings.HasSuffix(p, ".pub") || strings.HasPrefix(p, "-") || strings.ContainsAny(p, " :=") {
		return false
	}
	for _, name := range [...]string{"/.ssh/id_", "/.aws/credentials", "/.netrc", "/.pgpass", "/.git-credentials", "/etc/shadow"} {
		if strings.Contains(p, name) {
			return true
		}
	}
	return false
}

// takesKeys reports whether a program is given keys to use them.
func takesKeys(name string) bool {
	switch name {
	case "keychain", "puttygen", "age", "rage", "sops", "pass", "stat", "lsattr", "getfacl", "namei", "test", "[", "[[", "ls", "tree", "lsd", "exa", "eza", "realpath", "readlink", "basename", "dirname", "which", "type", "touch", "echo", "printf", "cd", "du", "export",
		"mosh", "sshfs", "sshuttle", "autossh", "ansible", "ansible-playbook", "packer", "vagrant", "terraform", "parallel-ssh", "pssh", "mutagen", "croc", "yadm", "chezmoi", "stow", "wc", "cmp", "open", "return", "exit", "if", "local", "lsof", "fuser", "md5", "file":
		return true
	}
	return strings.HasPrefix(name, "ssh") || strings.HasSuffix(name, "sum")
}

// joinedPaths writes paths that are put together of parts as one: ".ssh", "id_rsa"
// is ".ssh/id_rsa".
var joinedPaths = strings.NewReplacer(`", "`, "/", `","`, "/", `', '`, "/", `','`, "/", "$env(HOME)", "~", "$::env(HOME)", "~", `os.Getenv("HOME")+"`, `"~`, `os.Getenv("HOME") + "`, `"~`, `System.getenv("HOME")+"`, `"~`, `ENV["HOME"]*"`, `"~`)

// readsJoined notes private files that a program names in parts, and prints.
func (a *act) readsJoined(program string) {
	if len(program) > mostKnown || !strings.Contains(program, ".ssh") && !strings.Contains(program, ".aws") || !codePrints(program) && !strings.Contains(program, "Print") || !containsAny(strings.ToLower(program), readersOf) {
		return
	}
	for word := range strings.FieldsFuncSeq(joinedPaths.Replace(program), func(c rune) bool { return strings.ContainsRune("\"'`[]()\n", c) }) {
		word = strings.TrimPrefix(word, "open ") // Tcl's
		switch {
		case strings.Contains(word, " "):
		case strings.HasPrefix(word, ".ssh/id_"), word == ".aws/credentials":
			a.prints("~/" + word)
		case strings.HasPrefix(word, "~/.ssh/id_"), strings.HasPrefix(word, "~/.aws/credentials"):
			a.prints(word)
		}
	}
	if strings.Contains(program, "readdir") && strings.Contains(program, "readFile") && strings.Contains(program, ".ssh") {
		a.prints("~/.ssh/id_rsa") // whatever is there
	}
}
