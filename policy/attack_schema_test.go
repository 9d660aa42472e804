package policy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// Clients that check every payload against a schema leave out one that does not match it,
// and run the call without the piece in it: such a call leaves in one piece.
func TestAttackPiecesThatDoNotMatchASchema(t *testing.T) {
	t.Parallel()
	const piece = `{"index":0,"function":{"arguments":" # "}}`
	chunk := func(beside, choice, delta string) string {
		return `{"id":"c","object":"chat.completion.chunk"` + beside + `,"model":"m","choices":[{"index":0` + choice + `,"delta":{` + delta + `},"finish_reason":null}]}`
	}
	calls := func(entry string) string { return `"tool_calls":[` + entry + `]` }
	for name, odd := range map[string]string{
		"a time that is a text":          chunk(`,"created":"1"`, ``, calls(piece)),
		"a time that is true":            chunk(`,"created":true`, ``, calls(piece)),
		"a fingerprint that is a number": chunk(`,"system_fingerprint":1`, ``, calls(piece)),
		"usage that is a text":           chunk(`,"usage":"1"`, ``, calls(piece)),
		"counts that are texts":          chunk(`,"usage":{"prompt_tokens":"1"}`, ``, calls(piece)),
		"details that are a number":      chunk(`,"usage":{"prompt_tokens":1,"prompt_tokens_details":1}`, ``, calls(piece)),
		"counts in details":              chunk(`,"usage":{"completion_tokens_details":{"reasoning_tokens":"1"}}`, ``, calls(piece)),
		"an error that is null":          chunk(`,"error":null`, ``, calls(piece)),
		"an event of a library":          chunk(`,"type":"content.delta"`, ``, calls(piece)),
		"the same with an escape":        chunk(`,"ty\u0070e":"content\u002edelta"`, ``, calls(piece)),
		"probabilities that are a text":  chunk(``, `,"logprobs":"x"`, calls(piece)),
		"probabilities without tokens":   chunk(``, `,"logprobs":{"content":[{"logprob":1,"top_logprobs":[]}]}`, calls(piece)),
		"probabilities of a text":        chunk(``, `,"logprobs":{"refusal":[{"token":"x","logprob":"1","top_logprobs":[]}]}`, calls(piece)),
		"probabilities of no list":       chunk(``, `,"logprobs":{"content":[{"token":"x","logprob":1,"top_logprobs":{}}]}`, calls(piece)),
		"the role of a tool":             chunk(``, ``, `"role":"tool",`+calls(piece)),
		"the role of a user, after it":   chunk(``, ``, calls(piece)+`,"role":"user"`),
		"an empty role":                  chunk(``, ``, `"role":"",`+calls(piece)),
		"a role that is a list":          chunk(``, ``, `"role":["assistant"],`+calls(piece)),
		"content that is a list":         chunk(``, ``, `"content":[],`+calls(piece)),
		"sources":                        chunk(``, ``, `"annotations":[{"type":"other"}],`+calls(piece)),
		"an empty type":                  chunk(``, ``, calls(strings.Replace(piece, `0,`, `0,"type":"",`, 1))),
		"an unknown type":                chunk(``, ``, calls(strings.Replace(piece, `0,`, `0,"type":"tool",`, 1))),
		"more of Gemini that is a text":  chunk(``, ``, calls(strings.Replace(piece, `0,`, `0,"extra_content":"x",`, 1))),
		"more that has a text":           chunk(``, ``, calls(strings.Replace(piece, `0,`, `0,"extra_content":{"google":"x"},`, 1))),
		"a signature that is a number":   chunk(``, ``, calls(strings.Replace(piece, `0,`, `0,"extra_content":{"google":{"thought_signature":1}},`, 1))),
		"an id that is a number":         strings.Replace(chunk(``, ``, calls(piece)), `"id":"c"`, `"id":1`, 1),
		"a model that is a number":       strings.Replace(chunk(``, ``, calls(piece)), `"model":"m"`, `"model":1`, 1),
	} {
		left, allowed, err := withoutHarm(t, wire.OpenAIChat, nil,
			chunk(``, ``, `"role":"assistant",`+calls(`{"index":0,"id":"call_1","type":"function","function":{"name":"sh","arguments":"{\"s\":\"ls "}}`)),
			odd,
			chunk(``, ``, calls(`{"index":0,"function":{"arguments":"rm\"}"}}`)),
			callsFinish, "[DONE]")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var pieces []string
		for _, entries := range entriesOf(left) {
			for _, e := range entries {
				pieces = append(pieces, e.Function.Arguments)
			}
		}
		for out := range len(pieces) + 1 { // without each of them, and with all
			read := ""
			for i, p := range pieces {
				if i != out {
					read += p
				}
			}
			if json.Valid([]byte(read)) && !allowed[[2]string{"sh", read}] || out == len(pieces) && !allowed[[2]string{"sh", read}] {
				t.Errorf("%s: a client reads %s\n%s", name, read, strings.Join(left, "\n"))
			}
		}
	}
}

// What schemas do not know, and what they allow, changes nothing.
func TestPiecesBesideUsualMembersKeepTheirBytes(t *testing.T) {
	t.Parallel()
	for _, beside := range []string{
		``, `"created":1,"service_tier":null,"system_fingerprint":"f",`, `"usage":null,"obfuscation":"xx","provider":{"a":1},`,
		`"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.1,"cost_details":null,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":null},`,
		`"x_groq":{"id":"r"},"type":"chunk",`,
	} {
		for _, choice := range []string{``, `"logprobs":null,"native_finish_reason":null,`, `"logprobs":{"content":[{"token":"x","bytes":[1],"logprob":-0.5,"top_logprobs":[{"token":"y","logprob":-1}]}],"refusal":null},`} {
			for _, delta := range []string{``, `"role":"assistant","content":null,"refusal":null,"annotations":[],`} {
				var payloads []string
				for _, entry := range []string{
					`{"index":0,"id":"call_1","type":"function","function":{"name":"sh","arguments":""},"extra_content":{"google":{"thought_signature":"s"}}}`,
					`{"index":0,"function":{"arguments":"{\"s\":"}}`, `{"index":0,"type":"function","function":{"name":null,"arguments":"1}"}}`,
				} {
					payloads = append(payloads, fmt.Sprintf(`{%s"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,%s"delta":{%s"tool_calls":[%s]},"finish_reason":null}]}`, beside, choice, delta, entry))
				}
				payloads = append(payloads, callsFinish, "[DONE]")
				if left, _, err := withoutHarm(t, wire.OpenAIChat, nil, payloads...); err != nil || strings.Join(left, "\n") != strings.Join(payloads, "\n") {
					t.Errorf("%v\n%s\nbecame\n%s", err, strings.Join(payloads, "\n"), strings.Join(left, "\n"))
				}
			}
		}
	}
}

// Clients that keep calls in a list take each piece of a call that skips a place for one of
// its own, and a part of a free-form call is a call: it leaves in one piece.
func TestAttackAFreeFormCallThatSkipsAPlace(t *testing.T) {
	t.Parallel()
	const chunk = `{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{%s},"finish_reason":null}]}`
	left, allowed, err := withoutHarm(t, wire.OpenAIChat, nil,
		fmt.Sprintf(chunk, `"role":"assistant","tool_calls":[{"index":1,"id":"call_1","type":"custom","custom":{"name":"sh","input":"rm -r /"}}]`),
		fmt.Sprintf(chunk, `"tool_calls":[{"index":1,"custom":{"input":"tmp/x"}}]`), callsFinish, "[DONE]")
	said := strings.Join(left, "\n")
	if err != nil || !allowed[[2]string{"sh", "rm -r /tmp/x"}] || !strings.Contains(said, `"index":0,"id":"call_1","type":"custom","custom":{"name":"sh","input":"rm -r /tmp/x"}`) {
		t.Errorf("%v\n%s", err, said)
	}
}
