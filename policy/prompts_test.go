package policy_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// shouting is a policy that writes prompts in capitals, and notes those that it sees.
func shouting(t *testing.T, mode policy.Mode, seen *[]string) *policy.Set {
	t.Helper()
	set, err := policy.NewSet(policy.Definition{
		Name: "shouting", Applies: policy.KindsOf(policy.Prompt), Mode: mode,
		Policy: &policy.Policy{Change: func(_ context.Context, s *policy.Subject) policy.Change {
			*seen = append(*seen, s.Text())
			if strings.ToUpper(s.Text()) == s.Text() {
				return policy.Change{}
			}
			return policy.Change{Action: policy.Redact, Text: strings.ToUpper(s.Text())}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

const promptBody = ` { "model":"m","system" : "sys", "messages":[{"role":"user","content":[{"type":"text","text":"a\u0062"},{"type":"tool_result","tool_use_id":"t","content":"result"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"id","name":"n","input":{"id":"x","n":1}}]}],"tools":[{"name":"n","description":"d"}] }`

func TestWhatARequestSaysIsChangedAndNothingElse(t *testing.T) {
	t.Parallel()
	var seen []string
	var messages []int
	engine := policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{
		Format: wire.Anthropic, Record: func(r *policy.Record) { messages = append(messages, r.Message) },
	})
	sent, err := engine.JudgeRequest(t.Context(), []byte(promptBody))
	want := strings.NewReplacer(`"sys"`, `"SYS"`, `"a\u0062"`, `"AB"`, `"id":"x"`, `"id":"X"`).Replace(promptBody)
	if err != nil || string(sent) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, sent, want)
	}
	if got := strings.Join(seen, " "); got != "sys ab x" || len(messages) != 3 || messages[0] != -1 || messages[1] != 0 || messages[2] != 1 {
		t.Errorf("the policy sees %q, the records are about %v", got, messages)
	}
	// What needs no change keeps its bytes, and so does what is only watched.
	engine = policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{Format: wire.Anthropic})
	if again, err := engine.JudgeRequest(t.Context(), sent); err != nil || &again[0] != &sent[0] {
		t.Errorf("%v: %s", err, again)
	}
	engine = policy.NewEngine(shouting(t, policy.Shadow, &seen), nil, policy.Options{Format: wire.Anthropic})
	body := []byte(promptBody)
	if same, err := engine.JudgeRequest(t.Context(), body); err != nil || &same[0] != &body[0] {
		t.Errorf("in shadow: %v: %s", err, same)
	}
}

// A policy about results is not about prompts, and the other way round.
func TestResultsAndPromptsAreToldApart(t *testing.T) {
	t.Parallel()
	var seen []string
	engine := policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{Format: wire.Anthropic})
	if sent, err := engine.JudgeResults(t.Context(), []byte(promptBody)); err != nil || string(sent) != promptBody || len(seen) > 0 {
		t.Errorf("%v: %s, %q", err, sent, seen)
	}
}

// What cannot be read is not sent where somebody would have to judge it.
func TestAPromptThatCannotBeReadIsNotSent(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, body := range []string{`[1]`, `{"messages":[{"role":"user","content":"x"}]`, `"x"`, `{"messages":[]} x`} {
		engine := policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{Format: wire.Anthropic})
		if sent, err := engine.JudgeRequest(t.Context(), []byte(body)); err == nil {
			t.Errorf("%s is sent as %s", body, sent)
		}
	}
	engine := policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{Format: wire.Anthropic})
	if sent, err := engine.JudgeRequest(t.Context(), nil); err != nil || sent != nil {
		t.Errorf("no body: %v, %s", err, sent)
	}
}

func TestTheTextsOfPromptsAreBounded(t *testing.T) {
	t.Parallel()
	for extra, want := range map[int]bool{0: true, 1: false} {
		var seen []string
		body := `{"messages":[{"role":"user","content":[` + strings.Repeat(`{"type":"text","text":"A"},`, policy.MaxPromptTexts+extra-1) + `{"type":"text","text":"A"}]}]}`
		engine := policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{Format: wire.Anthropic})
		_, err := engine.JudgeRequest(t.Context(), []byte(body))
		if limit, ok := errors.AsType[*policy.LimitError](err); (err == nil) != want || !want && (!ok || limit.Limit != policy.MaxPromptTexts) {
			t.Errorf("%d more than the limit: %v", extra, err)
		}
	}
}

// However deep and strange a request is, it is read in one go.
func TestPromptsOfHostileRequestsAreReadOnce(t *testing.T) {
	t.Parallel()
	deep := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for name, body := range map[string]string{
		"objects":  `{"messages":[{"role":"user","content":[` + deep(`{"source":`, `{"data":"a"}`, `}`, 400) + `]}]}`,
		"lists":    `{"input":` + deep(`[`, `"a"`, `]`, 400) + `}`,
		"wrapped":  deep(`{"generateContentRequest":`, `{"contents":[]}`, `}`, 400),
		"data":     `{"messages":[{"content":[{"data":"a","data":"b","type":"base64"}]}]}`,
		"no parts": `{"messages":[{},null,1,"a",[],[[]],{"content":null},{"parts":{}}],"system":null,"input":{}}`,
	} {
		var seen []string
		engine := policy.NewEngine(shouting(t, policy.Enforce, &seen), nil, policy.Options{Format: wire.Anthropic})
		sent, err := engine.JudgeRequest(t.Context(), []byte(body))
		if err != nil || !bytes.EqualFold(sent, []byte(body)) {
			t.Errorf("%s: %v, %.200s", name, err, sent)
		}
	}
}
