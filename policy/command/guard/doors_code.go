package guard

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// startFiles are those of a home that run with each shell, or let others in.
var startFiles = []string{".bashrc", ".zshrc", ".profile", ".bash_profile", ".zshenv", ".zprofile", ".bash_login", ".ssh/authorized_keys", ".ssh/config", ".gitconfig", ".config/autostart/", ".config/systemd/user/", "LaunchAgents/"}

// writers are the words by which languages write files.
var writers = []string{`"a"`, `"w"`, `'a'`, `'w'`, `"a+"`, `"w+"`, " a]", " w]", " a+]", " w]", "append", "Append", "writefile", "writeFile", "WriteFile", "WriteAll", "writeTo", "write_file", "File.write", "spit ", "write(", "Write(", ":append", "open-output", "with-open-file", "cat(", "writeLines", "sink("}

// WritesStart notes a file that runs with each shell, in a program of a language of
// which only the words are known, where it writes.
func WritesStart(a *invocation.Act, program string) {
	if len(program) > follow.MostGiven || !invocation.ContainsAny(program, writers) {
		return
	}
	for _, name := range startFiles {
		i := strings.Index(program, name)
		if i < 0 || i > 0 && (invocation.IsNameByte(program[i-1]) || program[i-1] == '.') {
			continue
		}
		start := strings.LastIndexAny(program[:i], "\"' \t\n([{,;") + 1
		p := program[start : i+len(name)]
		switch {
		case strings.HasPrefix(p, "/") && strings.Count(p[:i-start], "/") > 1, strings.HasPrefix(p, "~/"):
		default:
			p = "~/" + name
		}
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(p)})
	}
}

// ProcessVariables is ps with the letter that adds the variables of each process: without
// a dash it is not that for all of them.
func ProcessVariables(a *invocation.Act, in *command.Reading) {
	first := in.Value("first")
	if in.Has("E") || strings.Trim(first, "aAcefghjlmrStTuUvwxX") == "" && strings.Contains(first, "e") {
		Reveals(a, "credentials in the variables of processes")
	}
}
