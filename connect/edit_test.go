package connect_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/connect"
)

// settle applies the edits of a client on a machine.
func settle(t *testing.T, client string, opt connect.Options) []connect.Edit {
	t.Helper()
	c, _ := connect.Find(client)
	edits, err := connect.Edits(c, opt, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		if _, err := e.Write(); err != nil {
			t.Fatal(err)
		}
	}
	return edits
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What is in a file stays as it is, byte for byte, in every style that people
// write: only our members come, and a second time nothing does.
func TestEditsKeepWhatIsThere(t *testing.T) {
	const base, first = `"ANTHROPIC_BASE_URL": "` + gateway + `"`, `"_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1"`
	for name, tc := range map[string]struct{ client, file, before, after string }{
		"empty object":   {"claude", ".claude/settings.json", "{}", "{\n  \"env\": {\n    " + base + ",\n    " + first + "\n  }\n}"},
		"empty file":     {"claude", ".claude/settings.json", "", "{\n  \"env\": {\n    " + base + ",\n    " + first + "\n  }\n}\n"},
		"one line":       {"claude", ".claude/settings.json", `{"env": {"A": "1"}, "x": [1,2]}`, `{"env": {"A": "1", ` + base + ", " + first + `}, "x": [1,2]}`},
		"another URL":    {"claude", ".claude/settings.json", `{"env":{"ANTHROPIC_BASE_URL":"http://old","B":"2"}}`, `{"env":{"ANTHROPIC_BASE_URL":"` + gateway + `","B":"2", ` + first + `}}`},
		"tabs":           {"claude", ".claude/settings.json", "{\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n", "{\n\t\"env\": {\n\t\t\"A\": \"1\",\n\t\t" + base + ",\n\t\t" + first + "\n\t}\n}\n"},
		"comments":       {"claude", ".claude/settings.json", "// mine\n{\n  \"env\": {\n    \"A\": \"1\" // , one\n    /* more, */\n  }, // env\n  \"b\": 1.50\n}\n", "// mine\n{\n  \"env\": {\n    \"A\": \"1\", // , one\n    " + base + ",\n    " + first + "\n    /* more, */\n  }, // env\n  \"b\": 1.50\n}\n"},
		"trailing comma": {"claude", ".claude/settings.json", "{\n  \"env\": {\n    \"A\": \"1\",\n  },\n}\n", "{\n  \"env\": {\n    \"A\": \"1\",\n    " + base + ",\n    " + first + ",\n  },\n}\n"},
		"line ends":      {"claude", ".claude/settings.json", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"env\": {\r\n    " + base + ",\r\n    " + first + "\r\n  }\r\n}\r\n"},
		"byte order":     {"claude", ".claude/settings.json", "\ufeff{}", "\ufeff{\n  \"env\": {\n    " + base + ",\n    " + first + "\n  }\n}"},
		"only a comment": {"claude", ".claude/settings.json", "{\n  // nothing yet\n}\n", "{\n  \"env\": {\n    " + base + ",\n    " + first + "\n  }\n  // nothing yet\n}\n"},
		"toml":           {"codex", ".codex/config.toml", "# mine\nmodel = \"m\" # fast\n\n# servers\n[mcp_servers.x]\ncommand = \"y\"\n", "# mine\nmodel = \"m\" # fast\nopenai_base_url = \"" + gateway + "/v1\"\n\n# servers\n[mcp_servers.x]\ncommand = \"y\"\n"},
		"toml, tables":   {"codex", ".codex/config.toml", "# servers\n[[a]]\nopenai_base_url = \"not this\"\n", "openai_base_url = \"" + gateway + "/v1\"\n\n# servers\n[[a]]\nopenai_base_url = \"not this\"\n"},
		"toml, changed":  {"codex", ".codex/config.toml", "openai_base_url  =  'http://old' # hm\nx = [\n 1, # one\n]", "openai_base_url  =  \"" + gateway + "/v1\" # hm\nx = [\n 1, # one\n]"},
		"toml, no end":   {"codex", ".codex/config.toml", "x = 1", "x = 1\nopenai_base_url = \"" + gateway + "/v1\""},
		"variables":      {"gemini", ".gemini/.env", "# mine\nGEMINI_API_KEY=k\nexport GOOGLE_GEMINI_BASE_URL=http://old\nZ=1", "# mine\nGEMINI_API_KEY=k\nexport GOOGLE_GEMINI_BASE_URL=" + gateway + "\nZ=1"},
		"no variables":   {"gemini", ".gemini/.env", "A=1", "A=1\nGOOGLE_GEMINI_BASE_URL=" + gateway + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, map[string]string{"home/" + tc.file: tc.before})
			path := filepath.Join(m.home, filepath.FromSlash(tc.file))
			settle(t, tc.client, m.options(nil, nil))
			if got := content(t, path); got != tc.after {
				t.Errorf("it is\n%q, want\n%q", got, tc.after)
			}
			for _, e := range settle(t, tc.client, m.options(nil, nil)) {
				if e.Changes() || e.Diff() != "" {
					t.Errorf("a second time there is something to write:\n%s", e.Diff())
				}
			}
			if undone, err := connect.Undo(path); !undone.Restored || err != nil || content(t, path) != tc.before {
				t.Errorf("undone: %v, %v:\n%q", undone, err, content(t, path))
			}
			if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
				t.Errorf("copies are left: %v", left)
			}
		})
	}
}

// A file that cannot be read is left alone, and the error says where it is broken.
func TestABrokenFileIsLeftAlone(t *testing.T) {
	for name, tc := range map[string]struct{ client, file, before, want string }{
		"JSON":                  {"claude", ".claude/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "settings.json:3:3: it is not valid JSON"},
		"JSON that ends":        {"claude", ".claude/settings.json", "{\n  \"a\": {", "settings.json:2:9: it is not valid JSON"},
		"no object":             {"claude", ".claude/settings.json", "[]", "settings.json:1:1: the settings must be an object in braces"},
		"nothing":               {"qwen", ".qwen/settings.json", "null", "settings.json:1:1: the settings must be an object in braces"},
		"a member of ours":      {"claude", ".claude/settings.json", "{\n \"env\": \"x\"}", "settings.json:2:9: env is not an object"},
		"TOML":                  {"codex", ".codex/config.toml", "a = 1\nb c\n", "config.toml: it is not valid TOML: line 2"},
		"a profile's address":   {"codex", ".codex/config.toml", "profile = \"p\"\n[profiles.p]\nopenai_base_url = \"https://y\"\n", "the profile p overrides openai_base_url"},
		"a profile's provider":  {"codex", ".codex/config.toml", "profile = \"p\"\n[profiles.p]\nmodel_provider = \"azure\"\n", "model_provider is azure"},
		"a provider of the own": {"codex", ".codex/config.toml", "model_provider = \"azure\"\n", "model_provider is azure"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, map[string]string{"home/" + tc.file: tc.before})
			c, _ := connect.Find(tc.client)
			if _, err := connect.Edits(c, m.options(nil, nil), false); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

func TestAKeyIsAddedToHeadersAndNotShown(t *testing.T) {
	m := newMachine(t, map[string]string{"home/.claude/settings.json": `{"env": {"ANTHROPIC_CUSTOM_HEADERS": "X-Team: a", "ANTHROPIC_API_KEY": "sk-ant-mine"}}`})
	opt := m.options(nil, nil)
	opt.Key = "slk_abcdefghijklmnopqrstuvwxyz"
	edits := settle(t, "claude", opt)
	var got struct {
		Env map[string]string `json:"env"`
	}
	if err := json.Unmarshal([]byte(content(t, edits[0].Path)), &got); err != nil || got.Env["ANTHROPIC_CUSTOM_HEADERS"] != "X-Team: a\nX-Sluice-Key: "+opt.Key {
		t.Errorf("%v %q", err, got.Env)
	}
	if diff := edits[0].Diff(); strings.Contains(diff, "sk-ant-mine") {
		t.Errorf("a key is shown:\n%s", diff)
	}
	codex := settle(t, "codex", opt)
	if diff := codex[0].Diff(); strings.Contains(diff, opt.Key) || !strings.Contains(content(t, codex[0].Path), opt.Key) {
		t.Errorf("it is\n%s\n%s", diff, content(t, codex[0].Path))
	}
}

func TestFilesAreReplacedSafely(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are others there")
	}
	m := newMachine(t, map[string]string{"home/dotfiles/claude.json": "{}", "home/.claude/x": ""})
	kept, link := filepath.Join(m.home, "dotfiles", "claude.json"), filepath.Join(m.home, ".claude", "settings.json")
	if err := os.Chmod(kept, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, link); err != nil {
		t.Fatal(err)
	}
	settle(t, "claude", m.options(nil, nil))
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(content(t, kept), gateway) {
		t.Errorf("the link was not followed: %v %v", info, err)
	}
	if info, err = os.Stat(kept); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode has changed: %v %v", info, err)
	}
	if undone, err := connect.Undo(link); !undone.Restored || err != nil || content(t, kept) != "{}" {
		t.Errorf("undone: %v, %v", undone, err)
	}
	if err := os.Remove(kept); err != nil {
		t.Fatal(err)
	}
	c, _ := connect.Find("claude")
	if _, err := connect.Edits(c, m.options(nil, nil), false); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a link to nothing: %v", err)
	}
}

// What somebody wrote since is never lost.
func TestUndoKeepsWhatOthersWrote(t *testing.T) {
	m := newMachine(t, nil)
	path := settle(t, "claude", m.options(nil, nil))[0].Path
	if err := os.WriteFile(path, []byte(`{"mine": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if undone, err := connect.Undo(path); undone.Restored || len(undone.LeftAlone) > 0 || err != nil || content(t, path) != `{"mine": true}` {
		t.Errorf("undone: %v, %v", undone, err)
	}
	c, _ := connect.Find("claude")
	edits, err := connect.Edits(c, m.options(nil, nil), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"mine": false}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := edits[0].Write(); err == nil || content(t, path) != `{"mine": false}` {
		t.Errorf("a file that changed meanwhile is replaced: %v", err)
	}
}

// However often a file was written, and in whatever order, undo leads back to what
// was there before.
func TestUndoLeadsBackToTheBeginning(t *testing.T) {
	m := newMachine(t, nil)
	opt := m.options(nil, nil)
	var path string
	for _, url := range []string{gateway, "http://127.0.0.1:1", gateway, "http://127.0.0.1:2"} {
		opt.BaseURL = url
		path = settle(t, "claude", opt)[0].Path
	}
	if undone, err := connect.Undo(path); !undone.Restored || err != nil {
		t.Errorf("undone: %v, %v", undone, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("the file was not there before, and is\n%s", content(t, path))
	}
}

// Any settings that can be read can be edited, and nothing but our members changes
// in them.
func FuzzEditsChangeNothingElse(f *testing.F) {
	for _, seed := range []string{"{}", `{"env":{"A":"1",}, /* x */ "b":[1,{"c":2}]}`, "{\n // c\n}", `{"env":{},"env":{"A":"1"}}`, `{"a":"\"}//"}`, "{\"a\":1,\n\n// x\n}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		m := newMachine(t, nil)
		path := filepath.Join(m.home, ".claude", "settings.json")
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, before, 0o600) != nil {
			t.Fatal("it cannot be written")
		}
		c, _ := connect.Find("claude")
		edits, err := connect.Edits(c, m.options(nil, nil), false)
		if err != nil {
			return
		}
		if !bytes.Contains(edits[0].After, []byte(gateway)) {
			t.Errorf("%q becomes %q", before, edits[0].After)
		}
		if bytes.Contains(before, []byte(gateway)) || !edits[0].Changes() {
			return
		}
		if _, err := edits[0].Write(); err != nil {
			t.Fatal(err)
		}
		write(t, path, string(edits[0].After)+"\n") // somebody changes it
		if undone, err := connect.Undo(path); err != nil || !undone.Restored || len(undone.LeftAlone) > 0 || strings.Contains(content(t, path), gateway) {
			t.Errorf("%q is %q after %+v, %v", before, content(t, path), undone, err)
		}
	})
}

// What keeps a client from the gateway, whatever its base URL is, is said with the change.
func TestWhatBypassesTheGatewayIsSaidWithTheChange(t *testing.T) {
	m := newMachine(t, map[string]string{"home/.claude/settings.json": `{"env": {"CLAUDE_CODE_USE_BEDROCK": "1"}}`})
	edits := settle(t, "claude", m.options(nil, nil))
	if notes := strings.Join(edits[0].Notes, "\n"); !strings.Contains(notes, "These settings are not enough: CLAUDE_CODE_USE_BEDROCK is set in ") {
		t.Errorf("notes: %q", notes)
	}
}
