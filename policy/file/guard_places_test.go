package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// inForce is a set of a host whose files are in places of its own.
func inForce(t *testing.T, host file.Host) *policy.Set {
	t.Helper()
	loaded, err := file.Parse(file.Options{Host: host}, "/srv/team/rules.yaml", []byte("policies:\n  - preset: recommended\n"))
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Set
}

// wants compares what a set does with commands.
func wants(t *testing.T, set *policy.Set, blocked bool, commands ...string) {
	t.Helper()
	for _, command := range commands {
		if got := blocksCommand(set, "/home/u/p", command); got != blocked {
			t.Errorf("%s: blocked %v, want %v", command, got, blocked)
		}
	}
}

// What git does to the files of a work tree it does to the policies if they are there,
// however it is told to go there. What only looks at them, and the same elsewhere, passes.
func TestGitInADirectoryOfThePolicies(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.yaml"), []byte("policies:\n  - preset: recommended\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := file.Load(file.Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	ways := []string{"git -C %s %s", "cd %s && git %s", "cd %s; git --no-pager %s", "(cd %s && git %s)", "bash -c 'cd %s && git %s'"}
	changes := []string{
		"stash", "stash pop", "stash apply", "apply /var/tmp/x.patch", "am x.mbox", "pull", "pull --rebase origin main", "rebase main", "revert HEAD", "cherry-pick a1",
		"switch old", "checkout old", "merge old", "reset --keep HEAD~1", "reset --merge HEAD~1", "submodule update --force", "sparse-checkout set x", "bisect start HEAD HEAD~4",
		"filter-branch --tree-filter true", "lfs pull", "stash branch x", "a-command-of-later",
	}
	looks := []string{"log", "status", "diff HEAD~1", "show HEAD", "blame x", "grep x", "fetch", "stash list", "worktree list", "branch -a", "add x.yaml", "commit -m x", "push origin main"}
	for _, way := range ways {
		for _, change := range changes {
			wants(t, loaded.Set, true, fmt.Sprintf(way, dir, change))
			wants(t, loaded.Set, false, fmt.Sprintf(way, "/home/u/other", change))
		}
		for _, look := range looks {
			wants(t, loaded.Set, false, fmt.Sprintf(way, dir, look))
		}
	}
	wants(t, loaded.Set, true, "git worktree add --force "+dir+" old", "gh repo clone x/y "+dir, "git --work-tree="+dir+" stash")
}

// Whoever runs a private file as a program, or takes it for a list or a setting, is
// shown its contents in an error message.
func TestPrivateFilesAreNotRun(t *testing.T) {
	set := inForce(t, file.Host{Private: []string{"/srv/data", "/srv/keys/token"}})
	for _, way := range []string{
		". %s", "source %s", "sh %s", "bash %s", "bash < %s", "zsh %s", "python3 %s", "node %s", "perl %s", "ruby %s", "php %s", "lua %s", "awk -f %s", "sed -f %s x",
		"make -f %s", "make --file=%s", "gcc @%s", "du --files0-from=%s", "javac @%s x.java", "git config -f %s -l", "chmod +x x; %s",
	} {
		wants(t, set, true, fmt.Sprintf(way, "/srv/data/admin-token"), fmt.Sprintf(way, "/srv/keys/token"), fmt.Sprintf(way, "/srv/keys/../data/key"))
		wants(t, set, false, fmt.Sprintf(way, "/home/u/p/x"))
	}
	wants(t, set, false, "ls -l /srv/data", "stat /srv/keys/token", "du -sh /srv/data", "test -d /srv/data", "make -C /srv/app", "sed -n 1p /srv/app/token")
}

// pkill, pgrep and killall -r look for a pattern, so the guard is found by every pattern
// that finds its name, and with -f by every one that finds its command line.
func TestProcessesThatAreFoundByAPattern(t *testing.T) {
	const name, line = "wardenx", "/opt/wardenx serve --config /srv/team/warden.yaml"
	set := inForce(t, file.Host{Program: name, Line: line, Process: 4711})
	var found []string
	for i := range name {
		found = append(found, name[:i]+"."+name[i+1:], name[:i]+"["+name[i:i+1]+"]"+name[i+1:], name[:i]+".*", name[i:]+"$", strings.ToUpper(name[:i])+name[i:])
	}
	found = slices.DeleteFunc(found, func(pattern string) bool { return len(pattern) < 4 }) // those are everything's
	others := []string{"node", "python.*server", "vite", "n[o]de", "^ward-", "warden-y", "x[w]arden", "ardeny", "*wardeny"}
	for _, way := range []string{"pkill '%s'", "pkill -9 '%s'", "pgrep '%s' | xargs kill", "kill $(pgrep '%s')", "killall -r '%s'", "killall --regexp '%s'"} {
		for _, pattern := range found {
			wants(t, set, true, fmt.Sprintf(way, pattern))
		}
		for _, pattern := range others {
			wants(t, set, false, fmt.Sprintf(way, pattern))
		}
	}
	for _, pattern := range []string{"warden.yaml", "w.rden.yaml", "serve --config", "/srv/te[a]m", "^/opt/w"} {
		wants(t, set, true, "pkill -f '"+pattern+"'", "kill $(pgrep -f '"+pattern+"')")
	}
	wants(t, set, false, "pkill -f 'npm run serve'", "pkill -x warden", "pkill -f '^serve'", "kill 4712", "kill 47110", "kill 47 11", "ps aux | grep vite | awk '{print $2}' | xargs kill")
	wants(t, set, true, "pkill -x 'warden[x]'", "kill 04711", "kill -- -04711", "ps -ef | grep warden.yaml | awk '{print $2}' | xargs kill", "killall -I WARDENX")
}

// Who holds a file in force open is the guard.
func TestProcessesThatAreFoundByTheirFiles(t *testing.T) {
	set := inForce(t, file.Host{Files: []string{"/opt/warden/warden"}, Private: []string{"/srv/log/audit.jsonl"}})
	for _, way := range []string{"lsof -t %s | xargs kill", "kill $(lsof -t %s)", "fuser -k %s", "kill -9 $(fuser %s)"} {
		wants(t, set, true, fmt.Sprintf(way, "/opt/warden/warden"), fmt.Sprintf(way, "/srv/log/audit.jsonl"))
		wants(t, set, false, fmt.Sprintf(strings.ReplaceAll(way, "fuser -k", "fuser"), "/home/u/p/app.log"))
	}
}

// Files that set variables for what is started later can lead an agent past the guard
// that is started there.
func TestFilesThatSetVariables(t *testing.T) {
	set := inForce(t, file.Host{})
	writes := map[string]string{
		".envrc": "export %s=https://x.example", "mise.toml": "[env]\n%s = \"https://x.example\"", ".vscode/settings.json": `{"terminal.integrated.env.linux": {"%s": "https://x.example"}}`,
		".devcontainer/devcontainer.json": `{"remoteEnv": {"%s": "https://x.example"}}`, "team.code-workspace": `{"settings": {"claudeCode.environmentVariables": [{"name": "%s", "value": "https://x.example"}]}}`,
	}
	for name, content := range writes {
		for _, variable := range []string{"ANTHROPIC_BASE_URL", "CLAUDE_CODE_USE_BEDROCK", "GOOGLE_GEMINI_BASE_URL", "SLUICE_POLICIES"} {
			wants(t, set, true, fmt.Sprintf("cat > %s <<'X'\n%s\nX", name, fmt.Sprintf(content, variable)))
		}
		for _, variable := range []string{"FOO", "OPENAI_BASE_URL", "DATABASE_URL"} { // an application may well have a model of its own
			wants(t, set, false, fmt.Sprintf("cat > %s <<'X'\n%s\nX", name, fmt.Sprintf(content, variable)))
		}
	}
	wants(t, set, true, "echo 'unset OPENAI_BASE_URL' > .envrc", "echo 'export OPENAI_BASE_URL=https://api.openai.com/v1' >> .envrc")
	wants(t, set, false, "echo 'export ANTHROPIC_BASE_URL=http://127.0.0.1:8484' >> docs/setup.md")
}

// An agent that is started from a program, or by a wrapper, without the variables that
// point it here.
func TestAgentsThatAreStartedWithoutVariables(t *testing.T) {
	set := inForce(t, file.Host{})
	for _, agent := range []string{"claude", "codex", "gemini"} {
		for _, way := range []string{
			"flatpak-spawn --host %s -p x", "host-spawn %s -p x", `python3 -c "import os; os.environ.clear(); os.execvp('%[1]s', ['%[1]s'])"`,
			`python3 -c "import os; os.execve('/usr/bin/x', ['%s'], {})"`, `ruby -e 'ENV.clear; exec "%s"'`,
		} {
			wants(t, set, true, fmt.Sprintf(way, agent))
			wants(t, set, false, fmt.Sprintf(strings.ReplaceAll(way, " -p x", ""), "make"))
		}
	}
}

// Settings of agents are removed by every program that removes files, and changed by
// programs that are not known.
func TestSettingsThatAreRemovedOrChanged(t *testing.T) {
	set := inForce(t, file.Host{})
	wants(t, set, true, "git clean -fdx .claude", "git clean -fdX ~/.codex", "sd 'base_url.*' '' ~/.codex/config.toml", "toml set ~/.codex/config.toml model_provider x", "crudini --del ~/.codex/config.toml '' openai_base_url")
	wants(t, set, false, "git clean -fd", "git clean -fdx build", "git checkout -- .", "check-jsonschema .claude/settings.json", "taplo check ~/.codex/config.toml", "sd a b .claude/commands/x.md")
}

// The host's files are also there by ~, whatever is known of the client's home.
func TestFilesBelowTheHomeOfTheHost(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	set := inForce(t, file.Host{Files: []string{home + "/guard/config.yaml"}, Private: []string{home + "/guard/data"}})
	wants(t, set, true, "rm ~/guard/config.yaml", "rm $HOME/guard/config.yaml", "cd ~/guard && rm config.yaml", "cd && rm guard/config.yaml", "cat ~/guard/data/key", "rm -r ~/guard")
	wants(t, set, false, "rm ~/guard/other.yaml", "cat ~/guard/config.yaml", "rm guard/config.yaml", "cat ~/guarded/data/key")
}

// Stopping what everything of a user depends on stops the guard, too.
func TestUnitsThatEverythingDependsOn(t *testing.T) {
	set := inForce(t, file.Host{})
	for _, verb := range []string{"stop", "kill", "disable --now", "freeze"} {
		wants(t, set, true, "systemctl "+verb+" user@1000.service", "systemctl "+verb+" user-1000.slice", "systemctl --user "+verb+" default.target")
		wants(t, set, false, "systemctl "+verb+" nginx", "systemctl --user "+verb+" userdb", "systemctl "+verb+" default-app")
	}
}
