package memorytest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// everything is a conversation with every kind of block and role, every field
// and every status.
func everything() []llm.Message {
	raw := json.RawMessage("{ \"type\":\"tool_use\" ,\n\t\"a\":1.0, \"a\":1e2, \"s\":\"\\u00e9<>&\\/\" }\n")
	return []llm.Message{
		says(llm.System, "You are brief."),
		{Role: llm.User, Blocks: []llm.Block{
			{Kind: llm.Content, Text: "What is the weather?", Status: llm.Complete},
			{Kind: llm.Opaque, Type: "image", Status: llm.Complete, Raw: json.RawMessage(`{"type":"image","data":"AAAA"}`)},
		}},
		{Role: llm.Assistant, Blocks: []llm.Block{
			{Kind: llm.Thinking, ID: "rs_1", Text: "hm", Signature: "EuYBCkQ+/=\n", Type: "thinking", Status: llm.Complete},
			{Kind: llm.Thinking, Signature: "only a signature", Type: "redacted_thinking", Status: llm.Complete, Raw: raw},
			{Kind: llm.Content, Text: "Let me look.", Status: llm.Complete, Citations: []json.RawMessage{
				json.RawMessage(`{"type":"char_location", "cited_text":"<a>&"}`), json.RawMessage(`{}`),
			}},
			{Kind: llm.Content, Text: "There.", Status: llm.Complete, Raw: raw, Citations: []json.RawMessage{json.RawMessage(`{"n":1.0}`)}},
			{Kind: llm.ToolCall, ID: "call_1", Name: "weather", Arguments: "{\"city\" : \"Z\\u00fcrich\",\"n\":1.50}", Signature: "sig", Type: "tool_use", Status: llm.Complete, Raw: raw},
			{Kind: llm.ToolCall, ID: "call_2", Name: "patch", Arguments: "*** Begin\n-a\n+b\n", Type: "custom_tool_call", Status: llm.Complete},
			{Kind: llm.ServerTool, ID: "srv_1", Name: "web_search", Arguments: "{}", Type: "server_tool_use", Status: llm.Complete, Raw: raw},
			{Kind: llm.Opaque, ID: "o", Name: "n", Type: "compaction", Status: llm.Complete, Raw: json.RawMessage(" null ")},
		}},
		{Role: llm.ToolRole, Blocks: []llm.Block{
			{Kind: llm.ToolResult, ID: "r", Name: "weather", ToolUseID: "call_1", Text: "12 °C", Type: "tool_result", Status: llm.Complete, Raw: raw},
			{Kind: llm.ToolResult, ToolUseID: "call_2", Text: "no such file", Failed: true, Status: llm.Complete},
		}},
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.ToolResult, ToolUseID: "srv_1", Status: llm.Complete}}},
		{Role: llm.Assistant, Blocks: []llm.Block{
			{Kind: llm.Refusal, Text: "I will not.", Status: llm.Complete},
			{Kind: llm.Content, Text: "cut", Status: llm.Incomplete},
			{Kind: llm.ToolCall, ID: "x", Arguments: "{", Status: llm.Malformed},
			{Kind: llm.Content, Status: llm.Open},
		}},
		{Role: "critic", Blocks: []llm.Block{{Kind: llm.Content, Text: "a role of its own", Status: llm.Complete}}},
		{Role: "", Blocks: []llm.Block{{Kind: llm.Content}}},
		{Role: llm.Assistant},
	}
}

func everyFieldIsKept(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "appended", 0, everything()...)
	holds(t, repo, "appended", v, everything()...)
	v = mustReplace(t, repo, "replaced", 0, everything()...)
	holds(t, repo, "replaced", v, everything()...)
}

// awkward are texts that a column, an encoding or a driver may change.
func awkward() []string {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return []string{
		"", " ", "\x00", "a\x00b", "\x00\x00", "\n", "\r\n", "\t", "\u2028\u2029", "\ufeffbom", "\ufffd", "\u202e",
		"\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xed\xb0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98", string(all),
		"👩‍👩‍👧‍👦", "e\u0301", "é", "\U0010ffff", `\u0000`, `\ud800`, `\`, `"`, `'`, "<>&", "{}", "null", "\\x00",
	}
}

func everyByteIsKept(t *testing.T, repo memory.Repository) {
	var messages []llm.Message
	for _, s := range awkward() {
		for _, role := range []llm.Role{llm.User, llm.Role(s)} {
			messages = append(messages, llm.Message{Role: role, Blocks: []llm.Block{
				{Kind: llm.Content, Text: s},
				{Kind: llm.ToolCall, ID: s, Name: s, Text: s, Arguments: s, Signature: s, ToolUseID: s, Type: s, Raw: json.RawMessage(s)},
			}})
		}
	}
	v := mustAppend(t, repo, "a", 0, messages...)
	holds(t, repo, "a", v, messages...)
	v = mustReplace(t, repo, "a", v, messages...)
	holds(t, repo, "a", v, messages...)
}

// A span refers to a body that is gone.
func spansAreNotKept(t *testing.T, repo memory.Repository) {
	m := user("x")
	m.Span = llm.Span{Start: 1, End: 20}
	m.Blocks[0].Span, m.Blocks[0].BodySpan = llm.Span{Start: 2, End: 9}, llm.Span{Start: 3, End: 4}
	v := mustAppend(t, repo, "a", 0, m)
	holds(t, repo, "a", v, user("x"))
	v = mustReplace(t, repo, "a", v, m, m)
	holds(t, repo, "a", v, user("x"), user("x"))
}

func largeTextIsKept(t *testing.T, repo memory.Repository) {
	if testing.Short() {
		t.Skip("slow: run without -short")
	}
	text := noise(5 << 20)
	v := mustAppend(t, repo, "a", 0, user("before"), user(text), assistant(text[1:]+"\xff"), user("after"))
	holds(t, repo, "a", v, user("before"), user(text), assistant(text[1:]+"\xff"), user("after"))
}

func manyMessagesKeepOrder(t *testing.T, repo memory.Repository) {
	if testing.Short() {
		t.Skip("slow: run without -short")
	}
	const all, batch = 10_000, 500
	var v int64
	for n := 0; n < all; n += batch {
		v = mustAppend(t, repo, "a", v, numbered(n, batch)...)
	}
	holds(t, repo, "a", v, numbered(0, all)...)
	v = mustReplace(t, repo, "a", v, numbered(1, all)...)
	holds(t, repo, "a", v, numbered(1, all)...)
}

func badMessageIsRefused(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "a", 0, user("1"))
	for name, b := range map[string]llm.Block{
		"no kind": {Text: "x"}, "an unknown kind": {Kind: 200}, "an unknown status": {Kind: llm.Content, Status: 200},
	} {
		messages := []llm.Message{user("2"), {Role: llm.User, Blocks: []llm.Block{b}}, user("3")}
		if _, err := repo.Append(t.Context(), "a", v, messages); err == nil {
			t.Errorf("%s was appended", name)
		}
		if _, err := repo.Replace(t.Context(), "a", v, messages); err == nil {
			t.Errorf("%s was put in place", name)
		}
		if _, err := repo.Append(t.Context(), "b", 0, messages); err == nil {
			t.Errorf("%s was appended to a new conversation", name)
		}
	}
	holds(t, repo, "a", v, user("1"))
	lists(t, repo, "a")
}

// spoil changes everything reachable from messages.
func spoil(messages []llm.Message) {
	for i := range messages {
		for j := range messages[i].Blocks {
			b := &messages[i].Blocks[j]
			for k := range b.Raw {
				b.Raw[k] = '!'
			}
			_ = append(b.Raw, "!!"...)
			*b = llm.Block{Kind: llm.Opaque, Text: "spoilt"}
		}
		_ = append(messages[i].Blocks, llm.Block{Kind: llm.Opaque, Text: "spoilt"})
		messages[i] = llm.Message{Role: "spoilt"}
	}
	_ = append(messages, llm.Message{Role: "spoilt"})
}

func givenMayBeChanged(t *testing.T, repo memory.Repository) {
	given := append(make([]llm.Message, 0, 100), everything()...)
	v := mustAppend(t, repo, "a", 0, given...)
	spoil(given)
	holds(t, repo, "a", v, everything()...)
	given = append(make([]llm.Message, 0, 100), everything()...)
	v = mustReplace(t, repo, "a", v, given...)
	spoil(given)
	holds(t, repo, "a", v, everything()...)
}

func loadedMayBeChanged(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "a", 0, everything()...)
	loaded := mustLoad(t, repo, "a").Messages
	again := mustLoad(t, repo, "a").Messages
	spoil(loaded)
	if difference := compare(again, everything()); difference != "" {
		t.Errorf("two loads share memory: %s", difference)
	}
	holds(t, repo, "a", v, everything()...)
	ids := []string{"a", "b", "c"}
	for _, id := range ids[1:] {
		mustAppend(t, repo, id, 0, user(strings.ToUpper(id)))
	}
	listed, err := repo.IDs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clear(listed)
	lists(t, repo, ids...)
}
