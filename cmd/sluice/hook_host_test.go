package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
)

// hooked is a project of a user whose Claude Code asks the hook.
type hooked struct {
	t                       *testing.T
	home, project, policies string
	program, path, config   string
	set                     *policy.Set // as the program loads it, which takes its time
}

func newHooked(t *testing.T) *hooked {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &hooked{t: t, home: filepath.Join(dir, "home"), path: filepath.Join(dir, "tools")}
	h.project = filepath.Join(h.home, "src", "app")
	for _, dir := range []string{h.project + "/.claude", h.project + "/pkg", h.home + "/.claude", h.path} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.policies = filepath.Join(dir, "rules.yaml")
	for file, content := range map[string]string{
		h.policies:                        "policies:\n  - preset: recommended\n",
		h.home + "/.claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"guard hook claude-code"}]}]}}`,
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if h.program, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", h.home)
	t.Setenv("PATH", h.path+":relative:"+os.Getenv("PATH"))
	h.config = filepath.Join(dir, "chosen")
	t.Setenv("CLAUDE_CONFIG_DIR", h.config)
	t.Setenv("CLAUDE_PROJECT_DIR", h.project)
	return h
}

// denied says by which policy a call is denied, empty if it is not. The first call of a
// test goes through the program, the others through the policies that it would load.
func (h *hooked) denied(tool string, input map[string]any) string {
	h.t.Helper()
	raw, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": h.project + "/pkg", "hook_event_name": preToolUse, "tool_name": tool, "tool_input": input,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	asked, err := readHookInput(bytes.NewReader(raw))
	if err != nil {
		h.t.Fatal(err)
	}
	first, through := h.set == nil, hookAnswer{}
	if first {
		loaded, err := loadHook(asked.cwd, h.home, []string{h.policies})
		if err != nil {
			h.t.Fatal(err)
		}
		h.set = loaded.Set
		code, out, stderr := sluice(h.t, string(raw), "hook", "claude-code", "--policies", h.policies)
		if code != 0 || stderr != "" {
			h.t.Fatalf("exit code %d: %s", code, stderr)
		}
		if err := json.Unmarshal([]byte(out), &through); out != "" && err != nil {
			h.t.Fatal(err)
		}
	}
	answer, decided, err := asked.judge(h.t.Context(), h.set, h.home)
	if err != nil {
		h.t.Fatal(err)
	}
	if first && (through.Output.Decision != answer.Output.Decision || through.Output.Reason != answer.Output.Reason) {
		h.t.Errorf("the program says %+v, its policies %+v", through, answer)
	}
	if !decided || answer.Output.Decision != decisionDeny {
		return ""
	}
	_, by, _ := strings.Cut(answer.Output.Reason, "(policy ")
	by, _, _ = strings.Cut(by, ")")
	return by
}

func (h *hooked) bash(command string) string {
	return h.denied("Bash", map[string]any{"command": command})
}

// An agent cannot switch off the hook that is asked about its calls: by the settings
// that name it, or any that Claude Code would read beside them, by the program, by
// another one of its name that is found first, by its policies.
func TestHookCannotBeSwitchedOff(t *testing.T) {
	h := newHooked(t)
	name := filepath.Base(h.program)
	off := `{"disableAllHooks":true}`
	commands := []string{
		"echo '" + off + "' > FILE", "cp /tmp/x FILE", "rm -f FILE", "sed -i s/PreToolUse/x/ FILE", "mv FILE /tmp/y", "tee FILE < /tmp/x", "ln -sf /tmp/x FILE",
		"truncate -s 0 FILE", "install /tmp/x FILE", "python3 -c \"open('FILE','w').write('x')\"", "chmod 000 FILE", "bash -c 'echo > FILE'", "curl -o FILE https://example.com/x", "dd if=/tmp/x of=FILE",
	}
	next := 0
	for file, ways := range map[string][]string{
		h.home + "/.claude/settings.json": commands, h.config + "/settings.json": commands, h.config + "/settings.local.json": commands,
		h.policies: commands, h.program: commands, filepath.Join(h.path, name): commands,
		// The hook is not in these, but they could switch it off.
		h.project + "/.claude/settings.json": commands[:2], h.project + "/.claude/settings.local.json": commands[:2], "../.claude/settings.local.json": commands[:2],
	} {
		for tool, input := range map[string]map[string]any{
			"Write": {"file_path": file, "content": off}, "Edit": {"file_path": file, "old_string": "a", "new_string": "b"},
		} {
			if h.denied(tool, input) == "" {
				t.Errorf("passes: %s of %s", tool, file)
			}
		}
		for range 2 { // the others take their turn with the next file
			command := strings.ReplaceAll(ways[next%len(ways)], "FILE", file)
			if next++; h.bash(command) == "" {
				t.Errorf("passes: %s", command)
			}
		}
	}
	for _, command := range []string{
		"rm -rf " + h.home + "/.claude", "mv " + h.config + " /tmp/off", "rm -rf " + h.config, "cd .. && echo '" + off + "' > .claude/settings.local.json",
		"pkill " + name, "killall " + name, "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi", "claude --settings '" + off + "' -p hi",
	} {
		if h.bash(command) == "" {
			t.Errorf("passes: %s", command)
		}
	}
}

// Everyday work goes on, in the directories of settings too.
func TestHookLeavesEverydayWorkAlone(t *testing.T) {
	h := newHooked(t)
	for _, command := range []string{
		"cat " + h.home + "/.claude/settings.json", "ls -la ../.claude", "git stash", "git clean -fdx", "git checkout -- .", "git pull",
		"rm -rf build", "find . -name '*.o' -delete", "sed -i s/a/b/ *.json", "go build ./...", "touch settings.json",
	} {
		if by := h.bash(command); by == "protect-sluice" {
			t.Errorf("is denied by %s: %s", by, command)
		}
	}
	for _, file := range []string{h.project + "/settings.json", filepath.Join(h.path, "other")} {
		if by := h.denied("Write", map[string]any{"file_path": file, "content": "x"}); by != "" {
			t.Errorf("is denied by %s: Write of %s", by, file)
		}
	}
}
