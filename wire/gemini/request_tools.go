package gemini

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// tools reads the declared tools: functions, and the provider's own.
func (r *requestReader) tools() error {
	return r.each(request.Tools, "tools", func() error {
		if r.scan.Null() {
			return nil
		}
		return r.declared()
	})
}

// declared reads one element of tools, which can declare several.
func (r *requestReader) declared() error {
	s := &r.scan
	whole := llm.Span{Start: s.Pos()}
	if !s.Object() {
		return r.refuse("an element of tools is not an object", nil)
	}
	first, members, functions := len(r.req.Tools), 0, false
	for {
		from := s.Pos()
		key, ok := s.Key()
		if !ok {
			break
		}
		members++
		start := from + bytes.IndexByte(r.body[from:], '"')
		switch name := camel(string(key)); {
		case s.Null():
		case name == "functionDeclarations":
			if functions {
				return r.refuse("a tool has functionDeclarations twice", nil)
			}
			functions = true
			if err := r.functions(); err != nil {
				return err
			}
		default:
			if err := r.count.One(request.Tools); err != nil {
				return r.within(err)
			}
			s.Skip()
			at := llm.Span{Start: start, End: s.Pos()}
			r.req.Tools = request.Append(&r.count, request.Tools, r.req.Tools, llm.Tool{
				Name: name, Type: name, Server: name != "computerUse", Raw: at.In(r.body), Span: at,
			})
		}
	}
	whole.End = s.Pos()
	if members == 1 && !functions && len(r.req.Tools) > first {
		// The element declares this tool only, so it can go as a whole.
		t := &r.req.Tools[first]
		t.Span, t.Raw = whole, whole.In(r.body)
	}
	return r.within(request.Members(members))
}

// camel is the first spelling of a tool's member, which the API accepts in two.
func camel(key string) string {
	switch key {
	case "function_declarations":
		return "functionDeclarations"
	case "google_search":
		return "googleSearch"
	case "google_search_retrieval":
		return "googleSearchRetrieval"
	case "code_execution":
		return "codeExecution"
	case "url_context":
		return "urlContext"
	case "google_maps":
		return "googleMaps"
	case "file_search":
		return "fileSearch"
	case "computer_use":
		return "computerUse"
	case "enterprise_web_search":
		return "enterpriseWebSearch"
	case "mcp_servers":
		return "mcpServers"
	}
	return key
}

// functions reads functionDeclarations.
func (r *requestReader) functions() error {
	return r.each(request.Tools, "functionDeclarations", r.function)
}

func (r *requestReader) function() error {
	s := &r.scan
	t := llm.Tool{Type: "function", Span: llm.Span{Start: s.Pos()}}
	if err := r.count.One(request.Tools); err != nil {
		return r.within(err)
	}
	if !s.Object() {
		return r.refuse("a function declaration is not an object", nil)
	}
	name, members := false, 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		members++
		switch string(key) {
		case "name":
			if name {
				return r.refuse("a function declaration has a name twice", nil)
			}
			name = true
			if word, ok := s.Str(nil); ok {
				t.Name = string(word)
				continue
			}
		case "description":
			if word, ok := s.Str(nil); ok {
				t.Description = string(word)
				continue
			}
		case "parameters", "parametersJsonSchema", "parameters_json_schema":
			if s.Kind() != jsonscan.Null {
				t.Schema = s.Raw()
				continue
			}
		}
		s.Skip()
	}
	t.Span.End = s.Pos()
	if err := s.Err(); err != nil {
		return err
	}
	t.Raw = t.Span.In(r.body)
	r.req.Tools = request.Append(&r.count, request.Tools, r.req.Tools, t)
	return r.within(request.Members(members))
}
