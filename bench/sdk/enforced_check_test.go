package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// legal holds the bytes against the strictest rules.
func (c cell) legal(delivered []byte) error {
	strict := sluicetest.Options{ForbidStopWithCalls: true, ForbidTextAfterCalls: true, RequireJSONArguments: true, RequireOutput: true}
	if c.form.whole {
		return strict.ValidateBody(string(c.format), delivered)
	}
	return strict.Validate(string(c.format), delivered)
}

// leavesNothing: no piece of the arguments of a call that did not pass as it
// was, in any spelling.
func (c cell) leavesNothing(t *testing.T, delivered []byte) {
	t.Helper()
	if c.verdict.outcome == passes {
		return
	}
	for _, tool := range c.position.judged {
		mark, _ := utf8.DecodeRuneInString(marks[tool])
		for _, spelling := range []string{marks[tool], fmt.Sprintf(`\u%04x`, mark), fmt.Sprintf(`\u%04X`, mark)} {
			if bytes.Contains(delivered, []byte(spelling)) {
				t.Errorf("a piece of the arguments of %s was delivered", tool)
			}
		}
		if c.verdict.outcome != replaced && bytes.Contains(delivered, []byte(callOf(tool).ID)) {
			t.Errorf("the id of %s was delivered", tool)
		}
	}
}

// fails: the client sees an error that says why, and nobody takes what came
// before for an answer.
func (c cell) fails(t *testing.T, d sluicetest.Delivered, got answered) {
	t.Helper()
	if stopped, ok := errors.AsType[*policy.AbortError](d.Err); !ok || stopped.Policy != policyName {
		t.Errorf("the answer ended with %v, want an abort", d.Err)
	}
	if got.err == nil || !strings.Contains(got.err.Error(), policyName) || !strings.Contains(got.err.Error(), reasonText) {
		t.Errorf("the client fails with %v, which does not say why", got.err)
	}
	if slices.Contains(goodFinishes, got.finish) || got.finish == "STOP" {
		t.Errorf("the client sees the good finish %q", got.finish)
	}
	if calls := got.calls(); len(calls) > 0 {
		t.Errorf("the client has the calls %+v", calls)
	}
}

// outcome is the outcome of the judged calls: those that cannot be reported to
// the model are blocked.
func (c cell) outcome() outcome {
	if c.verdict.refuses && len(c.position.judged) == len(c.position.tools) {
		return blocked
	}
	return c.verdict.outcome
}

// toldModel reports whether every call was denied and the model was told.
func (c cell) toldModel() bool {
	return c.outcome() == removed && len(c.position.judged) == len(c.position.tools)
}

// understands: the program has exactly the calls it may execute, and a text for
// each one it does not have.
func (c cell) understands(t *testing.T, got answered) {
	t.Helper()
	want := c.calls()
	if calls := c.canonical(got.calls()); !slices.Equal(calls, c.canonical(want)) {
		t.Errorf("calls\n got %+v\nwant %+v", calls, want)
	}
	texts := strings.Join(got.texts(), "")
	if !strings.HasPrefix(texts, c.position.message) || strings.Count(texts, c.position.message) != 1 && c.position.message != "" {
		t.Errorf("the text is %q", texts)
	}
	if c.toldModel() && !strings.HasSuffix(texts, c.again()[0].Text) {
		t.Errorf("the model's second answer is missing in %q", texts)
	}
	notices := strings.Count(texts, "[Sluice")
	if c.outcome() != blocked {
		if notices > 0 {
			t.Errorf("nothing is to be said to the client, and the text is %q", texts)
		}
	} else {
		rest := texts
		for _, tool := range c.position.judged { // in the order of the calls
			_, after, said := strings.Cut(rest, "blocked the tool call "+tool+": "+c.verdict.says)
			if !said || !strings.Contains(strings.SplitAfter(after, "]")[0], "(policy "+policyName+")") {
				t.Errorf("no text for %s: %q", tool, texts)
			}
			rest = after
		}
		if notices != len(c.position.judged) {
			t.Errorf("%d texts for %d calls: %q", notices, len(c.position.judged), texts)
		}
	}
	if finish := c.finish(len(want) > 0); got.finish != finish {
		t.Errorf("finish %q, want %q", got.finish, finish)
	}
	if got.input != 11 || got.output != 7 {
		t.Errorf("usage %d and %d, want 11 and 7", got.input, got.output)
	}
}

// calls are what the program shall execute.
func (c cell) calls() []part {
	var calls []part
	for _, tool := range c.position.tools {
		call := callOf(tool)
		p := part{id: call.ID, name: call.Name, arguments: call.Arguments}
		if slices.Contains(c.position.judged, tool) {
			switch c.outcome() {
			case passes:
			case replaced:
				p.arguments = otherArguments(tool)
			case blocked, removed, aborted:
				continue
			}
		}
		calls = append(calls, p)
	}
	if c.toldModel() {
		for _, b := range c.again()[1:] {
			calls = append(calls, part{id: b.ID, name: b.Name, arguments: b.Arguments})
		}
	}
	return calls
}

// canonical makes arguments comparable where the client keeps them as a map.
func (c cell) canonical(calls []part) []part {
	if c.format != wire.Gemini {
		return calls
	}
	list := slices.Clone(calls)
	for i := range list {
		var value any
		if json.Unmarshal([]byte(list[i].arguments), &value) == nil {
			list[i].arguments, _ = marshal(value)
		}
	}
	return list
}

// finish is the dialect's finish reason.
func (c cell) finish(calls bool) string {
	words := map[wire.Format][2]string{
		wire.OpenAIChat:      {"stop", "tool_calls"},
		wire.Anthropic:       {"end_turn", "tool_use"},
		wire.OpenAIResponses: {"completed", "completed"},
		wire.Gemini:          {"STOP", "STOP"},
	}[c.format]
	if calls {
		return words[1]
	}
	return words[0]
}

// tells: the host got every denied call, in the right form.
func (c cell) tells(t *testing.T, model *told) {
	t.Helper()
	var denied, kept []string
	switch {
	case c.toldModel(), c.verdict.refuses && c.outcome() == blocked:
		denied = c.position.judged
	case c.outcome() == removed:
		kept = c.position.judged
	}
	for _, list := range []struct {
		name string
		got  []policy.Denial
		want []string
	}{{"sent back", model.denied, denied}, {"kept", model.kept, kept}} {
		var names []string
		for _, denial := range list.got {
			names = append(names, denial.Name)
			call := callOf(denial.Name)
			if denial.ID != call.ID || denial.Policy != policyName || !strings.Contains(denial.Text, c.verdict.says) ||
				c.canonical([]part{{arguments: denial.Arguments}})[0] != c.canonical([]part{{arguments: call.Arguments}})[0] {
				t.Errorf("%s: %+v", list.name, denial)
			}
		}
		if !slices.Equal(names, list.want) {
			t.Errorf("%s: %q, want %q", list.name, names, list.want)
		}
	}
}

// records: every block has one, and it says whether the block was delivered.
func (c cell) records(t *testing.T, records []policy.Record) {
	t.Helper()
	blocks := c.position.blocks()
	if c.toldModel() {
		blocks = append(blocks, c.again()...)
	}
	delivered := map[string]bool{}
	for _, r := range records {
		if r.Kind == llm.ToolCall {
			delivered[r.Name] = r.Delivered
		}
	}
	if len(records) != len(blocks) {
		t.Errorf("%d records on %d blocks: %+v", len(records), len(blocks), records)
	}
	want := c.calls()
	for _, b := range blocks {
		due := slices.ContainsFunc(want, func(p part) bool { return p.name == b.Name })
		if got, known := delivered[b.Name]; b.Kind == llm.ToolCall && (!known || got != due) {
			t.Errorf("the record of %s says delivered %t (there: %t), want %t", b.Name, got, known, due)
		}
	}
}

// replays: the provider takes the message back. What Anthropic refuses is text
// after a tool call, and text without a character.
func (c cell) replays(t *testing.T, got answered) {
	t.Helper()
	if c.format != wire.Anthropic {
		if got.replay == "" || strings.Contains(got.replay, `"content":""`) {
			t.Errorf("the message goes back as %s", got.replay)
		}
		return
	}
	var message struct {
		Role    string `json:"role"`
		Content []struct {
			Type  string         `json:"type"`
			Text  string         `json:"text"`
			ID    string         `json:"id"`
			Name  string         `json:"name"`
			Input map[string]any `json:"input"`
		} `json:"content"`
	}
	if err := json.Unmarshal([]byte(got.replay), &message); err != nil {
		t.Fatalf("the message goes back as %s: %v", got.replay, err)
	}
	called := false
	for _, b := range message.Content {
		switch b.Type {
		case "text":
			if called || strings.TrimSpace(b.Text) == "" {
				t.Errorf("the message goes back with a text after a call, or an empty one: %s", got.replay)
			}
		case "tool_use":
			called = true
			if b.ID == "" || b.Name == "" || b.Input == nil {
				t.Errorf("the message goes back with half a call: %s", got.replay)
			}
		}
	}
	if len(message.Content) == 0 || message.Role != "assistant" {
		t.Errorf("the message goes back empty: %s", got.replay)
	}
}
