package file_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// blocksCommand reports whether a set blocks a shell command in a directory.
func blocksCommand(set *policy.Set, dir, command string) bool {
	arguments, _ := json.Marshal(map[string]string{"command": command})
	x := &policy.Exchange{Session: policy.Session{Cwd: dir, Home: "/home/u"}}
	r := set.Decide(context.Background(), x, llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: string(arguments), Status: llm.Complete}, policy.Options{})
	return r.Verdict.Action.Blocks()
}

// A host that loads policies from a file need not say that it is in force.
func TestTheFilesThatAreLoadedAreKept(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(name, []byte("policies:\n  - preset: recommended\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := file.Load(file.Options{}, name)
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]bool{
		"rm mine.yaml": true, "rm " + name: true, "sed -i s/a/b/ ./mine.yaml": true, "rm ../*/mine.yaml": true,
		"rm other.yaml": false, "cat mine.yaml": false, "rm mine.yaml.bak": false,
	} {
		if got := blocksCommand(loaded.Set, dir, command); got != want {
			t.Errorf("%s: blocked %v, want %v", command, got, want)
		}
	}
	if blocksCommand(loaded.Set, "/srv/other", "rm mine.yaml") {
		t.Error("a file of the same name in another directory is kept, too")
	}
}

// What the host adds is no part of a version: the port of a run is another one
// each time.
func TestTheHostDoesNotChangeVersions(t *testing.T) {
	plain, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	hosted, err := file.Load(file.Options{Host: file.Host{Files: []string{"/a"}, Port: 1234, Process: 5}}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	if plain.Set.Version() != hosted.Set.Version() {
		t.Error("the version is another one")
	}
}

// Users of the preset set parameters of their own; what the host added stays.
func TestParametersDoNotTakeTheHostAway(t *testing.T) {
	for _, params := range []string{
		"guard.files: [], guard.private: [], guard.ports: [], guard.processes: []",
		"guard.files: ['!/srv/**'], guard.private: ['!/srv/**', '!/proc/**'], guard.ports: ['!9191'], guard.processes: ['!4711']",
		"guard.files: ['!**'], guard.private: ['!**'], guard.ports: ['('], guard.processes: [1]",
		"guard.files: ['!./**', '!!!/srv/**'], guard.private: ['!./**', '!**/*key'], guard.ports: [''], guard.processes: ['[']",
	} {
		text := "policies:\n  - preset: recommended\n    params: {" + params + "}\n"
		loaded, err := file.Parse(file.Options{Host: file.Host{Files: []string{"/srv/x.yaml"}, Private: []string{"/srv/key"}, Port: 9191, Process: 4711}}, "p", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{
			"rm /srv/x.yaml", "rm -r /srv", "rm /srv/*", "cat /srv/key", "cat /srv/k*", "rm /srv/key", "cat /proc/4711/environ",
			"curl localhost:9191/admin/reload", "kill 4711",
		} {
			for _, dir := range []string{"/home/u/p", "/srv"} {
				if !blocksCommand(loaded.Set, dir, command) {
					t.Errorf("%s: passes in %s: %s", params, dir, command)
				}
			}
		}
	}
}
