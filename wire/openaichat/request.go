package openaichat

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// ReadRequest reads the body of a request. The result records the positions in body, so
// that one text can be replaced there without touching any other byte. Raw values share
// the memory of body, which must not change while they are used; texts, names and ids
// are copies. The error is an *llm.RequestError.
func ReadRequest(body []byte) (*llm.Request, error) {
	return ReadRequestWithin(body, llm.RequestLimits{})
}

// ReadRequestWithin is ReadRequest with custom limits. The cause of the error is a
// *llm.RequestLimitError for a request that exceeds one of them.
func ReadRequestWithin(body []byte, limits llm.RequestLimits) (*llm.Request, error) {
	if err := jsonscan.Valid(body); err != nil {
		bad := &llm.RequestError{Dialect: dialect, Reason: "the body is not JSON", Offset: -1, Err: err}
		if at := new(jsonscan.SyntaxError); errors.As(err, &at) {
			bad.Offset = at.Offset
		}
		return nil, bad
	}
	r := requestReader{body: body, out: &llm.Request{}, count: request.Count{Limits: limits}}
	r.read()
	if r.err != nil {
		return nil, r.err
	}
	return r.out, nil
}

// dialect is the name of this wire format in errors.
const dialect = "openai-chat"

// requestReader reads one body, which is known to be valid JSON.
type requestReader struct {
	body  []byte
	out   *llm.Request
	count request.Count
	room  []member // for the members of the objects that are being read
	err   error    // the first; nothing more is read then
}

// within reports whether the request is within a limit; err is the limit's error.
func (r *requestReader) within(at llm.Span, err error) bool {
	if err != nil && r.err == nil {
		r.err = request.TooMuch(dialect, at.Start, err)
	}
	return r.err == nil
}

func (r *requestReader) refuse(at llm.Span, reason string) {
	if r.err == nil {
		r.err = &llm.RequestError{Dialect: dialect, Reason: reason, Offset: at.Start}
	}
}

// requestNames are the significant members of a request.
var requestNames = []string{
	"messages", "tools", "functions", "role", "content", "text", "tool_calls", "tool_call_id", "function_call", "function",
	"custom", "name", "arguments", "input", "type", "id",
}

// members lists the members of an object and refuses duplicates, because two parsers
// could see two requests. The list is valid while the element of the innermost list is
// read.
func (r *requestReader) members(at llm.Span) []member {
	if r.err != nil {
		return nil
	}
	room := len(r.room)
	r.room = firstMembers(r.room, r.body, at, room+llm.MaxMembers+1)
	list := r.room[room:len(r.room):len(r.room)]
	if !r.within(at, request.Members(len(list))) {
		return nil
	}
	for i := range list {
		if jsonscan.Disguised([]byte(list[i].name), requestNames) {
			// A provider with a case-insensitive JSON parser would read it.
			r.refuse(list[i].span, "the member "+list[i].name+" differs from a known one only in case")
		}
	}
	if len(list) > 16 {
		seen := make(map[string]struct{}, len(list))
		for i := range list {
			if _, twice := seen[list[i].name]; twice {
				r.refuse(list[i].span, "an object has the member "+list[i].name+" twice")
			}
			seen[list[i].name] = struct{}{}
		}
		return list
	}
	for i := range list {
		if find(list[:i], list[i].name) != nil {
			r.refuse(list[i].span, "an object has the member "+list[i].name+" twice")
		}
	}
	return list
}

func (r *requestReader) kind(at llm.Span) jsonscan.Kind {
	switch r.body[at.Start] {
	case '{':
		return jsonscan.Object
	case '[':
		return jsonscan.Array
	case '"':
		return jsonscan.String
	case 'n':
		return jsonscan.Null
	case 't':
		return jsonscan.True
	case 'f':
		return jsonscan.False
	}
	return jsonscan.Number
}

func (r *requestReader) raw(at llm.Span) json.RawMessage {
	return json.RawMessage(r.body[at.Start:at.End:at.End])
}

// text returns a string; null counts as empty, anything else is refused.
func (r *requestReader) text(m *member) string {
	if m == nil {
		return ""
	}
	switch r.kind(m.value) {
	case jsonscan.String:
		return stringOf(r.body, m)
	case jsonscan.Null:
	default:
		r.refuse(m.value, m.name+" is not a string")
	}
	return ""
}

func (r *requestReader) read() {
	var scan jsonscan.Scanner
	scan.Reset(r.body)
	start := scan.Pos()
	if scan.Kind() != jsonscan.Object {
		r.refuse(llm.Span{Start: start}, "the body is not a JSON object")
		return
	}
	scan.Skip()
	var old int
	for _, m := range r.members(llm.Span{Start: start, End: scan.Pos()}) {
		switch m.name {
		case "model":
			r.out.Model = r.text(&m)
		case "messages":
			r.list(request.Messages, &m, r.message)
		case "tools":
			r.list(request.Tools, &m, func(at llm.Span) { r.tool(at, 0) })
		case "functions":
			r.list(request.Tools, &m, func(at llm.Span) { r.function(at, at, "function") })
		case "stream":
			r.out.Stream = string(m.value.In(r.body)) == "true"
		case "max_completion_tokens":
			r.out.MaxTokens = r.limit(&m)
		case "max_tokens":
			old = r.limit(&m)
		case "temperature":
			if n, err := strconv.ParseFloat(string(m.value.In(r.body)), 64); err == nil {
				r.out.Temperature = &n
			}
		default:
			if r.out.Extra == nil {
				r.out.Extra = make(map[string]json.RawMessage)
			}
			r.out.Extra[m.name] = r.raw(m.value)
		}
	}
	if r.out.MaxTokens == 0 {
		r.out.MaxTokens = old
	}
}

// list calls f for each element of a member that must be a list; null is empty.
func (r *requestReader) list(kind request.Kind, m *member, f func(at llm.Span)) {
	switch r.kind(m.value) {
	case jsonscan.Array:
		r.each(kind, m.value, f)
	case jsonscan.Null:
	default:
		r.refuse(m.value, m.name+" is not a list")
	}
}

// each calls f for each element of the list at a span, until an error. It returns their
// number.
func (r *requestReader) each(kind request.Kind, list llm.Span, f func(at llm.Span)) (n int) {
	var s jsonscan.Scanner
	s.Reset(list.In(r.body))
	s.Array()
	for ; r.err == nil && s.Elem(); n++ {
		start := list.Start + s.Pos()
		if n == request.Many && !r.within(llm.Span{Start: start}, r.count.Ahead(kind, s)) {
			return n
		}
		s.Skip()
		room := len(r.room)
		f(llm.Span{Start: start, End: list.Start + s.Pos()})
		r.room = r.room[:room]
	}
	return n
}

// limit reads a token limit; an invalid number sets no limit.
func (r *requestReader) limit(m *member) int {
	var s jsonscan.Scanner
	s.Reset(m.value.In(r.body))
	n, _ := s.Int()
	if n < 0 || n > 1<<31 {
		return 0
	}
	return int(n)
}

// maxGroups is how deep groups of tools may nest; a deeper group is read as one tool.
const maxGroups = 8

// tool reads one declaration; groups of tools are flattened.
func (r *requestReader) tool(at llm.Span, depth int) {
	if r.kind(at) != jsonscan.Object {
		r.refuse(at, "a tool is not an object")
		return
	}
	list := r.members(at)
	word := r.text(find(list, "type"))
	for _, name := range []string{"function", "custom"} {
		if m := find(list, name); m != nil && r.kind(m.value) == jsonscan.Object {
			if other := find(list, "custom"); other != nil && other != m && r.kind(other.value) == jsonscan.Object {
				r.refuse(at, "a tool is both a function and a custom tool")
			}
			if word == "" {
				word = name
			}
			r.function(at, m.value, word)
			return
		}
	}
	group := find(list, "tools")
	if group != nil && r.kind(group.value) == jsonscan.Array && depth < maxGroups && word != "function" && word != "custom" {
		r.each(request.Tools, group.value, func(inner llm.Span) { r.tool(inner, depth+1) })
		return
	}
	r.function(at, at, word)
}

// function reads the object that names and describes a tool.
func (r *requestReader) function(at, described llm.Span, word string) {
	if r.kind(described) != jsonscan.Object {
		r.refuse(described, "a tool is not an object")
		return
	}
	list := r.members(described)
	if !r.within(at, r.count.One(request.Tools)) {
		return
	}
	t := llm.Tool{
		Name: r.text(find(list, "name")), Type: word,
		Server: word != "function" && word != "custom" && word != "",
		Raw:    r.raw(at), Span: at,
	}
	if m := find(list, "description"); m != nil && r.kind(m.value) == jsonscan.String {
		t.Description = r.text(m)
	}
	if m := find(list, "parameters"); m != nil && r.kind(m.value) == jsonscan.Object {
		t.Schema = r.raw(m.value)
	}
	if t.Name == "" && t.Server {
		t.Name = word // tools of the provider are named by their type
	}
	r.out.Tools = request.Append(&r.count, request.Tools, r.out.Tools, t)
}
