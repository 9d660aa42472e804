package policies_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

const noKeys = `
policies:
  - name: no-keys
    applies_to: [content, refusal, tool_call, tool_result]
    find: {pattern: 'sk-[0-9]+'}
    then: {redact: "[key]"}
`

func TestTextIsRedactedInFlightAsOnTheWhole(t *testing.T) {
	set := load(t, noKeys)
	said := "one sk-1 two sk-22 s sk sk- sk-333 and the end of it: sk-4444"
	want := "one [key] two [key] s sk sk- [key] and the end of it: [key]"
	for chunk := 1; chunk <= len(said); chunk++ {
		r := &rig{cfg: policies.Config{Set: set}, chunk: chunk}
		res, err := r.run(t, scripted.Round{scripted.Text(said), scripted.Call("list", `{}`)}, scripted.Round{scripted.Text(said), scripted.Refusal(said)})
		if err != nil {
			t.Fatal(err)
		}
		texts := map[int]string{}
		refused := ""
		for _, ev := range r.events {
			switch ev.Type {
			case agent.EventText:
				texts[ev.Round] += ev.Text
			case agent.EventRefusal:
				refused += ev.Text
			default:
			}
		}
		if texts[1] != want || texts[2] != want || refused != want || res.Text() != want || res.Answer.Blocks[1].Text != want {
			t.Fatalf("chunks of %d: %v, %q, %q", chunk, texts, refused, res.Text())
		}
		history := r.model.Requests()[1].Messages
		if got := history[len(history)-2].Blocks[0].Text; got != want {
			t.Fatalf("the history has %q", got)
		}
	}
}

func TestTextBeforeAHeldCallFlowsLive(t *testing.T) {
	gate := make(chan struct{})
	set := setOf(t, on(nil))
	r := &rig{cfg: policies.Config{Set: set}, chunk: 5}
	seen := 0
	r.seen = func(ev agent.Event) bool {
		if ev.Type == agent.EventText {
			if seen++; seen == 2 {
				close(gate)
			}
		}
		return true
	}
	// The model does not go on before two pieces were seen.
	guard, err := policies.New(r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	m := gated(scripted.NewWithOptions(scripted.Options{ChunkSize: 5},
		scripted.Round{scripted.Text("0123456789"), scripted.Call("list", `{}`)}, scripted.Round{scripted.Text("x")}), gate)
	c, err := agent.New(agent.Config{Model: m, Tools: r.tools(), Advisors: []agent.Advisor{guard}, Loop: agent.LoopConfig{Stream: agent.All}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.watch(c.Run(t.Context(), &agent.Request{Text: "x"})); err != nil || len(r.ran) != 1 {
		t.Fatal(err, r.ran)
	}
}

func TestAHeldTextIsReplacedAsAWhole(t *testing.T) {
	set := load(t, `
policies:
  - {name: quiet, applies_to: [content], when: 'text.contains("secret")', then: block, reason: say less}
`)
	r := &rig{cfg: policies.Config{Set: set}, chunk: 3}
	res, err := r.run(t, scripted.Round{scripted.Thinking("hm"), scripted.Text("the secret is 42"), scripted.Call("list", `{}`)}, scripted.Round{scripted.Text("fine")})
	if err != nil || res.Text() != "fine" {
		t.Fatal(err, res)
	}
	want := "thinking hm\ntext [Sluice withheld this text: say less (policy quiet)]\ntool_start list"
	if got := r.told(); !strings.HasPrefix(got, want) {
		t.Error(got)
	}
	history := r.model.Requests()[1].Messages
	if got := history[len(history)-2].Blocks[1].Text; strings.Contains(got, "secret") {
		t.Error("the history has", got)
	}
}

func TestSignedThinkingIsRemovedAndNeverChanged(t *testing.T) {
	set := load(t, `
policies:
  - {name: quiet, applies_to: [thinking], when: 'text.contains("secret")', then: block}
`)
	for thought, removed := range map[string]bool{"a secret": true, "nothing": false} {
		r := &rig{cfg: policies.Config{Set: set}, chunk: 3}
		res, err := r.run(t, scripted.Round{scripted.SignedThinking(thought, "sig"), scripted.Text("hi")})
		if err != nil {
			t.Fatal(err)
		}
		b := res.Answer.Blocks[0]
		if removed != (b.Kind == llm.Content) || removed != (b.Signature == "") || removed == strings.Contains(r.told(), thought[:3]) {
			t.Error(b, r.told())
		}
	}
}

func TestThinkingThatIsSignedCannotBeRewritten(t *testing.T) {
	shout := policy.Definition{Name: "shout", Applies: policy.KindsOf(llm.Thinking), Policy: &policy.Policy{
		Change: func(_ context.Context, s *policy.Subject) policy.Change {
			return policy.Change{Action: policy.Rewrite, Text: strings.ToUpper(s.Block.Text)}
		},
	}}
	r := &rig{cfg: policies.Config{Set: setOf(t, shout)}, chunk: 2}
	res, err := r.run(t, scripted.Round{scripted.SignedThinking("abc", "sig"), scripted.Thinking("def"), scripted.Text("hi")})
	if err != nil {
		t.Fatal(err)
	}
	if b := res.Answer.Blocks; b[0].Kind != llm.Content || b[0].Signature != "" || b[1].Kind != llm.Thinking || b[1].Text != "DEF" {
		t.Errorf("%+v", b)
	}
	if told := r.told(); strings.Contains(told, "abc") || strings.Contains(told, "ABC") || !strings.Contains(told, "thinking DEF") {
		t.Error(told)
	}
}

func TestWhatWaitsIsBounded(t *testing.T) {
	slow := policy.WaitFunc("slow", time.Minute, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
		<-ctx.Done()
		return policy.Verdict{}
	})
	r := &rig{cfg: policies.Config{Set: setOf(t, slow), Limits: policy.Limits{Queue: 1 << 16}}, chunk: 1000}
	_, err := r.run(t, scripted.Round{scripted.Call("list", `{}`), scripted.Text(strings.Repeat("x", 1<<16))})
	if a := aborted(err); a == nil || !strings.Contains(a.Reason, "65536 bytes of queued payloads") || strings.Contains(r.told(), "x") {
		t.Error(err, r.told())
	}
}

func TestHeldTextHasALimit(t *testing.T) {
	for extra, passes := range []bool{true, false} {
		r := &rig{cfg: policies.Config{Set: setOf(t, on(nil)), Limits: policy.Limits{Block: 100}}, chunk: 7}
		if _, err := r.run(t, scripted.Round{scripted.Call("list", `{"x":"`+strings.Repeat("x", 92+extra)+`"}`)}, scripted.Round{scripted.Text("ok")}); err != nil {
			t.Fatal(err)
		}
		if passes != (len(r.ran) == 1) || passes == strings.Contains(result(r.model.Requests()[1]), "more than 100 bytes of one held block") {
			t.Error(extra, r.ran, result(r.model.Requests()[1]))
		}
	}
}

func TestResultsAreRedactedBeforeTheModelSeesThem(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: load(t, noKeys)}}
	call := scripted.Call("list", `{}`)
	res, err := r.run(t, scripted.Round{call}, scripted.Round{call, call}, scripted.Round{scripted.Text("ok")})
	if err != nil {
		t.Fatal(err)
	}
	asked := r.model.Requests()
	want := "result of list, key [key]"
	if result(asked[1]) != want || result(asked[2]) != want+"|"+want {
		t.Error(result(asked[1]), result(asked[2]))
	}
	if got := asked[2].Messages[2].Blocks[0].Text; got != want {
		t.Error("the first result is now", got)
	}
	// Only what is sent is changed.
	if got := res.Messages[1].Blocks[0].Text; got != "result of list, key sk-0123456789" {
		t.Error("remembered is", got)
	}
	judged := 0
	for _, rec := range r.records {
		if rec.Stage == policy.StageRequest {
			judged++
			if rec.Name != "list" || rec.In != "result of list, key sk-0123456789" || rec.Out != want {
				t.Errorf("%+v", rec)
			}
		}
	}
	if judged != 3 {
		t.Error(judged, "results were judged")
	}
}

func TestResultsThatComeWithTheRequestAreJudged(t *testing.T) {
	raw := `{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"sk-1"},{"type":"x","title":"sk-2"}]}`
	messages := []llm.Message{
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "q"}}, Span: llm.Span{Start: 5, End: 1 << 20}},
		{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.ToolCall, ID: "a", Name: "list", Arguments: "{}"}}},
		{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, ToolUseID: "a", Text: "sk-1", Raw: []byte(raw)}}},
	}
	ask := func(yaml string) llm.Block {
		t.Helper()
		r := &rig{cfg: policies.Config{Set: load(t, yaml)}}
		c := r.client(t, scripted.Round{scripted.Text("ok")})
		if _, err := c.Call(t.Context(), &agent.Request{Messages: messages}); err != nil {
			t.Fatal(err)
		}
		return r.model.Requests()[0].Messages[2].Blocks[0]
	}
	b := ask(noKeys)
	if b.Text != "[key]" || strings.Contains(string(b.Raw), "sk-") || !strings.Contains(string(b.Raw), `"title":"[key]"`) {
		t.Errorf("%+v %s", b, b.Raw)
	}
	b = ask(`policies: [{name: none, applies_to: [tool_result], when: 'result.tool == "list"', then: block, reason: no}]`)
	if b.Text != "[Sluice withheld this tool result: no (policy none). The tool did run.]" || b.Raw != nil {
		t.Errorf("%+v", b)
	}
	if messages[2].Blocks[0].Text != "sk-1" {
		t.Error("the caller's messages were changed")
	}
}

func TestAResultCanEndTheRun(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: load(t, `policies: [{name: none, applies_to: [tool_result], then: abort, reason: no more}]`)}}
	_, err := r.run(t, scripted.Round{scripted.Call("list", `{}`)}, scripted.Round{scripted.Text("x")})
	if a := aborted(err); a == nil || a.Policy != "none" || len(r.model.Requests()) != 1 {
		t.Error(err)
	}
}
