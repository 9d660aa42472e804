package gemini

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// ReadRequest reads the body of a generateContent or streamGenerateContent
// request. The model and whether it streams are in the URL, not in the body, so
// Model and Stream stay empty. Both spellings of members that the API accepts
// (systemInstruction and system_instruction) are read.
//
// The error is a *llm.RequestError. The Raw fields of the result share the
// memory of body, which must not be changed while they are in use.
func ReadRequest(body []byte) (*llm.Request, error) {
	return ReadRequestWithin(body, llm.RequestLimits{})
}

// ReadRequestWithin is ReadRequest with custom limits. The cause of the error is a
// *llm.RequestLimitError for a request that exceeds one of them.
func ReadRequestWithin(body []byte, limits llm.RequestLimits) (*llm.Request, error) {
	r := &requestReader{body: body, req: &llm.Request{}, count: request.Count{Limits: limits}}
	r.scan.Reset(body)
	err := r.request()
	if syntax := r.scan.Err(); syntax != nil {
		return nil, r.refuse("the body is not JSON", syntax)
	}
	if err != nil {
		return nil, err
	}
	if syntax := r.scan.End(); syntax != nil {
		return nil, r.refuse("the body is not one JSON value", syntax)
	}
	return r.req, nil
}

type requestReader struct {
	body   []byte
	scan   jsonscan.Scanner
	req    *llm.Request
	count  request.Count
	leaves int // strings of function responses that became blocks
}

// within returns nil if err is nil, and otherwise the error of a request that exceeds a
// limit.
func (r *requestReader) within(err error) error {
	if err == nil {
		return nil
	}
	return request.TooMuch("gemini", min(r.scan.Pos(), len(r.body)), err)
}

// add appends a block to a message if the limit allows it.
func (r *requestReader) add(m *llm.Message, b llm.Block) error {
	if err := r.count.One(request.Parts); err != nil {
		return r.within(err)
	}
	m.Blocks = request.Append(&r.count, request.Parts, m.Blocks, b)
	return nil
}

// refuse describes an invalid body; the position is that of the cursor.
func (r *requestReader) refuse(reason string, cause error) error {
	return &llm.RequestError{Dialect: "gemini", Reason: reason, Offset: min(r.scan.Pos(), len(r.body)), Err: cause}
}

func (r *requestReader) request() error {
	s := &r.scan
	if !s.Object() {
		return r.refuse("the body is not a JSON object", nil)
	}
	var (
		seen, bit uint
		err       error
	)
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		bit = 0
		switch string(key) {
		case "contents":
			bit = 1
			if seen&bit == 0 {
				err = r.contents()
			}
		case "systemInstruction", "system_instruction":
			bit = 2
			if seen&bit == 0 {
				err = r.system()
			}
		case "tools":
			bit = 4
			if seen&bit == 0 {
				err = r.tools()
			}
		case "generationConfig", "generation_config":
			bit = 8
			if seen&bit == 0 {
				err = r.extra(string(key))
				r.config(r.req.Extra[string(key)])
			}
		default:
			if disguised(key) {
				return r.refuse("a member's name differs from a known one only in case", nil)
			}
			err = r.extra(string(key))
		}
		if err != nil {
			return err
		}
		if seen&bit != 0 {
			return r.refuse("the body has a duplicate member", nil)
		}
		seen |= bit
	}
	return nil
}

// extra keeps the member at the cursor unchanged.
func (r *requestReader) extra(name string) error {
	if _, have := r.req.Extra[name]; have {
		return r.refuse("the body has "+strconv.Quote(name)+" twice", nil)
	}
	if err := request.Members(len(r.req.Extra) + 1); err != nil {
		return r.within(err)
	}
	if r.req.Extra == nil {
		r.req.Extra = map[string]json.RawMessage{}
	}
	r.req.Extra[name] = r.scan.Raw()
	return nil
}

// config reads the settings that every dialect has; the rest stays in Extra.
func (r *requestReader) config(raw []byte) {
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Object() {
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "maxOutputTokens", "max_output_tokens":
			if n, ok := s.Int(); ok && n > 0 && n <= math.MaxInt32 {
				r.req.MaxTokens = int(n)
				continue
			}
		case "temperature":
			if s.Kind() == jsonscan.Number {
				if v, err := strconv.ParseFloat(string(s.Raw()), 64); err == nil {
					r.req.Temperature = &v
				}
				continue
			}
		}
		s.Skip()
	}
}

// system reads the instructions: a content object, or a bare text.
func (r *requestReader) system() error {
	s := &r.scan
	start := s.Pos()
	if s.Null() {
		return nil
	}
	if text, ok := s.Str(nil); ok {
		at := llm.Span{Start: start, End: s.Pos()}
		r.req.System = []llm.Block{{
			Kind: llm.Content, Text: string(text), Type: "text", Status: llm.Complete, Raw: at.In(r.body), Span: at, BodySpan: at,
		}}
		return nil
	}
	m, err := r.content("systemInstruction")
	r.req.System = m.Blocks
	return err
}

func (r *requestReader) contents() error {
	return r.each(request.Messages, "contents", func() error {
		if err := r.count.One(request.Messages); err != nil {
			return r.within(err)
		}
		m, err := r.content("an element of contents")
		r.req.Messages = request.Append(&r.count, request.Messages, r.req.Messages, m)
		return err
	})
}

// each reads a list. The API accepts a single object as a list of one.
func (r *requestReader) each(kind request.Kind, what string, one func() error) error {
	s := &r.scan
	switch {
	case s.Null():
		return nil
	case s.Kind() == jsonscan.Object:
		return one()
	case !s.Array():
		return r.refuse(what+" is not an array", nil)
	}
	for n := 0; s.Elem(); n++ {
		if n == request.Many {
			if err := r.count.Ahead(kind, *s); err != nil {
				return r.within(err)
			}
		}
		if err := one(); err != nil {
			return err
		}
	}
	return nil
}

// content reads one turn.
func (r *requestReader) content(what string) (llm.Message, error) {
	s := &r.scan
	m := llm.Message{Role: llm.User, Span: llm.Span{Start: s.Pos()}}
	if !s.Object() {
		return m, r.refuse(what+" is not an object", nil)
	}
	role, parts, members := false, false, 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		members++
		switch string(key) {
		case "role":
			if role {
				return m, r.refuse(what+" has a role twice", nil)
			}
			role = true
			if word, ok := s.Str(nil); ok {
				m.Role = roleOf(word)
			} else {
				s.Skip()
			}
		case "parts":
			if parts {
				return m, r.refuse(what+" has parts twice", nil)
			}
			parts = true
			if err := r.each(request.Parts, "parts", func() error { return r.part(&m) }); err != nil {
				return m, err
			}
		default:
			if disguised(key) {
				return m, r.refuse("a member's name differs from a known one only in case", nil)
			}
			s.Skip()
		}
	}
	m.Span.End = s.Pos()
	return m, r.within(request.Members(members))
}

func roleOf(word []byte) llm.Role {
	switch string(word) {
	case "", "user":
		return llm.User
	case "model":
		return llm.Assistant
	case "function":
		return llm.ToolRole
	}
	return llm.Role(word)
}
