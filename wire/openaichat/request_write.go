package openaichat

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// AppendRequest appends req to dst as a request body of the dialect and returns the
// extended slice. It only reads req. If the dialect cannot express the request, dst is
// returned unchanged, with an *llm.RequestError.
//
// The system text is the first message. Neighbouring messages of the assistant
// are joined, because all calls of a turn belong in one message; each result is a
// message of its own, directly after it. A stream is asked for its usage unless Extra
// has stream_options. MaxTokens is written as max_completion_tokens; a server that
// only knows max_tokens gets it through Extra. Texts that are empty are left out. Ids
// longer than 40 characters, which OpenAI refuses, are mapped, always in the same way.
//
// The dialect cannot say that a result failed; its text must. Opaque blocks,
// entries of reasoning_details and tools that are no functions are written as
// their Raw, if that is of this dialect. Thinking of another dialect is left
// out as a whole, because its signature means nothing here and thinking is never
// altered; so is the signature of another dialect's call.
func AppendRequest(dst []byte, req *llm.Request) ([]byte, error) {
	w := requestWriter{Body: request.NewBody(dst, dialect), ids: request.IDs{Limit: 40}}
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
	w.Key("messages")
	w.Open('[')
	if len(req.System) > 0 {
		w.said("system", pointers(req.System))
	}
	for rest := req.Messages; len(rest) > 0; {
		n := 1
		for n < len(rest) && side(rest[n].Role) == side(rest[0].Role) {
			n++
		}
		w.run(rest[:n])
		rest = rest[n:]
	}
	w.Close(']')
	w.writeTools(req.Tools)
	if req.Stream {
		w.True("stream")
		if _, has := req.Extra["stream_options"]; !has {
			w.Key("stream_options")
			w.Exact("", []byte(`{"include_usage":true}`))
		}
	}
	if req.MaxTokens > 0 {
		// A server that only knows the old word gets it through Extra.
		if _, has := req.Extra["max_tokens"]; !has {
			w.Int("max_completion_tokens", req.MaxTokens)
		}
	}
	if req.Temperature != nil {
		w.Float("temperature", *req.Temperature)
	}
	w.Extra(req.Extra, "model", "messages", "tools", "functions", "stream", "max_completion_tokens", "temperature")
	w.Close('}')
}

// side is the common role of a run of messages.
func side(role llm.Role) llm.Role {
	if role == llm.ToolRole {
		return llm.User
	}
	return role
}

func pointers(blocks []llm.Block) []*llm.Block {
	list := make([]*llm.Block, len(blocks))
	for i := range blocks {
		list[i] = &blocks[i]
	}
	return list
}

// run writes neighbouring messages of one side.
func (w *requestWriter) run(messages []llm.Message) {
	switch side(messages[0].Role) {
	case llm.Assistant:
		for _, turn := range request.Turns(messages) {
			w.assistant(turn.Blocks)
		}
	case llm.User:
		var results []*llm.Block
		for i := range messages {
			for _, b := range pointers(messages[i].Blocks) {
				if request.IsResult(b) {
					results = append(results, b)
				}
			}
		}
		list, _ := request.Results(results)
		for i := range list {
			w.result(&list[i])
		}
		for i := range messages {
			blocks := slices.DeleteFunc(pointers(messages[i].Blocks), request.IsResult)
			w.said("user", blocks)
		}
	case llm.System:
		for i := range messages {
			w.said("system", pointers(messages[i].Blocks))
		}
	default:
		w.Refusef("unknown role %q: use system, user, assistant or tool", messages[0].Role)
	}
}

// said writes a message without calls.
func (w *requestWriter) said(role string, blocks []*llm.Block) {
	blocks = slices.DeleteFunc(slices.Clone(blocks), isSilent)
	if len(blocks) == 0 {
		return
	}
	w.Open('{')
	w.String("role", role)
	w.content(blocks, role)
	w.Close('}')
}

func isSilent(b *llm.Block) bool { return b.Kind == llm.Content && b.Text == "" }

// content writes texts and opaque parts: one text as a string, everything else as a
// list.
func (w *requestWriter) content(blocks []*llm.Block, role string) {
	w.Key("content")
	if len(blocks) == 1 && blocks[0].Kind == llm.Content {
		w.Text(blocks[0].Text)
		return
	}
	w.Open('[')
	for _, b := range blocks {
		switch b.Kind {
		case llm.Content, llm.ToolResult:
			w.part("text", b.Text)
		case llm.Opaque:
			if request.TypeOf(b.Raw) != b.Type {
				w.Refusef("a part of type %q has no Raw of this dialect", b.Type)
			}
			w.own(b)
		default:
			w.Refusef("a block of kind %s is in a message of role %s: only the assistant can have those", b.Kind, role)
		}
	}
	w.Close(']')
}

func (w *requestWriter) part(word, text string) {
	w.Open('{')
	w.String("type", word)
	w.String(word, text)
	w.Close('}')
}

// own writes an opaque block unchanged.
func (w *requestWriter) own(b *llm.Block) {
	if b.Type == "" || request.Foreign(dialect, b.Type) {
		w.Refusef("the dialect has no blocks of type %q", b.Type)
		return
	}
	w.Exact("the Raw of a block of type "+b.Type, b.Raw)
}

// spoken is one turn of the assistant, by the members it is written to.
type spoken struct {
	content, details, calls, members []*llm.Block
	thinking                         map[string]string
	refusal                          string
	legacy                           *llm.Block
}

func (w *requestWriter) assistant(blocks []*llm.Block) {
	said := spoken{thinking: map[string]string{}}
	for _, b := range blocks {
		w.sort(&said, b)
	}
	if len(said.content)+len(said.details)+len(said.calls)+len(said.members)+len(said.thinking)+len(said.refusal) == 0 && said.legacy == nil {
		return
	}
	w.Open('{')
	w.String("role", "assistant")
	if len(said.content) > 0 {
		w.spokenContent(said.content)
	} else {
		w.Key("content")
		w.Exact("", []byte("null"))
	}
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if text := said.thinking[name]; text != "" {
			w.String(name, text)
		}
	}
	if len(said.details) > 0 {
		w.Key("reasoning_details")
		w.Open('[')
		for _, b := range said.details {
			w.Exact("the Raw of reasoning", b.Raw)
		}
		w.Close(']')
	}
	if said.refusal != "" {
		w.String("refusal", said.refusal)
	}
	if len(said.calls) > 0 {
		w.Key("tool_calls")
		w.Open('[')
		for _, b := range said.calls {
			w.callEntry(b)
		}
		w.Close(']')
	}
	if said.legacy != nil {
		w.Key("function_call")
		w.called(said.legacy, "arguments")
	}
	for _, b := range said.members {
		w.Key(b.Type)
		w.own(b)
	}
	w.Close('}')
}

// sort assigns a block to its member of an assistant message.
func (w *requestWriter) sort(said *spoken, b *llm.Block) {
	switch b.Kind {
	case llm.Content:
		if b.Text != "" {
			said.content = append(said.content, b)
		}
	case llm.Refusal:
		said.refusal += b.Text
	case llm.Thinking:
		switch {
		case b.Type == "" || b.Type == "reasoning_content":
			said.thinking["reasoning_content"] += b.Text
		case b.Type == "reasoning" && b.Signature == "":
			said.thinking["reasoning"] += b.Text
		case b.Type == "thinking" && b.Signature == "":
			said.content = append(said.content, b)
		case isDetail(b):
			said.details = append(said.details, b)
		}
	case llm.ToolCall:
		if b.Type == legacyType && said.legacy == nil && b.ID == "" {
			said.legacy = b
			return
		}
		said.calls = append(said.calls, b)
	case llm.Opaque:
		switch {
		case isDetail(b):
			said.details = append(said.details, b)
		case request.TypeOf(b.Raw) == b.Type:
			said.content = append(said.content, b)
		case slices.ContainsFunc(said.members, func(m *llm.Block) bool { return m.Type == b.Type }):
			w.Refusef("a message has the member %q twice", b.Type)
		default:
			said.members = append(said.members, b)
		}
	case llm.ToolResult:
		w.Refusef("the result of a call is in a message of the assistant: give it the role tool")
	case llm.ServerTool:
		w.Refusef("a call that another provider executed (%s) cannot be expressed", b.Name)
	default:
		w.Refusef("the dialect has no blocks of kind %s", b.Kind)
	}
}

// isDetail reports whether a block is an entry of reasoning_details.
func isDetail(b *llm.Block) bool {
	return strings.HasPrefix(b.Type, "reasoning.") && request.TypeOf(b.Raw) == b.Type
}

func (w *requestWriter) spokenContent(blocks []*llm.Block) {
	w.Key("content")
	if len(blocks) == 1 && blocks[0].Kind == llm.Content {
		w.Text(blocks[0].Text)
		return
	}
	w.Open('[')
	for _, b := range blocks {
		switch b.Kind {
		case llm.Content:
			w.part("text", b.Text)
		case llm.Thinking:
			w.part("thinking", b.Text)
		default:
			w.own(b)
		}
	}
	w.Close(']')
}

func (w *requestWriter) callEntry(b *llm.Block) {
	if b.Name == "" {
		w.Refusef("a call of type %q has no tool name, and the dialect cannot express it otherwise", b.Type)
		return
	}
	word, argument := "function", "arguments"
	if b.Freeform() {
		word, argument = "custom", "input"
	}
	w.Open('{')
	w.String("id", w.ids.Call(b.ID))
	w.String("type", word)
	w.Key(word)
	w.called(b, argument)
	if b.Signature != "" && (b.Type == "function" || b.Type == "") {
		w.Key("extra_content")
		w.Open('{')
		w.Key("google")
		w.Open('{')
		w.String("thought_signature", b.Signature)
		w.Close('}')
		w.Close('}')
	}
	w.Close('}')
}

func (w *requestWriter) called(b *llm.Block, argument string) {
	arguments := b.Arguments
	if arguments == "" && !b.Freeform() {
		arguments = "{}"
	}
	w.Open('{')
	w.String("name", b.Name)
	w.String(argument, arguments)
	w.Close('}')
}

func (w *requestWriter) result(r *request.Result) {
	w.Open('{')
	w.String("role", "tool")
	w.String("tool_call_id", w.ids.Result(r.ToolUseID))
	if text, only := r.Text(); only {
		w.String("content", text)
	} else {
		w.content(r.Parts, "tool")
	}
	w.Close('}')
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
	if raw := bytes.TrimSpace(t.Raw); request.TypeOf(raw) == t.Type && t.Type != "" && w.unchangedTool(t, raw) {
		w.Exact("the Raw of a tool", raw)
		return
	}
	if !request.Plain(t) {
		w.Refusef("the tool %q of type %q belongs to another dialect", t.Name, t.Type)
		return
	}
	word := "function"
	if request.IsFreeform(t) {
		word = "custom"
	}
	w.Open('{')
	w.String("type", word)
	w.Key(word)
	w.Open('{')
	w.String("name", t.Name)
	if t.Description != "" {
		w.String("description", t.Description)
	}
	if len(t.Schema) > 0 {
		w.Key("parameters")
		w.Exact("the schema of the tool "+t.Name, t.Schema)
	}
	w.Close('}')
	w.Close('}')
}

// unchangedTool reports whether the declaration is of this dialect and matches the
// fields. A type with a date is Anthropic's.
func (w *requestWriter) unchangedTool(t *llm.Tool, raw []byte) bool {
	if jsonscan.Valid(raw) != nil {
		return false
	}
	if n := len(t.Type); n > 2 && t.Type[n-1] >= '0' && t.Type[n-1] <= '9' {
		return false
	}
	if plain := request.Plain(t); plain {
		if object, _, ok := jsonscan.Get(raw, t.Type); !ok || object[0] != '{' {
			return false
		}
	}
	r := requestReader{body: raw, out: &llm.Request{}}
	r.tool(llm.Span{End: len(raw)}, 0)
	if r.err != nil || len(r.out.Tools) != 1 {
		return false
	}
	read := &r.out.Tools[0]
	return read.Name == t.Name && read.Description == t.Description && read.Type == t.Type && bytes.Equal(read.Schema, t.Schema)
}
