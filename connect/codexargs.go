package connect

import (
	"path/filepath"
	"slices"
	"strings"
)

// codexLine is a command line of Codex, parsed as far as needed.
type codexLine struct {
	// config are the values of the user's -c options, in their order, and rest
	// is the command line without them.
	config []string
	rest   []string

	profile    string
	ignoreUser bool
}

// with returns the command line with options added. All -c options are moved to
// the front, ours last: there the last one counts, while options after the
// subcommand take precedence over those before it.
func (l codexLine) with(ours []string) []string {
	var args []string
	for _, option := range slices.Concat(l.config, ours) {
		args = append(args, "-c", option)
	}
	return append(args, l.rest...)
}

// codexValued are options that take the next argument, so that it is not taken
// for a subcommand.
var codexValued = []string{
	"-c", "--config", "-i", "--image", "-m", "--model", "--local-provider", "-p", "--profile", "-s", "--sandbox",
	"-C", "--cd", "--add-dir", "-a", "--ask-for-approval", "--enable", "--disable", "--remote", "--remote-auth-token-env",
	"-o", "--output-last-message", "--output-schema", "--color",
}

// codexQuiet are subcommands that ask no model. They are started as they are: in
// some of them -c belongs to another program (codex sandbox bash -c ...), and a
// login must work whatever the configuration says.
var codexQuiet = []string{
	"login", "logout", "mcp", "plugin", "completion", "update", "doctor", "sandbox", "execpolicy", "apply", "a",
	"archive", "unarchive", "delete", "features", "help", "stdio-to-uds", "migrate-rollouts",
}

// codexShared are subcommands whose work is done by another process, which was
// not started through Sluice.
var codexShared = []string{"agents", "queue", "remote-control", "app", "exec-server", "responses-api-proxy"}

// codexArguments parses the command line and refuses what bypasses the gateway.
func (p *preparation) codexArguments() (codexLine, error) {
	command := codexCommand(p.Args)
	switch {
	case slices.Contains(codexShared, command):
		return codexLine{}, p.refuse("start it without Sluice, and set the gateway permanently for it (`sluice connect codex`)",
			"`codex %s` hands the work to another process, which this command line does not affect", command)
	case command == "cloud" || command == "cloud-tasks":
		p.notef("Tasks of `codex cloud` run at OpenAI; Sluice does not see their tool calls.")
	}
	var line codexLine
	args, started := p.Args, p.opt.Dir
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			line.rest = append(line.rest, args[i:]...)
			break
		}
		name, value, inline := strings.Cut(arg, "=")
		if short := len(arg) > 2 && arg[0] == '-' && arg[1] != '-'; short && strings.ContainsRune("cpC", rune(arg[1])) {
			name, value, inline = arg[:2], strings.TrimPrefix(arg[2:], "="), true
		}
		if !inline && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "-c", "--config":
			if !inline {
				i++
			}
			line.config = append(line.config, value)
			continue
		case "-p", "--profile":
			line.profile = value
		case "-C", "--cd": // the project whose settings count
			if p.opt.Dir = filepath.Join(started, value); filepath.IsAbs(value) {
				p.opt.Dir = value
			}
		case "--ignore-user-config":
			line.ignoreUser = true
		case "--oss", "--local-provider":
			return codexLine{}, p.refuse(`define the local server under model_providers with its base_url and select that`,
				"%s manages a local server, so it cannot be pointed elsewhere", name)
		case "--remote":
			return codexLine{}, p.refuse("leave it out", "--remote hands the work to another process, which this command line does not affect")
		}
		line.rest = append(line.rest, arg)
		if !inline && slices.Contains(codexValued, name) && i+1 < len(args) {
			i++
			line.rest = append(line.rest, args[i])
		}
	}
	if strings.ContainsAny(line.profile, `/\`) {
		return codexLine{}, p.refuse("correct it", "%q is not the name of a profile", line.profile)
	}
	if command == "app-server" && slices.Contains(line.rest, "daemon") {
		return codexLine{}, p.refuse("set the gateway permanently for it (`sluice connect codex`)", "the app-server daemon outlives this command")
	}
	return line, nil
}

// codexCommand returns the subcommand, empty when there is none: the first
// argument that is neither an option nor an option's value.
func codexCommand(args []string) string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return ""
		case slices.Contains(codexValued, arg):
			i++
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}
