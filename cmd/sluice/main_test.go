package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sluice runs the program and returns its exit code and what it printed.
func sluice(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	chatText = `{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}]}`
	chatStop = `{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":1,"total_tokens":8}}`
)

func TestSampleListsItsBlocks(t *testing.T) {
	code, out, stderr := sluice(t, "", "inspect", "--sample")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	for _, want := range []string{"sample.sse", "anthropic", "thinking", "signed", "content", "tool_call", "Read", "toolu_sample_clean", "rm -rf ./build", "finish    tool_use", "usage", "complete"} {
		if !strings.Contains(out, want) {
			t.Errorf("the list does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("the list is coloured although it goes to no terminal")
	}
	if strings.Contains(out, "warning") {
		t.Errorf("the sample deviates:\n%s", out)
	}
}

func TestInspectJSONHasThePromisedShape(t *testing.T) {
	path := write(t, "a.jsonl", chatText+"\n"+chatStop+"\n[DONE]\n")
	code, out, _ := sluice(t, "", "inspect", "--json", path)
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("not one JSON object on one line: %v\n%s", err, out)
	}
	want := `{"file":"` + path + `","format":"openai-chat","choices":[{"index":0,"finish_reason":"stop","blocks":[{"kind":"content","id":"","name":"","status":"complete","text":"hi","arguments":"","signature":"","tool_use_id":"","type":"content"}]}],"usage":{"prompt_tokens":7,"completion_tokens":1,"total_tokens":8},"error":null,"complete":true,"warnings":[]}`
	if strings.TrimSpace(out) != want {
		t.Errorf("printed\n%s\nwant\n%s", out, want)
	}
}

func TestInspectReadsEveryContainerAlike(t *testing.T) {
	event := "data: " + chatText + "\n\ndata: " + chatStop + "\n\n"
	inputs := map[string]string{
		"event stream":   event + "data: [DONE]\n\n",
		"lines":          chatText + "\n" + chatStop + "\n[DONE]\n",
		"array":          "[" + chatText + "," + chatStop + "]",
		"whole response": `{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":1,"total_tokens":8}}`,
	}
	var first string
	for name, input := range inputs {
		code, out, stderr := sluice(t, input, "inspect", "--json", "-")
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
		choices, _, _ := strings.Cut(out, `"warnings"`)
		if first == "" {
			first = choices
		}
		if choices != first {
			t.Errorf("%s gives\n%s\nanother one\n%s", name, choices, first)
		}
	}
}

func TestInspectExitCodes(t *testing.T) {
	whole := write(t, "whole.jsonl", chatText+"\n"+chatStop+"\n[DONE]\n")
	cut := write(t, "cut.jsonl", chatText+"\n")
	failed := write(t, "failed.jsonl", chatText+"\n"+`{"error":{"message":"overloaded","type":"server_error"}}`+"\n")
	garbage := write(t, "garbage.txt", "this is not a stream\n")
	cases := []struct {
		name string
		args []string
		code int
		say  string
	}{
		{"complete", []string{whole}, 0, "complete"},
		{"cut", []string{cut}, 1, "incomplete"},
		{"failed", []string{failed}, 1, "overloaded"},
		{"unreadable", []string{garbage}, 2, "expected an event stream"},
		{"missing file", []string{filepath.Join(t.TempDir(), "none")}, 2, "does not exist"},
		{"wrong format", []string{"--format", "smoke-signals", whole}, 2, "openai-chat, anthropic, openai-responses, gemini"},
		{"format forced onto another", []string{"--format", "anthropic", whole}, 2, "not a recording of anthropic"},
		{"no file", nil, 2, "--sample"},
		{"worst of several", []string{whole, cut, garbage}, 2, "incomplete"},
		{"unknown flag", []string{"--nonsense"}, 2, "nonsense"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, "", append([]string{"inspect"}, c.args...)...)
			if code != c.code || !strings.Contains(out+stderr, c.say) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, c.code, c.say, out, stderr)
			}
		})
	}
}

// A recording with one payload per line is read without a line that is broken,
// and that line is named.
func TestInspectNamesABrokenLine(t *testing.T) {
	broken := write(t, "broken.jsonl", chatText+"\n"+chatText[:len(chatText)-4]+"\n"+chatText+"\n"+chatStop+"\n[DONE]\n")
	cut := write(t, "cut.jsonl", chatText+"\n"+chatText[:len(chatText)-4]+"\n"+chatText+"\n") // it has no end, either
	for _, args := range [][]string{{"inspect", broken}, {"inspect", "--json", broken}, {"policy", "try", broken}, {"inspect", cut}, {"policy", "try", cut}} {
		code, out, errs := sluice(t, "", args...)
		if code != exitIncomplete || !strings.Contains(out, "line 2 of the recording is not valid JSON") {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	code, out, errs := sluice(t, "", "recode", broken)
	if code != exitIncomplete || !strings.Contains(errs, "line 2 of the recording is not valid JSON: nothing after it is written") || strings.Contains(out, "[DONE]") || !strings.HasPrefix(out, "data: "+chatText) {
		t.Errorf("recode: exit code %d\n%s%s", code, out, errs)
	}
}

func TestRecodePassesThePayloadBytes(t *testing.T) {
	odd := `{"choices":[{"delta":{"content":"h\u0069" , "role":""} }]  }`
	path := write(t, "odd.jsonl", odd+"\n"+chatStop+"\n[DONE]\n")
	code, out, stderr := sluice(t, "", "recode", "--to", "openai-chat", path)
	want := "data: " + odd + "\n\ndata: " + chatStop + "\n\ndata: [DONE]\n\n"
	if code != 0 || out != want {
		t.Errorf("exit code %d, %s\n%q\nwant\n%q", code, stderr, out, want)
	}
}

func TestRecodeWritesEventNames(t *testing.T) {
	code, out, _ := sluice(t, string(sample), "recode", "--to", "anthropic", "-")
	if code != 0 || out != string(sample) {
		t.Errorf("exit code %d; the sample does not leave as it came", code)
	}
	code, out, _ = sluice(t, string(sample), "recode", "--to", "anthropic", "--force", "-")
	if code != 0 || !strings.HasPrefix(out, "event: message_start\n") {
		t.Errorf("exit code %d with --force:\n%s", code, out)
	}
}

func TestRecodeExitCodes(t *testing.T) {
	cases := []struct {
		name, input string
		args        []string
		code        int
		say         string
	}{
		{"another format", string(sample), []string{"--to", "openai-chat"}, 2, "use --to anthropic"},
		{"unknown format", string(sample), []string{"--to", "morse"}, 2, "openai-chat, anthropic"},
		{"no format", string(sample), nil, 0, ""},
		{"its own format", string(sample), []string{"--to", "anthropic"}, 0, ""},
		{"cut", chatText, []string{"--to", "openai-chat"}, 1, "cut before its end"},
		{"cut, forced", chatText, []string{"--to", "openai-chat", "--force"}, 1, "cut before its end"},
		{"garbage", "garbage", []string{"--to", "openai-chat"}, 2, "expected"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, c.input, append(append([]string{"recode"}, c.args...), "-")...)
			if code != c.code || !strings.Contains(stderr, c.say) {
				t.Errorf("exit code %d, want %d and %q: %s", code, c.code, c.say, stderr)
			}
			if strings.Contains(out, "[DONE]") {
				t.Errorf("a stream that was cut is given a good end:\n%s", out)
			}
		})
	}
}

func TestTerminalCannotBeTakenOverByWhatAModelSays(t *testing.T) {
	evil := `{"choices":[{"index":0,"delta":{"content":"\u001b[2Jhidden\u0007\u202e\u2028\r"},"finish_reason":"stop"}]}`
	_, out, _ := sluice(t, evil, "inspect", "--format", "openai-chat", "-")
	if strings.ContainsAny(out, "\x1b\a\r\u202e\u2028") {
		t.Errorf("control characters reach the terminal: %q", out)
	}
	_, out, _ = sluice(t, evil, "inspect", "--json", "-")
	var report struct {
		Choices []struct {
			Blocks []struct {
				Text string `json:"text"`
			} `json:"blocks"`
		} `json:"choices"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || strings.ContainsAny(out, "\x1b\a\r\u202e\u2028\u009b") ||
		report.Choices[0].Blocks[0].Text != "\x1b[2Jhidden\a\u202e\u2028\r" {
		t.Errorf("as JSON: %v %q", err, out)
	}
	if _, _, stderr := sluice(t, "", "inspect", "\x1b[2Jnone"); strings.Contains(stderr, "\x1b") {
		t.Errorf("a file name reaches the terminal: %q", stderr)
	}
	_, out, _ = sluice(t, evil, "inspect", "--color", "always", "-")
	if strings.Contains(out, "\x1b[2J") || !strings.Contains(out, "\x1b[32m") {
		t.Errorf("with colours: %q", out)
	}
}

func TestHelpAndVersion(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"inspect", "--help"}, {"recode", "--help"}, {"policy", "--help"}, {"policy", "check", "--help"}, {"policy", "list", "--help"}, {"policy", "try", "--help"}, {"hook", "claude-code", "--help"}} {
		code, out, _ := sluice(t, "", args...)
		if code != 0 || !strings.Contains(out, "Examples:") {
			t.Errorf("%v: exit code %d, no examples:\n%s", args, code, out)
		}
	}
	if code, out, _ := sluice(t, "", "--version"); code != 0 || !strings.Contains(out, "go1.") {
		t.Errorf("version: %d %s", code, out)
	}
}

func TestInspectSaysWhatARequestIs(t *testing.T) {
	for name, c := range map[string]struct{ file, content, say string }{
		"Chat Completions": {"a.json", `{"model":"gpt","messages":[{"role":"user","content":"hi"}]}`, "a request (openai-chat, model gpt, 1 message, 0 tools)"},
		"Anthropic":        {"a.json", `{"model":"claude","max_tokens":9,"system":"s","messages":[{"role":"user","content":"hi"}]}`, "a request (anthropic, model claude"},
		"Responses":        {"a.json", `{"model":"gpt","input":"hi"}`, "a request (openai-responses, model gpt"},
		"Gemini":           {"a.json", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, "a request (gemini, 1 message"},
		"by its name":      {"1-gemini-2.request.json", `{"unusual":1}`, "this is a request, not an answer; its answer is"},
		"compressed":       {"1-gemini-2.request.json.zst", "\x28\xb5\x2f\xfd", "as the client sent it, compressed"},
		"not to be read":   {"1-gemini-2.request.json", `{"contents":5}`, "this is a request"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, out, stderr := sluice(t, "", "inspect", write(t, c.file, c.content)); code != exitUnreadable || out != "" || !strings.Contains(stderr, c.say) {
				t.Errorf("exit code %d, want %q:\n%s%s", code, c.say, out, stderr)
			}
		})
	}
	if code, _, stderr := sluice(t, `{"model":"gpt","messages":[]}`, "inspect", "-"); code != exitUnreadable || !strings.Contains(stderr, "this is a request") {
		t.Errorf("standard input: exit code %d: %s", code, stderr)
	}
}
