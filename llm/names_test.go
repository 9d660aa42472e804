package llm_test

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
)

func TestKindsAndStatusesHaveNamesThatReadBack(t *testing.T) {
	for k := llm.Content; k <= llm.Opaque; k++ {
		name, err := k.MarshalText()
		var back llm.Kind
		if err != nil || back.UnmarshalText(name) != nil || back != k || string(name) != k.String() {
			t.Errorf("kind %d is written %q and read as %d", k, name, back)
		}
	}
	for s := llm.Open; s <= llm.Malformed; s++ {
		name, err := s.MarshalText()
		var back llm.Status
		if err != nil || back.UnmarshalText(name) != nil || back != s || string(name) != s.String() {
			t.Errorf("status %d is written %q and read as %d", s, name, back)
		}
	}
	var k llm.Kind
	var s llm.Status
	if k.UnmarshalText([]byte("nonsense")) == nil || s.UnmarshalText([]byte("nonsense")) == nil {
		t.Error("nonsense is read as a name")
	}
	if _, err := llm.Kind(99).MarshalText(); err == nil {
		t.Error("an unknown kind has a name")
	}
	if got := llm.Kind(99).String() + llm.Status(99).String() + llm.FinishReason(99).String(); got != "kind(99)status(99)finish(99)" {
		t.Errorf("unknown values are called %s", got)
	}
}

func TestUserTextIsWhatThePersonAsked(t *testing.T) {
	text := func(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }
	req := llm.Request{Messages: []llm.Message{
		{Role: llm.User, Blocks: []llm.Block{text("old")}},
		{Role: llm.User, Blocks: []llm.Block{text("new"), text("more")}},
		{Role: llm.Assistant, Blocks: []llm.Block{text("answer")}},
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.ToolResult, Text: "output"}}},
	}}
	if got := req.UserText(); got != "new\nmore" {
		t.Errorf("user text %q", got)
	}
	if got := (&llm.Request{}).UserText(); got != "" {
		t.Errorf("user text %q of nothing", got)
	}
}
