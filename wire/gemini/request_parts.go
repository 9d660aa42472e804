package gemini

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// maxLeaves bounds how many strings of function responses become blocks of their own,
// in addition to the limit on parts. Beyond that a response is one block, which can be
// judged but not redacted in place.
const maxLeaves = 4_096

// requestPart is a part of a request while it is read.
type requestPart struct {
	kind    partKind
	key     string
	span    llm.Span
	thought bool
	text    llm.Span // the literal
	value   llm.Span // the value of key, for all but text
	unknown string
	proof   string // the signature
}

// part reads one part into blocks of m.
func (r *requestReader) part(m *llm.Message) error {
	s := &r.scan
	p := requestPart{span: llm.Span{Start: s.Pos()}}
	if s.Null() {
		return nil
	}
	if !s.Object() {
		return r.refuse("a part is not an object", nil)
	}
	var seen, bit uint
	members := 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		members++
		kind, opaque := partEmpty, ""
		bit = 0
		switch string(key) {
		case "text":
			bit = seenText
			if s.Null() {
				break
			}
			if s.Kind() != jsonscan.String {
				return r.refuse("the text of a part is not a string", nil)
			}
			p.text = value(s)
		case "thought":
			bit = seenThought
			if p.thought, ok = s.Bool(); !ok {
				s.Skip()
			}
		case "thoughtSignature", "thought_signature":
			bit = seenSignature
			if text, ok := s.Str(nil); ok {
				p.proof = string(text)
			} else {
				s.Skip()
			}
		case "functionCall", "function_call":
			kind = partCall
		case "functionResponse", "function_response":
			kind = partResponse
		case "executableCode", "executable_code":
			kind = partCode
		case "codeExecutionResult", "code_execution_result":
			kind = partOutput
		case "toolCall", "tool_call":
			kind = partToolCall
		case "toolResponse", "tool_response":
			kind = partToolReply
		case "inlineData", "inline_data":
			kind, opaque, bit = partOpaque, "inlineData", seenInline
		case "fileData", "file_data":
			kind, opaque, bit = partOpaque, "fileData", seenFile
		case "videoMetadata", "video_metadata", "partMetadata", "part_metadata", "mediaResolution", "media_resolution":
			s.Skip()
		default:
			if p.unknown == "" && s.Kind() != jsonscan.Null {
				p.unknown = string(key)
			}
			s.Skip()
		}
		if kind != partEmpty {
			if bit == 0 {
				bit = 1 << kind
			}
			switch {
			case seen&bit != 0:
			case s.Null():
			case p.kind != partEmpty:
				return r.refuse("a part is two things at once", nil)
			default:
				p.kind, p.key, p.value = kind, opaque, value(s)
			}
		}
		if seen&bit != 0 {
			return r.refuse("a part has a duplicate member", nil)
		}
		seen |= bit
	}
	p.span.End = s.Pos()
	if err := s.Err(); err != nil {
		return err
	}
	if p.kind != partEmpty && p.text.Len() > 2 {
		return r.refuse("a part is two things at once", nil)
	}
	if err := request.Members(members); err != nil {
		return r.within(err)
	}
	return r.blocks(m, &p)
}

// blocks appends the blocks of a part.
func (r *requestReader) blocks(m *llm.Message, p *requestPart) error {
	b := llm.Block{Status: llm.Complete, Signature: p.proof, Raw: p.span.In(r.body), Span: p.span}
	switch p.kind {
	case partEmpty, partText:
		if p.text.IsZero() && p.unknown != "" {
			b.Kind, b.Type = llm.Opaque, p.unknown
			break
		}
		// A part without data is an empty text: it may carry a signature.
		b.Kind, b.Type = textKind(p.thought), partKeys[partText]
		if !p.text.IsZero() {
			b.Text, b.BodySpan = r.string(p.text), p.text
		}
	case partOpaque:
		b.Kind, b.Type = llm.Opaque, p.key
	case partCall, partResponse, partCode, partOutput, partToolCall, partToolReply:
		return r.tool(m, p, b)
	}
	return r.add(m, b)
}

// string returns what the literal at span says.
func (r *requestReader) string(span llm.Span) string {
	text, _ := jsonscan.Text(span.In(r.body))
	return text
}

// toolFields is where the members of a call or result stand.
type toolFields struct{ id, name, body llm.Span }

// tool appends the blocks of a call or a result.
func (r *requestReader) tool(m *llm.Message, p *requestPart, b llm.Block) error {
	b.Type = partKeys[p.kind]
	name, body := "name", "response"
	switch p.kind {
	case partCall:
		b.Kind, body = llm.ToolCall, "args"
	case partToolCall:
		b.Kind, name, body = llm.ServerTool, "toolType", "args"
	case partCode:
		b.Kind, b.Name, name, body = llm.ServerTool, "codeExecution", "", ""
	case partOutput:
		b.Kind, b.Name, name, body = llm.ToolResult, "codeExecution", "", "output"
	case partToolReply:
		b.Kind, name = llm.ToolResult, "toolType"
	case partResponse, partEmpty, partText, partOpaque:
		b.Kind = llm.ToolResult
	}
	f, err := r.toolFields(p, name, body)
	if err != nil {
		return err
	}
	if !f.name.IsZero() {
		b.Name = r.string(f.name)
	}
	if b.Kind == llm.ToolResult {
		b.ToolUseID = r.string(f.id)
		return r.results(m, b, f.body)
	}
	b.ID = r.string(f.id)
	if p.kind == partCode {
		f.body = p.value
	}
	b.Arguments = string(f.body.In(r.body))
	return r.add(m, b)
}

// toolFields looks into the value of a part.
func (r *requestReader) toolFields(p *requestPart, name, body string) (toolFields, error) {
	var (
		f toolFields
		s jsonscan.Scanner
	)
	s.Reset(p.value.In(r.body))
	if !s.Object() {
		return f, r.refuse(partKeys[p.kind]+" is not an object", nil)
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		word := string(key)
		if word == "tool_type" {
			word = "toolType"
		}
		kind, at := s.Kind(), value(&s)
		at.Start += p.value.Start
		at.End += p.value.Start
		var into *llm.Span
		switch word {
		case "id":
			into = &f.id
		case name:
			into = &f.name
		case body:
			into = &f.body
		}
		switch {
		case into == nil || kind == jsonscan.Null:
		case !into.IsZero():
			return f, r.refuse(partKeys[p.kind]+" has a duplicate member", nil)
		case into != &f.body && kind != jsonscan.String:
		default:
			*into = at
		}
	}
	return f, nil
}

// results appends a block for every string in a result, so that each can be redacted in
// place; one block for all of it if there is none.
func (r *requestReader) results(m *llm.Message, b llm.Block, body llm.Span) error {
	before := len(m.Blocks)
	if !body.IsZero() && r.leaves < maxLeaves {
		var s jsonscan.Scanner
		s.Reset(body.In(r.body))
		r.walk(&s, m, &b, body.Start)
	}
	if r.leaves < maxLeaves && len(m.Blocks) > before {
		return nil
	}
	m.Blocks = m.Blocks[:before]
	b.Text = string(body.In(r.body))
	return r.add(m, b)
}

// walk appends a block for every string of the value at the cursor. The scanner bounds
// the depth.
func (r *requestReader) walk(s *jsonscan.Scanner, m *llm.Message, b *llm.Block, base int) {
	switch {
	case s.Object():
		for _, ok := s.Key(); ok; _, ok = s.Key() {
			r.walk(s, m, b, base)
		}
	case s.Array():
		for s.Elem() {
			r.walk(s, m, b, base)
		}
	case s.Kind() == jsonscan.String:
		at := value(s)
		r.leaves++
		if r.leaves > maxLeaves {
			return
		}
		leaf := *b
		leaf.BodySpan = llm.Span{Start: base + at.Start, End: base + at.End}
		leaf.Text = r.string(leaf.BodySpan)
		m.Blocks = request.Append(&r.count, request.Parts, m.Blocks, leaf)
	default:
		s.Skip()
	}
}
