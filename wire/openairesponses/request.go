package openairesponses

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// dialect is the name of the wire format in errors.
const dialect = "openai-responses"

// ReadRequest reads the body of a request. Every block records its position, so that
// one text can be replaced without touching any other byte. The result borrows body.
// The error is a *llm.RequestError.
func ReadRequest(body []byte) (*llm.Request, error) {
	return ReadRequestWithin(body, llm.RequestLimits{})
}

// ReadRequestWithin is ReadRequest with custom limits. The cause of the error is a
// *llm.RequestLimitError for a request that exceeds one of them.
func ReadRequestWithin(body []byte, limits llm.RequestLimits) (*llm.Request, error) {
	r := &requestReader{body: body, req: &llm.Request{}, count: request.Count{Limits: limits}}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.req, nil
}

// requestReader reads one request.
type requestReader struct {
	body  []byte
	req   *llm.Request
	count request.Count
	buf   []byte
	view  itemView
}

// within returns nil if err is nil, and otherwise the error of a request that exceeds a
// limit.
func (r *requestReader) within(at llm.Span, err error) error {
	if err == nil {
		return nil
	}
	return request.TooMuch(dialect, at.Start, err)
}

// add appends a block to a message if the limit allows it.
func (r *requestReader) add(m *llm.Message, b llm.Block) error {
	if err := r.count.One(request.Parts); err != nil {
		return r.within(b.Span, err)
	}
	m.Blocks = request.Append(&r.count, request.Parts, m.Blocks, b)
	return nil
}

func (r *requestReader) fail(reason string, at int, cause error) error {
	return &llm.RequestError{Dialect: dialect, Reason: reason, Offset: at, Err: cause}
}

func (r *requestReader) raw(span llm.Span) json.RawMessage {
	return json.RawMessage(r.body[span.Start:span.End:span.End])
}

// read reads the top level. Members are read in order, input and tools last, because
// they depend on nothing else.
func (r *requestReader) read() error {
	var s jsonscan.Scanner
	s.Reset(r.body)
	if !s.Object() {
		s.Skip()
		return r.fail("the body is not a JSON object", s.Pos(), s.End())
	}
	spans := make(map[string]llm.Span)
	var names []string
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		name := string(key)
		if _, twice := spans[name]; twice {
			return r.fail("a member occurs twice: "+name, s.Pos(), nil)
		}
		if jsonscan.Disguised(key, []string{"input", "instructions", "tools"}) {
			return r.fail(disguised, s.Pos(), nil)
		}
		if err := request.Members(len(names) + 1); err != nil {
			return r.within(llm.Span{Start: s.Pos()}, err)
		}
		start := s.Pos()
		s.Skip()
		spans[name] = llm.Span{Start: start, End: s.Pos()}
		names = append(names, name)
	}
	if err := s.End(); err != nil {
		at := -1
		if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok {
			at = syntax.Offset
		}
		return r.fail("the body is not valid JSON", at, err)
	}
	for _, name := range names {
		span := spans[name]
		if known, err := r.scalar(name, span); err != nil {
			return err
		} else if !known {
			if r.req.Extra == nil {
				r.req.Extra = make(map[string]json.RawMessage)
			}
			r.req.Extra[name] = r.raw(span)
		}
	}
	if span, ok := spans["instructions"]; ok {
		if err := r.instructions(span); err != nil {
			return err
		}
	}
	if span, ok := spans["tools"]; ok {
		if err := r.tools(span); err != nil {
			return err
		}
	}
	if span, ok := spans["input"]; ok {
		return r.input(span)
	}
	return nil
}

// scalar reads a top-level member, and reports whether it has a field of its
// own.
func (r *requestReader) scalar(name string, span llm.Span) (known bool, err error) {
	raw := span.In(r.body)
	null := string(raw) == "null"
	switch name {
	case "model":
		if text, ok := jsonscan.Unquote(nil, raw); ok {
			r.req.Model = string(text)
		} else if !null {
			return true, r.fail("model is not a string", span.Start, nil)
		}
	case "stream":
		switch {
		case string(raw) == "true":
			r.req.Stream = true
		case string(raw) != "false" && !null:
			return true, r.fail("stream is neither true nor false", span.Start, nil)
		}
	case "max_output_tokens":
		var s jsonscan.Scanner
		s.Reset(raw)
		if n, ok := s.Int(); ok {
			r.req.MaxTokens = int(n)
		} else if !null {
			return true, r.fail("max_output_tokens is not a whole number", span.Start, nil)
		}
	case "temperature":
		if null {
			break
		}
		n, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			return true, r.fail("temperature is not a number", span.Start, nil)
		}
		r.req.Temperature = &n
	case "instructions", "input", "tools":
	default:
		return false, nil
	}
	return true, nil
}

func (r *requestReader) instructions(span llm.Span) error {
	switch raw := span.In(r.body); raw[0] {
	case '"':
		text, _ := jsonscan.Text(raw)
		r.req.System = append(r.req.System, llm.Block{
			Kind: llm.Content, Text: text, Raw: r.raw(span), Span: span, BodySpan: span,
		})
	case '[':
		return r.each(request.Parts, span, func(at llm.Span) error {
			m, err := r.item(at)
			for i := range m.Blocks {
				r.req.System = request.Append(&r.count, request.Parts, r.req.System, m.Blocks[i])
			}
			return err
		})
	case 'n':
	default:
		return r.fail("instructions are neither a string nor a list", span.Start, nil)
	}
	return nil
}

// each calls f with the span of each element of the list at span.
func (r *requestReader) each(kind request.Kind, span llm.Span, f func(at llm.Span) error) error {
	var s jsonscan.Scanner
	s.Reset(span.In(r.body))
	s.Array()
	for n := 0; s.Elem(); n++ {
		if n == request.Many {
			if err := r.count.Ahead(kind, s); err != nil {
				return r.within(span, err)
			}
		}
		start := s.Pos()
		s.Skip()
		if err := f(llm.Span{Start: span.Start + start, End: span.Start + s.Pos()}); err != nil {
			return err
		}
	}
	return nil
}

func (r *requestReader) input(span llm.Span) error {
	switch raw := span.In(r.body); raw[0] {
	case '"':
		text, _ := jsonscan.Text(raw)
		r.req.Messages = append(r.req.Messages, llm.Message{Role: llm.User, Span: span, Blocks: []llm.Block{{
			Kind: llm.Content, Text: text, Raw: r.raw(span), Span: span, BodySpan: span,
		}}})
	case '[':
		return r.each(request.Messages, span, func(at llm.Span) error {
			if err := r.count.One(request.Messages); err != nil {
				return r.within(at, err)
			}
			m, err := r.item(at)
			r.req.Messages = request.Append(&r.count, request.Messages, r.req.Messages, m)
			return err
		})
	case 'n':
	default:
		return r.fail("input is neither a string nor a list", span.Start, nil)
	}
	return nil
}

// role maps a role to the shared name.
func role(word []byte, otherwise llm.Role) llm.Role {
	switch string(word) {
	case "":
		return otherwise
	case "developer":
		return llm.System
	}
	return llm.Role(word)
}

// tools reads the declarations in the list at span.
func (r *requestReader) tools(span llm.Span) error {
	switch r.body[span.Start] {
	case 'n':
		return nil
	case '[':
		return r.toolList(span, llm.Span{}, 0)
	}
	return r.fail("tools are not a list", span.Start, nil)
}

// maxGroups bounds how deep groups of tools are read.
const maxGroups = 8

// toolList reads a list of declarations. group is the outermost group that contains it:
// tools of a group have all of it as their declaration.
func (r *requestReader) toolList(span, group llm.Span, depth int) error {
	return r.each(request.Tools, span, func(at llm.Span) error { return r.tool(at, group, depth) })
}

func (r *requestReader) tool(at, group llm.Span, depth int) error {
	declared := at
	if !group.IsZero() {
		declared = group
	}
	if err := r.count.One(request.Tools); err != nil {
		return r.within(at, err)
	}
	tool := llm.Tool{Span: at, Raw: r.raw(declared)}
	raw := at.In(r.body)
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Object() {
		r.req.Tools = request.Append(&r.count, request.Tools, r.req.Tools, tool)
		return nil
	}
	var nested llm.Span
	var execution, label []byte
	var view itemView
	seen := make(map[string]bool)
	members := 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if members++; members > llm.MaxMembers {
			return r.within(at, request.Members(members))
		}
		name := string(key)
		start := s.Pos()
		switch name {
		case "type", "name", "description", "parameters", "tools", "execution", "environment", "server_label":
			if seen[name] {
				return r.fail("a member of a tool occurs twice: "+name, at.Start+start, nil)
			}
			seen[name] = true
		}
		switch name {
		case "type":
			tool.Type = string(text(&s, &r.buf))
		case "name":
			tool.Name = string(text(&s, &r.buf))
		case "description":
			tool.Description = string(text(&s, &r.buf))
		case "execution":
			execution = text(&s, &r.buf)
		case "server_label":
			label = text(&s, &r.buf)
		case "parameters":
			if schema := s.Raw(); len(schema) > 0 && schema[0] != 'n' {
				tool.Schema = json.RawMessage(schema)
			}
		case "environment":
			view.environment.raw = s.Raw()
		case "tools":
			isList := s.Kind() == jsonscan.Array
			s.Skip()
			if isList {
				nested = llm.Span{Start: at.Start + start, End: at.Start + s.Pos()}
			}
		default:
			s.Skip()
		}
	}
	if tool.Type == "namespace" && !nested.IsZero() && depth < maxGroups {
		return r.toolList(nested, declared, depth+1)
	}
	if tool.Name == "" {
		tool.Name = string(label)
	}
	switch {
	case strings.HasPrefix(tool.Type, "web_search"):
		tool.Server = true
	case tool.Type == "file_search", tool.Type == "code_interpreter", tool.Type == "image_generation", tool.Type == "mcp":
		tool.Server = true
	case tool.Type == "tool_search":
		tool.Server = string(execution) != "client"
	case tool.Type == "shell":
		tool.Server = view.hosted()
	}
	r.req.Tools = request.Append(&r.count, request.Tools, r.req.Tools, tool)
	return nil
}
