package connect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/connect"
)

func TestPermanentSettingsLeadToTheGateway(t *testing.T) {
	t.Parallel()
	for _, c := range append(connect.Clients(), connect.Generic("agent")) {
		for _, managed := range []bool{false, true} {
			for _, key := range []string{"", "slk_1"} {
				all, err := connect.Settings(c, connect.Options{BaseURL: gateway, Key: key}, managed)
				if err != nil || len(all) == 0 {
					t.Fatal(c.Name, err)
				}
				text := ""
				for _, s := range all {
					text += s.Content
					if s.Title == "" || len(s.Places) == 0 || s.Check != "sluice doctor "+c.Name {
						t.Errorf("%s: %+v", c.Name, s)
					}
					if strings.HasPrefix(s.Content, "{") && !json.Valid([]byte(s.Content)) {
						t.Errorf("%s: not valid: %s", c.Name, s.Content)
					}
				}
				if !strings.Contains(text, gateway) || key != "" && c.Known() && !strings.Contains(text, key) {
					t.Errorf("%s: neither gateway nor key in %s", c.Name, text)
				}
			}
		}
	}
}

// What Settings prints, written where it says, is what Prepare finds set up.
func TestPermanentSettingsAreRecognised(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claude", "codex", "opencode", "qwen", "gemini"} {
		for _, managed := range []bool{false, true} {
			c, _ := connect.Find(name)
			all, err := connect.Settings(c, connect.Options{BaseURL: gateway, Key: "slk_1"}, managed)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, s := range all {
				at := s.Places[0].Path
				if rest, ok := strings.CutPrefix(at, "~/"); ok {
					files["home/"+rest] = s.Content
				} else {
					files["system"+at] = s.Content
				}
			}
			m := newMachine(t, files)
			launch, err := connect.Prepare(c, m.options(nil, nil))
			if err != nil {
				t.Errorf("%s managed %t: %v", name, managed, err)
			}
			environment := managed && name == "gemini" // its variable is in the environment
			system := managed && name == "qwen"        // system env blocks are not looked at: any environment wins over them
			if !launch.Permanent && !environment && !system {
				t.Errorf("%s managed %t: not recognised", name, managed)
			}
			if len(launch.Upstream) != 0 {
				t.Errorf("%s managed %t: the gateway is its own upstream: %v", name, managed, launch.Upstream)
			}
		}
	}
}
