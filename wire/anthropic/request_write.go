package anthropic

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// DefaultMaxTokens is the limit that AppendRequest writes for a request that has
// none: the dialect demands one, and every model allows this much.
const DefaultMaxTokens = 4096

// AppendRequest appends req to dst as a request body of the dialect and returns the
// extended slice. It only reads req. If the dialect cannot express the request, dst is
// returned unchanged, with an *llm.RequestError.
//
// Messages of one side are joined into one, because sides must alternate; the
// results of a turn come first in it. Content that follows a call moves before
// the first one. Leading messages of the role System become part of the system
// text; one in the middle of the history is an error. A refusal is written as
// text, and texts that are empty are left out. The arguments of a free-form call
// are wrapped as {"input": text}. Ids outside the dialect's alphabet are mapped,
// always in the same way. Of the citations of a text those of this dialect are
// written.
//
// A block or tool whose Raw is of this dialect and still says what the fields
// say is written as its Raw, so that cache hints and citations stay. Thinking of
// another dialect, or without a signature, is left out as a whole: nothing proves
// it here, and thinking is never altered. What the provider runs itself is written
// from its fields if it has no Raw.
func AppendRequest(dst []byte, req *llm.Request) ([]byte, error) {
	w := requestWriter{Body: request.NewBody(dst, request.Anthropic), ids: request.IDs{Strict: true}}
	w.write(req)
	return w.Bytes()
}

// requestWriter writes one request.
type requestWriter struct {
	*request.Body

	ids request.IDs
}

func (w *requestWriter) write(req *llm.Request) {
	w.Open('{')
	w.String("model", req.Model)
	limit := req.MaxTokens
	if limit <= 0 {
		limit = DefaultMaxTokens
	}
	w.Int("max_tokens", limit)
	turns := request.Turns(req.Messages)
	w.system(req.System, &turns)
	w.Key("messages")
	w.Open('[')
	for i := range turns {
		w.turn(&turns[i])
	}
	w.Close(']')
	w.writeTools(req.Tools)
	if req.Stream {
		w.True("stream")
	}
	if req.Temperature != nil {
		w.Float("temperature", *req.Temperature)
	}
	w.Extra(req.Extra, "model", "max_tokens", "system", "messages", "tools", "stream", "temperature")
	w.Close('}')
}

// system writes the instructions and removes those at the start of the history from it.
func (w *requestWriter) system(blocks []llm.Block, turns *[]request.Turn) {
	var texts []*llm.Block
	for i := range blocks {
		texts = append(texts, &blocks[i])
	}
	if len(*turns) > 0 && (*turns)[0].Role == llm.System {
		texts = append(texts, (*turns)[0].Blocks...)
		*turns = (*turns)[1:]
	}
	texts = slices.DeleteFunc(texts, func(b *llm.Block) bool { return b.Kind == llm.Content && b.Text == "" })
	switch {
	case len(texts) == 0:
		return
	case len(texts) == 1 && texts[0].Kind == llm.Content && !w.unchanged(texts[0]):
		w.String("system", texts[0].Text)
		return
	}
	w.Key("system")
	w.Open('[')
	for _, b := range texts {
		if b.Kind != llm.Content {
			w.Refusef("the system text has a block of kind %s: only text can instruct", b.Kind)
			return
		}
		w.block(b)
	}
	w.Close(']')
}

func (w *requestWriter) turn(t *request.Turn) {
	blocks := t.Blocks
	switch t.Role {
	case llm.User:
		blocks = slices.Clone(blocks)
		slices.SortStableFunc(blocks, func(a, b *llm.Block) int { return after(a) - after(b) })
	case llm.Assistant:
		blocks = request.CallsLast(blocks)
	case llm.System:
		w.Refusef("a system message is in the middle of the history: put it first or into System")
		return
	default:
		w.Refusef("unknown role %q: use user or assistant", t.Role)
		return
	}
	blocks = slices.DeleteFunc(slices.Clone(blocks), leftOut)
	if len(blocks) == 0 {
		return
	}
	w.Open('{')
	w.String("role", string(t.Role))
	w.Key("content")
	w.Open('[')
	if t.Role == llm.User {
		var results []request.Result
		results, blocks = request.Results(blocks)
		for i := range results {
			w.result(&results[i])
		}
	}
	for _, b := range blocks {
		if assistants := b.Kind != llm.Content && b.Kind != llm.Opaque; assistants != (t.Role == llm.Assistant) && assistants {
			w.Refusef("a block of kind %s is in a message of role %s: only the assistant can have those", b.Kind, t.Role)
			return
		}
		w.block(b)
	}
	w.Close(']')
	w.Close('}')
}

// after is 0 for results, which come first, and 1 for everything else.
func after(b *llm.Block) int {
	if request.IsResult(b) {
		return 0
	}
	return 1
}

// leftOut reports whether a block is not written: empty text, and thinking of other
// dialects.
func leftOut(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Refusal:
		return b.Text == ""
	case llm.Thinking:
		return b.Type != "" && b.Type != "thinking" || b.Signature == ""
	case llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
	return false
}

// unchanged reports whether the block's Raw is of this dialect and matches the fields.
func (w *requestWriter) unchanged(b *llm.Block) bool {
	raw := bytes.TrimSpace(b.Raw)
	if !request.IsObject(raw) {
		return false
	}
	r := &requestReader{body: raw, request: &llm.Request{}}
	read, f := r.block(nil, llm.Span{End: len(raw)})
	return f == nil && request.Unchanged([]*llm.Block{b}, read)
}

func (w *requestWriter) block(b *llm.Block) {
	if b.Kind == llm.ToolCall {
		w.call(b)
		return
	}
	if w.unchanged(b) {
		if b.Kind == llm.Opaque && (request.Foreign(request.Anthropic, b.Type) || b.Type == "") {
			w.Refusef("the dialect has no blocks of type %q", b.Type)
			return
		}
		w.Exact("the Raw of a block", b.Raw)
		return
	}
	switch b.Kind {
	case llm.Content, llm.Refusal:
		w.text(b.Text, b.Citations...)
	case llm.Thinking:
		w.Open('{')
		w.String("type", "thinking")
		w.String("thinking", b.Text)
		w.String("signature", b.Signature)
		w.Close('}')
	case llm.ServerTool:
		if arguments, ok := request.Arguments(b); ok && b.Type == "server_tool_use" {
			w.Open('{')
			w.String("type", b.Type)
			w.String("id", b.ID)
			w.String("name", b.Name)
			w.Key("input")
			w.Exact("the input of a server tool", arguments)
			w.Close('}')
			return
		}
		fallthrough
	case llm.ToolCall, llm.ToolResult, llm.Opaque:
		w.Refusef("a block of kind %s and type %q can only be written as its own Raw, which is missing or of another dialect", b.Kind, b.Type)
	default:
		w.Refusef("the dialect has no blocks of kind %s", b.Kind)
	}
}

// text writes a text with those of its citations that are of this dialect.
func (w *requestWriter) text(text string, sources ...json.RawMessage) {
	w.Open('{')
	w.String("type", "text")
	w.String("text", text)
	w.Sources("citations", sources, isCitation)
	w.Close('}')
}

// isCitation reports whether a source is a citation of this dialect.
func isCitation(source []byte) bool { return strings.HasSuffix(request.TypeOf(source), "_location") }

func (w *requestWriter) call(b *llm.Block) {
	id := w.ids.Call(b.ID)
	if id == b.ID && w.unchanged(b) {
		w.Exact("the Raw of a call", b.Raw)
		return
	}
	if b.Name == "" {
		w.Refusef("a call of type %q has no tool name, and the dialect cannot express it otherwise", b.Type)
		return
	}
	arguments, ok := request.Arguments(b)
	if !ok {
		w.Refusef("the arguments of the call %q of %s are not a JSON object: leave out the call and its result", b.ID, b.Name)
		return
	}
	w.Open('{')
	w.String("type", "tool_use")
	w.String("id", id)
	w.String("name", b.Name)
	w.Key("input")
	w.Exact("the arguments of a call", arguments)
	w.Close('}')
}

func (w *requestWriter) result(r *request.Result) {
	id := w.ids.Result(r.ToolUseID)
	if only := r.Parts[0]; len(r.Parts) == 1 && id == only.ToolUseID && only.Kind == llm.ToolResult && w.unchanged(only) {
		w.Exact("the Raw of a result", only.Raw)
		return
	}
	w.Open('{')
	w.String("type", "tool_result")
	w.String("tool_use_id", id)
	w.Key("content")
	if text, only := r.Text(); only {
		w.Text(text)
	} else {
		w.Open('[')
		for _, part := range r.Parts {
			w.part(part)
		}
		w.Close(']')
	}
	if r.Failed {
		w.True("is_error")
	}
	w.Close('}')
}

// part writes one part of a result that has several.
func (w *requestWriter) part(b *llm.Block) {
	if b.Kind == llm.ToolResult {
		if b.Text != "" {
			w.text(b.Text)
		}
		return
	}
	if b.Type == "" || request.Foreign(request.Anthropic, b.Type) || request.TypeOf(b.Raw) != b.Type {
		w.Refusef("a result has a part of type %q, which the dialect does not have", b.Type)
		return
	}
	w.Exact("the Raw of a part", b.Raw)
}

func (w *requestWriter) writeTools(tools []llm.Tool) {
	if len(tools) == 0 {
		return
	}
	w.Key("tools")
	w.Open('[')
	for i := range tools {
		w.tool(&tools[i])
	}
	w.Close(']')
}

func (w *requestWriter) tool(t *llm.Tool) {
	raw := bytes.TrimSpace(t.Raw)
	if request.IsObject(raw) {
		r := &requestReader{body: raw, request: &llm.Request{}}
		read, f := r.tool(llm.Span{End: len(raw)})
		same := f == nil && read.Name == t.Name && read.Description == t.Description && read.Type == t.Type && bytes.Equal(read.Schema, t.Schema)
		if same && (t.Schema != nil || isDefined(t.Type)) {
			w.Exact("the Raw of a tool", raw)
			return
		}
	}
	if !request.Plain(t) {
		w.Refusef("the tool %q of type %q belongs to another dialect", t.Name, t.Type)
		return
	}
	w.Open('{')
	w.String("name", t.Name)
	if t.Description != "" {
		w.String("description", t.Description)
	}
	w.Key("input_schema")
	switch {
	case len(t.Schema) > 0:
		w.Exact("the schema of the tool "+t.Name, t.Schema)
	case request.IsFreeform(t):
		w.Exact("", []byte(request.FreeformSchema))
	default:
		w.Exact("", []byte(request.EmptySchema))
	}
	w.Close('}')
}

// isDefined reports whether a tool's type names a tool that the provider has
// defined: a family with a date, or a set of tools.
func isDefined(kind string) bool {
	const date = len("_20250305")
	if n := len(kind) - date; n > 0 && kind[n] == '_' {
		for _, c := range kind[n+1:] {
			if c < '0' || c > '9' {
				return false
			}
		}
		return true
	}
	return isServerTool(kind)
}
