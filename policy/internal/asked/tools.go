package asked

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// fewTools is how many names are without duplicates.
const fewTools = 64

// ToolNames are the names of the tools that a request declares. Tools without a name, which
// are the provider's own, are named by their type, and by it without a date. For servers of
// the Model Context Protocol that the provider is to ask they are mcp and mcp__NAME.
func ToolNames(asked *llm.Request) []string {
	names := make([]string, 0, len(asked.Tools))
	add := func(name string) {
		if name != "" && (len(names) >= fewTools || !slices.Contains(names, name)) {
			names = append(names, name)
		}
	}
	server := func(name string) {
		add("mcp")
		if name != "" {
			add("mcp__" + name)
		}
	}
	for i := range asked.Tools {
		switch t := &asked.Tools[i]; {
		case t.Type == "mcp" || t.Type == "mcp_toolset":
			server(t.Name)
		case t.Type == "mcpServers":
			eachName(t.Raw, server)
		case t.Name != "":
			add(t.Name)
		default:
			add(t.Type)
			add(undated(t.Type))
		}
	}
	eachName(asked.Extra["mcp_servers"], server) // of Anthropic
	if options := asked.Extra["web_search_options"]; len(options) > 0 && options[0] == '{' {
		add("web_search") // of Chat Completions
	}
	return names
}

// undated is the type of a tool without the date of its version, empty if it has none:
// web_search of web_search_2025_08_26 and web_search_20250305.
func undated(kind string) string {
	short := strings.TrimRight(kind, "_0123456789")
	if date := strings.ReplaceAll(kind[len(short):], "_", ""); len(date) == 8 && strings.HasPrefix(kind[len(short):], "_") {
		return short
	}
	return ""
}

// maxServers is how many servers of one list are named.
const maxServers = 1000

// eachName calls do with the name of every object in a list of servers, which may be in a
// member, and that in an object; empty for one that has none.
func eachName(raw []byte, do func(name string)) {
	if len(raw) == 0 {
		return
	}
	if raw[0] == '"' { // a member
		raw = slices.Concat([]byte("{"), raw, []byte("}"))
	}
	var s jsonscan.Scanner
	s.Reset(raw)
	if s.Kind() == jsonscan.Object {
		if !s.Object() {
			return
		}
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			if list := s.Raw(); string(key) == "mcpServers" || string(key) == "mcp_servers" {
				eachName(list, do)
			}
		}
		return
	}
	if s.Kind() != jsonscan.Array {
		return
	}
	s.Array()
	for n := 0; n < maxServers && s.Elem(); n++ {
		value, _, _ := jsonscan.Get(s.Raw(), "name")
		name, _ := jsonscan.Text(value)
		do(name)
	}
}
