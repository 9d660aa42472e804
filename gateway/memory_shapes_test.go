package gateway_test

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// bigShapes are requests that a hostile client can make as large as it likes.
var bigShapes = map[string]func(format wire.Format, size int) []byte{
	"empty parts":      func(f wire.Format, size int) []byte { return inMessage(f, repeated(size, "{}")) },
	"numbers as parts": func(f wire.Format, size int) []byte { return inMessage(f, repeated(size, "0")) },
	"text parts": func(f wire.Format, size int) []byte {
		return inMessage(f, repeated(size, map[wire.Format]string{
			wire.Gemini: `{"text":"a"}`, wire.OpenAIResponses: `{"type":"input_text","text":"a"}`,
		}[f], `{"type":"text","text":"a"}`))
	},
	"long text parts": func(f wire.Format, size int) []byte {
		text := strings.Repeat("some words, ", 80)
		return inMessage(f, repeated(size, map[wire.Format]string{
			wire.Gemini: `{"text":"` + text + `"}`, wire.OpenAIResponses: `{"type":"input_text","text":"` + text + `"}`,
		}[f], `{"type":"text","text":"`+text+`"}`))
	},
	"calls": func(f wire.Format, size int) []byte {
		switch f {
		case wire.Gemini:
			return inMessage(f, repeated(size, `{"functionCall":{"name":"Bash","args":{"command":"ls"}}}`))
		case wire.Anthropic:
			return inMessage(f, numbered(size, `{"type":"tool_use","id":"c#","name":"Bash","input":{"command":"ls #"}}`))
		case wire.OpenAIResponses:
			return inHistory(f, numbered(size, `{"type":"function_call","call_id":"c#","name":"Bash","arguments":"{\"command\":\"ls #\"}"}`))
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[`+numbered(size, `{"id":"c#","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls #\"}"}}`)+`]}`)
		}
	},
	"empty calls": func(f wire.Format, size int) []byte {
		switch f {
		case wire.Gemini:
			return inMessage(f, repeated(size, `{"functionCall":{}}`))
		case wire.Anthropic:
			return inMessage(f, repeated(size, `{"type":"tool_use"}`))
		case wire.OpenAIResponses:
			return inHistory(f, repeated(size, `{"type":"function_call"}`))
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[`+repeated(size, "{}")+`]}`)
		}
	},
	"messages": func(f wire.Format, size int) []byte {
		return inHistory(f, repeated(size, map[wire.Format]string{wire.Gemini: `{"role":"user","parts":[{"text":"a"}]}`}[f], `{"role":"user","content":"a"}`))
	},
	"empty messages": func(f wire.Format, size int) []byte { return inHistory(f, repeated(size, "{}")) },
	"long messages": func(f wire.Format, size int) []byte {
		text := strings.Repeat("some words, ", 80)
		return inHistory(f, repeated(size, map[wire.Format]string{wire.Gemini: `{"role":"user","parts":[{"text":"` + text + `"}]}`}[f], `{"role":"user","content":"`+text+`"}`))
	},
	"results": func(f wire.Format, size int) []byte { return manyResults(f, size, "total 12") },
	"long results": func(f wire.Format, size int) []byte {
		return manyResults(f, size, strings.Repeat("drwxr-xr-x 2 root root 4096 some_file.txt\\n", 25))
	},
	"one result of many texts":  func(f wire.Format, size int) []byte { return oneResult(f, `[`+repeated(size, `"a"`)+`]`) },
	"one result of empty parts": func(f wire.Format, size int) []byte { return oneResult(f, `[`+repeated(size, `{}`)+`]`) },
	"one long result": func(f wire.Format, size int) []byte {
		return oneResult(f, `"`+strings.Repeat("drwxr-xr-x 2 root root 4096 some_file.txt ", size/42)+`"`)
	},
	"a result of one secret, often": func(f wire.Format, size int) []byte {
		return oneResult(f, `"`+strings.Repeat("ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ ", size/41)+`"`)
	},
	"a result of many secrets": func(f wire.Format, size int) []byte {
		var b strings.Builder
		for i := uint64(1); b.Len() < size; i++ {
			n := strconv.FormatUint(i*0x9e3779b97f4a7c15, 36)
			b.WriteString("ghp_" + (n + strconv.FormatUint(i*0xc2b2ae3d27d4eb4f, 36) + "kQ2mXv9LtZ4pWn8YcB1s")[:36] + " ")
		}
		return oneResult(f, `"`+b.String()+`"`)
	},
	"a result of escapes": func(f wire.Format, size int) []byte { return oneResult(f, `"`+strings.Repeat(`\n\u00e9`, size/8)+`"`) },
	"a deep result": func(f wire.Format, size int) []byte {
		return oneResult(f, strings.Repeat(`{"a":`, 400)+`"`+strings.Repeat("word ", size/5)+`"`+strings.Repeat("}", 400))
	},
	"deep results": func(f wire.Format, size int) []byte {
		deep := strings.Repeat(`{"a":`, 400) + `"a"` + strings.Repeat("}", 400)
		return oneResult(f, `[`+repeated(size, deep)+`]`)
	},
	"escapes": func(f wire.Format, size int) []byte {
		return inHistory(f, saying(f, strings.Repeat(`\n\u00e9`, size/8)))
	},
	"one long text": func(f wire.Format, size int) []byte {
		return inHistory(f, saying(f, strings.Repeat("some words, ", size/12)))
	},
	"deep parts": func(f wire.Format, size int) []byte {
		return inMessage(f, repeated(size, strings.Repeat(`{"a":`, 400)+`{}`+strings.Repeat("}", 400)))
	},
	"tools": func(f wire.Format, size int) []byte {
		return withTools(f, numbered(size, map[wire.Format]string{
			wire.Gemini: `{"name":"t#"}`, wire.Anthropic: `{"name":"t#","input_schema":{}}`, wire.OpenAIResponses: `{"type":"function","name":"t#"}`,
			wire.OpenAIChat: `{"type":"function","function":{"name":"t#"}}`,
		}[f]))
	},
	"empty tools": func(f wire.Format, size int) []byte { return withTools(f, repeated(size, "{}")) },
	"long tools": func(f wire.Format, size int) []byte {
		text := strings.Repeat("some words, ", 200)
		return withTools(f, numbered(size, map[wire.Format]string{
			wire.Gemini: `{"name":"t#","description":"` + text + `"}`, wire.Anthropic: `{"name":"t#","description":"` + text + `","input_schema":{}}`,
			wire.OpenAIResponses: `{"type":"function","name":"t#","description":"` + text + `"}`,
			wire.OpenAIChat:      `{"type":"function","function":{"name":"t#","description":"` + text + `"}}`,
		}[f]))
	},
	"one large schema": func(f wire.Format, size int) []byte {
		schema := `{"type":"object","properties":{` + numbered(size, `"p#":{"type":"string"}`) + `}}`
		return withTools(f, map[wire.Format]string{
			wire.Gemini: `{"name":"Bash","parameters":` + schema + `}`, wire.Anthropic: `{"name":"Bash","input_schema":` + schema + `}`,
			wire.OpenAIResponses: `{"type":"function","name":"Bash","parameters":` + schema + `}`,
			wire.OpenAIChat:      `{"type":"function","function":{"name":"Bash","parameters":` + schema + `}}`,
		}[f])
	},
	"instructions in parts": func(f wire.Format, size int) []byte {
		switch f {
		case wire.Gemini:
			return with(f, `"systemInstruction":{"parts":[`+repeated(size, `{"text":"a"}`)+`]}`)
		case wire.Anthropic:
			return with(f, `"system":[`+repeated(size, `{"type":"text","text":"a"}`)+`]`)
		case wire.OpenAIResponses:
			return with(f, `"instructions":[`+repeated(size, `{"role":"developer","content":"a"}`)+`]`)
		default:
			return inHistory(f, repeated(size, `{"role":"system","content":"a"}`))
		}
	},
	"members": func(f wire.Format, size int) []byte { return with(f, numbered(size, `"m#":0`)) },
	"members of a message": func(f wire.Format, size int) []byte {
		return inHistory(f, `{"role":"user",`+numbered(size, `"m#":[0]`)+`}`)
	},
	"members of a part": func(f wire.Format, size int) []byte {
		return inMessage(f, `{"type":"x",`+numbered(size, `"m#":"a"`)+`}`)
	},
	"a large call": func(f wire.Format, size int) []byte {
		input := `{` + numbered(size, `"m#":"a"`) + `}`
		switch f {
		case wire.Gemini:
			return inMessage(f, `{"functionCall":{"name":"Bash","args":`+input+`}}`)
		case wire.Anthropic:
			return inMessage(f, `{"type":"tool_use","id":"c","name":"Bash","input":`+input+`}`)
		case wire.OpenAIResponses:
			return inHistory(f, `{"type":"function_call","call_id":"c","name":"Bash","arguments":`+strconv.Quote(input)+`}`)
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Bash","arguments":`+strconv.Quote(input)+`}}]}`)
		}
	},
	"a long command": func(f wire.Format, size int) []byte {
		command := strings.Repeat("echo a; ", size/8)
		switch f {
		case wire.Gemini:
			return inMessage(f, `{"functionCall":{"name":"Bash","args":{"command":"`+command+`"}}}`)
		case wire.Anthropic:
			return inMessage(f, `{"type":"tool_use","id":"c","name":"Bash","input":{"command":"`+command+`"}}`)
		case wire.OpenAIResponses:
			return inHistory(f, `{"type":"function_call","call_id":"c","name":"Bash","arguments":"{\"command\":\"`+command+`\"}"}`)
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"`+command+`\"}"}}]}`)
		}
	},
}

// repeated is a list of the first piece that is not empty, about as long as size.
func repeated(size int, pieces ...string) string {
	for _, piece := range pieces {
		if piece != "" {
			return strings.TrimSuffix(strings.Repeat(piece+",", max(size/(len(piece)+1), 1)), ",")
		}
	}
	return ""
}

// numbered is a list of pieces in which each # is a number.
func numbered(size int, piece string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(piece, "#", strconv.Itoa(i)))
	}
	return b.String()
}

func saying(f wire.Format, text string) string {
	if f == wire.Gemini {
		return `{"role":"user","parts":[{"text":"` + text + `"}]}`
	}
	return `{"role":"user","content":"` + text + `"}`
}

// inMessage is a request with parts in one message of the assistant.
func inMessage(f wire.Format, parts string) []byte {
	if f == wire.Gemini {
		return inHistory(f, `{"role":"model","parts":[`+parts+`]}`)
	}
	return inHistory(f, `{"role":"assistant","content":[`+parts+`]}`)
}

// inHistory is a request with messages.
func inHistory(f wire.Format, messages string) []byte {
	key := map[wire.Format]string{wire.Gemini: "contents", wire.OpenAIResponses: "input"}[f]
	if key == "" {
		key = "messages"
	}
	return []byte(`{"model":"m","stream":true,"` + key + `":[` + saying(f, "hi") + `,` + messages + `]}`)
}

// with is a request with one more member.
func with(f wire.Format, member string) []byte {
	body := bytes.TrimSuffix(inHistory(f, saying(f, "go on")), []byte("}"))
	return append(body, ","+member+"}"...)
}

func withTools(f wire.Format, tools string) []byte {
	if f == wire.Gemini {
		return with(f, `"tools":[{"functionDeclarations":[`+tools+`]}]`)
	}
	return with(f, `"tools":[`+tools+`]`)
}

// results is a request with calls and their results, one by one.
func manyResults(f wire.Format, size int, text string) []byte {
	return inHistory(f, numbered(size, map[wire.Format]string{
		wire.Gemini: `{"role":"model","parts":[{"functionCall":{"name":"Bash","args":{"command":"ls #"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"Bash","response":{"output":"` + text + `"}}}]}`,
		wire.Anthropic: `{"role":"assistant","content":[{"type":"tool_use","id":"c#","name":"Bash","input":{"command":"ls #"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c#","content":"` + text + `"}]}`,
		wire.OpenAIResponses: `{"type":"function_call","call_id":"c#","name":"Bash","arguments":"{\"command\":\"ls #\"}"},{"type":"function_call_output","call_id":"c#","output":"` + text + `"}`,
		wire.OpenAIChat: `{"role":"assistant","tool_calls":[{"id":"c#","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls #\"}"}}]},` +
			`{"role":"tool","tool_call_id":"c#","content":"` + text + `"}`,
	}[f]))
}

// oneResult is a request with a call and its result, which is the JSON value.
func oneResult(f wire.Format, value string) []byte {
	switch f {
	case wire.Gemini:
		return inHistory(f, `{"role":"model","parts":[{"functionCall":{"name":"Bash","args":{"command":"ls"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"Bash","response":{"output":`+value+`}}}]}`)
	case wire.Anthropic:
		return inHistory(f, `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":`+value+`}]}`)
	case wire.OpenAIResponses:
		return inHistory(f, `{"type":"function_call","call_id":"c","name":"Bash","arguments":"{\"command\":\"ls\"}"},{"type":"function_call_output","call_id":"c","output":`+value+`}`)
	default:
		return inHistory(f, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls\"}"}}]},{"role":"tool","tool_call_id":"c","content":`+value+`}`)
	}
}
