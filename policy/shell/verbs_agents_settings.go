package shell

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// settingsFiles reads the settings and servers that an agent is given by a file that
// the conversation wrote, or by a text.
func (a *act) settingsFiles() {
	for i, arg := range a.Args {
		name, value, joined := strings.Cut(arg, "=")
		switch name {
		case "--settings", "--mcp-config", "--additional-mcp-config", "--config", "--config-file":
		default:
			continue
		}
		if !joined && i+1 < len(a.Args) {
			value = a.Args[i+1]
		}
		text := value
		if !strings.HasPrefix(strings.TrimSpace(value), "{") && value != "" {
			f := a.r.file(a.path(value))
			if f == nil {
				continue
			}
			text = f.Content
		}
		if name == "--settings" && isUnguarded(text) {
			a.disarm(agentGuard + a.Name)
		}
		a.startsServers(text)
	}
}

// mostServers is how many servers of an agent are looked at.
const mostServers = 32

// startsServers reads the commands by which an agent starts its servers and hooks.
func (a *act) startsServers(text string) {
	if len(text) > mostKnown || !strings.Contains(text, `"command"`) {
		return
	}
	var settings struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
		Hooks map[string][]struct {
			Hooks []struct {
				Command string `json:"command"`
			} `json:"hooks"`
		} `json:"hooks"`
	}
	if json.Unmarshal([]byte(text), &settings) != nil {
		return
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(settings.Servers)) {
		if n++; n > mostServers {
			return
		}
		if server := settings.Servers[name]; server.Command != "" {
			a.argv(append([]string{server.Command}, server.Args...))
		}
	}
	for _, event := range slices.Sorted(maps.Keys(settings.Hooks)) {
		for _, group := range settings.Hooks[event] {
			for _, hook := range group.Hooks {
				if n++; n > mostServers {
					return
				}
				a.script(hook.Command)
			}
		}
	}
}

// isInterposed reports whether an agent is sent through a machine that nobody knows, or
// told to believe everybody on the way.
func (a *act) isInterposed(name, value string) bool {
	switch name {
	case "NODE_TLS_REJECT_UNAUTHORIZED":
		return value == "0"
	case "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy":
		host := hostOf(value)
		return value != "" && !unknown(value) && strings.Contains(host, ".") && !isInside(host)
	}
	return false
}
