package guard

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// AgentSettings reads the settings and servers that an agent is given by a file that the
// conversation wrote, or by a text.
func AgentSettings(a *invocation.Act, in *command.Reading) {
	unguarded := slices.ContainsFunc(in.Values("setting"), isUnguarded) || slices.ContainsFunc(a.Args, func(arg string) bool { return arg == "bypassPermissions" || arg == "danger-full-access" })
	if slices.ContainsFunc(a.Args, func(arg string) bool { return invocation.ContainsAny(arg, leadElsewhere) }) {
		Disarm(a, "settings of agent "+in.Name)
	}
	for _, role := range []string{"settings", "servers"} {
		for _, text := range in.Values(role) {
			unguarded = unguarded || role == "settings" && isUnguarded(text)
			if !strings.HasPrefix(strings.TrimSpace(text), "{") && text != "" {
				f := a.R.File(a.Path(text))
				if f == nil {
					continue
				}
				text = f.Content
				unguarded = unguarded || role == "settings" && isUnguarded(text)
			}
			startsServers(a, text)
		}
	}
	if unguarded {
		Disarm(a, "questions of agent "+in.Name)
	}
}

// leadElsewhere are words of settings by which an agent asks another server.
var leadElsewhere = []string{"model_provider", "base_url", "-api-base"}

// isUnguarded reports whether settings switch hooks or questions off, or lead past the
// guard. They may be JSON or TOML.
func isUnguarded(settings string) bool {
	settings = strings.NewReplacer(" ", "", `"`, "", "'", "", ":", "=", "\t", "", "\n", "").Replace(strings.ToLower(settings))
	return invocation.ContainsAny(settings, []string{"danger-full-access", "bypasspermissions", "disableallhooks=true", "base_url", "baseurl", "dangerously", "skipdangerousmodepermissionprompt"})
}

// mostServers is how many servers of an agent are looked at.
const mostServers = 32

// startsServers reads the commands by which an agent starts its servers and hooks.
func startsServers(a *invocation.Act, text string) {
	if len(text) > invocation.MostKnown || !strings.Contains(text, `"command"`) {
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
			a.Argv(append([]string{server.Command}, server.Args...))
		}
	}
	for _, event := range slices.Sorted(maps.Keys(settings.Hooks)) {
		for _, group := range settings.Hooks[event] {
			for _, hook := range group.Hooks {
				if n++; n > mostServers {
					return
				}
				a.Script(hook.Command)
			}
		}
	}
}

// IsInterposed reports whether a program is sent through a machine that nobody knows.
func IsInterposed(a *invocation.Act, _ *command.Reading) bool {
	return slices.ContainsFunc([]string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"}, func(name string) bool {
		value, _ := a.Variable(name)
		host := invocation.HostOf(value)
		return value != "" && !invocation.Unknown(value) && strings.Contains(host, ".") && !invocation.IsInside(host)
	})
}
