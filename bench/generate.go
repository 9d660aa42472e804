package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// dialect generates streams of one format in the shape that its provider sends.
type dialect struct {
	prefix string
	format wire.Format
	turn   func() []string
	text   func(chunks int) []string
	args   func(chunks int) []string
}

var dialects = []dialect{
	{"chat", wire.OpenAIChat, chatTurn, chatText, chatArgs},
	{"anthropic", wire.Anthropic, anthropicTurn, anthropicText, anthropicArgs},
	{"responses", wire.OpenAIResponses, responsesTurn, responsesText, responsesArgs},
}

// prose is text in the pieces in which a model sends it.
var prose = []string{
	"The", " build", " fails", " because", " the", " linker", " cannot", " find", " \"", "libfoo", ".so", "\",", " so",
	" I", "'ll", " add", " its", " directory", ":\n\n", "-", " first", " the", " path", ",\n", "-", " then", " naïve", " check", "s", ".",
}

// words returns n pieces of prose.
func words(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = prose[i%len(prose)]
	}
	return list
}

// source is the beginning of a file that a model writes with a tool.
const source = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor i := 0; i < 10; i++ {\n\t\tfmt.Println(\"line\", i)\n\t}\n}\n"

// fragments returns the arguments of a call that writes a file, cut into n
// pieces of a few bytes, as models send them.
func fragments(n int) []string {
	const piece = 8
	var content strings.Builder
	for content.Len() < n*piece {
		content.WriteString(source)
	}
	whole := `{"path":"/repo/main.go","content":` + quote(content.String()[:max(1, n*piece*3/4)]) + `}`
	list := make([]string, 0, n)
	for i := range n {
		from, to := i*len(whole)/n, (i+1)*len(whole)/n
		list = append(list, whole[from:to])
	}
	return list
}

// quote returns s as a JSON string without the HTML escapes that no provider
// sends.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// The turn is what an agent's answer looks like: 100 pieces of text and three
// calls of 10 pieces each.
const (
	turnText  = 100
	turnCalls = 3
	turnArgs  = 10
)

func chatChunk(delta, finish string) string {
	return `{"id":"chatcmpl-DuLe5uYcQLe3hznEQpmI0pr8qyHJ8","object":"chat.completion.chunk","created":1782321945,` +
		`"model":"gpt-5-2025-08-07","service_tier":"default","system_fingerprint":"fp_de604bd877",` +
		`"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}],` +
		`"usage":null,"obfuscation":"Qup1BsQ3Lafa"}`
}

func chatStream(text []string, calls [][]string) []string {
	list := []string{chatChunk(`{"role":"assistant","content":"","refusal":null}`, "null")}
	for _, t := range text {
		list = append(list, chatChunk(`{"content":`+quote(t)+`}`, "null"))
	}
	finish := `"stop"`
	for i, args := range calls {
		finish = `"tool_calls"`
		list = append(list, chatChunk(fmt.Sprintf(
			`{"tool_calls":[{"index":%d,"id":"call_%024d","type":"function","function":{"name":"write_file","arguments":""}}]}`, i, i), "null"))
		for _, a := range args {
			list = append(list, chatChunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quote(a)), "null"))
		}
	}
	return append(list, chatChunk(`{}`, finish),
		`{"id":"chatcmpl-DuLe5uYcQLe3hznEQpmI0pr8qyHJ8","object":"chat.completion.chunk","created":1782321945,"model":"gpt-5-2025-08-07",`+
			`"service_tier":"default","system_fingerprint":"fp_de604bd877","choices":[],"usage":{"prompt_tokens":1520,"completion_tokens":140,`+
			`"total_tokens":1660,"prompt_tokens_details":{"cached_tokens":1024,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},"obfuscation":"x"}`,
		"[DONE]")
}

func chatTurn() []string      { return chatStream(words(turnText), turnCallArgs()) }
func chatText(n int) []string { return chatStream(words(n), nil) }
func chatArgs(n int) []string { return chatStream(nil, [][]string{fragments(n)}) }
func turnCallArgs() [][]string {
	return [][]string{fragments(turnArgs), fragments(turnArgs), fragments(turnArgs)}[:turnCalls]
}
func anthropicTurn() []string      { return anthropicStream(words(turnText), turnCallArgs()) }
func responsesTurn() []string      { return responsesStream(words(turnText), turnCallArgs()) }
func anthropicText(n int) []string { return anthropicStream(words(n), nil) }
func anthropicArgs(n int) []string { return anthropicStream(nil, [][]string{fragments(n)}) }
func responsesText(n int) []string { return responsesStream(words(n), nil) }
func responsesArgs(n int) []string { return responsesStream(nil, [][]string{fragments(n)}) }

func anthropicStream(text []string, calls [][]string) []string {
	list := []string{
		`{"type":"message_start","message":{"id":"msg_01KqXp5oCPkHq1EWMcTgqCyw","type":"message","role":"assistant","model":"claude-sonnet-4-20250514",` +
			`"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1520,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}`,
	}
	index, stop := 0, "end_turn"
	if len(text) > 0 {
		list = append(list, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `{"type": "ping"}`)
		for _, t := range text {
			list = append(list, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quote(t)+`}}`)
		}
		list = append(list, `{"type":"content_block_stop","index":0}`)
		index++
	}
	for _, args := range calls {
		stop = "tool_use"
		list = append(list, fmt.Sprintf(
			`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"toolu_%024d","name":"write_file","input":{}}}`, index, index))
		for _, a := range args {
			list = append(list, fmt.Sprintf(
				`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, index, quote(a)))
		}
		list = append(list, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
		index++
	}
	return append(list,
		`{"type":"message_delta","delta":{"stop_reason":"`+stop+`","stop_sequence":null},"usage":{"output_tokens":140}}`,
		`{"type":"message_stop"}`)
}

func responsesStream(text []string, calls [][]string) []string {
	r := &responsesWriter{}
	r.add("response.created", `"response":{"id":"resp_0a1","object":"response","created_at":1782321945,"status":"in_progress","model":"gpt-5-2025-08-07","output":[],"usage":null}`)
	var items []string
	if len(text) > 0 {
		const id = "msg_0e6d1f2b8a1f4b8d0068f0a2c5d6c481"
		at := fmt.Sprintf(`"item_id":%q,"output_index":0`, id)
		whole := quote(strings.Join(text, ""))
		part := `{"type":"output_text","annotations":[],"logprobs":[],"text":` + whole + `}`
		item := `{"id":"` + id + `","type":"message","status":"completed","content":[` + part + `],"role":"assistant"}`
		r.add("response.output_item.added", `"output_index":0,"item":{"id":"`+id+`","type":"message","status":"in_progress","content":[],"role":"assistant"}`)
		r.add("response.content_part.added", `"content_index":0,`+at+`,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}`)
		for _, t := range text {
			r.add("response.output_text.delta", `"content_index":0,"delta":`+quote(t)+`,`+at+`,"logprobs":[],"obfuscation":"siIjP86UOiG4"`)
		}
		r.add("response.output_text.done", `"content_index":0,`+at+`,"logprobs":[],"text":`+whole)
		r.add("response.content_part.done", `"content_index":0,`+at+`,"part":`+part)
		r.add("response.output_item.done", `"output_index":0,"item":`+item)
		items = append(items, item)
	}
	for _, args := range calls {
		n := len(items)
		id := fmt.Sprintf("fc_%040d", n)
		at := fmt.Sprintf(`"item_id":%q,"output_index":%d`, id, n)
		whole := quote(strings.Join(args, ""))
		item := func(status, arguments string) string {
			return fmt.Sprintf(`{"id":%q,"type":"function_call","status":%q,"arguments":%s,"call_id":"call_%024d","name":"write_file"}`, id, status, arguments, n)
		}
		r.add("response.output_item.added", fmt.Sprintf(`"output_index":%d,"item":%s`, n, item("in_progress", `""`)))
		for _, a := range args {
			r.add("response.function_call_arguments.delta", at+`,"delta":`+quote(a)+`,"obfuscation":"siIjP86UOiG4"`)
		}
		r.add("response.function_call_arguments.done", at+`,"arguments":`+whole)
		r.add("response.output_item.done", fmt.Sprintf(`"output_index":%d,"item":%s`, n, item("completed", whole)))
		items = append(items, item("completed", whole))
	}
	r.add("response.completed", `"response":{"id":"resp_0a1","object":"response","created_at":1782321945,"status":"completed","model":"gpt-5-2025-08-07","output":[`+
		strings.Join(items, ",")+`],"usage":{"input_tokens":1520,"input_tokens_details":{"cached_tokens":1024},"output_tokens":140,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1660}}`)
	return r.list
}

// responsesWriter numbers the payloads of a Responses stream.
type responsesWriter struct{ list []string }

func (r *responsesWriter) add(typ, members string) {
	r.list = append(r.list, fmt.Sprintf(`{"type":%q,"sequence_number":%d,%s}`, typ, len(r.list), members))
}
