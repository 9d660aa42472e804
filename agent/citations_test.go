package agent_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/wire"
)

// The sources of a streamed text are in the answer, in the memory, and in the next
// request to the provider that named them.
func TestSourcesOfATextStayWithIt(t *testing.T) {
	const source = `{"type":"char_location","cited_text":"grass is <green>","document_index":0}`
	const body = `data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":[]}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"The grass is green."}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":` + source + `}}

data: {"type":"content_block_stop","index":0}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

data: {"type":"message_stop"}

`
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked = append(asked, string(sent))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, body)
	}))
	defer server.Close()
	m, err := model.New(model.Config{Format: wire.Anthropic, Model: "m", BaseURL: server.URL, APIKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	kept := newMemory(t)
	client, err := agent.New(agent.Config{Model: m, Memory: kept})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		result, err := client.Call(t.Context(), &agent.Request{Conversation: "c", Text: "Which colour?"})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s", result.Answer.Blocks[0].Citations); got != "["+source+"]" {
			t.Errorf("the answer has %s", got)
		}
	}
	conversation, err := kept.Get(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := memory.Marshal(conversation.Messages)
	if err != nil {
		t.Fatal(err)
	}
	read, err := memory.Unmarshal(stored)
	if err != nil || fmt.Sprintf("%s", read[1].Blocks[0].Citations) != "["+source+"]" {
		t.Errorf("the memory has %s, %v", stored, err)
	}
	if len(asked) != 2 || strings.Contains(asked[0], "citations") || !strings.Contains(asked[1], `"citations":[`+source+`]`) {
		t.Errorf("asked %q", asked)
	}
}
