package policy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// Arguments that come as an object, in a piece after the name, are skipped by clients that
// add texts to the arguments of the first piece: they would run the call with what it began
// with. Such a call leaves with its arguments as a text.
func TestAttackArgumentsAreNoObjectAfterTheName(t *testing.T) {
	t.Parallel()
	for _, began := range []string{`"name":"good","arguments":""`, `"name":"good"`, `"name":"good","arguments":null`} {
		for _, index := range []string{`"index":0,`, ``} {
			for _, id := range []string{``, `"id":"call_1",`, `"id":"call_1","type":"function",`} {
				chunk := `{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`
				left, allowed, err := withoutHarm(t, wire.OpenAIChat, nil,
					fmt.Sprintf(chunk, `{"role":"assistant","tool_calls":[{`+index+`"id":"call_1","type":"function","function":{`+began+`}}]}`, "null"),
					fmt.Sprintf(chunk, `{"tool_calls":[{`+index+id+`"function":{"arguments":{"n":1}}}]}`, "null"),
					fmt.Sprintf(chunk, `{}`, `"tool_calls"`), "[DONE]")
				var name, arguments string
				for _, payload := range left {
					var c struct {
						Choices []struct {
							Delta struct {
								Calls []struct {
									Function struct {
										Name      string `json:"name"`
										Arguments any    `json:"arguments"`
									} `json:"function"`
								} `json:"tool_calls"`
							} `json:"delta"`
						} `json:"choices"`
					}
					if payload == "[DONE]" {
						continue
					}
					if err := json.Unmarshal([]byte(payload), &c); err != nil {
						t.Fatal(err)
					}
					for _, choice := range c.Choices {
						for _, call := range choice.Delta.Calls {
							name += call.Function.Name
							text, _ := call.Function.Arguments.(string)
							arguments += text
						}
					}
				}
				if err != nil || !allowed[[2]string{name, arguments}] {
					t.Errorf("began with %s, then %q %q: a client reads %q %q, %v\n%s", began, index, id, name, arguments, err, strings.Join(left, "\n"))
				}
			}
		}
	}
}
