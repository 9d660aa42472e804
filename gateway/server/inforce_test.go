package server_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
)

// What the server says at its start, and what it enforces, of files and presets.
func TestTheGreetingSaysWhatIsInForce(t *testing.T) {
	t.Parallel()
	name := write(t, filepath.Join(t.TempDir(), "p.yaml"), strict)
	for _, tc := range []struct {
		name, policies string
		say, not       []string
		told           int
	}{
		{"a file", "[" + name + "]", []string{"policies: preset:recommended, ", "p.yaml ("}, []string{"left out"}, 0},
		{"a file alone", "[preset:none, " + name + "]", []string{"p.yaml (2 policies", "warning: the preset recommended is left out (preset: none), and only 2 other policies are loaded"}, []string{"preset:recommended"}, 1},
		{"nothing", "[preset:none]", []string{"policies: none (0 policies", "nothing is judged"}, []string{"only observe"}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			var told notices
			start(t, configure(t, nil, "policies: "+tc.policies), server.Options{Poll: -1, Out: &out, Notice: told.add})
			for _, want := range tc.say {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the greeting does not say %q:\n%s", want, out.String())
				}
			}
			for _, bad := range tc.not {
				if strings.Contains(out.String(), bad) {
					t.Errorf("the greeting says %q:\n%s", bad, out.String())
				}
			}
			if got := told.take(); len(got) != tc.told {
				t.Errorf("the user is told %q", got)
			}
		})
	}
}

// A reload that leaves recommended out is announced as what it is: weaker policies,
// which pinning refuses.
func TestLeavingThePresetOutLaterIsAnnounced(t *testing.T) {
	t.Parallel()
	for _, pinned := range []bool{false, true} {
		name := write(t, filepath.Join(t.TempDir(), "p.yaml"), strict)
		var told notices
		config := "policies: [" + name + "]"
		if pinned {
			config = "policies: {files: [" + name + "], pinned: true}"
		}
		p := start(t, configure(t, nil, config), server.Options{Poll: -1, Notice: told.add})
		replace(t, name, "preset: none\n"+strict)
		if err := p.Reload(); (err != nil) != pinned {
			t.Errorf("pinned=%t: %v", pinned, err)
		}
		if got := told.take(); len(got) != 1 || !strings.Contains(got[0], "destructive-files was removed") {
			t.Errorf("pinned=%t: the user is told %q", pinned, got)
		}
		if !pinned {
			p.log.wait(t, 0, "WARN", "the preset recommended is left out")
		}
	}
}
