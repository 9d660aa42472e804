package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// agentVerbs are agents like the one that is guarded. Started without their own
// questions, with other settings or with further servers, they do what this one
// must not.
var agentVerbs = map[string]verb{
	"claude": agent, "claude-code": agent, "codex": agent, "gemini": agent, "qwen": agent, "opencode": agent, "cursor-agent": agent, "agent": cursorAgent, "aider": agent, "goose": agent, "crush": agent,
	"copilot": agent, "amp": agent, "droid": agent, "auggie": agent, "q": amazonQ, "kiro-cli": amazonQ, "openhands": agent, "cline": agent, "kilocode": agent, "iflow": agent,
	guardName: startsBehind,
}

// agentGuard is how it is noted that the questions of an agent are switched off.
const agentGuard = "questions of agent "

// agent reads how an agent is started.
func agent(a *act) {
	for i, arg := range a.Args {
		name, value, joined := strings.Cut(strings.ToLower(arg), "=")
		if !joined && i+1 < len(a.Args) {
			value = strings.ToLower(a.Args[i+1])
		}
		if a.unasked(name, value) {
			a.disarm(agentGuard + a.Name)
			break
		}
	}
	for _, name := range sortedNames(a.Env) {
		value := a.Env[name]
		switch name {
		case "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "GEMINI_CONFIG_DIR", "QWEN_CONFIG_DIR":
			if value != "" {
				a.disarm("settings of agent " + a.Name)
			}
		case "OPENCODE_PERMISSION", "OPENCODE_CONFIG_CONTENT":
			if strings.Contains(value, "allow") || isUnguarded(value) {
				a.disarm(agentGuard + a.Name)
			}
		case "GOOSE_MODE":
			if a.Name == "goose" && strings.EqualFold(value, "auto") {
				a.disarm(agentGuard + a.Name)
			}
		case "NODE_TLS_REJECT_UNAUTHORIZED", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy":
			if a.isInterposed(name, value) {
				a.disarm("settings of agent " + a.Name)
			}
		case "GEMINI_SANDBOX", "QWEN_SANDBOX":
			if value == "false" || value == "0" {
				a.disarm(agentGuard + a.Name)
			}
		}
	}
	for _, name := range [...]string{"NODE_TLS_REJECT_UNAUTHORIZED", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} { // that it was told before
		if v, ok := a.r.scope.vars[name]; ok && a.isInterposed(name, v.texts[0].as) {
			a.disarm("settings of agent " + a.Name)
		}
	}
	a.settingsFiles()
	a.agentSettings()
}

// unasked reports whether a flag lets an agent do everything unasked. Values are
// in small letters.
func (a *act) unasked(name, value string) bool {
	switch name {
	case "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-allow-all", "--skip-permissions-unsafe",
		"--yolo", "--trust-all-tools", "--allow-all-tools", "--allow-all", "--always-approve", "--dangerously-bypass-hook-trust":
		return value != "false"
	case "--permission-mode":
		return value == "bypasspermissions"
	case "--approval-mode":
		return value == "yolo"
	case "-s", "--sandbox", "-sdanger-full-access":
		return name == "-sdanger-full-access" || value == "danger-full-access"
	case "--settings":
		return isUnguarded(value)
	case "-c", "--config":
		return a.Name == "codex" && isUnguarded(value)
	case "--setting-sources":
		return strings.TrimSpace(value) == ""
	case "-y", "--auto":
		return a.Name == "gemini" || a.Name == "qwen" || a.Name == "crush" || a.Name == "iflow"
	case "-f", "--force":
		return a.Name == "cursor-agent"
	}
	if body, dashes := cutDashes(name); dashes == 1 && (a.Name == "gemini" || a.Name == "qwen") && isCluster(body) && len(body) < 4 { // -sy
		return strings.Contains(body, "y")
	}
	return a.Name == "codex" && strings.HasPrefix(name, "-c") && isUnguarded(name+"="+value)
}

// isUnguarded reports whether settings switch hooks or questions off, or lead
// past the guard. They may be JSON or TOML.
func isUnguarded(settings string) bool {
	settings = strings.NewReplacer(" ", "", `"`, "", "'", "", ":", "=", "\t", "", "\n", "").Replace(strings.ToLower(settings))
	for _, says := range []string{"danger-full-access", "bypasspermissions", "disableallhooks=true", "base_url", "baseurl", "dangerously", "skipdangerousmodepermissionprompt"} {
		if strings.Contains(settings, says) {
			return true
		}
	}
	return false
}

// agentSettings notes that an agent is told to keep other settings or servers,
// which run with each later start.
func (a *act) agentSettings() {
	l := a.line(valued("s scope t transport e env H header c config cwd C m model p"))
	topic, sub := l.operand(0), l.operand(1)
	switch topic {
	case "mcp":
		switch sub {
		case "add", "add-json", "add-from-claude-desktop", "install", "import":
			a.add(effect.Effect{Verb: effect.Persist, Object: "server of agent " + a.Name, From: strings.Join(l.from(2), " ")})
		case "remove", "rm", "delete", "disable":
			a.does(effect.Disarm, "server of agent "+a.Name)
		}
	case "config":
		if sub == "set" || sub == "add" || sub == "remove" || sub == "rm" || sub == "unset" {
			a.add(effect.Effect{Verb: effect.Persist, Object: "settings of agent " + a.Name, From: strings.Join(l.from(2), " ")})
		}
	case "plugin", "plugins", "extensions", "extension", "hooks":
		switch sub {
		case "install", "add", "enable", "link", "i", "migrate":
			a.add(effect.Effect{Verb: effect.Persist, Object: "extension of agent " + a.Name, From: strings.Join(l.from(2), " ")})
		case "disable", "uninstall", "remove", "rm":
			a.does(effect.Disarm, "extension of agent "+a.Name)
		case "marketplace":
			if l.operand(2) == "add" {
				a.add(effect.Effect{Verb: effect.Persist, Object: "extension of agent " + a.Name, From: l.operand(3)})
			}
		}
	}
}

// guardFlags are those of the guard's run with a value.
var guardFlags = valued("config listen policies p data audit-log log-level log-format upstream-anthropic upstream-openai upstream-gemini upstream-chatgpt session-cwd session-home session-label")

// startsBehind is sluice run [flags] [--] COMMAND: what it starts is read like any
// other command.
func startsBehind(a *act) {
	if a.Sub != "run" {
		return
	}
	l := cutLine(a.Args[slices.Index(a.Args, "run")+1:], guardFlags, firstEnds)
	if len(l.operands) > 0 {
		a.argv(l.operands)
	}
}

// cursorAgent is cursor-agent by its short name, which others have too.
func cursorAgent(a *act) {
	if slices.Contains(a.Args, "--yolo") || a.Has("--force") && a.Has("p") {
		a.disarm(agentGuard + a.Name)
	}
}

// amazonQ answers in a chat.
func amazonQ(a *act) {
	if a.Has("--trust-all-tools") || a.Has("a") && a.Sub == "chat" {
		a.disarm(agentGuard + a.Name)
	}
}
