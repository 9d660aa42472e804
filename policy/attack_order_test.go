package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// Clients that append each piece of a Chat call to the call that began last, whatever its
// index, read the calls that were judged: calls that mix leave one after the other.
func TestAttackCallsThatMixLeaveInOrder(t *testing.T) {
	t.Parallel()
	chunk := func(delta, finish string) string {
		return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
	}
	for _, kind := range [][2]string{{"function", "arguments"}, {"custom", "input"}} {
		begin := func(index, text string) string {
			return chunk(`{"tool_calls":[{"index":`+index+`,"id":"call_`+index+`","type":"`+kind[0]+`","`+kind[0]+`":{"name":"good","`+kind[1]+`":"`+text+`"}}]}`, "null")
		}
		piece := func(index, text string) string {
			return chunk(`{"tool_calls":[{"index":`+index+`,"`+kind[0]+`":{"`+kind[1]+`":"`+text+`"}}]}`, "null")
		}
		// By index: {"s":"a9ZZY"} and {"s":"X"}; by order the second is {"s":"X9ZZY"}.
		answer := string(sluicetest.SSE(sluicetest.OpenAIChat, []string{
			chunk(`{"role":"assistant","content":""}`, "null"), begin("0", `{\"s\":\"a`), begin("1", `{\"s\":\"X`), piece("0", `9ZZY\"}`), piece("1", `\"}`),
			chunk(`{}`, `"tool_calls"`), "[DONE]",
		}))
		d := keepsMark(t, kind[0], sluicetest.OpenAIChat, answer)
		if d.Err != nil {
			t.Fatal(d.Err)
		}
		byOrder, byIndex := []string{}, map[int]string{}
		for line := range strings.Lines(string(d.Bytes)) {
			var p struct {
				Choices []struct {
					Delta struct {
						Calls []struct {
							Index    int               `json:"index"`
							ID       string            `json:"id"`
							Function map[string]string `json:"function"`
							Custom   map[string]string `json:"custom"`
						} `json:"tool_calls"`
					} `json:"delta"`
				} `json:"choices"`
			}
			if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &p) != nil || len(p.Choices) == 0 {
				continue
			}
			for _, c := range p.Choices[0].Delta.Calls {
				text := c.Function["arguments"] + c.Custom["input"]
				if c.ID != "" {
					byOrder = append(byOrder, "")
				}
				byOrder[len(byOrder)-1] += text
				byIndex[c.Index] += text
			}
		}
		if len(byOrder) != 2 || byOrder[0] != `{"s":"a9ZZY"}` || byOrder[1] != `{"s":"X"}` || byIndex[0] != byOrder[0] || byIndex[1] != byOrder[1] {
			t.Errorf("%s: by order %q, by index %v\n%s", kind[0], byOrder, byIndex, d.Bytes)
		}
	}
}
