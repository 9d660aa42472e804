package witness_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/witness"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Ten times the payloads, each read alone, cost ten times the work: every comparison
// of all that came of a call, or of all calls, would copy it.
func TestWorkIsLinear(t *testing.T) {
	const piece = "twenty bytes of text"
	chat := func(delta, finish string) string {
		return `{"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
	}
	anthropicStart := func(i int) string {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`, i)
	}
	anthropicDelta := func(i int) string {
		return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%q}}`, i, piece)
	}
	gemini := func(call string) string {
		return `{"candidates":[{"content":{"parts":[{"functionCall":{` + call + `,"willContinue":true}}]}}]}`
	}
	for _, tc := range []struct {
		name   string
		format wire.Format
		long   bool // one call is given n pieces, instead of n calls one
		answer func(n int) []string
	}{
		{"chat, a call that grows", wire.OpenAIChat, true, func(n int) []string {
			return append(times(n, chat(`{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"`+piece+`"}}]}`, "null")), chat(`{}`, `"tool_calls"`))
		}},
		{"chat, a finish that is repeated", wire.OpenAIChat, true, func(n int) []string {
			long := strings.Repeat(piece, n)
			return append([]string{chat(`{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"`+long+`"}}]}`, "null")},
				times(n, chat(`{"tool_calls":[{"index":0,"function":{"name":"f"}}]}`, `"tool_calls"`))...)
		}},
		{"anthropic, a call that grows", wire.Anthropic, true, func(n int) []string {
			return append([]string{anthropicStart(0)}, times(n, anthropicDelta(0))...)
		}},
		{"anthropic, many calls", wire.Anthropic, false, func(n int) []string {
			var all []string
			for i := range n {
				all = append(all, anthropicStart(i), anthropicDelta(i), fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
			}
			return append(all, times(n, `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`)...)
		}},
		{"responses, a call that grows", wire.OpenAIResponses, true, func(n int) []string {
			added := `{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"function_call","name":"f","arguments":""}}`
			return append([]string{added}, times(n, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"`+piece+`"}`)...)
		}},
		{"gemini, a call that grows", wire.Gemini, true, func(n int) []string {
			return append([]string{gemini(`"name":"f"`)}, times(n, gemini(`"partialArgs":[{"jsonPath":"$.a","stringValue":"`+piece+`","willContinue":true}]`))...)
		}},
		{"gemini, many calls", wire.Gemini, false, func(n int) []string {
			return times(n, gemini(`"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"`+piece+`"}]`))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cost := func(n int) uint64 {
				each := 1
				if tc.long {
					each = n
				}
				arguments := strings.Repeat(piece, each)
				if tc.format == wire.Gemini {
					arguments = `{"a":"` + arguments + `"}`
				}
				payloads := tc.answer(n)
				w := witness.New(tc.format, false)
				w.Allow(&llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: arguments})
				return allocated(func() {
					for _, p := range payloads {
						if err := w.Read(eventsOf(p)); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
			if a, b := cost(300), cost(3000); b > 20*a {
				t.Errorf("ten times the payloads allocate %d times the bytes", b/a)
			}
		})
	}
}

func times(n int, payload string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = payload
	}
	return all
}
