package main

import (
	"fmt"
	"strings"
)

// chat is an answer of Chat Completions: 137 events for 100 words and three
// calls of 10 pieces.
func chat(model string, text []string, calls []toolCall) *script {
	s := &script{model: model, path: chatPath, request: chatRequest(model, 0, true)}
	head := `{"id":"chatcmpl-D5uYcQLe3hznEQpmI0pr8qyHJ8k2","object":"chat.completion.chunk","created":1782321945,` +
		`"model":"gpt-5-2025-08-07","service_tier":"default","system_fingerprint":"fp_de604bd877","choices":[`
	chunk := func(delta, finish string, flows bool) {
		s.add("", head+`{"index":0,"delta":`+delta+`,"logprobs":null,"finish_reason":`+finish+`}],"usage":null,"obfuscation":"`+noStamp+`"}`, flows)
	}
	chunk(`{"role":"assistant","content":"","refusal":null}`, "null", true)
	for _, t := range text {
		chunk(`{"content":`+quote(t)+`}`, "null", true)
	}
	finish := `"stop"`
	for i, c := range calls {
		finish = `"tool_calls"`
		chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%024d","type":"function","function":{"name":%q,"arguments":""}}]}`, i, i, c.name), "null", false)
		for _, p := range c.pieces {
			chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quote(p)), "null", false)
		}
	}
	chunk(`{}`, finish, false)
	s.add("", head+`],"usage":{"prompt_tokens":1520,"completion_tokens":140,"total_tokens":1660,`+
		`"prompt_tokens_details":{"cached_tokens":1024,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},"obfuscation":"`+noStamp+`"}`, false)
	s.add("", "[DONE]", false)
	return s
}

// chatPlain is the same answer in one piece.
func chatPlain(model string, text []string, calls []toolCall) *script {
	s := &script{model: model, path: chatPath, plain: true, request: chatRequest(model, 0, false)}
	made := make([]string, len(calls))
	for i, c := range calls {
		made[i] = fmt.Sprintf(`{"id":"call_%024d","type":"function","function":{"name":%q,"arguments":%s}}`, i, c.name, quote(strings.Join(c.pieces, "")))
	}
	s.body = []byte(`{"id":"chatcmpl-D5uYcQLe3hznEQpmI0pr8qyHJ8k2","object":"chat.completion","created":1782321945,"model":"gpt-5-2025-08-07",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":` + quote(strings.Join(text, "")) + `,"refusal":null,"annotations":[],` +
		`"tool_calls":[` + strings.Join(made, ",") + `]},"logprobs":null,"finish_reason":"tool_calls"}],` +
		`"usage":{"prompt_tokens":1520,"completion_tokens":140,"total_tokens":1660},"service_tier":"default","system_fingerprint":"fp_de604bd877"}`)
	s.events = []event{{to: len(s.body), stamp: -1}}
	return s
}

// anthropic is an answer of Messages: 145 events for 100 words and three calls
// of 10 pieces.
func anthropic(model string, text []string, calls []toolCall) *script {
	s := &script{model: model, path: anthropicPath, request: anthropicRequest(model)}
	s.add("message_start", `{"type":"message_start","message":{"id":"msg_01KqXp5oCPkHq1EWMcTgqCyw","type":"message","role":"assistant",`+
		`"model":"claude-sonnet-4-20250514","content":[],"stop_reason":null,"stop_sequence":null,`+
		`"usage":{"input_tokens":1520,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}`, true)
	s.add("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, true)
	s.add("ping", `{"type": "ping"}`, true)
	for i, t := range text {
		if i%30 == 29 { // not between the calls: a ping does not wait for what is held before it
			s.add("ping", `{"type": "ping"}`, true)
		}
		s.add("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quote(t)+`}}`, true)
	}
	s.add("content_block_stop", `{"type":"content_block_stop","index":0}`, true)
	for i, c := range calls {
		s.add("content_block_start", fmt.Sprintf(
			`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"toolu_%024d","name":%q,"input":{}}}`, i+1, i, c.name), false)
		for _, p := range c.pieces {
			s.add("content_block_delta", fmt.Sprintf(
				`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, i+1, quote(p)), false)
		}
		s.add("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i+1), false)
	}
	s.add("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":140}}`, false)
	s.add("message_stop", `{"type":"message_stop"}`, false)
	return s
}

// instructions is about what the system prompt of a small agent is.
var instructions = strings.Repeat("You are an agent that works on a program. Read before you write, and say what you did. ", 24)

// schemas are the tools of the requests: name, description, parameters.
var schemas = [][3]string{
	{"Bash", "Runs a command in a shell.", `{"type":"object","properties":{"command":{"type":"string"},"description":{"type":"string"}},"required":["command"]}`},
	{"Write", "Writes a file.", `{"type":"object","properties":{"file_path":{"type":"string"},"content":{"type":"string"}},"required":["file_path","content"]}`},
	{"Read", "Reads a file.", `{"type":"object","properties":{"file_path":{"type":"string"},"offset":{"type":"integer"},"limit":{"type":"integer"}},"required":["file_path"]}`},
}

// chatRequest asks for a script. With a size it has the history of an agent at
// work: calls, and results that together are about so long.
func chatRequest(model string, size int, streamed bool) []byte {
	tools := make([]string, len(schemas))
	for i, t := range schemas {
		tools[i] = fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%q,"parameters":%s}}`, t[0], t[1], t[2])
	}
	var past strings.Builder
	result := quote(strings.Repeat("-rw-r--r-- 1 ann dev 4096 main.go\n", 128))
	for i := 0; past.Len() < size; i++ {
		fmt.Fprintf(&past, `{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls -la src\"}"}}]},`+
			`{"role":"tool","tool_call_id":"call_%d","content":%s},`, i, i, result)
	}
	return fmt.Appendf(nil, `{"model":%q,"stream":%t,"messages":[{"role":"system","content":%s},%s{"role":"user","content":"Why is the build slow?"}],"tools":[%s]}`,
		model, streamed, quote(instructions), past.String(), strings.Join(tools, ","))
}

func anthropicRequest(model string) []byte {
	tools := make([]string, len(schemas))
	for i, t := range schemas {
		tools[i] = fmt.Sprintf(`{"name":%q,"description":%q,"input_schema":%s}`, t[0], t[1], t[2])
	}
	return fmt.Appendf(nil, `{"model":%q,"stream":true,"max_tokens":4096,"system":%s,"messages":[{"role":"user","content":"Why is the build slow?"}],"tools":[%s]}`,
		model, quote(instructions), strings.Join(tools, ","))
}
