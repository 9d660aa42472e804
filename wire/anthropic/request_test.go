package anthropic_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/edit"
)

const request = `{
  "model": "claude-x", "max_tokens": 1024, "temperature": 0.5, "stream": true,
  "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
  "messages": [
    {"role": "user", "content": "List \"them\""},
    {"role": "assistant", "content": [
      {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
      {"type": "redacted_thinking", "data": "ZA=="},
      {"type": "text", "text": "I will"},
      {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
      {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"type": "web_search_result"}]},
      {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}},
      {"type": "tool_use", "id": "toolu_2", "name": "shot", "input": {}}
    ]},
    {"role": "user", "content": [
      {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.txt", "is_error": true},
      {"type": "tool_result", "tool_use_id": "toolu_2", "content": [
        {"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}]},
      {"type": "tool_result", "tool_use_id": "toolu_3"},
      {"type": "tool_result", "tool_use_id": "toolu_4", "content": [{"type": "image", "source": {}}]},
      {"type": "document", "source": {}}, {"type": "hologram", "text": 5}, "loose",
      {"type": "text", "text": "go on"}
    ]}
  ],
  "tools": [
    {"name": "bash", "description": "Runs", "input_schema": {"type": "object"}},
    {"type": "custom", "name": "c", "input_schema": {}},
    {"type": "bash_20250124", "name": "bash"},
    {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
    {"type": "tool_search_tool_bm25_20251119", "name": "tool_search"},
    {"type": "mcp_toolset", "mcp_server_name": "files"}
  ],
  "mcp_servers": [{"type": "url", "name": "files"}],
  "tool_choice": {"type": "auto"}, "metadata": {"user_id": "u"}
}`

func TestReadRequest(t *testing.T) {
	r, err := anthropic.ReadRequest([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	if r.Model != "claude-x" || r.MaxTokens != 1024 || *r.Temperature != 0.5 || !r.Stream {
		t.Errorf("model %s, %d tokens, temperature %v, stream %v", r.Model, r.MaxTokens, *r.Temperature, r.Stream)
	}
	if r.UserText() != "go on" {
		t.Errorf("the user asks %q", r.UserText())
	}
	var got []string
	line := func(role llm.Role, b *llm.Block) {
		s := fmt.Sprintf("%s %s:%s", role, b.Kind, b.Type)
		for _, part := range []struct{ name, value string }{
			{"id", b.ID}, {"name", b.Name}, {"of", b.ToolUseID}, {"text", b.Text}, {"args", b.Arguments}, {"signed", b.Signature},
		} {
			if part.value != "" {
				s += fmt.Sprintf(" %s=%s", part.name, part.value)
			}
		}
		if b.Failed {
			s += " failed"
		}
		if !b.BodySpan.IsZero() {
			s += " at " + string(b.BodySpan.In([]byte(request)))
		}
		got = append(got, s)
	}
	for i := range r.System {
		line(llm.System, &r.System[i])
	}
	for _, m := range r.Messages {
		for i := range m.Blocks {
			line(m.Role, &m.Blocks[i])
		}
	}
	want := []string{
		`system content:text text=Be brief. at "Be brief."`,
		`user content:text text=List "them" at "List \"them\""`,
		`assistant thinking:thinking text=hm signed=c2ln at "hm"`,
		`assistant opaque:redacted_thinking`,
		`assistant content:text text=I will at "I will"`,
		`assistant server_tool:server_tool_use id=srvtoolu_1 name=web_search args={"query": "x"}`,
		`assistant tool_result:web_search_tool_result of=srvtoolu_1 text=[{"type": "web_search_result"}]`,
		`assistant tool_call:tool_use id=toolu_1 name=bash args={"command": "ls"}`,
		`assistant tool_call:tool_use id=toolu_2 name=shot args={}`,
		`user tool_result:tool_result of=toolu_1 text=a.txt failed at "a.txt"`,
		`user tool_result:tool_result of=toolu_2 text=one at "one"`,
		`user opaque:image of=toolu_2`,
		`user tool_result:tool_result of=toolu_2 text=two at "two"`,
		`user tool_result:tool_result of=toolu_3`,
		`user tool_result:tool_result of=toolu_4`,
		`user opaque:image of=toolu_4`,
		`user opaque:document`,
		`user opaque:hologram`,
		`user opaque:`,
		`user content:text text=go on at "go on"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var tools []string
	for _, tool := range r.Tools {
		tools = append(tools, fmt.Sprintf("%s %s %q %s server=%v", tool.Name, tool.Type, tool.Description, tool.Schema, tool.Server))
	}
	wantTools := []string{
		`bash  "Runs" {"type": "object"} server=false`, `c custom "" {} server=false`, `bash bash_20250124 ""  server=false`,
		`web_search web_search_20250305 ""  server=true`, `tool_search tool_search_tool_bm25_20251119 ""  server=true`,
		`files mcp_toolset ""  server=true`,
	}
	if !slices.Equal(tools, wantTools) {
		t.Errorf("tools\n%s", strings.Join(tools, "\n"))
	}
	if len(r.Extra) != 3 || string(r.Extra["tool_choice"]) != `{"type": "auto"}` || r.Extra["mcp_servers"] == nil {
		t.Errorf("extra %s", r.Extra)
	}
}

func TestAnEditedRequestDiffersOnlyAtItsPlace(t *testing.T) {
	body := []byte(request)
	r, err := anthropic.ReadRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	each(r, func(b *llm.Block) {
		if b.BodySpan.IsZero() {
			return
		}
		var edits edit.Edits
		edits.ReplaceString(b.BodySpan, "[redacted]\n")
		out, err := edits.Apply(nil, body)
		if err != nil {
			t.Fatal(err)
		}
		want := request[:b.BodySpan.Start] + `"[redacted]\n"` + request[b.BodySpan.End:]
		if string(out) != want {
			t.Errorf("editing %q changed more than that", b.Text)
		}
	})
}

func TestRequestsThatCannotBeRead(t *testing.T) {
	for name, body := range map[string]string{
		"not JSON":              `hello`,
		"cut":                   `{"model":"x"`,
		"two values":            `{} {}`,
		"a list":                `[]`,
		"nothing":               ``,
		"a member twice":        `{"messages":[],"messages":[{"role":"user","content":"x"}]}`,
		"an unread one twice":   `{"thinking":{},"thinking":{}}`,
		"a text twice":          `{"messages":[{"role":"user","content":[{"type":"text","text":"a","text":"b"}]}]}`,
		"a content twice":       `{"messages":[{"role":"user","content":"a","content":"b"}]}`,
		"a tool's name twice":   `{"tools":[{"name":"a","name":"b"}]}`,
		"messages of one type":  `{"messages":{}}`,
		"a message that is one": `{"messages":["hi"]}`,
		"tools that are none":   `{"tools":"bash"}`,
		"a model that is none":  `{"model":5}`,
		"stream as a text":      `{"stream":"true"}`,
		"too deep":              `{"messages":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`,
	} {
		r, err := anthropic.ReadRequest([]byte(body))
		refused := new(llm.RequestError)
		if !errors.As(err, &refused) || refused.Dialect != "anthropic" || r != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRequestsThatSayLittle(t *testing.T) {
	for _, body := range []string{
		`{}`, `{"messages":[]}`, `{"messages":null,"system":null,"tools":null,"stream":null,"max_tokens":null,"temperature":null}`,
		`{"messages":[{}]}`, `{"messages":[{"role":"odd","content":5}],"system":5}`,
	} {
		if _, err := anthropic.ReadRequest([]byte(body)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestCorpusRequests(t *testing.T) {
	dir, _ := corpus(t)
	files, err := filepath.Glob(filepath.Join(dir, "..", "requests", "anthropic-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no requests: %v", err)
	}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := anthropic.ReadRequest(body)
		if err != nil || r.Model == "" || len(r.Messages) == 0 {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}
