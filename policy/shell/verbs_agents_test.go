package shell

import "testing"

func TestAgentsThatAreStartedUnasked(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"claude --dangerously-skip-permissions -p x", "disarm questions of agent claude"},
		{"claude -p x --permission-mode=bypassPermissions", "disarm questions of agent claude"},
		{"claude -p x --permission-mode bypassPermissions", "disarm questions of agent claude"},
		{"claude -p x --permission-mode plan", ""},
		{`claude --settings '{"disableAllHooks": true}' -p x`, "disarm questions of agent claude"},
		{`claude --settings '{"model": "x"}' -p x`, ""},
		{"CLAUDE_CONFIG_DIR=/tmp/e claude -p x", "disarm settings of agent claude"},
		{"npx @anthropic-ai/claude-code --dangerously-skip-permissions", "install @anthropic-ai/claude-code; disarm questions of agent claude"},
		{"codex --sandbox=danger-full-access exec x", "disarm questions of agent codex"},
		{"codex exec -c 'sandbox_mode=\"danger-full-access\"' x", "disarm questions of agent codex"},
		{"codex -c model=o3 exec x", ""},
		{"codex exec --sandbox workspace-write x", ""},
		{"gemini --approval-mode yolo -p x", "disarm questions of agent gemini"},
		{"gemini -p x", ""},
		{"qwen -y x", "disarm questions of agent qwen"},
		{"cursor-agent -f -p x", "disarm questions of agent cursor-agent"},
		{"cursor-agent -p x", ""},
		{"goose run x", ""},
		{"GOOSE_MODE=auto goose run x", "disarm questions of agent goose"},
	})
}

func TestAgentsKeepSettingsAndServers(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"claude mcp add x -- npx y", "persist server of agent claude from x npx y"},
		{"codex mcp add x -- y", "persist server of agent codex from x y"},
		{"claude mcp remove x", "disarm server of agent claude"},
		{"claude mcp list", ""},
		{"claude config set -g a b", "persist settings of agent claude from a b"},
		{"claude config list", ""},
		{"claude plugin install x@y", "persist extension of agent claude from x@y"},
	})
}

// What the guard's own program starts is read like anything else.
func TestTheGuardStartsAgents(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"sluice run -- rm -rf /x", "delete /x wide"},
		{"sluice run rm -rf /x", "delete /x wide"},
		{"sluice run --policies a.yaml -q -- rm -rf /x", "delete /x wide"},
		{"sluice run -p a.yaml rm -rf /x", "delete /x wide"},
		{"sluice run -- sluice run -- rm -rf /x", "delete /x wide"},
		{"sluice run --shadow -- codex --yolo", "disarm questions of agent codex"},
		{"sluice run", ""},
		{"sluice run --", ""},
		{"sluice policy try -- rm -rf /x", ""},
	})
}

func TestCommandsBehindFlagsOfOtherMachinesAndUsers(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"ssh h -p 22 rm /x", "delete /x remote; connect h"},
		{"ssh -p 22 h -v -l me -- rm /x", "delete /x remote; connect h"},
		{"ssh h -T", "connect h"},
		{"runuser -l me -c 'rm /x'", "delete /x sudo"},
	})
}

func TestWhatCompilersPutElsewhere(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"go build -o /opt/x ./a", "write /opt/x"},
		{"gcc -o ~/tool a.c", "write /home/u/tool"},
		{"go build -o bin/x ./a", ""},
		{"go build -o /home/u/p/bin/x ./a", ""},
		{"go build -o /tmp/x ./a", ""},
	})
}
