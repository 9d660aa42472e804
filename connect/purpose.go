package connect

import (
	"slices"
	"strings"
)

// Purpose is what a command line starts a program for, as far as that is known.
// It determines what it means if no request reaches the gateway.
type Purpose uint8

// The purposes. What is not known is Ask, so that nothing is missed.
const (
	// Ask: a model is given a task. The prompt is on the command line or in the
	// input, or the program is not known.
	Ask Purpose = iota
	// Talk: a session for a person begins, who may ask something or nothing.
	Talk
	// Manage: no model is asked. It is a login, a list, a version.
	Manage
)

// managing are the commands of each client that ask no model. A command with two
// words means only that one below it.
var managing = map[kind][]string{
	claude:   {"mcp", "plugin", "plugins", "config", "doctor", "update", "upgrade", "install", "auth", "setup-token", "migrate-installer"},
	codex:    codexQuiet,
	opencode: {"auth", "providers", "models", "mcp", "upgrade", "uninstall", "stats", "export", "import", "session", "completion", "debug", "db", "plugin", "plug", "agent list"},
	qwen:     {"mcp", "extensions", "auth", "hooks"},
	gemini:   {"mcp", "extensions", "extension", "skills", "skill", "hooks", "hook"},
}

// prompting are options of the clients other than Codex that bring a prompt.
var prompting = []string{"-p", "--print", "--prompt", "-i", "--prompt-interactive"}

// valued are options that take the next argument, in every client that has them.
var valued = []string{
	"-m", "--model", "--fallback-model", "--settings", "--permission-mode", "--approval-mode", "--session-id", "--agent",
	"--mcp-config", "--append-system-prompt", "--system-prompt", "--auth-type", "--log-level", "--port", "--hostname",
}

// Purpose reports what the arguments start the client for.
func (c Client) Purpose(args []string) Purpose {
	switch {
	case c.printsOnly(args), c.manages(args):
		return Manage
	case c.Known() && c.talks(args):
		return Talk
	}
	return Ask
}

// printsOnly reports whether a program only prints its version or help: --version, or
// exec --help.
func (c Client) printsOnly(args []string) bool {
	asked := false
	for _, arg := range args {
		switch {
		case arg == "--version", arg == "--help":
			asked = true
		case c.Known() && (arg == "-v" || arg == "-V" || arg == "-h"): // elsewhere they mean anything
			asked = true
		case asked, strings.HasPrefix(arg, "-"), strings.ContainsAny(arg, " \t\n"): // commands stand before
			return false
		case c.Known() && !isWord(arg):
			return false
		}
	}
	return asked
}

// isWord reports whether an argument can be the name of a command.
func isWord(arg string) bool {
	for _, c := range arg {
		if (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return arg != "" && arg[0] != '-'
}

// manages reports whether the client's command is one that asks no model.
func (c Client) manages(args []string) bool {
	command, below := "", ""
	if c.kind == codex {
		command = codexCommand(args)
	} else if len(args) > 0 {
		command = args[0] // after options that are not known it may be the value of one
	}
	if i := slices.Index(args, command); i >= 0 && i+1 < len(args) {
		below = args[i+1]
	}
	if command == "mcp" && below == "serve" {
		return false // a server for other agents, which may ask
	}
	return command != "" && (slices.Contains(managing[c.kind], command) || slices.Contains(managing[c.kind], command+" "+below))
}

// talks reports whether the arguments of a known client have no prompt.
func (c Client) talks(args []string) bool {
	takesValue, words := valued, 0
	if c.kind == codex {
		takesValue = codexValued
	}
	for i := 0; i < len(args); i++ {
		name, _, _ := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--" || c.kind != codex && slices.Contains(prompting, name):
			return false
		case slices.Contains(takesValue, args[i]):
			i++
		case !strings.HasPrefix(args[i], "-"), strings.ContainsAny(args[i], " \t\n"):
			words++
		}
	}
	// codex resume SESSION goes on with a session.
	return words == 0 || c.kind == codex && words <= 2 && slices.Contains([]string{"resume", "fork"}, codexCommand(args))
}
