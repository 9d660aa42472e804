package openairesponses_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// item is a block with the item that it was read from.
func item(b llm.Block, raw string) llm.Block {
	b.Raw = json.RawMessage(raw)
	return b
}

func reasoned(n int, proof string) llm.Block {
	encrypted := ""
	if proof != "" {
		encrypted = `,"encrypted_content":"` + proof + `"`
	}
	return item(llm.Block{Kind: llm.Thinking, Type: "reasoning", ID: fmt.Sprint("rs_", n), Text: "hm", Signature: proof},
		fmt.Sprintf(`{"id":"rs_%d","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]%s}`, n, encrypted))
}

func spoken(n int) llm.Block {
	return item(llm.Block{Kind: llm.Content, Type: "message", ID: fmt.Sprint("msg_", n), Text: "so"},
		fmt.Sprintf(`{"id":"msg_%d","type":"message","status":"completed","role":"assistant","phase":"commentary","content":[{"type":"output_text","annotations":[],"text":"so"}]}`, n))
}

func called(n int) llm.Block {
	return item(llm.Block{Kind: llm.ToolCall, Type: "function_call", ID: fmt.Sprint("call_", n), Name: "f", Arguments: "{}"},
		fmt.Sprintf(`{"id":"fc_%d","type":"function_call","call_id":"call_%d","name":"f","arguments":"{}"}`, n, n))
}

func searched(n int) llm.Block {
	return item(llm.Block{Kind: llm.ServerTool, Type: "web_search_call", ID: fmt.Sprint("ws_", n), Arguments: `{"query":"x"}`},
		fmt.Sprintf(`{"id":"ws_%d","type":"web_search_call","action":{"query":"x"}}`, n))
}

// asked writes a history whose calls are answered, and returns its input items.
func asked(t *testing.T, extra map[string]json.RawMessage, answers ...[]llm.Block) string {
	t.Helper()
	req := llm.Request{Model: "m", Extra: extra}
	for _, blocks := range answers {
		req.Messages = append(req.Messages, turnOf(llm.User, saidBlock("go")), llm.Message{Role: llm.Assistant, Blocks: blocks})
		results := llm.Message{Role: llm.ToolRole}
		for _, b := range blocks {
			if b.Kind == llm.ToolCall {
				results.Blocks = append(results.Blocks, resultBlock(b.ID, "1"))
			}
		}
		if len(results.Blocks) > 0 {
			req.Messages = append(req.Messages, results)
		}
	}
	body, err := openairesponses.AppendRequest(nil, &req)
	if err != nil {
		t.Fatal(err)
	}
	if err := sluicetest.ValidateRequest("openai-responses", body); err != nil {
		t.Errorf("%v\n%s", err, body)
	}
	return string(body)
}

func TestAnAnswerGoesBackAsItCame(t *testing.T) {
	blocks := []llm.Block{reasoned(1, ""), spoken(1), spoken(2), reasoned(2, "E"), searched(1), reasoned(3, ""), called(1), called(2)}
	body := asked(t, nil, blocks)
	for _, b := range blocks {
		if !strings.Contains(body, string(b.Raw)) {
			t.Errorf("%s is not in %s", b.Raw, body)
		}
	}
}

// Each of these breaks what the provider knows of the answer, so no id of it is sent,
// and only reasoning that proves itself.
func TestAnAnswerThatIsNotAsItCameClaimsNoIDs(t *testing.T) {
	long := "msg_" + strings.Repeat("1", 60) // at the limit
	renamed := func(b llm.Block, from, to string) llm.Block {
		b.Raw = json.RawMessage(strings.Replace(string(b.Raw), `"id":"`+from+`"`, `"id":"`+to+`"`, 1))
		if b.ID == from {
			b.ID = to
		}
		return b
	}
	changed := spoken(1)
	changed.Text = "other"
	bare := spoken(1)
	bare.Raw = nil
	nameless := item(spoken(1), `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"so"}]}`)
	nameless.ID = ""
	partly := item(spoken(1), `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"so"},{"type":"output_picture"}]}`)
	foreign := item(llm.Block{Kind: llm.Content, Type: "text", Text: "so"}, `{"type":"text","text":"so"}`)
	for name, c := range map[string]struct {
		said  llm.Block
		extra string
		named bool
	}{
		"as it came":                       {said: spoken(1), named: true},
		"an id at the limit":               {said: renamed(spoken(1), "msg_1", long), named: true},
		"an id over the limit":             {said: renamed(spoken(1), "msg_1", long+"1")},
		"an id of another kind":            {said: renamed(spoken(1), "msg_1", "gen-1")},
		"an id that is not plain":          {said: renamed(spoken(1), "msg_1", "msg_1|2")},
		"a text that was changed":          {said: changed},
		"a text without its item":          {said: bare},
		"an item without an id":            {said: nameless},
		"a part that is no block":          {said: partly},
		"a text of another dialect":        {said: foreign},
		"a server that is asked to forget": {said: spoken(1), extra: "false"},
		"a server that is asked to store":  {said: spoken(1), extra: " true", named: true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, proof := range []string{"", "E"} {
				var extra map[string]json.RawMessage
				if c.extra != "" {
					extra = map[string]json.RawMessage{"store": json.RawMessage(c.extra)}
				}
				body := asked(t, extra, []llm.Block{reasoned(1, proof), c.said, searched(1), called(1)})
				if has := strings.Contains(body, `"id":`); has != c.named {
					t.Errorf("ids are sent: %t: %s", has, body)
				}
				if has := strings.Contains(body, `"type":"reasoning"`); has != (c.named || proof != "") {
					t.Errorf("reasoning is sent: %t: %s", has, body)
				}
				if has := strings.Contains(body, "web_search_call"); has != c.named {
					t.Errorf("what the provider ran is sent: %t: %s", has, body)
				}
				if !strings.Contains(body, `"text":"`+c.said.Text+`"`) || !strings.Contains(body, `"call_id":"call_1"`) {
					t.Errorf("something is missing: %s", body)
				}
			}
		})
	}
}

func TestIDsAreUsedOnce(t *testing.T) {
	body := asked(t, nil, []llm.Block{reasoned(1, ""), spoken(1)}, []llm.Block{reasoned(1, ""), spoken(1)}, []llm.Block{reasoned(2, ""), spoken(2)})
	if strings.Count(body, `"id":"rs_1"`) != 1 || strings.Count(body, `"id":"msg_1"`) != 1 || strings.Count(body, `"id":"rs_2"`) != 1 {
		t.Error(body)
	}
}

func TestReasoningThatNothingFollowsIsLeftOut(t *testing.T) {
	for name, blocks := range map[string][]llm.Block{
		"alone":                      {reasoned(1, "E")},
		"twice":                      {reasoned(1, "E"), reasoned(2, "E")},
		"before an empty text":       {reasoned(1, "E"), {Kind: llm.Content, ID: "msg_1"}},
		"before what is not sent":    {{Kind: llm.Content, Text: "x"}, reasoned(1, "E"), searched(1)},
		"at the end of what is sent": {spoken(1), reasoned(1, "")},
	} {
		if body := asked(t, nil, blocks); strings.Contains(body, "reasoning") {
			t.Errorf("%s: %s", name, body)
		}
	}
}

// The items of a history that was read from a request are messages of their own.
func TestItemsOfARequestGoBackAsTheyCame(t *testing.T) {
	in := `{"model":"m","input":[{"type":"message","role":"user","content":"go"},` + string(reasoned(1, "").Raw) + "," + string(called(1).Raw) +
		`,{"type":"function_call_output","call_id":"call_1","output":"1"}]}`
	req, err := openairesponses.ReadRequest([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	out, err := openairesponses.AppendRequest(nil, req)
	if err != nil || !strings.Contains(string(out), string(reasoned(1, "").Raw)+","+string(called(1).Raw)) {
		t.Errorf("%v: %s", err, out)
	}
}
