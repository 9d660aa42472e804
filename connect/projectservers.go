package connect

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// credentials are what a client can be made to put into the headers of a remote
// MCP server: the variables that hold the keys of models, and, with opencode,
// files outside the repository.
var credentials = []string{
	"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY", "CODEX_API_KEY",
	"GEMINI_API_KEY", "GOOGLE_API_KEY", "SLUICE_KEY", "{file:~", "{file:/", "{file:..",
}

// servers judges the MCP servers that a repository's file names: a remote one
// does not get the user's credentials.
func (p *preparation) servers(file string, servers object) error {
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		server := servers.object(name)
		if server["url"] == nil && server["httpUrl"] == nil {
			continue // a program, which has the user's environment anyway
		}
		text, err := json.Marshal(server)
		if err != nil || slices.ContainsFunc(credentials, func(part string) bool { return strings.Contains(string(text), part) }) {
			return p.refuseProject(file, "credentials of yours in what the MCP server "+name+" is sent")
		}
	}
	return nil
}
