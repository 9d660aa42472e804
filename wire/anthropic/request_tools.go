package anthropic

import (
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// tools reads the declared tools.
func (r *requestReader) tools(span llm.Span) *fault {
	if span.IsZero() {
		return nil
	}
	isList, f := r.each(request.Tools, span, func(at llm.Span) *fault {
		if err := r.count.One(request.Tools); err != nil {
			return tooMuch(err)
		}
		tool, f := r.tool(at)
		r.request.Tools = request.Append(&r.count, request.Tools, r.request.Tools, tool)
		return f
	})
	if !isList {
		return wrongType("tools")
	}
	return f
}

// tool reads one declaration.
func (r *requestReader) tool(at llm.Span) (llm.Tool, *fault) {
	t := llm.Tool{Raw: at.In(r.body), Span: at}
	r.within(r.body, at)
	s := &r.scan
	if !s.Object() {
		return t, wrongType("tools")
	}
	var seen uint32
	server, members := "", 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		members++
		var bit uint32
		var into *string
		var name string
		switch string(key) {
		case "type":
			bit, name, into = seenType, "type", &t.Type
		case "name":
			bit, name, into = seenName, "name", &t.Name
		case "description":
			bit, name, into = seenText, "description", &t.Description
		case "mcp_server_name":
			bit, name, into = seenID, "mcp_server_name", &server
		case "input_schema":
			bit, name = seenInput, "input_schema"
			if schema := r.span(); !schema.IsZero() {
				t.Schema = schema.In(r.body)
			}
		default:
			s.Skip()
			continue
		}
		if into != nil {
			text, ok := r.text()
			if !ok {
				return t, wrongType(name)
			}
			*into = string(text)
		}
		if !add(&seen, bit) {
			return t, twice(name)
		}
	}
	if t.Name == "" {
		t.Name = server // a set of tools is named by its server
	}
	t.Server = isServerTool(t.Type)
	return t, tooMuch(request.Members(members))
}

// serverTools are the families of tools that the provider executes itself; a
// type is a family with a date. Others with a date (bash, text_editor,
// computer, memory) are defined by the provider and executed by the client.
var serverTools = [...]string{
	"web_search_", "web_fetch_", "code_execution_", "tool_search_", "advisor_", "mcp_toolset",
}

func isServerTool(kind string) bool {
	for _, family := range serverTools {
		if strings.HasPrefix(kind, family) {
			return true
		}
	}
	return false
}
