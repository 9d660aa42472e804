package openairesponses

import (
	"encoding/json"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// item reads an input item, which is a message of its own.
func (r *requestReader) item(at llm.Span) (llm.Message, error) {
	m := llm.Message{Role: llm.Assistant, Span: at}
	raw := at.In(r.body)
	opaque := llm.Block{Kind: llm.Opaque, Raw: r.raw(at), Span: at}
	if raw[0] != '{' {
		m.Role = llm.User
		err := r.add(&m, opaque)
		return m, err
	}
	r.buf = r.buf[:0]
	var s jsonscan.Scanner
	v := &r.view
	if reason := v.read(&s, raw, &r.buf); reason != "" {
		return m, r.fail(reason, at.Start, nil)
	}
	if err := request.Members(v.members); err != nil {
		return m, r.within(at, err)
	}
	block := llm.Block{
		Kind: v.kind, ID: string(v.blockID()), Name: string(v.name.str), Type: v.typ,
		Raw: r.raw(at), Span: at,
	}
	var err error
	switch {
	case v.typ == itemMessage, v.typ == "" && v.role.present():
		m.Role = role(v.role.str, llm.User)
		block.Type = itemMessage
		err = r.message(&m, v, at, block)
		return m, err
	case v.kind == llm.Thinking:
		err = r.thinking(&m, v, at, block)
		return m, err
	case v.kind == llm.ToolCall, v.kind == llm.ServerTool:
		body, reason := v.body()
		if reason != "" {
			return m, r.fail(reason, at.Start, nil)
		}
		block.Arguments = string(body)
		block.BodySpan = r.bodySpan(v, at)
		err = r.add(&m, block)
	case v.kind == llm.ToolResult:
		m.Role = llm.ToolRole
		block.ToolUseID = string(v.callID.str)
		err = r.result(&m, v, at, block)
	case v.typ == "mcp_approval_response":
		m.Role = llm.ToolRole
		err = r.approval(&m, raw, at, block)
	default:
		opaque.Type, opaque.ID = v.typ, block.ID
		m.Role = role(v.role.str, llm.Assistant)
		err = r.add(&m, opaque)
	}
	if err == nil && v.tools.kind == jsonscan.Array && (v.typ == "additional_tools" || v.typ == "tool_search_output") {
		err = r.toolList(shift(v.tools.at, at), llm.Span{}, 0)
	}
	return m, err
}

// shift moves a span of an element to its position in the body.
func shift(span, element llm.Span) llm.Span {
	return llm.Span{Start: element.Start + span.Start, End: element.Start + span.End}
}

// bodySpan is where the string with a call's arguments or input stands.
func (r *requestReader) bodySpan(v *itemView, at llm.Span) llm.Span {
	body := &v.arguments
	if v.typ == itemCustomCall {
		body = &v.input
	}
	if body.kind != jsonscan.String || v.action.present() && v.kind == llm.ServerTool {
		return llm.Span{}
	}
	switch v.typ {
	case itemLocalShell, itemShell, itemComputer, itemApplyPatch:
		return llm.Span{}
	}
	return shift(body.at, at)
}

// message reads the content of a message: a string, or parts, each of which is a
// block.
func (r *requestReader) message(m *llm.Message, v *itemView, at llm.Span, block llm.Block) error {
	block.Kind = llm.Content
	switch v.content.kind {
	case jsonscan.String:
		block.Text = string(v.content.str)
		block.BodySpan = shift(v.content.at, at)
		return r.add(m, block)
	case jsonscan.Array:
	case jsonscan.Invalid:
		return nil
	default:
		return r.fail("the content of a message is neither a string nor a list", at.Start+v.content.at.Start, nil)
	}
	return r.parts(m, shift(v.content.at, at), block)
}

// parts reads a list of parts. Texts become blocks like block, everything else is
// opaque.
func (r *requestReader) parts(m *llm.Message, list llm.Span, like llm.Block) error {
	var s jsonscan.Scanner
	s.Reset(list.In(r.body))
	s.Array()
	for n := 0; s.Elem(); n++ {
		if n == request.Many {
			if err := r.count.Ahead(request.Parts, s); err != nil {
				return r.within(list, err)
			}
		}
		start := s.Pos()
		part, reason := readPart(&s, &r.buf)
		if reason != "" {
			return r.fail(reason, list.Start+start, nil)
		}
		span := llm.Span{Start: list.Start + start, End: list.Start + s.Pos()}
		if err := request.Members(part.members); err != nil {
			return r.within(span, err)
		}
		block := like
		block.Span, block.Raw = span, r.raw(span)
		block.Type = string(part.typ)
		switch {
		case part.kind == llm.Refusal && like.Kind == llm.Content:
			block.Kind = llm.Refusal
			fallthrough
		case part.kind != 0:
			block.Text = string(part.text)
			if block.BodySpan = shift(part.at, list); part.at.IsZero() {
				block.BodySpan = llm.Span{}
				if block.Raw[0] == '"' {
					block.BodySpan = span
				}
			}
		default:
			block.Kind = llm.Opaque
		}
		if err := r.add(m, block); err != nil {
			return err
		}
	}
	return nil
}

// thinking reads reasoning as one block. If it has one text, that can be replaced in
// place.
func (r *requestReader) thinking(m *llm.Message, v *itemView, at llm.Span, block llm.Block) error {
	block.Signature = string(v.encrypted.str)
	var texts llm.Message
	for _, list := range [...]*value{&v.summary, &v.content} {
		switch list.kind {
		case jsonscan.Array:
			if err := r.parts(&texts, shift(list.at, at), llm.Block{Kind: llm.Thinking}); err != nil {
				return err
			}
		case jsonscan.String:
			texts.Blocks = append(texts.Blocks, llm.Block{Text: string(list.str), BodySpan: shift(list.at, at)})
		default:
		}
	}
	var text strings.Builder
	for i := range texts.Blocks {
		text.WriteString(texts.Blocks[i].Text)
	}
	block.Text = text.String()
	if len(texts.Blocks) == 1 {
		block.BodySpan = texts.Blocks[0].BodySpan
	}
	return r.add(m, block)
}

// result reads the result of a call: one block for each text in it.
func (r *requestReader) result(m *llm.Message, v *itemView, at llm.Span, block llm.Block) error {
	block.Failed = string(v.status.str) == "failed"
	switch v.output.kind {
	case jsonscan.String:
		block.Text = string(v.output.str)
		block.BodySpan = shift(v.output.at, at)
	case jsonscan.Array:
		if err := r.results(m, shift(v.output.at, at), block); err != nil {
			return err
		}
	default:
	}
	if len(m.Blocks) == 0 {
		return r.add(m, block)
	}
	return nil
}

// results reads a list of results: text parts, or the output streams of commands.
func (r *requestReader) results(m *llm.Message, list llm.Span, like llm.Block) error {
	var s jsonscan.Scanner
	s.Reset(list.In(r.body))
	s.Array()
	for n := 0; s.Elem(); n++ {
		if n == request.Many {
			if err := r.count.Ahead(request.Parts, s); err != nil {
				return r.within(list, err)
			}
		}
		start := s.Pos()
		raw := s.Raw()
		span := llm.Span{Start: list.Start + start, End: list.Start + start + len(raw)}
		block := like
		block.Span, block.Raw = span, json.RawMessage(raw)
		if raw[0] == '"' {
			block.Text, _ = jsonscan.Text(raw)
			block.BodySpan = span
		} else if n, err := r.strings(m, span, block); err != nil {
			return err
		} else if n > 0 {
			continue
		} else {
			block.Kind = llm.Opaque
		}
		if err := r.add(m, block); err != nil {
			return err
		}
	}
	return nil
}

// strings adds a block for each member of a result that is text from a tool, and
// returns their number.
func (r *requestReader) strings(m *llm.Message, at llm.Span, like llm.Block) (n int, err error) {
	var s jsonscan.Scanner
	s.Reset(at.In(r.body))
	if !s.Object() {
		return 0, nil
	}
	members := 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if members++; members > llm.MaxMembers {
			return n, r.within(at, request.Members(members))
		}
		name := string(key)
		start := s.Pos()
		switch name {
		case "text", "stdout", "stderr", "refusal":
		default:
			s.Skip()
			continue
		}
		text, ok := s.Str(nil)
		if !ok {
			s.Skip()
			continue
		}
		block := like
		block.Text = string(text)
		block.BodySpan = llm.Span{Start: at.Start + start, End: at.Start + s.Pos()}
		if err := r.add(m, block); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// approval reads the answer to an approval request.
func (r *requestReader) approval(m *llm.Message, raw []byte, at llm.Span, block llm.Block) error {
	block.Kind = llm.ToolResult
	if id, _, ok := jsonscan.Get(raw, "approval_request_id"); ok {
		text, _ := jsonscan.Unquote(nil, id)
		block.ToolUseID = string(text)
	}
	if approve, _, ok := jsonscan.Get(raw, "approve"); ok {
		block.Failed = string(approve) == "false"
	}
	if reason, span, ok := jsonscan.Get(raw, "reason"); ok && reason[0] == '"' {
		text, _ := jsonscan.Unquote(nil, reason)
		block.Text = string(text)
		block.BodySpan = llm.Span{Start: at.Start + span[0], End: at.Start + span[1]}
	}
	return r.add(m, block)
}
