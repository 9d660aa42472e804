package sluicetest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// bodyCase is the list of a request: messages, input or contents. No rules means
// that the provider accepts it.
type bodyCase struct{ name, list, rules string }

// checkBodies judges bodies that no writer of ours would write: the rules must
// hold without it.
func checkBodies(t *testing.T, format wire.Format, member string, cases []bodyCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := `{"` + member + `":[` + c.list + `]}`
			if strings.HasPrefix(c.list, `"`) {
				body = `{` + c.list + `}`
			}
			problems := bodyProblems(format, []byte(body))
			var got []string
			for _, err := range problems {
				var v *Violation
				if !errors.As(err, &v) || v.Format != string(format) || v.Payload != -1 {
					t.Fatalf("%v", err)
				}
				got = append(got, v.Rule)
			}
			if !slices.Equal(got, strings.Fields(c.rules)) {
				t.Errorf("got %v, want %v: %v", got, c.rules, errors.Join(problems...))
			}
		})
	}
}

func TestRequestBodiesOfChat(t *testing.T) {
	t.Parallel()
	const (
		user  = `{"role":"user","content":"go"}`
		call  = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
		reply = `{"role":"tool","tool_call_id":"a","content":"1"}`
	)
	calling := func(call string) string {
		return user + `,{"role":"assistant","content":null,"tool_calls":[` + call + `]},` + reply
	}
	checkBodies(t, wire.OpenAIChat, "messages", []bodyCase{
		{"a round", user + "," + call + "," + reply, ""},
		{"an id in two rounds", user + "," + call + "," + reply + "," + call + "," + reply, ""},
		{"no messages", "", "messages-empty"},
		{"messages that are no list", `"messages":{}`, "type messages-empty"},
		{"a message that is no object", user + `,1`, "type"},
		{"a role that is no text", `{"role":1,"content":"x"}`, "type role"},
		{"a call without a result", user + "," + call + "," + user, "call-unanswered"},
		{"a result behind the user", user + "," + call + "," + user + "," + reply, "call-unanswered result-orphan"},
		{"two results", user + "," + call + "," + reply + "," + reply, "result-twice"},
		{"an unknown role", `{"role":"critic","content":"x"}`, "role"},
		{"the user without content", `{"role":"user"}`, "type content-empty"},
		{"the assistant without content", user + `,{"role":"assistant","content":null}`, "content-empty"},
		{"the assistant with empty content", user + `,{"role":"assistant","content":""}`, "content-empty"},
		{"the assistant with a refusal", user + `,{"role":"assistant","content":null,"refusal":"no"}`, ""},
		{"an empty list of parts", user + `,{"role":"assistant","content":[]}`, "content-empty"},
		{"an image of the assistant", user + `,{"role":"assistant","content":[{"type":"image_url"}]}`, "part"},
		{"an image of a tool", user + "," + call + `,{"role":"tool","tool_call_id":"a","content":[{"type":"image_url"}]}`, "part"},
		{"a text without text", `{"role":"user","content":[{"type":"text"}]}`, "type"},
		{"an empty list of calls", user + `,{"role":"assistant","content":"x","tool_calls":[]}`, "calls-empty"},
		{"an id at the limit", strings.ReplaceAll(user+","+call+","+reply, `"a"`, `"`+strings.Repeat("x", 40)+`"`), ""},
		{"an id over the limit", strings.ReplaceAll(user+","+call+","+reply, `"a"`, `"`+strings.Repeat("x", 41)+`"`), "id-long"},
		{"a call without an id", calling(`{"type":"function","function":{"name":"f","arguments":"{}"}}`), "id-missing result-orphan call-unanswered"},
		{"an id twice", calling(`{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"a","type":"custom","custom":{"name":"f","input":""}}`), "call-duplicate"},
		{"a call of no type", calling(`{"id":"a"}`), "call-type"},
		{"a call without a function", calling(`{"id":"a","type":"function"}`), "type name arguments"},
		{"a bad name", calling(`{"id":"a","type":"function","function":{"name":"f g","arguments":"{}"}}`), "name"},
		{"arguments that are an object", calling(`{"id":"a","type":"function","function":{"name":"f","arguments":{}}}`), "arguments"},
		{"arguments that are cut", calling(`{"id":"a","type":"function","function":{"name":"f","arguments":"{"}}`), "arguments"},
		{"arguments that are a list", calling(`{"id":"a","type":"function","function":{"name":"f","arguments":"[]"}}`), "arguments"},
	})
}

func TestRequestBodiesOfResponses(t *testing.T) {
	t.Parallel()
	const (
		user   = `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`
		answer = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}`
		call   = `{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}`
		reply  = `{"type":"function_call_output","call_id":"a","output":"1"}`
		reason = `{"type":"reasoning","summary":[],"encrypted_content":"E"}`
	)
	id := func(id, item string) string { return strings.Replace(item, `{`, `{"id":"`+id+`",`, 1) }
	checkBodies(t, wire.OpenAIResponses, "input", []bodyCase{
		{"a round", user + "," + reason + "," + call + "," + reply + "," + answer, ""},
		{"texts without parts", `{"role":"user","content":"go"},{"role":"assistant","content":"x"}`, ""},
		{"no items", "", "messages-empty"},
		{"an item without a type", `{}`, "item-type"},
		{"a call without an output", user + "," + call, "call-unanswered"},
		{"an output without a call", user + "," + reply, "result-orphan"},
		{"an output before its call", user + "," + reply + "," + call, "result-orphan call-unanswered"},
		{"two outputs", call + "," + reply + "," + reply, "result-twice"},
		{"an output of another type", call + `,{"type":"custom_tool_call_output","call_id":"a","output":"1"}`, "result-type"},
		{"an output without one", call + `,{"type":"function_call_output","call_id":"a"}`, "type"},
		{"a call without an id", `{"type":"function_call","name":"f","arguments":"{}"}`, "id-missing"},
		{"a call with an empty id", strings.ReplaceAll(call+","+reply, `"a"`, `""`), "id-missing"},
		{"an id at the limit", strings.ReplaceAll(call+","+reply, `"a"`, `"`+strings.Repeat("x", 64)+`"`), ""},
		{"an id over the limit", strings.ReplaceAll(call+","+reply, `"a"`, `"`+strings.Repeat("x", 65)+`"`), "id-long"},
		{"an id twice", call + "," + call + "," + reply, "call-duplicate"},
		{"a bad name", strings.Replace(call, `"f"`, `""`, 1) + "," + reply, "name"},
		{"arguments that are cut", strings.Replace(call, `{}`, `{`, 1) + "," + reply, "arguments"},
		{"a free-form call", `{"type":"custom_tool_call","call_id":"a","name":"f","input":"x"},{"type":"custom_tool_call_output","call_id":"a","output":[]}`, ""},
		{"a free-form call without input", `{"type":"custom_tool_call","call_id":"a","name":"f"},{"type":"custom_tool_call_output","call_id":"a","output":""}`, "type"},
		{"a search of the provider", user + `,{"type":"web_search_call","id":"ws_1"},` + answer, ""},
		{"reasoning and what follows it with their ids", user + "," + id("rs_1", reason) + "," + id("msg_1", answer) + "," + id("rs_2", reason) + "," + id("fc_1", call) + "," + reply, ""},
		{"reasoning with an id before a message without one", user + "," + id("rs_1", reason) + "," + answer, "reasoning-follower"},
		{"reasoning with an id before a call without one", user + "," + id("rs_1", reason) + "," + call + "," + reply, "reasoning-follower"},
		{"reasoning with an id before reasoning without one", user + "," + id("rs_1", reason) + "," + reason + "," + answer, "reasoning-follower"},
		{"reasoning without an id before a message with one", user + "," + reason + "," + id("msg_1", answer), "reasoning-required"},
		{"reasoning without an id before a search with one", user + "," + reason + `,{"type":"web_search_call","id":"ws_1"},` + answer, "reasoning-required"},
		{"an id where nothing is stored", `"store":false,"input":[` + user + "," + reason + "," + id("msg_1", answer) + `]`, "reasoning-required item-not-stored"},
		{"no ids where nothing is stored", `"store":false,"input":[` + user + "," + reason + "," + answer + `]`, ""},
		{"reasoning at the end", user + "," + reason, "reasoning-alone"},
		{"reasoning before the user", reason + "," + user, "reasoning-alone"},
		{"reasoning before an output", call + "," + reason + "," + reply, "reasoning-alone"},
		{"reasoning without a summary", `{"type":"reasoning","encrypted_content":"E"},` + answer, "type"},
		{"reasoning without a proof", `{"type":"reasoning","summary":[]},` + answer, "signature"},
		{"an unknown role", `{"type":"message","role":"critic","content":"x"}`, "role"},
		{"an empty answer", `{"type":"message","role":"assistant","content":""}`, "content-empty"},
		{"a message without content", `{"type":"message","role":"user","content":[]}`, "content-empty"},
		{"the assistant with a part of the user", `{"type":"message","role":"assistant","content":[{"type":"input_text","text":"x"}]}`, "part"},
		{"the user with a part of the assistant", `{"type":"message","role":"user","content":[{"type":"output_text","text":"x"}]}`, "part"},
		{"a part of another dialect", `{"type":"message","role":"user","content":[{"type":"text","text":"x"}]}`, "part"},
		{"a text without text", `{"type":"message","role":"user","content":[{"type":"input_text"}]}`, "type"},
		{"a refusal without text", `{"type":"message","role":"assistant","content":[{"type":"refusal","text":"x"}]}`, "type"},
		{"an item's id twice", strings.Replace(answer, `{`, `{"id":"msg_1",`, 1) + "," + strings.Replace(answer, `{`, `{"id":"msg_1",`, 1), "item-duplicate"},
		{"an item's id of another kind", strings.Replace(call, `{`, `{"id":"call_1",`, 1) + "," + reply, "item-id"},
		{"an item's id with a bar", strings.Replace(call, `{`, `{"id":"fc|1",`, 1) + "," + reply, "item-id"},
		{"an item's id over the limit", strings.Replace(call, `{`, `{"id":"fc_`+strings.Repeat("1", 62)+`",`, 1) + "," + reply, "item-id"},
	})
}

func TestRequestBodiesOfAnthropic(t *testing.T) {
	t.Parallel()
	const (
		user  = `{"role":"user","content":"go"}`
		call  = `{"type":"tool_use","id":"a","name":"f","input":{}}`
		reply = `{"type":"tool_result","tool_use_id":"a","content":"1"}`
		text  = `{"type":"text","text":"x"}`
		think = `{"type":"thinking","thinking":"hm","signature":"S"}`
	)
	assistant := func(blocks ...string) string {
		return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
	}
	human := func(blocks ...string) string { return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}` }
	round := func(blocks ...string) string { return user + "," + assistant(blocks...) + "," + human(reply) }
	checkBodies(t, wire.Anthropic, "messages", []bodyCase{
		{"a round", round(think, text, call), ""},
		{"neighbours of one role are one turn", user + "," + user + "," + assistant(text) + "," + assistant(call) + "," + human(reply) + "," + user, ""},
		{"no messages", "", "messages-empty"},
		{"an unknown role", user + `,{"role":"system","content":"x"}`, "role"},
		{"the assistant first", assistant(text), "first-role"},
		{"a message without content", user + "," + assistant() + "," + user, "content-empty"},
		{"a message with an empty text", user + `,{"role":"assistant","content":""},` + user, "content-empty"},
		{"the last of the assistant may be empty", user + "," + assistant(), ""},
		{"the last of the assistant ends with space", user + "," + assistant(`{"type":"text","text":"x "}`), "text-trailing-space"},
		{"another of the assistant ends with space", user + "," + assistant(`{"type":"text","text":"x "}`) + "," + user, ""},
		{"an empty text", user + "," + assistant(`{"type":"text","text":""}`) + "," + user, "text-blank"},
		{"a text that is only space", human(`{"type":"text","text":" \n"}`), "text-blank"},
		{"a text without text", human(`{"type":"text"}`), "type"},
		{"a block without a type", human(`{}`), "block-type"},
		{"a block of the assistant without a type", user + "," + assistant(`{}`, text), "block-type"},
		{"a call without a result", user + "," + assistant(call) + "," + user, "call-unanswered"},
		{"a call at the end", user + "," + assistant(call), "call-unanswered"},
		{"a result without a call", human(reply), "result-orphan"},
		{"a result of an earlier turn", round(call) + "," + assistant(text) + "," + human(reply), "result-orphan"},
		{"two results", user + "," + assistant(call) + "," + human(reply, reply), "result-twice"},
		{"a text before a result", user + "," + assistant(call) + "," + human(text, reply), "results-first"},
		{"a message before a result", user + "," + assistant(call) + "," + user + "," + human(reply), "results-first"},
		{"an empty text in a result", user + "," + assistant(call) + "," + human(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":""}]}`), "text-blank"},
		{"a call of the user", human(call), "block-role"},
		{"a result of the assistant", user + "," + assistant(reply), "block-role"},
		{"an id twice", round(call) + "," + assistant(call) + "," + human(reply), "call-duplicate"},
		{"a call without an id", strings.ReplaceAll(round(call), `"a"`, `""`), "id-missing"},
		{"an id of another alphabet", strings.ReplaceAll(round(call), `"a"`, `"f:0"`), "id-alphabet"},
		{"a bad name", strings.ReplaceAll(round(call), `"f"`, `"f.g"`), "name"},
		{"input that is a text", strings.ReplaceAll(round(call), `"input":{}`, `"input":"{}"`), "arguments"},
		{"text behind a call", round(call, text), "text-after-call"},
		{"thinking behind text, with a call", round(text, think, call), "thinking-first"},
		{"thinking behind text, without calls", user + "," + assistant(text, think, text), ""},
		{"thinking at the end", user + "," + assistant(think) + "," + user, "thinking-last"},
		{"thinking without a signature", user + "," + assistant(`{"type":"thinking","thinking":"hm"}`, text), "signature"},
		{"thinking without its text", user + "," + assistant(`{"type":"thinking","signature":"S"}`, text), "type"},
		{"redacted thinking without data", user + "," + assistant(`{"type":"redacted_thinking"}`, text), "signature"},
		{"a search without its call", user + "," + assistant(`{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`, text), "result-orphan"},
		{"a search whose result opens a later message", user + "," + assistant(`{"type":"server_tool_use","id":"s"}`) + "," + user + "," +
			assistant(`{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`, text), ""},
		{"blank instructions", `"messages":[` + user + `],"system":[{"type":"text","text":" "}]`, "text-blank"},
		{"instructions that are a number", `"messages":[` + user + `],"system":1`, "type"},
	})
}

func TestRequestBodiesOfGemini(t *testing.T) {
	t.Parallel()
	const (
		user   = `{"role":"user","parts":[{"text":"go"}]}`
		answer = `{"role":"model","parts":[{"text":"x"}]}`
		call   = `{"functionCall":{"name":"f","args":{}}}`
		signed = `{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"}`
		reply  = `{"functionResponse":{"name":"f","response":{"output":"1"}}}`
	)
	model := func(parts ...string) string { return `{"role":"model","parts":[` + strings.Join(parts, ",") + `]}` }
	human := func(parts ...string) string { return `{"role":"user","parts":[` + strings.Join(parts, ",") + `]}` }
	round := user + "," + model(call) + "," + human(reply)
	checkBodies(t, wire.Gemini, "contents", []bodyCase{
		{"a round", round + "," + answer, ""},
		{"the other spelling", user + "," + model(strings.ReplaceAll(signed, "thoughtSignature", "thought_signature")) + "," +
			human(strings.ReplaceAll(reply, "functionResponse", "function_response")), ""},
		{"both spellings at once", human(`{"inline_data":{},"inlineData":{}}`), ""},
		{"results before text", user + "," + model(call, call) + "," + human(reply, reply, `{"text":"so?"}`), ""},
		{"no contents", "", "messages-empty"},
		{"an unknown role", `{"role":"assistant","parts":[{"text":"x"}]}`, "role"},
		{"no parts", user + "," + model(), "content-empty"},
		{"an empty part", human(`{}`), "part"},
		{"a part with two kinds of data", human(`{"text":"x","inlineData":{}}`), "part"},
		{"an empty text", human(`{"text":""}`), "text-blank"},
		{"an empty text with a signature", user + "," + model(`{"text":"","thoughtSignature":"c2ln"}`), ""},
		{"empty instructions", `"contents":[` + user + `],"systemInstruction":{"parts":[{"text":""}]}`, "text-blank"},
		{"calls first of all", model(call) + "," + human(reply), "call-position"},
		{"calls after the model", user + "," + answer + "," + model(call) + "," + human(reply), "call-position"},
		{"calls after results", round + "," + model(call) + "," + human(reply), ""},
		{"calls without results", user + "," + model(call) + "," + user, "call-unanswered"},
		{"calls at the end", user + "," + model(call), "call-unanswered"},
		{"calls before the model", user + "," + model(call) + "," + answer, "call-unanswered"},
		{"too few results", user + "," + model(call, call) + "," + human(reply), "call-unanswered"},
		{"too many results", user + "," + model(call) + "," + human(reply, reply), "result-twice"},
		{"results without calls", user + "," + answer + "," + human(reply), "result-orphan"},
		{"results in two contents", user + "," + model(call, call) + "," + human(reply) + "," + human(reply), "call-unanswered result-orphan"},
		{"a result with another id", user + "," + model(`{"functionCall":{"id":"1","name":"f"}}`) + "," + human(`{"functionResponse":{"id":"2","name":"f","response":{}}}`), "result-orphan"},
		{"results by id in another order", user + "," + model(`{"functionCall":{"id":"1","name":"f"}}`, `{"functionCall":{"id":"2","name":"g"}}`) + "," +
			human(`{"functionResponse":{"id":"2","name":"g","response":{}}}`, `{"functionResponse":{"id":"1","name":"f","response":{}}}`), ""},
		{"a result of another tool", user + "," + model(call) + "," + human(`{"functionResponse":{"name":"g","response":{}}}`), "result-name"},
		{"a result that is a text", user + "," + model(call) + "," + human(`{"functionResponse":{"name":"f","response":"1"}}`), "type"},
		{"a call of the user", human(call), "call-role"},
		{"a result of the model", round + "," + model(reply), "result-role"},
		{"a call without a name", user + "," + model(`{"functionCall":{}}`) + "," + human(reply), "name result-name"},
		{"arguments that are a text", user + "," + model(`{"functionCall":{"name":"f","args":"{}"}}`) + "," + human(reply), "arguments"},
		{"a signature on the first call", user + "," + model(signed, call) + "," + human(reply, reply), ""},
		{"a signature on the second call", user + "," + model(call, signed) + "," + human(reply, reply), "signature"},
		{"a step that lost its signature", user + "," + model(signed) + "," + human(reply) + "," + model(call) + "," + human(reply), "signature"},
		{"an earlier turn without signatures", round + "," + user + "," + model(signed) + "," + human(reply), ""},
		{"a signature that is no base64", user + "," + model(`{"text":"x","thoughtSignature":"c"}`), "signature"},
	})
}

func TestBodiesThatAreNoRequest(t *testing.T) {
	t.Parallel()
	for _, body := range []string{``, `[]`, `{`, `null`, `{"a":1,"a":2}`} {
		for _, format := range wire.Formats() {
			if len(bodyProblems(format, []byte(body))) == 0 {
				t.Errorf("%s: %q is accepted", format, body)
			}
		}
	}
}

// FuzzRequestBodies: no body makes the rules panic or disagree with themselves.
func FuzzRequestBodies(f *testing.F) {
	for _, body := range []string{
		`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}],"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":[{"type":"tool_result","tool_use_id":"a","content":[{}]}]}],"system":[{}]}`,
		`{"input":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":""},{"role":"user","content":[{"type":"input_text","text":""}]}]}`,
		`{"systemInstruction":{"parts":[]},"contents":[{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"=="}]},{"role":"user","parts":[{"function_response":{"id":"a","name":"f","response":{}},"_":1}]}]}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range wire.Formats() {
			first, second := errors.Join(bodyProblems(format, body)...), errors.Join(bodyProblems(format, body)...)
			if (first == nil) != (second == nil) || first != nil && first.Error() != second.Error() {
				t.Errorf("%s: %v, then %v", format, first, second)
			}
		}
	})
}
