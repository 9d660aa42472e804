package sluicetest_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

func said(text string) llm.Block {
	return llm.Block{Kind: llm.Content, Text: text, Status: llm.Complete}
}

func called(id, name, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: id, Name: name, Arguments: arguments, Status: llm.Complete}
}

func resulted(id, text string) llm.Block {
	return llm.Block{Kind: llm.ToolResult, ToolUseID: id, Text: text, Status: llm.Complete}
}

func thought(typ, text, signature string) llm.Block {
	return llm.Block{Kind: llm.Thinking, Type: typ, Text: text, Signature: signature, Status: llm.Complete}
}

func by(role llm.Role, blocks ...llm.Block) llm.Message {
	return llm.Message{Role: role, Blocks: blocks}
}

// goodHistories are histories that every provider accepts, by what they are
// about. They are created for each caller.
func goodHistories() map[string][]llm.Message {
	signedCall := called("a", "weather", `{"city":"Rome"}`)
	signedCall.Type, signedCall.Signature = "functionCall", "c2lnbmVk"
	reasoned := thought("reasoning", "Hm.", "gAAAAAB")
	reasoned.ID = "rs_1"
	return map[string][]llm.Message{
		"nothing": nil,
		"no tools": {
			by(llm.User, said("Hi")), by(llm.Assistant, said("Hello")), by(llm.User, said("Bye")), by(llm.Assistant, said("Farewell")),
		},
		"one call": {
			by(llm.User, said("Weather?")),
			by(llm.Assistant, said("Let me see."), called("a", "weather", `{"city":"Rome"}`)),
			by(llm.ToolRole, resulted("a", "sunny")),
			by(llm.Assistant, said("Sunny.")),
		},
		"parallel calls": {
			by(llm.User, said("Weather?")),
			by(llm.Assistant, called("a", "weather", `{"city":"Rome"}`), called("b", "time", "")),
			by(llm.ToolRole, resulted("a", "sunny"), resulted("b", "")),
			by(llm.Assistant, said("Sunny.")),
		},
		"parallel calls with a message for each, answered in another order": {
			by(llm.User, said("Weather?")),
			by(llm.Assistant, called("a", "weather", `{}`)), by(llm.Assistant, called("b", "time", "{}")),
			by(llm.ToolRole, resulted("b", "noon")), by(llm.ToolRole, resulted("a", "sunny")),
			by(llm.Assistant, said("Sunny.")),
		},
		"three rounds": {
			by(llm.User, said("Go")),
			by(llm.Assistant, called("a", "step", `{}`)), by(llm.ToolRole, resulted("a", "1")),
			by(llm.Assistant, said("More."), called("b", "step", `{"n":2}`)), by(llm.ToolRole, resulted("b", "2")),
			by(llm.Assistant, called("c", "step", `{"n":3}`), called("d", "stop", `{}`)), by(llm.ToolRole, resulted("c", "3"), resulted("d", "4")),
			by(llm.Assistant, said("Done.")), by(llm.User, said("Thanks")),
		},
		"thinking with a signature of Anthropic": {
			by(llm.User, said("Go")),
			by(llm.Assistant, thought("thinking", "Hm.", "EqQB"), said("So."), called("a", "step", `{}`)), by(llm.ToolRole, resulted("a", "1")),
			by(llm.Assistant, thought("thinking", "", "EqQC"), said("Done.")),
		},
		"thoughts and a call with a signature of Gemini": {
			by(llm.User, said("Go")),
			by(llm.Assistant, thought("text", "Hm.", ""), signedCall, called("b", "step", `{}`)),
			by(llm.ToolRole, resulted("a", "1"), resulted("b", "2")),
			by(llm.Assistant, said("Done.")),
		},
		"reasoning with encrypted content of Responses": {
			by(llm.User, said("Go")),
			by(llm.Assistant, reasoned, called("a", "step", `{}`)), by(llm.ToolRole, resulted("a", "1")),
			by(llm.Assistant, said("Done.")),
		},
		"reasoning of Chat": {
			by(llm.User, said("Go")), by(llm.Assistant, thought("reasoning_content", "Hm.", ""), said("Done.")),
		},
		"back to the user after results, without the assistant": {
			by(llm.User, said("Go")),
			by(llm.Assistant, called("a", "step", `{}`)), by(llm.ToolRole, resulted("a", "1")),
			by(llm.User, said("And now?")), by(llm.Assistant, said("Done.")),
		},
		"results in a message of the user, before its text": {
			by(llm.User, said("Go")),
			by(llm.Assistant, called("a", "step", `{}`)), by(llm.User, resulted("a", "1"), said("And now?")),
		},
		"a failed result and one without text": {
			by(llm.User, said("Go")),
			by(llm.Assistant, called("a", "step", `{}`), called("b", "step", `{}`)),
			by(llm.ToolRole, llm.Block{Kind: llm.ToolResult, ToolUseID: "a", Text: "cancelled", Failed: true}, resulted("b", "")),
		},
		"a refusal": {
			by(llm.User, said("Go")), by(llm.Assistant, llm.Block{Kind: llm.Refusal, Text: "No.", Status: llm.Complete}), by(llm.User, said("Please")),
		},
		"system messages first": {
			by(llm.System, said("Be brief.")), by(llm.System, said("Be kind.")), by(llm.User, said("Hi")), by(llm.Assistant, said("Hello")),
		},
		"text cut by a limit": {
			by(llm.User, said("Go")), by(llm.Assistant, llm.Block{Kind: llm.Content, Text: "Once upon a", Status: llm.Incomplete}),
		},
		"ids that have to be mapped": {
			by(llm.User, said("Go")),
			by(llm.Assistant, called("functions.step:0", "step", `{}`), called(strings.Repeat("x", 70), "step", `{}`)),
			by(llm.ToolRole, resulted("functions.step:0", "1"), resulted(strings.Repeat("x", 70), "2")),
		},
		"text behind a call": {
			by(llm.User, said("Go")), by(llm.Assistant, called("a", "step", `{}`), said("Calling.")), by(llm.ToolRole, resulted("a", "1")),
		},
		"a free-form call": {
			by(llm.User, said("Go")),
			by(llm.Assistant, llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", ID: "a", Name: "patch", Arguments: "*** no JSON", Status: llm.Complete}),
			by(llm.ToolRole, resulted("a", "1")),
		},
		"a name at the limit": {
			by(llm.User, said("Go")), by(llm.Assistant, called("a", strings.Repeat("n", 64), `{}`)), by(llm.ToolRole, resulted("a", "1")),
		},
	}
}

// rules returns the names of all rules that an error of the validators names.
func rules(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	list := []error{err}
	if errors.As(err, &joined) {
		list = joined.Unwrap()
	}
	var names []string
	for _, err := range list {
		var v *sluicetest.Violation
		if !errors.As(err, &v) {
			t.Errorf("%v is no violation", err)
			continue
		}
		names = append(names, v.Rule)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestGoodHistoriesAreAcceptedByAllProviders(t *testing.T) {
	t.Parallel()
	for name, history := range goodHistories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := sluicetest.ValidateHistories(history); err != nil {
				t.Error(err)
			}
			for _, format := range wire.Formats() {
				if err := sluicetest.ValidateHistory(format, history); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestWhatOnlyOneProviderHasIsAcceptedThere(t *testing.T) {
	t.Parallel()
	raw := func(kind llm.Kind, typ, text string) llm.Block {
		return llm.Block{Kind: kind, Type: typ, Raw: json.RawMessage(text), Status: llm.Complete}
	}
	shell := raw(llm.ToolCall, "local_shell_call", `{"type":"local_shell_call","call_id":"b","action":{"command":["ls"]}}`)
	shell.ID, shell.Arguments = "b", `{"command":["ls"]}`
	listed := raw(llm.ToolResult, "local_shell_call_output", `{"type":"local_shell_call_output","call_id":"b","output":"x"}`)
	listed.ToolUseID, listed.Text = "b", "x"
	search := raw(llm.ServerTool, "server_tool_use", `{"type":"server_tool_use","id":"srv","name":"web_search","input":{}}`)
	search.ID, search.Name, search.Arguments = "srv", "web_search", "{}"
	found := raw(llm.ToolResult, "web_search_tool_result", `{"type":"web_search_tool_result","tool_use_id":"srv","content":[]}`)
	found.ToolUseID, found.Text = "srv", "[]"
	image := raw(llm.Opaque, "image", `{"type":"image","source":{"type":"url","url":"https://example.com/x.png"}}`)
	image.ToolUseID = "a"
	for _, c := range []struct {
		name    string
		format  wire.Format
		history []llm.Message
	}{
		{"calls of the provider's own tools", wire.Anthropic, []llm.Message{by(llm.User, said("Go")), by(llm.Assistant, search, found, said("Found."))}},
		{"redacted thinking", wire.Anthropic, []llm.Message{
			by(llm.User, said("Go")),
			by(llm.Assistant, raw(llm.Opaque, "redacted_thinking", `{"type":"redacted_thinking","data":"EmwK"}`), called("a", "step", "{}")),
			by(llm.ToolRole, resulted("a", "1")),
		}},
		{"a result with an image between texts", wire.Anthropic, []llm.Message{
			by(llm.User, said("Go")), by(llm.Assistant, called("a", "step", "{}")), by(llm.ToolRole, resulted("a", "see"), image, resulted("a", "above")),
		}},
		{"calls of built-in tools", wire.OpenAIResponses, []llm.Message{by(llm.User, said("Go")), by(llm.Assistant, shell), by(llm.ToolRole, listed)}},
		{"an image", wire.Gemini, []llm.Message{by(llm.User, raw(llm.Opaque, "inlineData", `{"inline_data":{"mimeType":"image/png","data":""}}`))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := sluicetest.ValidateHistory(c.format, c.history); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHistoriesReadFromRequestsAreAccepted: what a client sent, with its spans
// and without a status.
func TestHistoriesReadFromRequestsAreAccepted(t *testing.T) {
	t.Parallel()
	for name, history := range goodHistories() {
		for _, format := range wire.Formats() {
			body, err := format.AppendRequest(nil, &llm.Request{Model: "m", Messages: history})
			if err != nil {
				t.Fatal(err)
			}
			read, err := format.ReadRequest(body)
			if err != nil {
				t.Fatal(err)
			}
			if err := sluicetest.ValidateHistory(format, read.Messages); err != nil {
				t.Errorf("%s, %s: %v", name, format, err)
			}
		}
	}
}

func TestHistoriesOfUnknownFormatsAreRefused(t *testing.T) {
	t.Parallel()
	if got := rules(t, sluicetest.ValidateHistory("smoke-signals", nil)); !slices.Equal(got, []string{"format"}) {
		t.Error(got)
	}
}

func TestAProblemOfTheMessagesIsToldOnce(t *testing.T) {
	t.Parallel()
	err := sluicetest.ValidateHistories([]llm.Message{by(llm.User, said("Go")), by(llm.Assistant, called("", "step", "{}"))})
	if n := strings.Count(err.Error(), "history: id-missing: message 1 block 0:"); n != 1 {
		t.Errorf("told %d times: %v", n, err)
	}
}
