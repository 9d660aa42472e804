package shell

import "testing"

func TestAgentsThatAreStartedUnasked(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"claude --dangerously-skip-permissions -p x", "start-agent claude; disarm questions of agent claude"},
		{"claude -p x --permission-mode=bypassPermissions", "start-agent claude; disarm questions of agent claude"},
		{"claude -p x --permission-mode bypassPermissions", "start-agent claude; disarm questions of agent claude"},
		{"claude -p x --permission-mode plan", "start-agent claude"},
		{`claude --settings '{"disableAllHooks": true}' -p x`, "start-agent claude; disarm settings of agent claude; disarm questions of agent claude"},
		{`claude --settings '{"model": "x"}' -p x`, "start-agent claude; disarm settings of agent claude"},
		{"CLAUDE_CONFIG_DIR=/tmp/e claude -p x", "start-agent claude; set-variable CLAUDE_CONFIG_DIR; disarm settings of agent claude"},
		{"npx @anthropic-ai/claude-code --dangerously-skip-permissions", "install @anthropic-ai/claude-code; start-agent claude; disarm questions of agent claude"},
		{"codex --sandbox=danger-full-access exec x", "start-agent codex; disarm questions of agent codex"},
		{"codex exec -c 'sandbox_mode=\"danger-full-access\"' x", "start-agent codex; disarm questions of agent codex; unset-variable *"},
		{"codex -c model=o3 exec x", "start-agent codex"},
		{"codex exec --sandbox workspace-write x", "start-agent codex"},
		{"gemini --approval-mode yolo -p x", "start-agent gemini; disarm questions of agent gemini"},
		{"gemini -p x", "start-agent gemini"},
		{"qwen -y x", "start-agent qwen; disarm questions of agent qwen"},
		{"cursor-agent -f -p x", "start-agent cursor-agent; disarm questions of agent cursor-agent"},
		{"cursor-agent -p x", "start-agent cursor-agent"},
		{"goose run x", "start-agent goose"},
		{"GOOSE_MODE=auto goose run x", "start-agent goose; set-variable GOOSE_MODE; disarm questions of agent goose"},
	})
}

func TestAgentsKeepSettingsAndServers(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"claude mcp add x -- npx y", "persist server of agent claude from x npx y; start-agent claude"},
		{"codex mcp add x -- y", "persist server of agent codex from x y; start-agent codex"},
		{"claude mcp remove x", "disarm server of agent claude; start-agent claude"},
		{"claude mcp list", ""},
		{"claude config set -g a b", "persist settings of agent claude from a b; start-agent claude"},
		{"claude config list", ""},
		{"claude plugin install x@y", "persist extension of agent claude from x@y; start-agent claude"},
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
		{"sluice run --shadow -- codex --yolo", "start-agent codex; disarm questions of agent codex; disarm guard of agents"},
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
