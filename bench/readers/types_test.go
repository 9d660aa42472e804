package readers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// TestSDKReadersKnowEveryTypeOfCall: what a client executes is found in every
// form, streamed and whole, and what the provider executes itself in none.
func TestSDKReadersKnowEveryTypeOfCall(t *testing.T) {
	const token = "allowed-17"
	cases := []struct {
		name   string
		answer Answer
		acts   bool
		// not are the readers for which it is the other way round.
		not []string
	}{
		{name: "custom tool", acts: true, answer: item(`{"type":"custom_tool_call","id":"i","call_id":"c","name":"exec","input":"allowed-17","status":"completed"}`)},
		{name: "local shell", acts: true, answer: item(`{"type":"local_shell_call","id":"i","call_id":"c","status":"completed","action":{"type":"exec","command":["allowed-17"],"env":{}}}`)},
		{name: "shell", acts: true, answer: item(`{"type":"shell_call","id":"i","call_id":"c","status":"completed","action":{"commands":["allowed-17"],"timeout_ms":null,"max_output_length":null}}`)},
		{name: "patch", acts: true, answer: item(`{"type":"apply_patch_call","id":"i","call_id":"c","status":"completed","operation":{"type":"update_file","path":"allowed-17","diff":"@@"}}`)},
		{name: "computer", acts: true, answer: item(`{"type":"computer_call","id":"i","call_id":"c","status":"completed","pending_safety_checks":[],"action":{"type":"type","text":"allowed-17"}}`)},
		{name: "approval", acts: true, answer: item(`{"type":"mcp_approval_request","id":"i","server_label":"s","name":"remove","arguments":"{\"path\":\"allowed-17\"}"}`)},
		{name: "a type of tomorrow", acts: true, not: []string{"ai-sdk"}, // it passes over types that it does not know
			answer: item(`{"type":"rocket_call","id":"i","call_id":"c","name":"launch","arguments":"allowed-17"}`)},

		{name: "web search", answer: item(`{"type":"web_search_call","id":"i","status":"completed","action":{"type":"search","query":"allowed-17"}}`)},
		{name: "MCP of the provider", answer: item(`{"type":"mcp_call","id":"i","server_label":"s","name":"n","arguments":"{\"q\":\"allowed-17\"}","output":"x","error":null}`)},
		{name: "container of the provider", not: []string{"ai-sdk"}, // it goes by the tool that was declared
			answer: item(`{"type":"shell_call","id":"i","call_id":"c","status":"completed","environment":{"type":"container_reference","container_id":"x"},"action":{"commands":["allowed-17"],"timeout_ms":null,"max_output_length":null}}`)},
		{name: "reasoning", answer: item(`{"type":"reasoning","id":"i","summary":[{"type":"summary_text","text":"allowed-17"}]}`)},

		{name: "chat, custom tool", acts: true, not: []string{"ai-sdk"}, // it knows only functions
			answer: message(`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"custom","custom":{"name":"exec","input":"allowed-17"}}]}`)},
		{name: "chat, the old form", acts: true, not: []string{"ai-sdk"},
			answer: message(`{"role":"assistant","content":null,"function_call":{"name":"exec","arguments":"{\"c\":\"allowed-17\"}"}}`)},
		{name: "chat, text", answer: message(`{"role":"assistant","content":"allowed-17"}`)},

		{name: "server tool", answer: block(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"allowed-17"}}`)},
		{name: "thinking", answer: block(`{"type":"thinking","thinking":"allowed-17","signature":"eA=="}`)},
		{name: "code of the provider", answer: Answer{Dialect: wire.Gemini, Body: []byte(
			`{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"allowed-17"}}]}}]}`)}},
	}
	eachReader(t, func(t *testing.T, r Reader) {
		for _, tc := range cases {
			if !slices.Contains(r.Dialects(), tc.answer.Dialect) {
				continue
			}
			t.Run(tc.name, func(t *testing.T) {
				answers := []Answer{tc.answer}
				if tc.answer.Dialect == wire.OpenAIResponses {
					answers = append(answers, streamedItem(tc.answer))
				}
				readings, err := r.Read(t.Context(), answers)
				if err != nil {
					t.Fatal(err)
				}
				want := tc.acts != slices.Contains(tc.not, r.Name())
				for i, reading := range readings {
					got := slices.ContainsFunc(reading.Calls, func(c Call) bool { return strings.Contains(c.Arguments, token) })
					if got != want {
						t.Errorf("answer %d (1 is streamed): a call is handed out: %v, want %v: %+v", i, got, want, reading)
					}
				}
			})
		}
	})
}

const response = `{"id":"r","object":"response","created_at":1,"model":"any","status":%q,"output":[%s],` +
	`"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"error":null,"incomplete_details":null,"metadata":{},` +
	`"usage":{"input_tokens":1,"input_tokens_details":{"cached_tokens":0},"output_tokens":1,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":2}}`

// item is a response with one item.
func item(json string) Answer {
	return Answer{Dialect: wire.OpenAIResponses, Body: fmt.Appendf(nil, response, "completed", json)}
}

// streamedItem is the same response as a stream in which the item comes at once.
func streamedItem(whole Answer) Answer {
	body := string(whole.Body)
	from := strings.Index(body, `"output":[`) + len(`"output":[`)
	one := body[from:strings.Index(body, `],"parallel_tool_calls"`)]
	var out strings.Builder
	for i, event := range []string{
		`"type":"response.created","response":` + fmt.Sprintf(response, "in_progress", ""),
		`"type":"response.output_item.added","output_index":0,"item":` + one,
		`"type":"response.output_item.done","output_index":0,"item":` + one,
		`"type":"response.completed","response":` + body,
	} {
		fmt.Fprintf(&out, "data: {%s,\"sequence_number\":%d}\n\n", event, i)
	}
	return Answer{Dialect: wire.OpenAIResponses, Stream: true, Body: []byte(out.String())}
}

// message is a chat completion with a message.
func message(json string) Answer {
	return Answer{Dialect: wire.OpenAIChat, Body: []byte(`{"id":"c","object":"chat.completion","created":1,"model":"any",` +
		`"choices":[{"index":0,"finish_reason":"tool_calls","message":` + json + `}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`)}
}

// block is a message of Anthropic's with a block.
func block(json string) Answer {
	return Answer{Dialect: wire.Anthropic, Body: []byte(`{"id":"m","type":"message","role":"assistant","model":"any","content":[` + json +
		`],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)}
}
