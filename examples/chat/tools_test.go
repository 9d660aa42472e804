package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
)

func call1(t *testing.T, tool *agent.Tool, arguments string) (string, error) {
	t.Helper()
	out, err := tool.Run(t.Context(), agent.Call{Name: tool.Name, Arguments: []byte(arguments)})
	return out.Text, err
}

func TestToolsStayInTheirDirectory(t *testing.T) {
	outside := files(t, map[string]string{"secret": "s3cret"})
	dir := files(t, map[string]string{"a.txt": "a\n", "binary": "\xff\xfe", "large": strings.Repeat("é", mostBytes)})
	for name, target := range map[string]string{"link": filepath.Join(outside, "secret"), "away": outside, "ok": "a.txt"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, tc := range []struct {
		tool            *agent.Tool
		arguments, want string
		fails           bool
	}{
		{readFile(root), `{"path":"a.txt"}`, "a", false},
		{readFile(root), `{"path":"ok"}`, "a", false},
		{readFile(root), `{"path":"large"}`, "the rest is left out", false},
		{readFile(root), `{"path":"link"}`, "escapes", true},
		{readFile(root), `{"path":"../x"}`, "escapes", true},
		{readFile(root), `{"path":"/etc/passwd"}`, "escapes", true},
		{readFile(root), `{"path":"."}`, "is not a file", true},
		{readFile(root), `{"path":""}`, "", true},
		{readFile(root), `{"path":"binary"}`, "is not text", true},
		{readFile(root), `{}`, "path", true},
		{listFiles(root), `{}`, "a.txt\naway", false},
		{listFiles(root), `{"path":"away"}`, "", true},
		{listFiles(root), `{"path":".."}`, "", true},
	} {
		text, err := call1(t, tc.tool, tc.arguments)
		if err != nil {
			text = err.Error()
		}
		if (err != nil) != tc.fails || !strings.Contains(text, tc.want) || strings.Contains(text, "s3cret") {
			t.Errorf("%s %s: %.200q, %v", tc.tool.Name, tc.arguments, text, err)
		}
	}
}

// What a file or a model says cannot move the cursor or hide a line.
func TestScreenShowsNothingThatActs(t *testing.T) {
	dir := files(t, map[string]string{"a": "x\x1b[2J\x1b]0;title\ay\u202e\r\nz"})
	out, _ := play(t, "read a\n\x1b[31mhm\n", "-dir", dir)
	has(t, out, "← read_file: x", "z")
	if i := strings.IndexAny(out, "\x1b\a\r\u202e"); i >= 0 {
		t.Errorf("%q", out[i:])
	}
}
