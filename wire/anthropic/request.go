package anthropic

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// ReadRequest reads the body of a request. An error is a *llm.RequestError.
//
// Raw values of the result share the memory of body, which must not change while they
// are used; spans are positions in it. Texts, names and ids are copies. Duplicate
// members are an error where they are read, because the provider may use the other one.
func ReadRequest(body []byte) (*llm.Request, error) {
	return ReadRequestWithin(body, llm.RequestLimits{})
}

// ReadRequestWithin is ReadRequest with custom limits. The cause of the error is a
// *llm.RequestLimitError for a request that exceeds one of them.
func ReadRequestWithin(body []byte, limits llm.RequestLimits) (*llm.Request, error) {
	r := &requestReader{body: body, request: &llm.Request{}, count: request.Count{Limits: limits}}
	if f := r.top(); f != nil {
		return nil, f.inRequest()
	}
	return r.request, nil
}

// requestReader reads one request. Each level is walked once, and the values of the
// next level once more, so the work stays linear.
type requestReader struct {
	reader

	body    []byte
	request *llm.Request
	count   request.Count
	content content
}

// requestNames are the significant members of a request.
var requestNames = []string{"messages", "tools", "system", "role", "content"}

// tooMuch is the fault of a request that exceeds a limit, nil without an error.
func tooMuch(err error) *fault {
	if err == nil {
		return nil
	}
	return &fault{reason: "it is made of too much", cause: err}
}

func (f *fault) inRequest() error {
	e := &llm.RequestError{Dialect: "anthropic", Reason: strings.Replace(f.reason, "payload", "body", 1), Offset: -1, Err: f.cause}
	if syntax := new(jsonscan.SyntaxError); errors.As(f.cause, &syntax) {
		e.Offset = syntax.Offset
	}
	return e
}

func (r *requestReader) top() *fault {
	s := &r.scan
	s.Reset(r.body)
	if !s.Object() {
		s.Skip()
		if err := s.Err(); err != nil {
			return &fault{reason: notJSON, cause: err}
		}
		return &fault{reason: "the payload is not a JSON object"}
	}
	var system, messages, tools llm.Span
	seen := map[string]bool{}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		name := string(key)
		if seen[name] {
			return r.orFault(twice(name))
		}
		if err := request.Members(len(seen) + 1); err != nil {
			return tooMuch(err)
		}
		seen[name] = true
		switch name {
		case "model":
			model, ok := r.text()
			if !ok {
				return r.orFault(wrongType(name))
			}
			r.request.Model = string(model)
		case "system":
			system = r.span()
		case "messages":
			messages = r.span()
		case "tools":
			tools = r.span()
		case "stream":
			if r.request.Stream, ok = s.Bool(); !ok && !s.Null() {
				return r.orFault(wrongType(name))
			}
		case "max_tokens":
			n, ok := s.Int()
			if !ok && !s.Null() {
				return r.orFault(wrongType(name))
			}
			r.request.MaxTokens = int(n)
		case "temperature":
			if s.Null() {
				break
			}
			raw := s.Raw()
			value, err := strconv.ParseFloat(string(raw), 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return r.orFault(wrongType(name))
			}
			r.request.Temperature = &value
		default:
			if jsonscan.Disguised(key, requestNames) {
				return r.orFault(disguised)
			}
			raw := s.Raw()
			if r.request.Extra == nil {
				r.request.Extra = map[string]json.RawMessage{}
			}
			r.request.Extra[name] = raw
		}
	}
	if err := s.End(); err != nil {
		return &fault{reason: notJSON, cause: err}
	}
	var f *fault
	if r.request.System, f = r.blocks(system); f != nil {
		return f
	}
	if f := r.messages(messages); f != nil {
		return f
	}
	return r.tools(tools)
}

// each calls f with the span of each element of the array at span. It reports false if
// the value is not an array.
func (r *requestReader) each(kind request.Kind, span llm.Span, f func(at llm.Span) *fault) (isList bool, _ *fault) {
	var s jsonscan.Scanner
	s.Reset(span.In(r.body))
	if !s.Array() {
		return false, nil
	}
	for n := 0; s.Elem(); n++ {
		if n == request.Many {
			if err := r.count.Ahead(kind, s); err != nil {
				return true, tooMuch(err)
			}
		}
		start := s.Pos()
		s.Skip()
		if f := f(llm.Span{Start: span.Start + start, End: span.Start + s.Pos()}); f != nil {
			return true, f
		}
	}
	return true, nil
}

func (r *requestReader) messages(span llm.Span) *fault {
	if span.IsZero() {
		return nil
	}
	isList, f := r.each(request.Messages, span, func(at llm.Span) *fault {
		if err := r.count.One(request.Messages); err != nil {
			return tooMuch(err)
		}
		m, f := r.message(at)
		r.request.Messages = request.Append(&r.count, request.Messages, r.request.Messages, m)
		return f
	})
	if !isList {
		return wrongType("messages")
	}
	return f
}

func (r *requestReader) message(at llm.Span) (llm.Message, *fault) {
	m := llm.Message{Span: at}
	r.within(r.body, at)
	s := &r.scan
	if !s.Object() {
		return m, wrongType("messages")
	}
	var blocks llm.Span
	var seen uint32
	members := 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		members++
		var bit uint32
		var name string
		switch string(key) {
		case "role":
			bit, name = seenRole, "role"
			role, ok := r.text()
			if !ok {
				return m, wrongType(name)
			}
			m.Role = llm.Role(role)
		case "content":
			bit, name = seenContent, "content"
			blocks = r.span()
		default:
			if jsonscan.Disguised(key, requestNames) {
				return m, r.orFault(disguised)
			}
			s.Skip()
			continue
		}
		if !add(&seen, bit) {
			return m, twice(name)
		}
	}
	f := tooMuch(request.Members(members))
	if f == nil {
		m.Blocks, f = r.blocks(blocks)
	}
	return m, f
}

// blocks reads content: a string, or a list of blocks.
func (r *requestReader) blocks(span llm.Span) ([]llm.Block, *fault) {
	if span.IsZero() {
		return nil, nil
	}
	r.within(r.body, span)
	if text, ok := r.scan.Str(nil); ok {
		if err := r.count.One(request.Parts); err != nil {
			return nil, tooMuch(err)
		}
		return []llm.Block{{Kind: llm.Content, Text: string(text), Type: "text", Raw: span.In(r.body), Span: span, BodySpan: span}}, nil
	}
	var blocks []llm.Block
	isList, f := r.each(request.Parts, span, func(at llm.Span) (f *fault) {
		blocks, f = r.block(blocks, at)
		return f
	})
	if !isList {
		return r.add(nil, r.opaque(span, ""))
	}
	return blocks, f
}

// add appends a block if the limit allows it.
func (r *requestReader) add(blocks []llm.Block, b llm.Block) ([]llm.Block, *fault) {
	if err := r.count.One(request.Parts); err != nil {
		return blocks, tooMuch(err)
	}
	return request.Append(&r.count, request.Parts, blocks, b), nil
}

func (r *requestReader) opaque(at llm.Span, kind string) llm.Block {
	return llm.Block{Kind: llm.Opaque, Type: kind, Raw: at.In(r.body), Span: at}
}

// block appends the block at a span: one, or several for a result that consists of
// parts.
func (r *requestReader) block(blocks []llm.Block, at llm.Span) ([]llm.Block, *fault) {
	if r.body[at.Start] != '{' {
		return r.add(blocks, r.opaque(at, ""))
	}
	r.reset()
	c := &r.content
	if f := r.reader.content(r.body, at, c); f != nil {
		return nil, f
	}
	if err := request.Members(c.members); err != nil {
		return nil, tooMuch(err)
	}
	b := r.opaque(at, "")
	b.Type, b.Kind, _ = blockType(c.kind)
	if c.wrong&seenType != 0 || c.check(b.Kind) != nil {
		return r.add(blocks, r.opaque(at, b.Type))
	}
	b.ID, b.Name, b.ToolUseID = string(c.id), string(c.name), string(c.toolUseID)
	switch b.Kind {
	case llm.Content:
		b.Text, b.BodySpan = string(c.text), r.literal(c.textAt)
	case llm.Thinking:
		b.Text, b.BodySpan = string(c.thinking), r.literal(c.thinkingAt)
		b.Signature = string(c.signature)
	case llm.ToolCall, llm.ServerTool:
		b.Arguments = string(c.input.In(r.body))
	case llm.ToolResult:
		b.Failed = c.isError
		return r.result(blocks, b, c)
	case llm.Refusal, llm.Opaque:
	}
	return r.add(blocks, b)
}

// literal returns the span of a string literal, nothing for a null.
func (r *requestReader) literal(at llm.Span) llm.Span {
	if at.IsZero() || r.body[at.Start] != '"' {
		return llm.Span{}
	}
	return at
}

// result appends a tool result. A client's result is a text or a list of parts; results
// of the provider's own tools are JSON of their own shape.
func (r *requestReader) result(blocks []llm.Block, b llm.Block, c *content) ([]llm.Block, *fault) {
	at := c.value
	if text := r.literal(at); !text.IsZero() {
		b.Text, b.BodySpan = string(c.valueText), text
		return r.add(blocks, b)
	}
	if b.Type != "tool_result" && b.Type != "mcp_tool_result" {
		b.Text = string(at.In(r.body))
		return r.add(blocks, b)
	}
	before := len(blocks)
	hasText := false
	isList, f := r.each(request.Parts, at, func(at llm.Span) *fault {
		p, f := r.part(at)
		if f != nil {
			return f
		}
		if p.Kind == llm.ToolResult {
			p.Type, hasText = b.Type, true
		}
		p.ToolUseID, p.Failed = b.ToolUseID, b.Failed
		blocks, f = r.add(blocks, p)
		return f
	})
	switch {
	case f != nil:
		return nil, f
	case !isList:
		b.Text = string(at.In(r.body))
		return r.add(blocks, b)
	case !hasText:
		// A result without text still makes a block.
		if blocks, f = r.add(blocks, b); f == nil {
			copy(blocks[before+1:], blocks[before:])
			blocks[before] = b
		}
	}
	return blocks, f
}

// part reads one part of a result: a text, or something opaque of any type.
func (r *requestReader) part(at llm.Span) (llm.Block, *fault) {
	if r.body[at.Start] != '{' {
		return r.opaque(at, ""), nil
	}
	c := &r.content
	if f := r.reader.content(r.body, at, c); f != nil {
		return llm.Block{}, f
	}
	if err := request.Members(c.members); err != nil {
		return llm.Block{}, tooMuch(err)
	}
	name, kind, _ := blockType(c.kind)
	b := r.opaque(at, name)
	if kind == llm.Content && c.check(kind) == nil {
		b.Kind, b.Text, b.BodySpan = llm.ToolResult, string(c.text), r.literal(c.textAt)
	}
	return b, nil
}
