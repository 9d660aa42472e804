package sluicetest_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

func TestStoredItemsAreTakenBackAsTheyWereOnly(t *testing.T) {
	t.Parallel()
	const (
		user   = `{"type":"message","role":"user","content":"go"}`
		first  = `{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"E"}`
		said   = `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}`
		second = `{"id":"rs_2","type":"reasoning","summary":[]}`
		call   = `{"id":"fc_1","type":"function_call","call_id":"a","name":"f","arguments":"{}"}`
		reply  = `{"type":"function_call_output","call_id":"a","output":"1"}`
	)
	var stored sluicetest.StoredItems
	if err := stored.Answered(`{"type":"response.created","response":{"output":[]}}`,
		`{"type":"response.completed","response":{"output":[`+strings.Join([]string{first, said, second, call}, ",")+`]}}`); err != nil {
		t.Fatal(err)
	}
	bare := func(item string) string { _, rest, _ := strings.Cut(item, `",`); return "{" + rest }
	for name, c := range map[string]struct {
		items []string
		rules string
	}{
		"as it was":                      {[]string{user, first, said, second, call, reply, user}, ""},
		"without ids":                    {[]string{user, bare(first), bare(said), bare(call), reply}, ""},
		"a message without its id":       {[]string{user, first, bare(said), second, call, reply}, "item-follower reasoning-follower"},
		"a call without its reasoning":   {[]string{user, first, said, call, reply}, "item-reasoning"},
		"a message without reasoning":    {[]string{user, said, second, call, reply}, "item-reasoning"},
		"reasoning before another item":  {[]string{user, first, second, call, reply}, "item-follower"},
		"reasoning that the window left": {[]string{first, user, said}, "item-follower item-reasoning reasoning-alone"},
		"a text that was changed":        {[]string{user, first, strings.Replace(said, `"x"`, `"y"`, 1), second, call, reply}, "item-changed"},
		"an id of somebody else":         {[]string{user, strings.Replace(said, `msg_1`, `msg_2`, 1)}, "item-unknown"},
	} {
		err := stored.Refuses([]byte(`{"model":"m","input":[` + strings.Join(c.items, ",") + `]}`))
		if got := strings.Join(rules(t, err), " "); got != c.rules {
			t.Errorf("%s: refused for %q, want %q: %v", name, got, c.rules, err)
		}
	}
	if err := stored.Answered("{"); err == nil {
		t.Error("an answer that is no JSON was stored")
	}
	if err := stored.Refuses([]byte("{")); err == nil {
		t.Error("a request that is no JSON was taken")
	}
}

func TestABuiltAnswerIsTakenBack(t *testing.T) {
	t.Parallel()
	blocks := []llm.Block{thought("reasoning", "Hm.", ""), said("So."), thought("reasoning", "Hm!", ""), called("a", "step", "{}")}
	payloads := sluicetest.Build(sluicetest.OpenAIResponses, [][]llm.Block{blocks}, sluicetest.BuildOptions{})
	var stored sluicetest.StoredItems
	if err := stored.Answered(payloads...); err != nil {
		t.Fatal(err)
	}
	_, output, _ := strings.Cut(payloads[len(payloads)-1], `"output":[`)
	output, _, _ = strings.Cut(output, `],"error"`)
	body := []byte(`{"model":"m","input":[` + output + `,{"type":"function_call_output","call_id":"a","output":"1"}]}`)
	if err := stored.Refuses(body); err != nil {
		t.Error(err)
	}
	if err := sluicetest.ValidateRequest(wire.OpenAIResponses, body); err != nil {
		t.Error(err)
	}
}
