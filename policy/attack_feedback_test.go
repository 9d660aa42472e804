package policy_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// toldOf lets policies judge a stream with a host that offers feedback, and
// returns the host.
func toldOf(t *testing.T, format, events string, next [][]llm.Block, defs ...policy.Definition) (sluicetest.Delivered, *again) {
	host := &again{format: format, next: next}
	n := sluicetest.Enforcement{Set: set(t, defs...), Options: policy.Options{Feedback: true}, Run: policy.RunOptions{Feedback: host}}
	return n.Stream(context.Background(), format, strings.NewReader(events)), host
}

// The model is told when every call of the whole answer was denied, and not
// before it is known that nothing else follows.
func TestTheModelIsNotToldWhereTheClientGetsMore(t *testing.T) {
	const bad = `{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]}}`
	const good = `{"index":0,"delta":{"tool_calls":[{"index":1,"id":"g","type":"function","function":{"name":"good","arguments":"{}"}}]}}`
	const text, textEnd = `{"index":0,"delta":{"role":"assistant","content":"another choice"}}`, `{"index":0,"delta":{},"finish_reason":"stop"}`
	second := func(choice string) string {
		return strings.Replace(choice, `"index":0,"delta"`, `"index":1,"delta"`, 1)
	}
	for _, tc := range []struct {
		name, stream string
		told         int
	}{
		{"one choice, one call", chatOf(bad, chatCallsEnd), 1},
		{"another choice follows", chatOf(bad, chatCallsEnd, second(text), second(textEnd)), 0},
		{"another choice came before", chatOf(text, textEnd, second(bad), second(chatCallsEnd)), 0},
		{"another choice has begun", chatOf(bad, second(text), chatCallsEnd, second(textEnd)), 0},
		{"a call follows the finish", chatOf(bad, chatCallsEnd, good), 0},
	} {
		for _, waits := range []bool{false, true} {
			def := blockNamed("bad")
			def.Waits = waits
			d, host := toldOf(t, sluicetest.OpenAIChat, tc.stream, [][]llm.Block{{says("new")}}, def)
			if d.Err != nil || d.Invalid != nil || d.Cut != nil || leaks(d) {
				t.Errorf("%s, waits %v: %v, %v, %v\n%s", tc.name, waits, d.Err, d.Invalid, d.Cut, d.Bytes)
			}
			if len(host.told) != tc.told || bytes.Contains(d.Bytes, []byte(`"new"`)) != (tc.told > 0) {
				t.Errorf("%s, waits %v: told %+v\n%s", tc.name, waits, host.told, d.Bytes)
			}
		}
	}
}

// failing is a host whose feedback fails in a way of its own.
type failing func() (policy.Source, error)

func (f failing) Again(context.Context, []policy.Denial) (policy.Source, error) { return f() }
func (failing) Keep([]policy.Denial)                                            {}

// Where the model cannot be told, the client is.
func TestAHostThatCannotTellTheModelTellsTheClient(t *testing.T) {
	for name, host := range map[string]policy.Feedback{
		"no host":   nil,
		"a panic":   failing(func() (policy.Source, error) { panic("oh") }),
		"an error":  failing(func() (policy.Source, error) { return nil, errBroken }),
		"no answer": failing(func() (policy.Source, error) { return nil, nil }), //nolint:nilnil // a host may have nothing to say
	} {
		n := sluicetest.Enforcement{Set: set(t, blockNamed("bad")), Options: policy.Options{Feedback: true}, Run: policy.RunOptions{Feedback: host}}
		n.EachForm(context.Background(), []llm.Block{says("before"), call("bad", `{"secret":"X9ZZY"}`)}, func(form, _ string, d sluicetest.Delivered) {
			texts := strings.Join(d.Report.Texts, "|")
			if d.Err != nil || d.Invalid != nil || leaks(d) || !strings.Contains(texts, "before") || !strings.Contains(texts, "Sluice blocked the tool call bad") {
				t.Errorf("%s, %s: %v, %v\n%s", name, form, d.Err, d.Invalid, d.Bytes)
			}
			if len(d.Records) != 2 {
				t.Errorf("%s, %s: recorded %+v", name, form, d.Records)
			}
		})
	}
}

// What a denied message says besides its calls is kept, whatever payload it
// shares and whichever policy judges it.
func TestTheTextsOfADeniedMessageAreKept(t *testing.T) {
	contents := allows("contents")
	contents.Applies = policy.KindsOf(llm.Content)
	first, next := []llm.Block{says("before"), call("bad", `{}`)}, [][]llm.Block{{says("after")}}
	for name, defs := range map[string][]policy.Definition{
		"calls": {blockNamed("bad")}, "calls and texts": {blockNamed("bad"), contents}, "calls, and texts are replaced": {blockNamed("bad"), replacesX9ZZY()},
	} {
		for _, format := range sluicetest.Formats() {
			for _, opts := range []sluicetest.BuildOptions{
				{}, {Usage: true}, {MaxPiece: 2}, {Quirks: sluicetest.QuirkFinishWithDelta}, {Quirks: sluicetest.QuirkFinishWithDelta | sluicetest.QuirkWholeCalls, Usage: true},
			} {
				events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{first}, opts))
				d, _ := toldOf(t, format, string(events), next, defs...)
				checkKept(t, name+", "+format, d)
			}
			host := &again{format: format, next: next, body: true}
			n := sluicetest.Enforcement{Set: set(t, defs...), Options: policy.Options{Feedback: true}, Run: policy.RunOptions{Feedback: host}}
			body := sluicetest.BuildBody(format, [][]llm.Block{first}, sluicetest.BuildOptions{})
			checkKept(t, name+", "+format+", body", n.Body(context.Background(), format, []byte(body)))
		}
	}
}

func checkKept(t *testing.T, name string, d sluicetest.Delivered) {
	texts := strings.Join(d.Report.Texts, "|")
	before, after := strings.Index(texts, "before"), strings.Index(texts, "after")
	if d.Err != nil || d.Invalid != nil || before < 0 || after < before || strings.Count(texts, "before") != 1 {
		t.Errorf("%s: %v, %v, %q\n%s", name, d.Err, d.Invalid, texts, d.Bytes)
	}
}

// The host keeps the denials of a message whose other calls were delivered,
// even if the engine's options do not offer feedback.
func TestTheHostIsToldWhatToKeep(t *testing.T) {
	for _, format := range sluicetest.Formats() {
		events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{{call("good", "{}"), call("bad", "{}")}}, sluicetest.BuildOptions{}))
		d, host := toldOf(t, format, string(events), nil, blockNamed("bad"))
		if d.Err != nil || len(host.told) != 0 || len(host.kept) != 1 || host.kept[0].Name != "bad" {
			t.Errorf("%s: %v, told %+v, kept %+v", format, d.Err, host.told, host.kept)
		}
	}
}
