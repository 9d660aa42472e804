package agent_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// anthropicAnswer is an answer of the provider as it is streamed.
func anthropicAnswer(stop string, blocks ...string) string {
	var b strings.Builder
	put := func(event, data string) { fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", event, data) }
	put("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`)
	for i, block := range blocks {
		start, delta, _ := strings.Cut(block, "|")
		put("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, start))
		if delta != "" {
			put("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, delta))
		}
		put("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
	}
	put("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":5}}`, stop))
	put("message_stop", `{"type":"message_stop"}`)
	return b.String()
}

// anthropicServer streams answers in their order and keeps the bodies of the requests.
func anthropicServer(t *testing.T, answers ...string) (model.Model, *[]string) {
	t.Helper()
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, answers[min(len(bodies), len(answers))-1])
	}))
	t.Cleanup(server.Close)
	m, err := model.New(model.Config{Format: wire.Anthropic, BaseURL: server.URL, Model: "claude", APIKey: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return m, &bodies
}

const (
	search      = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}|{"type":"input_json_delta","partial_json":"{\"query\":\"go\"}"}`
	searchFound = `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://example.com","title":"x","encrypted_content":"abc"}]}`
	plainText   = `{"type":"text","text":""}|{"type":"text_delta","text":"Go is fine."}`
)

// An answer that the provider paused in the middle of its own tools goes on, and is remembered as one.
func TestAttackAPausedSearchGoesOn(t *testing.T) {
	m, bodies := anthropicServer(t, anthropicAnswer("pause_turn", search), anthropicAnswer("end_turn", searchFound, plainText))
	for _, inside := range []int{0, agent.InsideLoop} {
		*bodies = nil
		kept := newMemory(t)
		client, err := agent.New(agent.Config{Model: m, Memory: kept, Remember: agent.MemoryConfig{Order: inside}})
		if err != nil {
			t.Fatal(err)
		}
		result, err := client.Call(t.Context(), &agent.Request{Text: "How is Go?", Conversation: "c", MaxTokens: 100})
		if err != nil {
			t.Fatal(err)
		}
		if result.Text() != "Go is fine." || len(*bodies) != 2 || !strings.Contains((*bodies)[1], `"query":"go"`) {
			t.Errorf("%q after\n%s", result.Text(), strings.Join(*bodies, "\n"))
		}
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.ValidateHistory(wire.Anthropic, c.Messages); err != nil {
			t.Error(err)
		}
	}
}

// A conversation in which the provider searched by itself goes on: what was streamed of the search can be sent back.
func TestAttackASearchIsTakenBackInTheNextTurn(t *testing.T) {
	m, bodies := anthropicServer(t, anthropicAnswer("end_turn", search, searchFound, plainText), anthropicAnswer("end_turn", plainText))
	kept := newMemory(t)
	client, err := agent.New(agent.Config{Model: m, Memory: kept})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := client.Call(t.Context(), &agent.Request{Text: "How is Go?", Conversation: "c", MaxTokens: 100}); err != nil {
			t.Fatal(err)
		}
	}
	if last := (*bodies)[1]; !strings.Contains(last, `"query":"go"`) || !strings.Contains(last, `"encrypted_content":"abc"`) {
		t.Error(last)
	}
}

// A search that the provider never answered, because the answer was cut, is not sent back without its result.
func TestAttackASearchThatWasCutIsTakenBack(t *testing.T) {
	for name, answer := range map[string]string{
		"cut before its result": anthropicAnswer("max_tokens", plainText, search),
		"only the search":       anthropicAnswer("max_tokens", search),
	} {
		t.Run(name, func(t *testing.T) {
			m, bodies := anthropicServer(t, answer, anthropicAnswer("end_turn", plainText))
			kept := newMemory(t)
			client, err := agent.New(agent.Config{Model: m, Memory: kept})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, err := client.Call(t.Context(), &agent.Request{Text: "How is Go?", Conversation: "c", MaxTokens: 100}); err != nil {
					t.Fatal(err)
				}
			}
			last := (*bodies)[len(*bodies)-1]
			if strings.Contains(last, "srvtoolu_1") && !strings.Contains(last, "web_search_tool_result") {
				t.Errorf("a search without its result is sent:\n%s", last)
			}
		})
	}
}

// An answer that was paused before it said anything is asked for again, without an empty message.
func TestAttackAnEmptyPausedAnswerIsNotSent(t *testing.T) {
	for name, blocks := range map[string][]string{
		"nothing": nil, "only space": {`{"type":"text","text":""}|{"type":"text_delta","text":" "}`},
	} {
		t.Run(name, func(t *testing.T) {
			m, bodies := anthropicServer(t, anthropicAnswer("pause_turn", blocks...), anthropicAnswer("end_turn", plainText))
			client, err := agent.New(agent.Config{Model: m})
			if err != nil {
				t.Fatal(err)
			}
			result, err := client.Call(t.Context(), &agent.Request{Text: "How is Go?", MaxTokens: 100})
			if err != nil {
				t.Fatal(err)
			}
			if problem := sluicetest.ValidateHistory(wire.Anthropic, append(userMessages("q"), result.Messages...)); problem != nil {
				t.Error(problem)
			}
			last := (*bodies)[len(*bodies)-1]
			if strings.Contains(last, `"assistant"`) {
				t.Errorf("a message that says nothing is sent:\n%s", last)
			}
		})
	}
}

type paragraph struct {
	Text string `json:"text"`
}

// An answer in JSON that the provider paused first is not an invalid one.
func TestAttackAPausedAnswerIsNotJudgedBeforeItsEnd(t *testing.T) {
	text := `{"type":"text","text":""}|{"type":"text_delta","text":"{\"text\":\"fine\"}"}`
	m, _ := anthropicServer(t, anthropicAnswer("pause_turn", search), anthropicAnswer("end_turn", searchFound, text))
	structured, err := agent.NewStructured[paragraph](agent.StructuredConfig{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := agent.New(agent.Config{Model: m, Advisors: []agent.Advisor{structured}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Call(t.Context(), &agent.Request{Text: "How is Go?", MaxTokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := agent.Decode[paragraph](result); err != nil || p.Text != "fine" {
		t.Error(p, err)
	}
}

// Thinking after which the provider's call was cut is not the last that is remembered, and empty thinking is not at all.
func TestAttackThinkingIsTakenBack(t *testing.T) {
	thinking := `{"type":"thinking","thinking":"","signature":""}|{"type":"thinking_delta","thinking":"hm"}`
	for name, answer := range map[string]string{
		"the call behind it was cut": anthropicAnswer("max_tokens", plainText,
			`{"type":"thinking","thinking":"hm","signature":""}|{"type":"signature_delta","signature":"c2ln"}`,
			`{"type":"tool_use","id":"toolu_1","name":"look","input":{}}|{"type":"input_json_delta","partial_json":"{\"a\":"}`),
		"it has no signature": anthropicAnswer("end_turn", thinking, plainText),
		"it is empty":         anthropicAnswer("end_turn", `{"type":"thinking","thinking":"","signature":""}`, plainText),
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := anthropicServer(t, answer)
			kept := newMemory(t)
			client, err := agent.New(agent.Config{Model: m, Memory: kept})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Call(t.Context(), &agent.Request{Text: "How is Go?", Conversation: "c", MaxTokens: 100}); err != nil {
				t.Fatal(err)
			}
			c, err := kept.Get(t.Context(), "c")
			if err != nil {
				t.Fatal(err)
			}
			if err := sluicetest.ValidateHistories(c.Messages); err != nil {
				t.Errorf("%v\n%s", err, describeStorm(c.Messages))
			}
		})
	}
}
