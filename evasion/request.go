package evasion

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// callID is the id of a call by its place.
func callID(n int) string { return "call_" + strconv.Itoa(n) }

// Request returns the request whose answer has the calls, as a client of the
// format sends it: what was before, and the words of a user if there was
// nothing. Formats other than those of the suites' tests are an error.
func (c *Case) Request(format wire.Format) (*llm.Request, error) {
	turns := c.Before
	if len(turns) == 0 || turns[0].User == "" {
		turns = append([]Turn{{User: "Please go on with the work."}}, turns...)
	}
	var body string
	switch format {
	case wire.OpenAIChat:
		body = `{"model":"m","stream":true,"messages":` + history(turns, chatTurn) + `}`
	case wire.Anthropic:
		body = `{"model":"m","stream":true,"max_tokens":1000,"messages":` + history(turns, anthropicTurn) + `}`
	case wire.OpenAIResponses:
		body = `{"model":"m","stream":true,"input":` + history(turns, responsesTurn) + `}`
	case wire.Gemini:
		return nil, fmt.Errorf("evasion: no requests in the format %s", format)
	}
	return format.ReadRequest([]byte(body))
}

// history writes the entries of a conversation as a JSON array.
func history(turns []Turn, write func(t *Turn, id string) string) string {
	list := make([]string, len(turns))
	for i := range turns {
		list[i] = write(&turns[i], "before_"+strconv.Itoa(i))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func quote(text string) string { return string(jsonscan.AppendString(nil, text)) }

// spoken returns the role and the text of a turn that is not a call.
func (t *Turn) spoken() (role, text string) {
	if t.User != "" {
		return "user", t.User
	}
	return "assistant", t.Assistant
}

func chatTurn(t *Turn, id string) string {
	if t.Call == nil {
		role, text := t.spoken()
		return `{"role":"` + role + `","content":` + quote(text) + `}`
	}
	b := t.Call.block(0)
	kind, member := "function", "arguments"
	if b.Freeform() {
		kind, member = "custom", "input"
	}
	return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"` + kind + `","` + kind + `":{"name":` + quote(b.Name) + `,"` + member + `":` + quote(b.Arguments) + `}}]},` +
		`{"role":"tool","tool_call_id":"` + id + `","content":` + quote(t.Result) + `}`
}

func anthropicTurn(t *Turn, id string) string {
	if t.Call == nil {
		role, text := t.spoken()
		return `{"role":"` + role + `","content":[{"type":"text","text":` + quote(text) + `}]}`
	}
	b := t.Call.block(0)
	input := b.Arguments
	if b.Freeform() || !json.Valid([]byte(input)) {
		input = `{"input":` + quote(input) + `}`
	}
	return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":` + quote(b.Name) + `,"input":` + input + `}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","is_error":` + strconv.FormatBool(t.Failed) + `,"content":` + quote(t.Result) + `}]}`
}

// codexShape is the shape of commands that clients of the Responses API use.
const codexShape = 5

func responsesTurn(t *Turn, id string) string {
	if t.Call == nil {
		role, text := t.spoken()
		part := map[string]string{"user": "input_text", "assistant": "output_text"}[role]
		return `{"type":"message","role":"` + role + `","content":[{"type":"` + part + `","text":` + quote(text) + `}]}`
	}
	b := t.Call.block(codexShape)
	kind, member := "function_call", "arguments"
	if b.Freeform() {
		kind, member = "custom_tool_call", "input"
	}
	return `{"type":"` + kind + `","call_id":"` + id + `","name":` + quote(b.Name) + `,"` + member + `":` + quote(b.Arguments) + `},` +
		`{"type":"` + kind + `_output","call_id":"` + id + `","output":` + quote(t.Result) + `}`
}
