package connect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/connect"
)

// A file that somebody changed since loses what was written and keeps the rest, in every
// format and style.
func TestUndoTakesOutWhatIsStillAsItWasWritten(t *testing.T) {
	for name, tc := range map[string]struct {
		client, file, before string
		change               func(text string) string // what somebody does to the file
		after                string
		left                 []string
		removed              bool
	}{
		"a member is added": {
			"claude", ".claude/settings.json", `{"env": {"A": "1"}, "x": [1,2]}`,
			func(s string) string { return strings.Replace(s, `"x"`, `"model": "opus", "x"`, 1) },
			`{"env": {"A": "1"}, "model": "opus", "x": [1,2]}`, nil, false,
		},
		"the client writes its settings anew": {
			"claude", ".claude/settings.json", "{\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n", rewritten,
			"{\n  \"added\": true,\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n", nil, false,
		},
		"the object was not there": {
			"claude", ".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n", rewritten,
			"{\n  \"added\": true,\n  \"model\": \"opus\"\n}\n", nil, false,
		},
		"the file was not there": {
			"claude", ".claude/settings.json", "", func(s string) string { return strings.Replace(s, "{", "{\n  \"theme\": \"dark\",", 1) },
			"{\n  \"theme\": \"dark\"\n}\n", nil, false,
		},
		"blanks alone were added to a new file": {
			"claude", ".claude/settings.json", "", func(s string) string { return s + "\n\n" }, "", nil, true,
		},
		"a value was there before": {
			"claude", ".claude/settings.json", `{"env":{"ANTHROPIC_BASE_URL":"http://old","B":"2"}}`,
			func(s string) string { return strings.Replace(s, `"B":"2"`, `"B":"3"`, 1) },
			`{"env":{"ANTHROPIC_BASE_URL":"http://old","B":"3"}}`, nil, false,
		},
		"a value was changed": {
			"claude", ".claude/settings.json", `{"env":{"ANTHROPIC_BASE_URL":"http://old","B":"2"}}`,
			func(s string) string { return strings.Replace(s, gateway, "http://mine", 1) },
			`{"env":{"ANTHROPIC_BASE_URL":"http://mine","B":"2"}}`, []string{"env.ANTHROPIC_BASE_URL"}, false,
		},
		"a value was taken out": {
			"claude", ".claude/settings.json", `{"a": 1}`,
			func(s string) string {
				return strings.Replace(s, `"_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1"`, `"C": "1"`, 1)
			},
			"{\"a\": 1, \"env\": {\n    \"C\": \"1\"\n  }}", nil, false,
		},
		"comments stay": {
			"claude", ".claude/settings.json", "// mine\n{\n  \"env\": {\n    \"A\": \"1\" // one\n    /* more, */\n  },\n}\n",
			func(s string) string { return strings.Replace(s, "// mine", "// yours", 1) },
			"// yours\n{\n  \"env\": {\n    \"A\": \"1\" // one\n    /* more, */\n  },\n}\n", nil, false,
		},
		"TOML": {
			"codex", ".codex/config.toml", "# mine\nmodel = \"m\"\n\n[mcp_servers.x]\ncommand = \"y\"\n",
			func(s string) string { return s + "\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n" },
			"# mine\nmodel = \"m\"\n\n[mcp_servers.x]\ncommand = \"y\"\n\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n", nil, false,
		},
		"TOML with an old value": {
			"codex", ".codex/config.toml", "openai_base_url = 'http://old' # hm\n", func(s string) string { return s + "a = 1\n" },
			"openai_base_url = 'http://old' # hm\na = 1\n", nil, false,
		},
		"TOML above tables": {
			"codex", ".codex/config.toml", "[[a]]\nb = 1\n", func(s string) string { return s + "c = 2\n" }, "[[a]]\nb = 1\nc = 2\n", nil, false,
		},
		"variables": {
			"gemini", ".gemini/.env", "# mine\nexport GOOGLE_GEMINI_BASE_URL=http://old\nZ=1", func(s string) string { return "N=1\n" + s },
			"N=1\n# mine\nexport GOOGLE_GEMINI_BASE_URL=http://old\nZ=1", nil, false,
		},
		"no variables": {
			"gemini", ".gemini/.env", "A=1\n", func(s string) string { return s + "B=2\n" }, "A=1\nB=2\n", nil, false,
		},
		"a variable was changed": {
			"gemini", ".gemini/.env", "A=1\n", func(s string) string { return strings.Replace(s, gateway, "http://mine", 1) },
			"A=1\nGOOGLE_GEMINI_BASE_URL=http://mine\n", []string{"GOOGLE_GEMINI_BASE_URL"}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"home/" + tc.file: tc.before}
			if tc.before == "" {
				files = nil
			}
			m := newMachine(t, files)
			path := filepath.Join(m.home, filepath.FromSlash(tc.file))
			settle(t, tc.client, m.options(nil, nil))
			write(t, path, tc.change(content(t, path)))
			undone, err := connect.Undo(path)
			if err != nil || !reflect.DeepEqual(undone.LeftAlone, tc.left) {
				t.Fatalf("undone: %+v, %v", undone, err)
			}
			if _, err := os.Stat(path); tc.removed != (err != nil) {
				t.Fatalf("the file: %v", err)
			}
			if tc.removed {
				return
			}
			if got := content(t, path); got != tc.after {
				t.Errorf("it is\n%q, want\n%q", got, tc.after)
			}
			if copies, _ := filepath.Glob(path + ".*"); (len(copies) == 0) != (len(tc.left) == 0) {
				t.Errorf("copies: %v", copies)
			}
			if again, err := connect.Undo(path); err != nil || again.Restored || content(t, path) != tc.after {
				t.Errorf("a second time: %+v, %v", again, err)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// rewritten is what a client makes of its settings: the same members in an order of its
// own, with another one.
func rewritten(text string) string {
	var all map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return err.Error()
	}
	all["added"] = true
	out, _ := json.MarshalIndent(all, "", "  ")
	return string(out) + "\n"
}

// However often a file was written and rewritten by its client in between, nothing of what
// was written is left, and nothing else is lost.
func TestUndoAfterManyChanges(t *testing.T) {
	for _, before := range []string{`{"env":{"ANTHROPIC_BASE_URL":"http://old","B":"2"},"n":1}`, `{"n":1}`, `{}`} {
		m := newMachine(t, map[string]string{"home/.claude/settings.json": before})
		path := filepath.Join(m.home, ".claude", "settings.json")
		opt := m.options(nil, nil)
		for i, url := range []string{gateway, "http://127.0.0.1:1", gateway, "http://127.0.0.1:2"} {
			opt.BaseURL = url
			settle(t, "claude", opt)
			var all map[string]any
			if err := json.Unmarshal([]byte(content(t, path)), &all); err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprint("by the client ", i)] = i
			out, _ := json.Marshal(all)
			write(t, path, string(out))
		}
		undone, err := connect.Undo(path)
		if err != nil || !undone.Restored || len(undone.LeftAlone) > 0 {
			t.Fatalf("undone: %+v, %v", undone, err)
		}
		var got, want map[string]any
		_ = json.Unmarshal([]byte(before), &want)
		if err := json.Unmarshal([]byte(content(t, path)), &got); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			want[fmt.Sprint("by the client ", i)] = float64(i)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("it is %v, want %v", got, want)
		}
	}
}
