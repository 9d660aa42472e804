package policies_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
)

// Summaries go through the same guard as the conversation.
func Example_summaries() {
	guard, err := policies.Load("testdata/policies.yaml")
	if err != nil {
		log.Fatal(err)
	}
	small := scripted.New(scripted.Round{scripted.Text("The user asked for the key.")})
	guarded, err := agent.NewClient(small, guard)
	if err != nil {
		log.Fatal(err)
	}
	conversations, err := memory.New(memory.NewInMemory(), memory.Options{
		Window: memory.Summarise(guarded.Model(), 4, memory.SummaryOptions{Keep: 3}),
	})
	if err != nil {
		log.Fatal(err)
	}
	client, err := agent.New(agent.Config{
		Model: scripted.New(
			scripted.Round{scripted.Call("read_file", `{"path":"notes.txt"}`)}, scripted.Round{scripted.Text("It is in your notes.")},
			scripted.Round{scripted.Text("You are welcome.")},
		),
		Tools: []*agent.Tool{{Name: "read_file", Run: func(context.Context, agent.Call) (agent.Output, error) {
			return agent.Output{Text: "the key is sk-1234567890"}, nil
		}}},
		Memory: conversations, Advisors: []agent.Advisor{guard},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"Where is the key?", "Thanks!"} {
		if _, err := client.Call(context.Background(), &agent.Request{Conversation: "ada", Text: text}); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(small.Requests()[0].Messages[0].Blocks[0].Text)
	// Output:
	// <conversation>
	// <message role="user">Where is the key?</message>
	// <call tool="read_file">{&quot;path&quot;:&quot;notes.txt&quot;}</call>
	// <result>the key is [key]</result>
	// <message role="assistant">It is in your notes.</message>
	// </conversation>
}

// summarised lets a guarded model summarise a turn with a secret in its result, and
// returns what is kept.
func summarised(t *testing.T, yaml string, small *scripted.Model, opts memory.SummaryOptions) ([]llm.Message, error) {
	t.Helper()
	guard, err := policies.New(policies.Config{Set: load(t, yaml)})
	if err != nil {
		t.Fatal(err)
	}
	guarded, err := agent.NewClient(small, guard)
	if err != nil {
		t.Fatal(err)
	}
	m, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Summarise(guarded.Model(), 4, opts)})
	if err != nil {
		t.Fatal(err)
	}
	say := func(role llm.Role, text string) llm.Message {
		return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}
	}
	version, err := m.Add(t.Context(), "c", 0, say(llm.User, "Read it."),
		llm.Message{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.ToolCall, ID: "a", Name: "read", Arguments: `{}`}, {Kind: llm.ToolCall, ID: "b", Name: "read", Arguments: `{}`}}},
		llm.Message{Role: llm.ToolRole, Blocks: []llm.Block{
			{Kind: llm.ToolResult, ToolUseID: "a", Text: "one sk-1" + strings.Repeat(" and more", 1200) + " sk-22"},
			{Kind: llm.ToolResult, ToolUseID: "b", Text: "nothing"},
		}},
		say(llm.Assistant, "Done."))
	if err != nil {
		t.Fatal(err)
	}
	_, failed := m.Add(t.Context(), "c", version, say(llm.User, "Thanks."), say(llm.Assistant, "Gladly."))
	kept, err := m.Get(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	return kept.Messages, failed
}

func TestASummariserNeverSeesWhatTheGuardRedacts(t *testing.T) {
	for _, input := range []int{0, 100, 9000} { // in one part, and in several
		small := scripted.New(slices.Repeat([]scripted.Round{{scripted.Text("all of it, with sk-4444")}}, 9)...)
		kept, err := summarised(t, noKeys, small, memory.SummaryOptions{Input: input, MaxTokens: 77, Instructions: "Sum up."})
		if err != nil {
			t.Fatal(err)
		}
		asked := ""
		for _, req := range small.Requests() {
			if req.MaxTokens != 77 || len(req.System) != 1 || req.System[0].Text != "Sum up." || len(req.Tools) > 0 {
				t.Errorf("%+v", req)
			}
			for _, m := range req.Messages {
				for _, b := range m.Blocks {
					asked += b.Text
				}
			}
		}
		if strings.Contains(asked, "sk-1") || strings.Contains(asked, "sk-22") || strings.Count(asked, "[key]") < 2 || !strings.Contains(asked, "<result>nothing</result>") {
			t.Errorf("input %d: the model of the summary was shown %.300s", input, asked)
		}
		if text := kept[0].Blocks[0].Text; len(kept) != 3 || text != memory.SummaryPrefix+"all of it, with [key]" {
			t.Errorf("input %d: %d messages are kept, and the summary is %q", input, len(kept), text)
		}
	}
}

func TestASummaryThatThePoliciesBlockIsNotRemembered(t *testing.T) {
	block := func(then string) string {
		return "policies:\n  - name: no-plans\n    applies_to: [content]\n    when: text.contains(\"plan\")\n    then: " + then + "\n    reason: secret\n"
	}
	withheld := func(err error) bool { _, ok := errors.AsType[*agent.WithheldError](err); return ok }
	for name, tc := range map[string]struct {
		yaml, says string
		check      func(error) bool
	}{
		"blocked":                 {block("block"), "the plan", withheld},
		"aborted":                 {block("abort"), "the plan", func(err error) bool { return err != nil }},
		"not blocked":             {block("block"), "the rest", func(err error) bool { return err == nil }},
		"a result that is denied": {strings.NewReplacer("[content]", "[tool_result]", "text.contains(\"plan\")", "result.text.contains(\"sk-\")").Replace(block("abort")), "x", func(err error) bool { return err != nil }},
	} {
		t.Run(name, func(t *testing.T) {
			kept, err := summarised(t, tc.yaml, scripted.New(scripted.Round{scripted.Text(tc.says)}), memory.SummaryOptions{})
			if !tc.check(err) {
				t.Errorf("%v", err)
			}
			if err != nil && len(kept) != 4 {
				t.Errorf("%d messages are kept, want all four as they were", len(kept))
			}
			for _, m := range kept {
				if text := m.Blocks[0].Text; strings.Contains(text, "plan") || strings.Contains(text, "Sluice") {
					t.Errorf("the memory has %q", text)
				}
			}
		})
	}
}

func TestAGuardedClientIsAModel(t *testing.T) {
	guard, err := policies.New(policies.Config{Set: load(t, noKeys)})
	if err != nil {
		t.Fatal(err)
	}
	client, err := agent.NewClient(scripted.New(
		scripted.Round{scripted.Thinking("hm"), scripted.Text("it is sk-1"), scripted.Refusal("no sk-2")},
		scripted.Round{scripted.Text("cut"), scripted.Finish(llm.FinishLength)},
		scripted.Round{scripted.Fail(errors.New("broken"))},
	), guard)
	if err != nil {
		t.Fatal(err)
	}
	m := client.Model()
	ask := &llm.Request{Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "?"}}}}}
	response, err := model.Collect(t.Context(), m, ask)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, b := range response.Choices[0].Blocks {
		said += b.Kind.String() + " " + b.Text + "; "
	}
	if said != "thinking hm; content it is [key]; refusal no [key]; " {
		t.Error(said)
	}
	for range m.Stream(t.Context(), ask) { // leaving early
		break
	}
	if _, err := model.Collect(t.Context(), m, ask); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
	ask.Tools = []llm.Tool{{Name: "f"}}
	if _, err := model.Collect(t.Context(), m, ask); err == nil || !strings.Contains(err.Error(), "tools") {
		t.Error(err)
	}
}
