package openaichat_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// chunk is a payload with one choice: its delta and its finish, "" for null.
func chunk(delta, finish string) string { return choice(0, delta, finish) }

func choice(number int, delta, finish string) string {
	word := "null"
	if finish != "" {
		word = `"` + finish + `"`
	}
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":%d,"delta":%s,"finish_reason":%s}]}`, number, delta, word)
}

// calls is a delta with entries of tool_calls.
func calls(entries ...string) string { return `{"tool_calls":[` + strings.Join(entries, ",") + `]}` }

const done = "[DONE]"

var role = chunk(`{"role":"assistant","content":""}`, "")

// Each case is a stream as a provider sends it, and what it means.
var decoderCases = []struct {
	name       string
	in         []string
	want       string
	deviations string
	err        string
}{
	{
		name: "text in runs",
		in:   []string{role, chunk(`{"content":"Hello"}`, ""), chunk(`{"content":" you"}`, ""), chunk(`{}`, "stop"), done},
		want: "content \"Hello you\"\nfinish stop stop\n",
	},
	{
		name: "1: index 0 for every parallel call",
		in: []string{
			role,
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}`), ""),
			chunk(calls(`{"index":0,"id":"b","type":"function","function":{"name":"f","arguments":"{\"x\":2}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a f \"{\\\"x\\\":1}\"\ntool_call b f \"{\\\"x\\\":2}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-index-reused",
	},
	{
		name: "2: index missing",
		in: []string{
			chunk(calls(`{"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"id":"b","function":{"name":"g","arguments":"{}"}}`), "tool_calls"), done,
		},
		want:       "tool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-index-missing",
	},
	{
		name: "3: continuation without id and index",
		in: []string{
			chunk(calls(`{"id":"a","type":"function","function":{"name":"save","arguments":""}}`), ""),
			chunk(calls(`{"id":"","type":"","function":{"arguments":"{\"k\":"}}`), ""),
			chunk(calls(`{"id":"","function":{"arguments":"1}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a save \"{\\\"k\\\":1}\"\nfinish tool_calls tool_calls\n",
		deviations: "schema-mismatch tool-index-missing",
	},
	{
		name: "3: a second named call without id and index is a new one",
		in: []string{
			chunk(calls(`{"function":{"name":"f","arguments":"{}"}}`), ""),
			chunk(calls(`{"function":{"name":"g","arguments":"{}"}}`), "tool_calls"), done,
		},
		want:       "tool_call  f \"{}\"\ntool_call  g \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-missing tool-index-missing",
	},
	{
		name: "4: empty id on continuations and an empty delta at the end",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"id":"","type":"function","function":{"arguments":"{}"}}`), ""),
			chunk(calls(`{"index":0,"id":"","function":{"arguments":""}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want: "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "5: id, type and name on every delta",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{"}}`), ""),
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-repeated",
	},
	{
		name: "6: the id changes from delta to delta",
		in: []string{
			chunk(calls(`{"index":0,"id":"a1","type":"function","function":{"name":"f","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"id":"a2","function":{"arguments":"{"}}`), ""),
			chunk(calls(`{"index":0,"id":"a3","function":{"arguments":"}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a1 f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-rotates",
	},
	{
		name: "7: no id at all",
		in: []string{
			chunk(calls(`{"index":0,"type":"function","function":{"name":"f","arguments":"{"}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":"}"}}`), ""),
			chunk(calls(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call  f \"{}\"\ntool_call  f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-missing tool-index-reused",
	},
	{
		name: "7: the id comes late",
		in: []string{
			chunk(calls(`{"index":0,"function":{"name":"f","arguments":"{"}}`), ""),
			chunk(calls(`{"index":0,"id":"a","function":{"arguments":"}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-late",
	},
	{
		name:       "8: a call without a name is malformed",
		in:         []string{chunk(calls(`{"index":0,"function":{"arguments":"{}"}}`), "tool_calls"), done},
		want:       "tool_call   \"{}\" malformed\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-missing tool-name-late tool-name-missing",
	},
	{
		name: "9: two calls share an id",
		in: []string{
			chunk(calls(`{"index":0,"id":"call_0","function":{"name":"f","arguments":"{}"}}`), ""),
			chunk(calls(`{"index":1,"id":"call_0","function":{"name":"g","arguments":"{}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call call_0 f \"{}\"\ntool_call call_0 g \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-id-duplicate",
	},
	{
		name: "10: the name comes after the id",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"arguments":""}}`), ""),
			chunk(calls(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-name-late",
	},
	{
		name: "11: the name in fragments",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","function":{"name":"get_","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"function":{"name":"time","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"function":{"name":"get_time","arguments":"{}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a get_time \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-name-split",
	},
	{
		name: "12: an empty name on continuations",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"function":{"name":"","arguments":"{}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want: "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "13: the first index is 1",
		in: []string{
			chunk(calls(`{"index":1,"id":"a","type":"function","function":{"name":"f","arguments":""}}`), ""),
			chunk(calls(`{"index":1,"function":{"arguments":"{}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-index-gap",
	},
	{
		name: "14, 15, 23: whole calls in one delta together with the finish",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`,
				`{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}`), "tool_calls"), done,
		},
		want: "tool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "16: interleaved calls",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`,
				`{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":"{\"p\""}}`, `{"index":1,"function":{"arguments":"{\"q\""}}`), ""),
			chunk(calls(`{"index":1,"function":{"arguments":":2}"}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":":1}"}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want:       "tool_call a f \"{\\\"p\\\":1}\"\ntool_call b g \"{\\\"q\\\":2}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-calls-interleave",
	},
	{
		name: "17: white space before and after a call is content",
		in: []string{
			chunk(`{"content":"\n"}`, ""),
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`), ""),
			chunk(`{"content":" "}`, ""), chunk(`{}`, "tool_calls"), done,
		},
		want: "content \"\\n\"\ntool_call a f \"{}\"\ncontent \" \"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "18: arguments as an object",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":{ "x" : [1, 2] }}}`), "tool_calls"), done,
		},
		want:       "tool_call a f \"{\\\"x\\\":[1,2]}\"\nfinish tool_calls tool_calls\n",
		deviations: "arguments-as-object",
	},
	{
		name: "19: no arguments",
		in:   []string{chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`), "tool_calls"), done},
		want: "tool_call a f \"\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "20: an empty argument delta with the finish",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f"}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":"{}"}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":""}}`), "tool_calls"), done,
		},
		want: "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "21: arguments that parse early go on",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"q\":\"x\"}"}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":" "}}`), ""),
			chunk(`{}`, "tool_calls"), done,
		},
		want: "tool_call a f \"{\\\"q\\\":\\\"x\\\"} \"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "22: stop with tool calls",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`), "stop"), done,
		},
		want:       "tool_call a f \"{}\"\nfinish stop stop\n",
		deviations: "finish-stop-with-calls",
	},
	{
		name: "24: finish twice",
		in: []string{
			chunk(`{"content":"x"}`, ""), chunk(`{"content":""}`, "stop"), chunk(`{"role":"assistant","content":""}`, "stop"), done,
		},
		want:       "content \"x\"\nfinish stop stop\n",
		deviations: "finish-repeated",
	},
	{
		name:       "25: never a finish, text",
		in:         []string{chunk(`{"content":"x"}`, ""), done},
		want:       "content \"x\"\nfinish  stop inferred\n",
		deviations: "finish-missing",
	},
	{
		name: "25: never a finish, calls",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`), ""), done,
		},
		want:       "tool_call a f \"{}\"\nfinish  tool_calls inferred\n",
		deviations: "finish-missing",
	},
	{
		name: "29: a first chunk without choices, id and model",
		in: []string{
			`{"id":"","object":"","model":"","created":0,"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`,
			role, chunk(`{"content":"x"}`, "stop"), done,
		},
		want: "content \"x\"\nfinish stop stop\n",
	},
	{
		name: "30: filter results beside the delta",
		in: []string{
			`{"id":"c1","choices":[{"index":0,"delta":{"content":"x"},"content_filter_results":{"hate":{"filtered":false}},"finish_reason":null}]}`,
			`{"id":"c1","choices":[{"index":0,"content_filter_offsets":{"check_offset":1},"content_filter_results":{},"finish_reason":null}]}`,
			chunk(`{}`, "content_filter"), done,
		},
		want: "content \"x\"\nfinish content_filter filtered\n",
	},
	{
		name: "31: choices interleave, two in one payload",
		in: []string{
			chunk(`{"role":"assistant","content":"A"}`, ""),
			choice(1, `{"role":"assistant","content":"B"}`, ""),
			`{"id":"c1","choices":[{"index":1,"delta":{"content":"b"}},{"delta":{"content":"a"},"index":0,"finish_reason":"stop"}]}`,
			choice(1, `{}`, "length"), done,
		},
		want: "content \"Aa\"\nfinish stop stop\nchoice 1\ncontent \"Bb\"\nfinish length length\n",
	},
	{
		name: "36: role on every chunk, empty or null",
		in: []string{
			chunk(`{"role":"assistant","content":"a"}`, ""), chunk(`{"role":"","content":"b"}`, ""),
			chunk(`{"role":null,"content":"c"}`, ""), chunk(`{"role":"assistant"}`, "stop"), done,
		},
		want: "content \"abc\"\nfinish stop stop\n",
	},
	{
		name: "37: every member there as null or empty",
		in: []string{
			chunk(`{"role":"assistant","content":"a","refusal":"","tool_calls":null,"function_call":null,"audio":null,"reasoning_content":null,"reasoning":""}`, ""),
			chunk(`{"content":"","tool_calls":[],"refusal":null}`, ""), chunk(`{"content":"b"}`, "stop"), done,
		},
		want: "content \"ab\"\nfinish stop stop\n",
	},
	{
		name: "38: null delta and null choices",
		in: []string{
			`{"id":"c1","choices":[{"index":0,"delta":null,"finish_reason":null}]}`, `{"id":"c1","choices":null}`,
			chunk(`{"content":"a"}`, ""), `{"id":"c1","choices":[null],"usage":null}`, chunk(`{}`, "stop"), done,
		},
		want: "content \"a\"\nfinish stop stop\n",
	},
	{
		name: "39: reasoning_content",
		in: []string{
			chunk(`{"reasoning_content":"hm","content":null}`, ""), chunk(`{"reasoning_content":"","content":"x"}`, "stop"), done,
		},
		want: "thinking \"hm\"\ncontent \"x\"\nfinish stop stop\n",
	},
	{
		name: "40: reasoning, both in one delta",
		in:   []string{chunk(`{"content":"x","reasoning":"hm","channel":"analysis"}`, "stop"), done},
		want: "thinking \"hm\"\ncontent \"x\"\nfinish stop stop\n",
	},
	{
		name: "41: reasoning_details repeat the text and carry the signature",
		in: []string{
			chunk(`{"content":"","reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0}]}`, ""),
			chunk(`{"reasoning_details":[{"type":"reasoning.text","text":"b","index":0}]}`, ""),
			chunk(`{"content":"","reasoning_details":[{"type":"reasoning.text","signature":"sig","index":0}]}`, ""),
			chunk(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"zzz","index":1}]}`, ""),
			chunk(`{"content":"x"}`, "stop"), done,
		},
		want: "thinking \"ab\" signed sig\ncontent \"x\"\nfinish stop stop\n",
	},
	{
		name: "41: equal reasoning and reasoning_content count once, different ones are both kept",
		in: []string{
			chunk(`{"reasoning":"a","reasoning_content":"a"}`, ""), chunk(`{"reasoning":"c","reasoning_content":"b"}`, "stop"), done,
		},
		want:       "thinking \"abc\"\nfinish stop stop\n",
		deviations: "reasoning-differs",
	},
	{
		name: "42: content as a list of parts",
		in: []string{
			chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t1"},{"type":"text","text":"t2"}]}]}`, ""),
			chunk(`{"content":[{"text":"a","type":"text"},{"type":"thinking","thinking":"t3"},{"type":"text","text":"b"}]}`, ""),
			chunk(`{"content":"c"}`, "stop"), done,
		},
		want:       "thinking \"t1t2\"\ncontent \"a\"\nthinking \"t3\"\ncontent \"bc\"\nfinish stop stop\n",
		deviations: "content-as-list",
	},
	{
		name: "42: a part without a common name is opaque",
		in: []string{
			chunk(`{"content":[{"type":"text","text":"b"},{"type":"reference","reference_ids":[1]}]}`, ""), chunk(`{"content":"c"}`, "stop"), done,
		},
		want:       "content \"b\"\nopaque \"\"\ncontent \"c\"\nfinish stop stop\n",
		deviations: "content-as-list",
	},
	{
		name: "43: inline think tags stay content",
		in:   []string{chunk(`{"content":"<think>x</think>y"}`, "stop"), done},
		want: "content \"<think>x</think>y\"\nfinish stop stop\n",
	},
	{
		name: "44: refusal",
		in:   []string{chunk(`{"refusal":"I can"}`, ""), chunk(`{"refusal":"not"}`, "stop"), done},
		want: "refusal \"I cannot\"\nfinish stop stop\n",
	},
	{
		name: "45: function_call",
		in: []string{
			chunk(`{"content":null,"function_call":{"name":"f","arguments":""}}`, ""),
			chunk(`{"function_call":{"arguments":"{}"}}`, ""), chunk(`{}`, "function_call"), done,
		},
		want: "tool_call  f \"{}\"\nfinish function_call tool_calls\n",
	},
	{
		name: "46: custom calls are free text",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"custom","custom":{"name":"sql","input":""}}`), ""),
			chunk(calls(`{"index":0,"custom":{"input":"SELECT 1"}}`), "tool_calls"), done,
		},
		want: "tool_call a sql \"SELECT 1\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "47: obfuscation is no content",
		in:   []string{`{"id":"c1","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}],"obfuscation":"abcd"}`, done},
		want: "content \"x\"\nfinish stop stop\n",
	},
	{
		name: "48: thought signature on a call",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}`), "tool_calls"), done,
		},
		want: "tool_call a f \"{}\" signed c2ln\nfinish tool_calls tool_calls\n",
	},
	{
		name: "49: the answer's id differs per chunk",
		in: []string{
			`{"id":"x1","choices":[{"index":0,"delta":{"content":"a"}}]}`,
			`{"id":"x2","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}`, done,
		},
		want:       "content \"ab\"\nfinish stop stop\n",
		deviations: "completion-id-varies",
	},
	{
		name:       "50: no [DONE] after the finish",
		in:         []string{chunk(`{"content":"a"}`, "stop")},
		want:       "content \"a\"\nfinish stop stop\n",
		deviations: "done-missing",
	},
	{
		name: "50: neither finish nor [DONE]",
		in:   []string{chunk(`{"content":"a"}`, "")},
		want: "content \"a\" incomplete\n",
		err:  "cut before its end",
	},
	{
		name: "audio with its transcript",
		in: []string{
			chunk(`{"audio":{"id":"au1","transcript":"Hel"}}`, ""), chunk(`{"audio":{"transcript":"lo"}}`, ""),
			chunk(`{"audio":{"data":"UklG"}}`, ""), chunk(`{"audio":{"expires_at":9}}`, "stop"), done,
		},
		want: "opaque \"Hello\"\nfinish stop stop\n",
	},
	{
		name: "a block after the finish is closed by the next finish or [DONE]",
		in: []string{
			chunk(`{"content":"a"}`, "stop"), chunk(`{"content":"b"}`, ""), done, done,
		},
		want:       "content \"a\"\ncontent \"b\"\nfinish stop stop\n",
		deviations: "content-after-finish",
	},
	{
		name: "escaped member names and split surrogate pairs",
		in:   []string{chunk(`{"c\u006fntent":"\ud83d"}`, ""), chunk(`{"content":"\ude00!"}`, "stop"), done},
		want: "content \"😀!\"\nfinish stop stop\n",
	},
	{name: "nothing at all", err: "cut before its end"},
	{name: "only [DONE]", in: []string{done}},

	// What two readers could read in two ways fails.
	{
		name: "a negative index",
		in:   []string{chunk(calls(`{"index":-1,"id":"a","function":{"name":"f","arguments":"{}"}}`), "tool_calls"), done},
		err:  "a tool call's index is not a place in a list",
	},
	{
		name:       "the largest index",
		in:         []string{chunk(calls(`{"index":2147483647,"id":"a","function":{"name":"f","arguments":"{}"}}`), "tool_calls"), done},
		want:       "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
		deviations: "tool-index-gap",
	},
	{
		name: "an index that an int of 32 bits does not hold",
		in:   []string{chunk(calls(`{"index":2147483648,"id":"a","function":{"name":"f","arguments":"{}"}}`), "tool_calls"), done},
		err:  "a tool call's index is not a place in a list",
	},
	{
		name: "a choice's index that an int of 32 bits does not hold",
		in:   []string{`{"choices":[{"index":4294967296,"delta":{"content":"x"}}]}`},
		err:  "a choice's index is not a place in a list",
	},
	{name: "not JSON", in: []string{`hello`}, err: "not a JSON object"},
	{name: "not an object", in: []string{`[]`}, err: "not a JSON object"},
	{name: "broken JSON after choices", in: []string{`{"choices":[{"index":0,"delta":{"content":"x"}}]`}, err: "not JSON"},
	{name: "choices twice", in: []string{`{"choices":[],"choices":[]}`}, err: "choices twice"},
	{name: "a message, and a delta in another choice", in: []string{`{"choices":[{"index":0,"message":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}`}, err: "choices with messages and choices with deltas"},
	{name: "a delta, and a message in another choice", in: []string{`{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"message":{"content":"a"}}]}`}, err: "choices with messages and choices with deltas"},
	{name: "delta twice", in: []string{`{"choices":[{"delta":{},"delta":{}}]}`}, err: "delta twice"},
	{name: "index twice", in: []string{`{"choices":[{"index":0,"index":1}]}`}, err: "index twice"},
	{name: "content twice", in: []string{chunk(`{"content":"a","content":"b"}`, "")}, err: "content twice"},
	{name: "content twice, once escaped", in: []string{chunk(`{"content":"a","c\u006fntent":"b"}`, "")}, err: "content twice"},
	{name: "tool_calls twice", in: []string{chunk(`{"tool_calls":[],"tool_calls":[]}`, "")}, err: "tool_calls twice"},
	{name: "arguments twice", in: []string{chunk(calls(`{"index":0,"function":{"arguments":"","arguments":"{}"}}`), "")}, err: "arguments twice"},
	{name: "finish twice in one choice", in: []string{`{"choices":[{"finish_reason":null,"finish_reason":"stop"}]}`}, err: "finish_reason twice"},
	{name: "arguments as a number", in: []string{chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":1}}`), "")}, err: "arguments is not a string"},
	{name: "content as a number", in: []string{chunk(`{"content":1}`, "")}, err: "content is not a string"},
	{name: "function as a list", in: []string{chunk(calls(`{"index":0,"function":[]}`), "")}, err: "not an object"},
	{name: "both function and custom", in: []string{chunk(calls(`{"index":0,"id":"a","function":{"name":"f"},"custom":{"name":"f"}}`), "")}, err: "both a function and a custom call"},
	{name: "parameters of a function", in: []string{chunk(calls(`{"index":0,"id":"a","function":{"name":"f","parameters":{"c":1}}}`), "")}, err: "under another name"},
	{name: "input of a function", in: []string{chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}","input":"x"}}`), "")}, err: "under another name"},
	{name: "arguments of a custom call", in: []string{chunk(calls(`{"index":0,"id":"a","custom":{"name":"f","arguments":"{}"}}`), "")}, err: "under another name"},
	{name: "arguments beside the function", in: []string{chunk(calls(`{"index":0,"id":"a","function":{"name":"f"},"args":{"c":1}}`), "")}, err: "under another name"},
	{name: "command of a function_call", in: []string{chunk(`{"function_call":{"name":"f","command":["rm"]}}`, "")}, err: "under another name"},
	{name: "params in a body", in: []string{`{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","function":{"name":"f","params":{"c":1}}}]},"finish_reason":"tool_calls"}]}`}, err: "under another name"},
	{
		name: "another name for arguments that says nothing",
		in:   []string{chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}","parameters":{},"input":null}}`), "tool_calls"), done},
		want: "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "a name that changes after arguments",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), ""),
			chunk(calls(`{"index":0,"id":"a","function":{"name":"g","arguments":"}"}}`), ""),
		},
		want: "tool_call a f \"{\" incomplete\n", deviations: "tool-id-repeated", err: "changed its name",
	},
	{
		name: "a lower index after a first one that is not 0",
		in: []string{
			chunk(calls(`{"index":1,"id":"a","function":{"name":"ba","arguments":""}}`), ""),
			chunk(calls(`{"index":0,"id":"b","function":{"name":"sh","arguments":"{}"}}`), ""),
		},
		want: "tool_call a ba \"\" incomplete\n", deviations: "tool-index-gap", err: "not their places",
	},
	{
		name: "calls that interleave after a first index that is not 0",
		in: []string{
			chunk(calls(`{"index":1,"id":"a","function":{"name":"f","arguments":""}}`), ""),
			chunk(calls(`{"index":2,"id":"b","function":{"name":"g","arguments":""}}`), ""),
			chunk(calls(`{"index":1,"function":{"arguments":"{}"}}`), ""),
		},
		want: "tool_call a f \"\" incomplete\ntool_call b g \"\" incomplete\n", deviations: "tool-index-gap", err: "not their places",
	},
	{
		name: "calls in order after a first index that is not 0",
		in: []string{
			chunk(calls(`{"index":1,"id":"a","function":{"name":"f","arguments":"{}"}}`), ""),
			chunk(calls(`{"index":2,"id":"b","function":{"name":"g","arguments":"{}"}}`), "tool_calls"), done,
		},
		want: "tool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n", deviations: "tool-index-gap",
	},
	{
		name: "a piece in a choice without an index",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), ""),
			`{"id":"c1","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}`,
		},
		want: "tool_call a f \"{\" incomplete\n", err: "encoded in different ways",
	},
	{
		name: "a piece of a function_call in a choice without an index",
		in: []string{
			chunk(`{"function_call":{"name":"f","arguments":"{"}}`, ""),
			`{"id":"c1","choices":[{"delta":{"function_call":{"arguments":"}"}}}]}`,
		},
		want: "tool_call  f \"{\" incomplete\n", err: "encoded in different ways",
	},
	{
		name: "a piece of arguments as an object",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), ""),
			chunk(calls(`{"index":0,"function":{"arguments":{}}}`), ""),
		},
		want: "tool_call a f \"{\" incomplete\n", deviations: "arguments-as-object", err: "encoded in different ways",
	},
	{
		name: "all pieces in choices without an index",
		in: []string{
			`{"id":"c1","choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}}]}`,
			`{"id":"c1","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}`,
			chunk(`{}`, "tool_calls"), done,
		},
		want: "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n",
	},
	{
		name: "arguments after the finish",
		in: []string{
			chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`), "tool_calls"),
			chunk(calls(`{"index":0,"function":{"arguments":"x"}}`), ""),
		},
		want: "tool_call a f \"{}\"\nfinish tool_calls tool_calls\n", err: "after its choice has finished",
	},
	{
		name: "content after [DONE]",
		in:   []string{chunk(`{"content":"a"}`, "stop"), done, chunk(`{"content":"b"}`, "")},
		want: "content \"a\"\nfinish stop stop\n", deviations: "content-after-finish", err: "goes on after its end",
	},
	{
		name: "content after an error",
		in:   []string{`{"error":{"message":"no"}}`, chunk(`{"content":"b"}`, "")},
		err:  "goes on after its end",
	},
	{
		name: "a whole answer inside a stream",
		in:   []string{role, `{"choices":[{"message":{"content":"x"}}]}`},
		err:  "whole answer",
	},
}

func TestDecoder(t *testing.T) {
	for _, tc := range decoderCases {
		t.Run(tc.name, func(t *testing.T) {
			got := feed(t, payloads(tc.in...))
			if text := describe(got.state); text != tc.want {
				t.Errorf("blocks:\n%swant:\n%s", text, tc.want)
			}
			if list := strings.Join(got.deviations, " "); list != tc.deviations {
				t.Errorf("deviations %q, want %q", list, tc.deviations)
			}
			switch {
			case tc.err == "" && got.err != nil:
				t.Errorf("unexpected error: %v", got.err)
			case tc.err != "" && (got.err == nil || !strings.Contains(got.err.Error(), tc.err)):
				t.Errorf("error %v, want one with %q", got.err, tc.err)
			}
			if got.err != nil && !errors.Is(got.err, stream.ErrIncomplete) {
				if protocol := new(stream.ProtocolError); !errors.As(got.err, &protocol) {
					t.Errorf("error %T, want a *stream.ProtocolError", got.err)
				}
				return
			}
			if got.err == nil && !got.state.Complete() {
				t.Error("the answer is not complete")
			}
			checkPassThrough(t, got)
		})
	}
}

func TestForcedWriterKeepsTheBlocks(t *testing.T) {
	for _, tc := range decoderCases {
		// A nameless call has no legal form; what follows a finish is dropped.
		if tc.err != "" || strings.Contains(tc.want, "malformed") || tc.deviations == "content-after-finish" ||
			strings.Contains(tc.want, "opaque") || tc.deviations == "reasoning-differs" || tc.name == "only [DONE]" {
			continue
		}
		t.Run(tc.name, func(t *testing.T) { checkForce(t, feed(t, payloads(tc.in...))) })
	}
}

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     llm.Usage
	}{
		{
			"26: in a payload without choices", `{"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":5,"cache_write_tokens":2},"completion_tokens_details":{"reasoning_tokens":3}}}`,
			llm.Usage{Input: 9, Output: 4, CacheRead: 5, CacheWrite: 2, Reasoning: 3},
		},
		{
			"28: in x_groq", `{"id":"c1","choices":[],"x_groq":{"id":"r","usage":{"prompt_tokens":9,"completion_tokens":4}}}`,
			llm.Usage{Input: 9, Output: 4},
		},
		{
			"28: the payload's own beats x_groq", `{"x_groq":{"usage":{"prompt_tokens":1}},"choices":[],"usage":{"prompt_tokens":2}}`,
			llm.Usage{Input: 2},
		},
		{
			"cache hits in their own member", `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_cache_hit_tokens":6}}`,
			llm.Usage{Input: 9, Output: 4, CacheRead: 6},
		},
		{
			"reasoning that the output leaves out", `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":16,"completion_tokens_details":{"reasoning_tokens":3}}}`,
			llm.Usage{Input: 9, Output: 7, Reasoning: 3},
		},
		{
			"numbers that are none", `{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":1e300,"prompt_tokens_details":null}}`,
			llm.Usage{},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			first := `{"id":"c1","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}`
			got := feed(t, payloads(chunk(`{"content":"a"}`, "stop"), first, tc.in, `{"choices":[],"usage":null}`, done))
			u, ok := got.state.Usage()
			if !ok || len(u.Raw) == 0 || got.err != nil {
				t.Fatalf("usage %v, %v, error %v", u, ok, got.err)
			}
			u.Raw = nil
			if fmt.Sprint(u) != fmt.Sprint(tc.want) {
				t.Errorf("usage %+v, want %+v", u, tc.want)
			}
		})
	}
}

func TestProviderErrors(t *testing.T) {
	call := chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`), "")
	for _, tc := range []struct {
		name string
		in   []event
		want string
		told string
	}{
		{
			"34: the first payload", payloads(`{"error":{"message":"no","type":"invalid_request_error","code":"x"}}`),
			"", "invalid_request_error/x/no",
		},
		{
			"32: with an event name", []event{{data: call}, {"error", `{"error":{"message":"no","code":400}}`}},
			"tool_call a f \"{}\" incomplete\n", "/400/no",
		},
		{
			"32: the error is the payload", []event{{data: call}, {"error", `{"message":"no","type":"t"}`}},
			"tool_call a f \"{}\" incomplete\n", "t//no",
		},
		{
			"33: beside choices, after a finish", payloads(chunk(`{"reasoning":"a"}`, "length"), `{"error":{"code":400,"message":"limit"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}`, done),
			"thinking \"a\"\nfinish length length\n", "/400/limit",
		},
		{
			"33: an error in the payload of the finish keeps calls from becoming whole",
			payloads(call, `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"died"}}`),
			"tool_call a f \"{}\" incomplete\nfinish error failed\n", "//died",
		},
		{"an error that is a string", payloads(`{"error":"overloaded"}`), "", "//overloaded"},
		{"an object of type error", payloads(`{"object":"error","message":"bad","type":"BadRequestError","code":400}`), "", "BadRequestError/400/bad"},
		{"in x_groq", payloads(call, `{"choices":[],"x_groq":{"error":"over_capacity"}}`), "tool_call a f \"{}\" incomplete\n", "//over_capacity"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := feed(t, tc.in)
			if got.err != nil {
				t.Fatal(got.err)
			}
			if text := describe(got.state); text != tc.want {
				t.Errorf("blocks:\n%swant:\n%s", text, tc.want)
			}
			e := got.state.Err()
			if e == nil || got.state.Complete() {
				t.Fatal("no error in the state")
			}
			if told := e.Type + "/" + e.Code + "/" + e.Message; told != tc.told {
				t.Errorf("error %q, want %q", told, tc.told)
			}
			checkPassThrough(t, got)
		})
	}
}

func TestWholeAnswers(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{
			"text", `{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","refusal":null,"annotations":[]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
			"content \"hi\"\nfinish stop stop\n",
		},
		{
			"everything", `{"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"a","type":"custom","custom":{"name":"g","input":"x"}}],"content":"c","reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s"}]}}]}`,
			"thinking \"r\" signed s\ncontent \"c\"\ntool_call a f \"{}\"\ntool_call a g \"x\"\nfinish tool_calls tool_calls\n",
		},
		{
			"legacy call", `{"choices":[{"index":0,"message":{"content":null,"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"function_call"}]}`,
			"tool_call  f \"{}\"\nfinish function_call tool_calls\n",
		},
		{
			"two choices", `{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"},{"index":1,"message":{"refusal":"no"},"finish_reason":"stop"}]}`,
			"content \"a\"\nfinish stop stop\nchoice 1\nrefusal \"no\"\nfinish stop stop\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := feed(t, payloads(tc.in))
			if text := describe(got.state); text != tc.want || got.err != nil {
				t.Errorf("error %v, blocks:\n%swant:\n%s", got.err, text, tc.want)
			}
			if !got.chunks[0].Whole || !got.state.Complete() {
				t.Error("not a whole, complete answer")
			}
			checkPassThrough(t, got)
		})
	}
}

// A client that passes over named events must not get some pieces of a call.
func TestAPieceInAnEventOfAnotherName(t *testing.T) {
	begins := chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), "")
	goesOn := chunk(calls(`{"index":0,"function":{"arguments":"}"}}`), "")
	for _, tc := range []struct {
		name, first, second string
		refused             bool
	}{
		{"none, then one", "", "x", true},
		{"one, then none", "x", "", true},
		{"two", "x", "y", true},
		{"the same", "x", "x", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := feed(t, []event{{tc.first, begins}, {tc.second, goesOn}, {"", chunk(`{}`, "tool_calls")}, {"", done}})
			refused := got.err != nil && strings.Contains(got.err.Error(), "encoded in different ways")
			if refused != tc.refused || !refused && got.err != nil {
				t.Errorf("error %v", got.err)
			}
		})
	}
}

// What a consumer relies on in every event.
func TestEventsSayWhereTheyStand(t *testing.T) {
	in := []string{
		chunk(`{"role":"assistant","content":"a\nb"}`, ""), chunk(`{"content":"c"}`, ""),
		chunk(calls(`{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":"{"}}`), ""),
		chunk(calls(`{"index":0,"function":{"arguments":"}"}}`), "tool_calls"), done,
	}
	got := feed(t, payloads(in...))
	var lines []string
	for _, c := range got.chunks {
		if c.Number != -1 || c.Name != "" {
			t.Errorf("chunk %d: number %d, name %q", c.Seq, c.Number, c.Name)
		}
		for _, ev := range c.Events {
			lines = append(lines, fmt.Sprintf("%d %s %s block=%d index=%d offset=%d %s", c.Seq, ev.Type, ev.Kind, ev.Block, ev.Index, ev.Offset, ev.Span.In(c.Raw)))
		}
	}
	want := []string{
		`0 meta kind(0) block=-1 index=-1 offset=0 "c1"`,
		`0 start content block=0 index=-1 offset=0 "a\nb"`,
		`0 delta content block=0 index=-1 offset=0 "a\nb"`,
		`1 delta content block=0 index=-1 offset=3 "c"`,
		`2 end content block=0 index=-1 offset=0 {"index":0,"id":"x","type":"function","function":{"name":"f","arguments":"{"}}`,
		`2 start tool_call block=1 index=0 offset=0 {"index":0,"id":"x","type":"function","function":{"name":"f","arguments":"{"}}`,
		`2 delta tool_call block=1 index=0 offset=0 {"index":0,"id":"x","type":"function","function":{"name":"f","arguments":"{"}}`,
		`3 delta tool_call block=1 index=0 offset=1 {"index":0,"function":{"arguments":"}"}}`,
		`3 finish kind(0) block=-1 index=-1 offset=0 "tool_calls"`,
		`4 done kind(0) block=-1 index=-1 offset=0 [DONE]`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("events:\n%s\nwant:\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestACallIsHintedWhenAnotherBlockBegins(t *testing.T) {
	d := openaichat.NewDecoder()
	s := stream.NewState(stream.Limits{})
	hinted := func(payload string) int {
		c := stream.Chunk{Raw: []byte(payload)}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(&c); err != nil {
			t.Fatal(err)
		}
		return len(s.Hinted())
	}
	if n := hinted(chunk(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), "")); n != 0 {
		t.Errorf("%d hints for a call that has just begun", n)
	}
	if n := hinted(chunk(calls(`{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}`), "")); n != 1 {
		t.Errorf("%d hints when the second call begins, want 1", n)
	}
	hinted(chunk(calls(`{"index":0,"function":{"arguments":"}"}}`), ""))
	if s.Blocks()[0].Hinted() {
		t.Error("a late delta did not take the hint back")
	}
	if n := hinted(chunk(`{"content":"x"}`, "")); n != 2 {
		t.Errorf("%d hints when text begins, want 2", n)
	}
	if len(s.Completed()) != 0 {
		t.Error("a hint was taken for a proof")
	}
}
