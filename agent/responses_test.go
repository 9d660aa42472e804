package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// responsesAPI is a provider of OpenAI Responses that stores its answers and refuses
// requests as the real one does.
type responsesAPI struct {
	t       *testing.T
	stored  sluicetest.StoredItems
	answers [][]llm.Block
	whole   bool // answers are not streamed

	mu     sync.Mutex
	asked  int
	bodies []string
}

func (p *responsesAPI) answer(r *http.Request) sluicetest.Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		p.t.Error(err)
	}
	p.bodies = append(p.bodies, string(body))
	if err := p.stored.Refuses(body); err != nil {
		p.t.Errorf("%v\n%s", err, body)
		return sluicetest.JSON(http.StatusBadRequest, `{"error":{"message":"refused","type":"invalid_request_error"}}`)
	}
	blocks := [][]llm.Block{p.answers[p.asked%len(p.answers)]}
	p.asked++
	opts := sluicetest.BuildOptions{MaxPiece: 3, ID: fmt.Sprintf("resp_%d", p.asked)}
	payloads := sluicetest.Build(sluicetest.OpenAIResponses, blocks, opts)
	if p.whole {
		payloads = []string{sluicetest.BuildBody(sluicetest.OpenAIResponses, blocks, opts)}
	}
	for i := range payloads { // ids are those of this answer alone
		payloads[i] = strings.ReplaceAll(payloads[i], "_built", fmt.Sprintf("_%dof", p.asked))
	}
	if !strings.Contains(string(body), `"store":false`) {
		if err := p.stored.Answered(payloads...); err != nil {
			p.t.Error(err)
		}
	}
	if p.whole {
		return sluicetest.JSON(http.StatusOK, payloads[0])
	}
	return sluicetest.Events(sluicetest.SSE(sluicetest.OpenAIResponses, payloads))
}

// client returns an agent that asks the provider.
func (p *responsesAPI) client(cfg agent.Config) *agent.Client {
	p.t.Helper()
	up := sluicetest.NewUpstream(p.t)
	up.Answer(p.answer)
	m, err := model.New(model.Config{Format: wire.OpenAIResponses, BaseURL: up.URL, Model: "m", APIKey: "k", Retry: model.Retry{Max: -1}})
	if err != nil {
		p.t.Fatal(err)
	}
	cfg.Model = m
	cfg.Tools = []*agent.Tool{new(ledger).tool("look", "sunny")}
	client, err := agent.New(cfg)
	if err != nil {
		p.t.Fatal(err)
	}
	return client
}

// orders are all orders of reasoning (R), text (T) and calls (C) up to a length.
func orders(most int) []string {
	all, last := []string{}, []string{""}
	for range most {
		var next []string
		for _, so := range last {
			next = append(next, so+"R", so+"T", so+"C")
		}
		all, last = append(all, next...), next
	}
	return all
}

// answerOf is an answer with blocks in an order.
func answerOf(order, proof string) []llm.Block {
	var blocks []llm.Block
	for i, c := range order {
		switch c {
		case 'R':
			blocks = append(blocks, llm.Block{Kind: llm.Thinking, Type: "reasoning", Text: fmt.Sprint("Hm ", i), Signature: proof})
		case 'T':
			blocks = append(blocks, llm.Block{Kind: llm.Content, Text: fmt.Sprint("So ", i)})
		default:
			blocks = append(blocks, llm.Block{Kind: llm.ToolCall, Name: "look", Arguments: fmt.Sprintf(`{"n":%d}`, i)})
		}
	}
	return blocks
}

// Whatever an answer has in whatever order, the next request is taken: within a run,
// and on the next turn.
func TestResponsesAreTakenBackOnTheNextTurn(t *testing.T) {
	sql, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "chat.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sql.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, c := range []struct {
		name   string
		proof  string // encrypted content
		extra  string // "store", in the request
		whole  bool
		window memory.Window
		ids    bool // reasoning goes back with its id
		sends  bool // reasoning goes back
	}{
		{name: "stored", ids: true, sends: true},
		{name: "stored, not streamed", whole: true, ids: true, sends: true},
		{name: "stored, with a proof", proof: "gAAA", ids: true, sends: true},
		{name: "stored, in a small window", window: memory.Messages(5), ids: true, sends: true},
		{name: "not stored, with a proof", proof: "gAAA", extra: "false", sends: true},
		{name: "not stored, without a proof", extra: "false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			window := c.window
			if window == nil {
				window = memory.All()
			}
			kept, err := memory.New(sql, memory.Options{Window: window})
			if err != nil {
				t.Fatal(err)
			}
			for _, order := range orders(3) {
				p := &responsesAPI{t: t, whole: c.whole, answers: [][]llm.Block{answerOf(order, c.proof), answerOf("RT", c.proof), answerOf("RTRC", c.proof), answerOf("T", c.proof)}}
				client := p.client(agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: agent.All}})
				for turn := range 4 {
					req := &agent.Request{Conversation: c.name + order, Text: fmt.Sprint("How is it, ", turn)}
					if c.extra != "" {
						req.Extra = map[string]json.RawMessage{"store": json.RawMessage(c.extra), "include": json.RawMessage(`["reasoning.encrypted_content"]`)}
					}
					if _, err := client.Call(t.Context(), req); err != nil {
						t.Fatalf("%s: turn %d: %v", order, turn, err)
					}
				}
				// The turn before the last is "RT" or later, and stands in the last request.
				last := p.bodies[len(p.bodies)-1]
				if has := strings.Contains(last, `"id":"rs_`); has != c.ids {
					t.Errorf("%s: reasoning with its id is sent: %t, want %t: %s", order, has, c.ids, last)
				}
				if has := strings.Contains(last, `"type":"reasoning"`); has != c.sends {
					t.Errorf("%s: reasoning is sent: %t, want %t: %s", order, has, c.sends, last)
				}
				conversation, err := kept.Get(t.Context(), c.name+order)
				if err != nil {
					t.Fatal(err)
				}
				if err := sluicetest.ValidateHistories(conversation.Messages); err != nil {
					t.Errorf("%s: %v", order, err)
				}
			}
		})
	}
}

// altering changes every answer before it is run and remembered.
func altering(change func(a *agent.Answer)) agent.Advisor {
	return agent.AdvisorFunc("altering", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for ev, err := range next(ctx, req) {
				if ev.Type == agent.EventRoundEnd {
					change(ev.Answer)
				}
				if !yield(ev, err) {
					return
				}
			}
		}
	})
}

// What advisors make of an answer is taken back too: a text that was changed never
// claims to be the one that the provider stored.
func TestResponsesThatWereChangedAreTakenBack(t *testing.T) {
	first := func(a *agent.Answer, kind llm.Kind) int {
		return slices.IndexFunc(a.Blocks, func(b llm.Block) bool { return b.Kind == kind })
	}
	without := func(kind llm.Kind) func(a *agent.Answer) {
		return func(a *agent.Answer) {
			if at := first(a, kind); at >= 0 {
				a.Blocks = slices.Delete(slices.Clone(a.Blocks), at, at+1)
			}
		}
	}
	for name, change := range map[string]func(a *agent.Answer){
		"a text is redacted": func(a *agent.Answer) {
			if at := first(a, llm.Content); at >= 0 {
				a.Blocks[at].Text, a.Blocks[at].Raw = "[redacted]", nil
			}
		},
		"a text is redacted, and what it was is left": func(a *agent.Answer) {
			if at := first(a, llm.Content); at >= 0 {
				a.Blocks[at].Text = "[redacted]"
			}
		},
		"reasoning is left out": without(llm.Thinking),
		"a text is left out":    without(llm.Content),
		"a call is left out":    without(llm.ToolCall),
		"a call is rewritten": func(a *agent.Answer) {
			if at := first(a, llm.ToolCall); at >= 0 {
				a.Blocks[at].Arguments, a.Blocks[at].Raw = `{"n":99}`, nil
			}
		},
		"a call becomes a text": func(a *agent.Answer) {
			if at := first(a, llm.ToolCall); at >= 0 {
				a.Blocks[at] = llm.Block{Kind: llm.Content, Text: "It was not allowed.", Status: llm.Complete}
			}
		},
		"the order is another": func(a *agent.Answer) { slices.Reverse(a.Blocks) },
		"a text is added": func(a *agent.Answer) {
			a.Blocks = slices.Insert(a.Blocks, 0, llm.Block{Kind: llm.Content, Text: "Note.", Status: llm.Complete})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, proof := range []string{"", "gAAA"} {
				for _, order := range orders(3) {
					p := &responsesAPI{t: t, answers: [][]llm.Block{answerOf(order, proof), answerOf("RTRC", proof), answerOf("RT", proof)}}
					client := p.client(agent.Config{Memory: newMemory(t), Advisors: []agent.Advisor{altering(change)}, Loop: agent.LoopConfig{Limits: agent.Limits{Rounds: 4}}})
					for turn := range 3 {
						if _, err := client.Call(t.Context(), &agent.Request{Conversation: "c", Text: "How is it?"}); err != nil {
							t.Fatalf("%s: turn %d: %v", order, turn, err)
						}
					}
					if last := p.bodies[len(p.bodies)-1]; strings.Contains(name, "redacted") && strings.Contains(last, `"text":"So 0"`) {
						t.Errorf("%s: what was redacted is sent: %s", order, last)
					}
				}
			}
		})
	}
}

// A conversation that began with another provider goes on with this one, without ids
// that it never gave.
func TestResponsesTakeUpTheConversationsOfOthers(t *testing.T) {
	histories := map[string][]llm.Block{
		"anthropic":                            {{Kind: llm.Thinking, Type: "thinking", Text: "Hm", Signature: "EqQB", Raw: json.RawMessage(`{"type":"thinking","thinking":"Hm","signature":"EqQB"}`)}, {Kind: llm.Content, Type: "text", Text: "So", Raw: json.RawMessage(`{"type":"text","text":"So"}`)}},
		"chat":                                 {{Kind: llm.Thinking, Type: "reasoning_content", Text: "Hm"}, {Kind: llm.Content, Text: "So"}},
		"gemini":                               {{Kind: llm.Thinking, Type: "text", Text: "Hm", Raw: json.RawMessage(`{"text":"Hm","thought":true}`)}, {Kind: llm.Content, Text: "So", Signature: "c2ln", Raw: json.RawMessage(`{"text":"So","thoughtSignature":"c2ln"}`)}},
		"ids of somebody who has no such kind": {{Kind: llm.Thinking, Type: "reasoning", ID: "gen-1", Text: "Hm"}, {Kind: llm.Content, ID: "gen-2", Text: "So"}},
	}
	for name, said := range histories {
		t.Run(name, func(t *testing.T) {
			p := &responsesAPI{t: t, answers: [][]llm.Block{answerOf("RTC", ""), answerOf("RT", "")}}
			kept := newMemory(t)
			if _, err := kept.Add(t.Context(), "c", 0, userMessages("Hi")[0], llm.Message{Role: llm.Assistant, Blocks: said}); err != nil {
				t.Fatal(err)
			}
			client := p.client(agent.Config{Memory: kept})
			for range 2 {
				if _, err := client.Call(t.Context(), &agent.Request{Conversation: "c", Text: "How is it?"}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
