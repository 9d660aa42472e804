package connect

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// Client is a program that talks to a model. The zero value is not a client;
// take one from [Find], [Clients] or [Generic].
type Client struct {
	// Name is its name on a command line: claude, codex, ...
	Name string
	// Title is its name for people.
	Title string
	// Command is the program that is started.
	Command string
	// Install is a command that installs it.
	Install string
	// Formats are the dialects in which it can speak to a gateway, the usual
	// one first.
	Formats []wire.Format

	kind kind
}

// kind selects how a client is prepared.
type kind uint8

const (
	generic kind = iota
	claude
	codex
	opencode
	qwen
	gemini
)

// Known reports whether Sluice knows the client's own settings. Any other
// program gets the variables that the providers' SDKs read.
func (c Client) Known() bool { return c.kind != generic }

// Clients returns the clients that Sluice knows, in the order in which they are
// listed.
func Clients() []Client {
	return []Client{
		{Name: "claude", Title: "Claude Code", Command: "claude", Install: "npm install -g @anthropic-ai/claude-code", kind: claude, Formats: []wire.Format{wire.Anthropic}},
		{Name: "codex", Title: "Codex", Command: "codex", Install: "npm install -g @openai/codex", kind: codex, Formats: []wire.Format{wire.OpenAIResponses}},
		{
			Name: "opencode", Title: "opencode", Command: "opencode", Install: "npm install -g opencode-ai", kind: opencode,
			Formats: []wire.Format{wire.Anthropic, wire.OpenAIResponses, wire.OpenAIChat, wire.Gemini},
		},
		{Name: "qwen", Title: "Qwen Code", Command: "qwen", Install: "npm install -g @qwen-code/qwen-code", kind: qwen, Formats: []wire.Format{wire.OpenAIChat}},
		{Name: "gemini", Title: "Gemini CLI", Command: "gemini", Install: "npm install -g @google/gemini-cli", kind: gemini, Formats: []wire.Format{wire.Gemini}},
	}
}

// aliases are other names of clients.
var aliases = map[string]string{
	"claude-code": "claude",
	"codex-cli":   "codex",
	"gemini-cli":  "gemini",
	"qwen-code":   "qwen",
}

// Find returns the client for a name or a program: codex, /usr/local/bin/codex
// and codex.cmd are all Codex. The program is kept as it was given, so that it
// is the one that is started. For any other command it returns false; use
// [Generic].
func Find(command string) (Client, bool) {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, suffix := range []string{".exe", ".cmd", ".ps1", ".bat"} {
		name = strings.TrimSuffix(name, suffix)
	}
	known := name
	if to, ok := aliases[name]; ok {
		known = to
	}
	all := Clients()
	i := slices.IndexFunc(all, func(c Client) bool { return c.Name == known })
	if i < 0 {
		return Client{}, false
	}
	found := all[i]
	if command != known && !strings.EqualFold(command, name) {
		found.Command = command // a path, or a name with an ending
	} else if command == name && name != known {
		found.Command = found.Name
	}
	return found, true
}

// Generic is any other program: it gets the base URLs that the SDKs of OpenAI,
// Anthropic and Google read from the environment. Whether the program really
// uses one of them is not known.
func Generic(command string) Client {
	return Client{
		Name:    command,
		Title:   path.Base(strings.ReplaceAll(command, `\`, "/")),
		Command: command,
		Formats: []wire.Format{wire.OpenAIChat, wire.OpenAIResponses, wire.Anthropic, wire.Gemini},
	}
}
