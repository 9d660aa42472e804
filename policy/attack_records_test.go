package policy_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// abortsBad returns a policy that ends the answer when bad is called.
func abortsBad() policy.Definition {
	return policy.Func("aborts", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name == "bad" {
			return policy.Verdict{Action: policy.Abort}
		}
		return policy.Verdict{Action: policy.Allow}
	})
}

// What was allowed and never left, because something else ended the answer, was
// not delivered.
func TestOnlyWhatLeftIsRecordedAsDelivered(t *testing.T) {
	const good = `{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"g","type":"function","function":{"name":"good","arguments":"{}"}}]}}`
	const bad = `{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"bad","arguments":"{}"}}]}}`
	second := func(choice string) string {
		return strings.Replace(choice, `"index":0,"delta"`, `"index":1,"delta"`, 1)
	}
	never := replacesX9ZZY()
	for _, tc := range []struct {
		name, stream string
		defs         []policy.Definition
	}{
		{"a call that shares a payload with another choice's", chatOf(good+","+second(bad), chatCallsEnd, second(chatCallsEnd)), []policy.Definition{abortsBad()}},
		{"a call that waits for another choice", chatOf(good, second(bad), second(chatCallsEnd), chatCallsEnd), []policy.Definition{abortsBad()}},
		{"a text behind a call", chatOf(bad, `{"index":0,"delta":{"content":"a text behind"}}`, chatCallsEnd), []policy.Definition{abortsBad()}},
		{"a text behind a call, looked through", chatOf(bad, `{"index":0,"delta":{"content":"a text behind"}}`, chatCallsEnd), []policy.Definition{abortsBad(), never}},
		{"a text in the payload of a call", chatOf(strings.Replace(bad, `"role":"assistant"`, `"role":"assistant","content":"a text before"`, 1), chatCallsEnd), []policy.Definition{abortsBad(), never}},
		{"a call that those who judge together abort", chatOf(good, chatCallsEnd), []policy.Definition{allTogether("all", always(policy.Abort))}},
	} {
		d := judged(t, sluicetest.OpenAIChat, tc.stream, tc.defs...)
		if d.Err == nil || d.Invalid != nil || !d.Report.Failed {
			t.Errorf("%s: %v, %v, %+v", tc.name, d.Err, d.Invalid, d.Report)
		}
		calls := 0
		for _, r := range d.Records {
			switch {
			case r.Delivered && r.Kind == llm.ToolCall:
				calls++
			case r.Delivered && !bytes.Contains(d.Bytes, []byte(r.Out)):
				t.Errorf("%s: recorded as delivered, never left: %+v", tc.name, r)
			case !r.Delivered && r.Out != "":
				t.Errorf("%s: not delivered, and something was: %+v", tc.name, r)
			}
		}
		if calls != len(d.Report.Calls) {
			t.Errorf("%s: %d calls are recorded as delivered, the client has %d\n%s", tc.name, calls, len(d.Report.Calls), d.Bytes)
		}
	}
}

// blocksIn returns the blocks that begin in a stream.
func blocksIn(format string, events []byte) map[[2]int]int {
	p := stream.NewProcessor(wire.Format(format).NewDecoder(), stream.Limits{}, nil, nil)
	src := source{Reader: sse.NewReader(bytes.NewReader(events), sse.Options{})}
	for {
		name, payload, err := src.Next()
		if err != nil || p.Feed(context.Background(), name, payload) != nil {
			break
		}
	}
	blocks := map[[2]int]int{}
	for _, c := range p.State().Choices() {
		for i := range c.Blocks() {
			blocks[[2]int{c.Index(), i}] = 1
		}
	}
	return blocks
}

func recordedBlocks(records []policy.Record) map[[2]int]int {
	blocks := map[[2]int]int{}
	for _, r := range records {
		blocks[[2]int{r.Choice, r.Block}]++
	}
	return blocks
}

// Every block that began has one record, wherever the answer stops.
func TestEveryBlockHasOneRecord(t *testing.T) {
	shadow, shadowAll := blockNamed("good"), allTogether("shadow all", always(policy.Abort))
	shadow.Name, shadow.Mode, shadowAll.Mode = "shadow", policy.Shadow, policy.Shadow
	slow := policy.WaitFunc("slow", time.Minute, func(context.Context, *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Allow}
	})
	contents := allows("contents")
	contents.Applies = policy.KindsOf(llm.Content)
	for name, defs := range map[string][]policy.Definition{
		"none": nil, "in place": {blockNamed("bad")}, "beside": {slow}, "in shadow": {shadow, shadowAll}, "texts": {replacesX9ZZY()},
		"all of them": {blockNamed("bad"), slow, shadow, shadowAll, allTogether("all", always(policy.Allow)), replacesX9ZZY(), contents},
	} {
		n := sluicetest.Enforcement{Set: set(t, defs...)}
		for _, format := range sluicetest.Formats() {
			payloads := sluicetest.Build(format, [][]llm.Block{{says("hello X9ZZY, hello"), call("good", `{"a":"b"}`), call("bad", `{}`)}}, sluicetest.BuildOptions{MaxPiece: 9})
			for cut := 1; cut <= len(payloads); cut++ {
				events := sluicetest.SSE(format, payloads[:cut])
				for how, broken := range map[string]error{"ended": io.EOF, "broken": errBroken} {
					d := n.Stream(context.Background(), format, sluicetest.CutAt(events, len(events), broken))
					if got, want := recordedBlocks(d.Records), blocksIn(format, events); !maps.Equal(got, want) {
						t.Errorf("%s, %s, %s after %d of %d: recorded %v, want %v", name, format, how, cut, len(payloads), got, want)
					}
				}
			}
		}
	}
}

// What begins in a payload that ends the answer has not left, and its record says so.
func TestWhatEndsTheAnswerIsRecordedAsKept(t *testing.T) {
	n := sluicetest.Enforcement{Set: set(t, blockNamed("bad"))}
	for _, format := range sluicetest.Formats() {
		payloads := sluicetest.Build(format, [][]llm.Block{{says("hello"), call("good", `{"a":"b"}`)}}, sluicetest.BuildOptions{})
		for i := range payloads {
			if !strings.HasPrefix(payloads[i], "{") {
				continue
			}
			stray := slices.Clone(payloads)
			stray[i] = `{"more":{"tool_calls":[{"function":{"name":"x","arguments":"{}"}}]},` + stray[i][1:]
			d := n.Stream(context.Background(), format, bytes.NewReader(sluicetest.SSE(format, stray)))
			if d.Err == nil {
				t.Fatalf("%s: the answer was not ended at %d", format, i)
			}
			began := blocksIn(format, sluicetest.SSE(format, payloads[:i+1]))
			if got := recordedBlocks(d.Records); !maps.Equal(got, began) {
				t.Errorf("%s, ended at %d: recorded %v, want %v", format, i, got, began)
			}
			for _, r := range d.Records {
				if r.Kind == llm.ToolCall && r.Delivered != bytes.Contains(d.Bytes, []byte(`"good"`)) {
					t.Errorf("%s, ended at %d: it is recorded that %s left: %t\n%s", format, i, r.Name, r.Delivered, d.Bytes)
				}
			}
		}
	}
}

// Policies in shadow change no byte, whatever the answer is like.
func TestShadowNeverChangesAByte(t *testing.T) {
	inShadow := func(defs ...policy.Definition) (all []policy.Definition) {
		for _, d := range defs {
			d.Mode = policy.Shadow
			all = append(all, d)
		}
		return all
	}
	slow := policy.WaitFunc("slow", time.Minute, func(context.Context, *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Abort}
	})
	contents := policy.Func("contents", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Abort} })
	contents.Applies = policy.KindsOf(llm.Content, llm.Thinking, llm.Opaque, llm.Refusal)
	rewrites := policy.Definition{Name: "rewrites", New: func(*policy.Exchange) policy.Policy {
		return policy.Policy{Change: func(context.Context, *policy.Subject) policy.Change {
			return policy.Change{Action: policy.Rewrite, Text: `{}`}
		}}
	}}
	words := policy.Definition{Name: "words", Applies: policy.KindsOf(llm.Content), Text: []text.Rule{{Name: "w", Patterns: []string{"[a-z]+"}, Replacement: "-"}}}
	defs := inShadow(blockNamed("good"), abortsBad(), allTogether("all", always(policy.Abort)), slow, contents, rewrites, words)

	streams := map[string][2]string{
		"a call told twice": {sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{"a":1}}`, `{"type":"input_json_delta","partial_json":"{\"b\":1}"}`)},
		"a repeated key":    {sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"b\":1,\"b\":2}"}`)},
		"no arguments":      {sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{}}`, `{"type":"input_json_delta","partial_json":"rm"}`)},
		"an unknown type":   {sluicetest.Anthropic, anthropicWith(`{"type":"gadget","name":"bad","input":{}}`, `{"type":"tool_delta","name":"bad","input":{}}`)},
	}
	for i, with := range map[int]string{3: `"arguments":"{\"b\":1}"`, 4: `"arguments":"{\"c\":1}"`, 5: `"arguments":"{\"d\":1}"`} {
		events := responsesCall()
		events[i] = strings.Replace(events[i], `"arguments":"{}"`, with, 1)
		streams[fmt.Sprint("another version in event ", i)] = [2]string{sluicetest.OpenAIResponses, string(sluicetest.SSE(sluicetest.OpenAIResponses, events))}
	}
	for _, format := range sluicetest.Formats() {
		blocks := [][]llm.Block{{says("hello"), call("good", `{"a":"`+strings.Repeat("b", 300)+`"}`), call("bad", `{}`)}}
		payloads := sluicetest.Build(format, blocks, sluicetest.BuildOptions{MaxPiece: 40})
		for cut := range payloads {
			streams[fmt.Sprint(format, " cut after ", cut+1)] = [2]string{format, string(sluicetest.SSE(format, payloads[:cut+1]))}
		}
		failed := sluicetest.Build(format, blocks, sluicetest.BuildOptions{MaxPiece: 40, Error: "overloaded"})
		streams[format+" with an error"] = [2]string{format, string(sluicetest.SSE(format, failed))}
	}
	limits := policy.Options{Limits: policy.Limits{Block: 100, Exchange: 150, Queue: 1000}}
	for name, s := range streams {
		plain := sluicetest.Enforcement{}.Stream(context.Background(), s[0], strings.NewReader(s[1]))
		d := sluicetest.Enforcement{Set: set(t, defs...), Options: limits}.Stream(context.Background(), s[0], strings.NewReader(s[1]))
		if !bytes.Equal(plain.Bytes, d.Bytes) || (plain.Err == nil) != (d.Err == nil) {
			t.Errorf("%s: %v and\n%s\nwithout policies %v and\n%s", name, d.Err, d.Bytes, plain.Err, plain.Bytes)
		}
	}
}
