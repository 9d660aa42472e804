package gemini

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
)

// corpusWant is what the recorded streams hold, in the order of their blocks.
var corpusWant = map[string]string{
	"25-flash-multi-tool":            "tool_call tool_call STOP",
	"25-flash-thinking":              "thinking tool_call STOP",
	"25-pro-thinking":                "thinking tool_call STOP",
	"3-pro-json-object":              "content STOP",
	"3-pro-multi-tool":               "tool_call tool_call STOP",
	"3-pro-simple":                   "content STOP",
	"code-execution":                 "server_tool tool_result content STOP",
	"native-output-function-tools":   "tool_call STOP",
	"no-args-tool-call":              "thinking tool_call tool_call tool_call tool_call STOP",
	"reasoning":                      "content STOP",
	"reasoning-gemini3":              "content STOP",
	"synth-error-in-stream":          "content UNAVAILABLE",
	"synth-prompt-blocked":           "",
	"synth-safety-midway":            "content SAFETY",
	"synth-thought-text-alternating": "thinking content thinking content MAX_TOKENS",
	"text":                           "content STOP",
	"tool-call":                      "tool_call STOP",
	"tool-call-arguments":            "tool_call tool_call STOP",
	"tool-call-gemini3":              "tool_call STOP",
	"tool-thought-signature":         "tool_call STOP",
	"usage-live":                     "content STOP",
	"vertex-25-pro-tool":             "tool_call STOP",
	"vertex-flex-tier":               "content STOP",
	"web-fetch":                      "content STOP",
	"web-search-grounding":           "content STOP",
}

func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set: no recorded streams to read")
	}
	return filepath.Join(dir, "gemini")
}

func TestCorpusStreamsGiveTheirBlocks(t *testing.T) {
	dir := corpus(t)
	for name, want := range corpusWant {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			lines := payloads(data)
			a := read(t, lines...)
			if got := a.summary(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if len(a.notes) > 0 && !strings.HasPrefix(name, "synth") {
				t.Errorf("a recorded stream is not unusual: %v", a.notes)
			}
		})
	}
}

func payloads(data []byte) []string {
	var lines []string
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, string(line))
		}
	}
	return lines
}

func TestCorpusPassesUneditedAndForced(t *testing.T) {
	dir := corpus(t)
	for name := range corpusWant {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			lines := payloads(data)
			for _, force := range []bool{false, true} {
				w := NewWriter(stream.WriterOptions{Force: force})
				var out []byte
				for _, c := range decodeAll(t, lines) {
					if out, err = w.Write(out, c); err != nil {
						t.Fatal(err)
					}
				}
				got := unframe(t, out)
				if !force && strings.Join(got, "\n") != strings.Join(lines, "\n") {
					t.Errorf("unedited bytes changed")
				}
				a, b := read(t, lines...), read(t, got...)
				if a.blocks(0) != b.blocks(0) || a.summary() != b.summary() {
					t.Errorf("force %v: got %s, want %s", force, b.blocks(0), a.blocks(0))
				}
			}
		})
	}
}

func TestCorpusWholeResponses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus(t), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no responses", err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, s, c := NewDecoder(), stream.NewState(stream.Limits{}), stream.Chunk{Raw: body}
		if err := errors.Join(d.DecodeWhole(&c), s.Apply(&c)); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !s.Complete() || len(s.Blocks()) == 0 || len(d.Deviations()) > 0 {
			t.Errorf("%s: got %v and %v", file, s.Response(), d.Deviations())
		}
		out, err := NewWriter(stream.WriterOptions{Force: true}).Write(nil, &c)
		if err != nil || !bytes.Equal(out, body) && !strings.Contains(string(out), `"index":0`) {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}
