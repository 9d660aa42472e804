package server_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
)

const (
	strict = `
policies:
  - {name: no-shell, when: 'call.kind == "shell"', then: {block: end_turn}, reason: strict}
  - {name: no-fetch, when: call.kind == params.kind, then: {block: end_turn}, reason: strict, params: {kind: fetch}, on_error: block}
`
	added = strict + "  - {name: more, when: 'call.name == \"X\"', then: block}\n"
)

// weakenings are ways to make the policies weaker, with what is said about each.
var weakenings = []struct{ name, file, said string }{
	{"a policy was removed", strings.Replace(strict, "no-fetch", "other", 1), "no-fetch was removed"},
	{"a condition changes", strings.Replace(strict, `"shell"`, `"read"`, 1), "no-shell has changed"},
	{"a parameter changes", strings.Replace(strict, "kind: fetch", "kind: read", 1), "no-fetch has changed"},
	{"a failure passes", strings.Replace(strict, "on_error: block", "on_error: allow", 1), "no-fetch has changed"},
	{"an action changes", strings.Replace(strict, "{block: end_turn}", "annotate", 1), "no-shell has changed"},
	{"only observed", strings.Replace(strict, "reason: strict}", "mode: shadow}", 1), "no-shell only observes now"},
	{"a mode changes", strings.Replace(strict, "reason: strict}", "reason: strict, mode: shadow}", 1), "no-shell only observes now"},
	{"switched off", strings.Replace(strict, "reason: strict}", "reason: strict, mode: disabled}", 1), "no-shell was removed"},
}

// notices keeps what the user is told.
type notices struct {
	mu   sync.Mutex
	list []string
}

func (n *notices) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, text)
}

func (n *notices) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	n.list = nil
	return list
}

func TestWeakerPoliciesAreAnnounced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name, audit := write(t, filepath.Join(dir, "p.yaml"), strict), filepath.Join(dir, "audit.jsonl")
	var told notices
	p := start(t, configure(t, nil, "policies: [preset:none, "+name+"]", "audit_log: "+audit), server.Options{Poll: -1, Notice: told.add})
	told.take() // that recommended is left out
	reload := func(content string) {
		t.Helper()
		replace(t, name, content)
		if err := p.Reload(); err != nil {
			t.Fatal(err)
		}
	}
	seen := 0
	for _, w := range weakenings {
		reload(w.file)
		p.log.wait(t, seen, "WARN", "the policies in force have become weaker", w.said)
		if got := told.take(); len(got) != 1 || got[0] != "the policies in force have become weaker: "+w.said {
			t.Errorf("%s: the user is told %q", w.name, got)
		}
		reload(strict) // what was changed back is a change again
		told.take()
		seen = len(strings.Split(p.log.String(), "\n")) - 1
	}
	reload(added)
	reload("# a comment\n" + added)
	reload(strings.Replace(added, "reason: strict", "reason: said in other words", 1))
	if got := told.take(); len(got) != 0 {
		t.Errorf("what is added is announced: %q", got)
	}
	p.stop()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for line := range strings.Lines(string(readFile(t, audit))) {
		var l struct {
			Event   string   `json:"event"`
			Weaker  []string `json:"weaker"`
			Refused bool     `json:"refused"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Event == "policies" && len(l.Weaker) == 1 && !l.Refused {
			kept++
		}
	}
	if kept < len(weakenings) {
		t.Errorf("the audit log has %d of %d announcements", kept, len(weakenings))
	}
}

func TestPinnedPoliciesStayUntilARestart(t *testing.T) {
	t.Parallel()
	name := write(t, filepath.Join(t.TempDir(), "p.yaml"), strict)
	var told notices
	p := start(t, configure(t, always(t, calls("ls")), "policies: {files: [preset:none, "+name+"], pinned: true}"), server.Options{Poll: -1, Notice: told.add})
	told.take() // that recommended is left out
	for _, w := range weakenings {
		replace(t, name, w.file)
		err := p.Reload()
		var weaker *server.WeakerError
		if !errors.As(err, &weaker) || !strings.Contains(err.Error(), w.said) || !strings.Contains(err.Error(), "restart the gateway") {
			t.Errorf("%s: %v", w.name, err)
		}
		if got := told.take(); len(got) != 1 || got[0] != "weaker policies were refused, because they are pinned: "+w.said {
			t.Errorf("%s: the user is told %q", w.name, got)
		}
		if _, answer := p.ask(); !strings.Contains(answer, "strict") {
			t.Errorf("%s: the old policies are not in force", w.name)
		}
	}
	if _, status := p.get("/admin/status", "Authorization", "Bearer "+p.AdminToken().Reveal()); !strings.Contains(status, "policies are pinned") {
		t.Errorf("the status does not tell of it: %s", status)
	}
	replace(t, name, added)
	if err := p.Reload(); err != nil {
		t.Errorf("policies that were only added are refused: %v", err)
	}
	replace(t, name, strict)
	if err := p.Reload(); err == nil {
		t.Error("what was added can be taken away again")
	}
}

func TestALongListOfChangesIsCut(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{10: false, 11: true} {
		if got := strings.Contains((&server.WeakerError{Changes: make([]string, n)}).Error(), "and 1 more"); got != want {
			t.Errorf("%d changes are cut: %v", n, got)
		}
	}
}
