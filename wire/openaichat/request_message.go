package openaichat

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// messageReader reads one message of a request.
type messageReader struct {
	*requestReader

	message llm.Message
	result  bool // the message is the result of a call
	callID  string
}

func (r *requestReader) message(at llm.Span) {
	if r.kind(at) != jsonscan.Object {
		r.refuse(at, "a message is not an object")
		return
	}
	if !r.within(at, r.count.One(request.Messages)) {
		return
	}
	list := r.members(at)
	m := messageReader{requestReader: r, message: llm.Message{Span: at}}
	word := r.text(find(list, "role"))
	switch word {
	case "developer":
		m.message.Role = llm.System
	case "tool", "function":
		m.message.Role = llm.ToolRole
		m.result = true
		m.callID = r.text(find(list, "tool_call_id"))
	default:
		m.message.Role = llm.Role(word)
	}
	m.read(list)
	r.out.Messages = request.Append(&r.count, request.Messages, r.out.Messages, m.message)
}

// read processes the members in the order in which an answer is read, whatever their
// order in the body.
func (m *messageReader) read(list []member) {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if at := find(list, name); at != nil {
			m.string(llm.Thinking, name, at)
		}
	}
	if at := find(list, "reasoning_details"); at != nil {
		m.details(at)
	}
	if at := find(list, "content"); at != nil {
		m.content(at)
	} else if m.result {
		m.add(llm.Block{Kind: llm.ToolResult, ToolUseID: m.callID, Type: "content", Span: m.message.Span})
	}
	if at := find(list, "refusal"); at != nil {
		m.string(llm.Refusal, "refusal", at)
	}
	if at := find(list, "tool_calls"); at != nil {
		m.list(request.Parts, at, m.call)
	}
	if at := find(list, "function_call"); at != nil && m.kind(at.value) == jsonscan.Object {
		b := llm.Block{Kind: llm.ToolCall, Type: legacyType, Span: at.value}
		m.called(&b, at.value, "arguments")
		m.add(b)
	}
	for i := range list {
		switch at := &list[i]; at.name {
		case "role", "content", "refusal", "reasoning_content", "reasoning", "reasoning_details", "tool_calls",
			"function_call", "tool_call_id", "name":
		default:
			if k := m.kind(at.value); (k == jsonscan.Object || k == jsonscan.Array) && saysIn(m.body, at) {
				m.add(llm.Block{Kind: llm.Opaque, Type: at.name, Span: at.value})
			}
		}
	}
	if at := find(list, "name"); at != nil && m.result {
		for i := range m.message.Blocks {
			m.message.Blocks[i].Name = m.text(at)
		}
	}
}

// add appends a block with the raw bytes of its span.
func (m *messageReader) add(b llm.Block) {
	if !m.within(b.Span, m.count.One(request.Parts)) {
		return
	}
	b.Raw = m.raw(b.Span)
	m.message.Blocks = request.Append(&m.count, request.Parts, m.message.Blocks, b)
}

// string adds a block whose text is the string that a member holds. The empty
// string is a block only where it is the result of a call.
func (m *messageReader) string(kind llm.Kind, word string, at *member) {
	switch m.kind(at.value) {
	case jsonscan.String:
		text := m.text(at)
		if text == "" && kind != llm.ToolResult {
			return
		}
		m.add(llm.Block{Kind: kind, Type: word, Text: text, ToolUseID: m.callOf(kind), Span: at.value, BodySpan: at.value})
	case jsonscan.Null:
		if kind == llm.ToolResult {
			m.add(llm.Block{Kind: kind, Type: word, ToolUseID: m.callID, Span: at.value})
		}
	default:
		m.add(llm.Block{Kind: llm.Opaque, Type: word, ToolUseID: m.callOf(llm.ToolResult), Span: at.value})
	}
}

// callOf returns the id of the call that a block of this kind answers.
func (m *messageReader) callOf(kind llm.Kind) string {
	if m.result && kind == llm.ToolResult {
		return m.callID
	}
	return ""
}

// textKind is what text in this message is: a result, or content.
func (m *messageReader) textKind() llm.Kind {
	if m.result {
		return llm.ToolResult
	}
	return llm.Content
}

func (m *messageReader) content(at *member) {
	if m.kind(at.value) != jsonscan.Array {
		m.string(m.textKind(), "content", at)
		return
	}
	if n := m.each(request.Parts, at.value, m.part); n == 0 && m.result {
		m.add(llm.Block{Kind: llm.ToolResult, Type: "content", ToolUseID: m.callID, Span: at.value})
	}
}

// part reads one element of a content list.
func (m *messageReader) part(at llm.Span) {
	if m.kind(at) == jsonscan.String {
		m.add(llm.Block{
			Kind: m.textKind(), Type: "text", Text: stringOf(m.body, &member{value: at}),
			ToolUseID: m.callOf(m.textKind()), Span: at, BodySpan: at,
		})
		return
	}
	list := m.members(at)
	word := ""
	if t := find(list, "type"); t != nil && m.kind(t.value) == jsonscan.String {
		word = stringOf(m.body, t)
	}
	kind, name := llm.Opaque, ""
	switch word {
	case "text", "input_text", "output_text":
		kind, name = m.textKind(), "text"
	case "refusal":
		kind, name = llm.Refusal, "refusal"
	case "thinking":
		kind, name = llm.Thinking, "thinking"
	}
	body := find(list, name)
	if kind == llm.Thinking && body != nil && m.kind(body.value) == jsonscan.Array {
		m.thoughts(list, body)
		return
	}
	if body == nil || m.kind(body.value) != jsonscan.String {
		m.add(llm.Block{Kind: llm.Opaque, Type: word, ToolUseID: m.callOf(llm.ToolResult), Span: at})
		return
	}
	b := llm.Block{
		Kind: kind, Type: word, Text: stringOf(m.body, body), ToolUseID: m.callOf(kind), Span: at, BodySpan: body.value,
	}
	if s := find(list, "signature"); s != nil && m.kind(s.value) == jsonscan.String {
		b.Signature = stringOf(m.body, s)
	}
	m.add(b)
}

// thoughts reads a thinking part whose text is a list: one block for each text, so that
// each can be changed in place.
func (m *messageReader) thoughts(list []member, body *member) {
	signature := ""
	if s := find(list, "signature"); s != nil && m.kind(s.value) == jsonscan.String {
		signature = stringOf(m.body, s)
	}
	m.each(request.Parts, body.value, func(inner llm.Span) {
		said := find(m.members(inner), "text")
		if said == nil || m.kind(said.value) != jsonscan.String {
			m.add(llm.Block{Kind: llm.Opaque, Type: "thinking", Span: inner})
			return
		}
		m.add(llm.Block{
			Kind: llm.Thinking, Type: "thinking", Text: stringOf(m.body, said), Signature: signature,
			Span: inner, BodySpan: said.value,
		})
		signature = ""
	})
}

// details reads reasoning_details, which a client must send back unchanged.
func (m *messageReader) details(at *member) {
	if m.kind(at.value) != jsonscan.Array {
		if saysIn(m.body, at) {
			m.add(llm.Block{Kind: llm.Opaque, Type: at.name, Span: at.value})
		}
		return
	}
	m.each(request.Parts, at.value, func(entry llm.Span) {
		list := m.members(entry)
		b := llm.Block{Kind: llm.Thinking, Type: at.name, Span: entry}
		for i := range list {
			f := &list[i]
			if m.kind(f.value) != jsonscan.String {
				continue
			}
			switch f.name {
			case "type":
				b.Type = stringOf(m.body, f)
			case "text", "summary":
				b.Text, b.BodySpan = stringOf(m.body, f), f.value
			case "signature", "data":
				b.Signature = stringOf(m.body, f)
			}
		}
		if b.Text == "" && b.Signature == "" {
			b.Kind = llm.Opaque
		}
		m.add(b)
	})
}

// call reads one element of tool_calls.
func (m *messageReader) call(at llm.Span) {
	if m.kind(at) != jsonscan.Object {
		m.refuse(at, "a tool call is not an object")
		return
	}
	list := m.members(at)
	b := llm.Block{Kind: llm.ToolCall, ID: m.text(find(list, "id")), Type: m.text(find(list, "type")), Span: at}
	if f := find(list, "custom"); f != nil && m.kind(f.value) == jsonscan.Object {
		if saysIn(m.body, find(list, "function")) {
			m.refuse(at, "a tool call is both a function and a custom call")
		}
		b.Type = "custom"
		m.called(&b, f.value, "input")
	} else if f := find(list, "function"); f != nil {
		if b.Type == "" || b.Type == "custom" {
			b.Type = "function"
		}
		m.called(&b, f.value, "arguments")
	}
	if extra := find(list, "extra_content"); extra != nil {
		if value, _, ok := jsonscan.Get(extra.value.In(m.body), "google", "thought_signature"); ok {
			signature, _ := jsonscan.Unquote(nil, value)
			b.Signature = string(signature)
		}
	}
	m.add(b)
}

// called reads the name and the arguments of a call.
func (m *messageReader) called(b *llm.Block, at llm.Span, argument string) {
	list := m.members(at)
	b.Name = m.text(find(list, "name"))
	args := find(list, argument)
	if args == nil {
		return
	}
	switch m.kind(args.value) {
	case jsonscan.String:
		b.Arguments, b.BodySpan = stringOf(m.body, args), args.value
	case jsonscan.Null:
	default:
		b.Arguments = string(args.value.In(m.body))
	}
}
