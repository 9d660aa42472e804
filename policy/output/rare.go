package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// showsRare notes the files that programs print when they are told to take them
// in: languages for settings, clusters' tools that only say what they would do,
// and version control for the text of a message.
func showsRare(r *invocation.Reader, a *invocation.Act) {
	if says(a, "named") {
		printsNamed(a)
		return
	}
	switch a.Name {
	case "helm":
		if a.Sub == "template" || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "--dry-run") }) {
			for _, value := range append(follow.After(a, "--set-file"), follow.Attached(a.Args, "--set-file=")...) {
				_, file, _ := strings.Cut(value, "=")
				follow.Prints(a, file)
			}
			follow.Prints(a, append(follow.After(a, "-f", "--values"), follow.Attached(a.Args, "--values=")...)...)
		}
	case "kubectl", "oc", "k", "kubecolor":
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "--dry-run") && s != "--dry-run=none" }) && (a.Flag("o")+a.Flag("output") != "" || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "-oyaml") || strings.HasPrefix(s, "-ojson") })) {
			for _, value := range append(follow.After(a, "--from-file", "--from-env-file"), follow.Attached(a.Args, "--from-file=", "--from-env-file=")...) {
				if _, file, ok := strings.Cut(value, "="); ok {
					value = file
				}
				follow.Prints(a, value)
			}
		}
	default:
		own := func(e effect.Effect) bool { return e.Verb == effect.Run }
		if a.Facts().Does == nil && !a.IsCode() && !says(a, "code") && !follow.IsShell(a.Name) && !TakesKeys(a.Name) && !slices.ContainsFunc(r.Reading.Effects[a.First:], own) {
			for _, arg := range a.Args {
				if IsPrivateKey(arg) {
					follow.Prints(a, arg)
				}
			}
		}
	}
}

// printsNamed notes the private files that the expressions of a program name: in
// its arguments and on its input.
func printsNamed(a *invocation.Act) {
	for _, text := range append(slices.Clone(a.Args), a.In.Text) {
		if len(text) > invocation.MostKnown || !strings.ContainsRune(text, '/') && !strings.ContainsRune(text, '.') {
			continue
		}
		for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()[]{},;=@:", c) }) {
			if IsPrivateKey(word) || invocation.ContainsAny(word, privateNames) {
				follow.Prints(a, word)
			}
		}
	}
}

// IsPrivateKey reports whether a path is that of a file that is a secret as a whole,
// which is given only to programs that need it.
func IsPrivateKey(p string) bool {
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

// TakesKeys reports whether a program is given keys to use them.
func TakesKeys(name string) bool {
	return strings.HasPrefix(name, "ssh") || strings.HasSuffix(name, "sum") || slices.ContainsFunc(command.Builtin().Outputs(name), func(o command.Output) bool { return o.Keeps })
}

// joinedPaths writes paths that are put together of parts as one: ".ssh", "id_rsa"
// is ".ssh/id_rsa".
var joinedPaths = strings.NewReplacer(`", "`, "/", `","`, "/", `', '`, "/", `','`, "/", "$env(HOME)", "~", "$::env(HOME)", "~", `os.Getenv("HOME")+"`, `"~`, `os.Getenv("HOME") + "`, `"~`, `System.getenv("HOME")+"`, `"~`, `ENV["HOME"]*"`, `"~`)

// ReadsJoined notes private files that a program names in parts, and prints.
func ReadsJoined(a *invocation.Act, program string) {
	if len(program) > invocation.MostKnown || !strings.Contains(program, ".ssh") && !strings.Contains(program, ".aws") || !CodePrints(program) && !strings.Contains(program, "Print") || !invocation.ContainsAny(strings.ToLower(program), ReadersOf) {
		return
	}
	for word := range strings.FieldsFuncSeq(joinedPaths.Replace(program), func(c rune) bool { return strings.ContainsRune("\"'`[]()\n", c) }) {
		word = strings.TrimPrefix(word, "open ") // Tcl's
		switch {
		case strings.Contains(word, " "):
		case strings.HasPrefix(word, ".ssh/id_"), word == ".aws/credentials":
			follow.Prints(a, "~/"+word)
		case strings.HasPrefix(word, "~/.ssh/id_"), strings.HasPrefix(word, "~/.aws/credentials"):
			follow.Prints(a, word)
		}
	}
	if strings.Contains(program, "readdir") && strings.Contains(program, "readFile") && strings.Contains(program, ".ssh") {
		follow.Prints(a, "~/.ssh/id_rsa") // whatever is there
	}
}
