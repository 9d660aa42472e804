package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// said is a call as it was written: by the model, or inside another call.
type said struct {
	name, server string
	text         string // arguments
	freeform     bool   // text is not JSON
	readable     bool   // text is known to be one JSON object in one reading
	mcp          bool   // a server runs it, as its type or what stands beside the name says
	provided     bool   // the provider runs it
	at           at     // of the text
}

// source finds the call in a block.
func source(b *llm.Block) said {
	from := said{name: b.Name, text: b.Arguments, freeform: b.Freeform(), provided: b.Kind == llm.ServerTool, at: begins}
	switch b.Type {
	case "mcp_approval_request", "mcp_call", "mcp_tool_use":
		from.mcp = true
		from.server = member(b.Raw, "server_label", "server_name")
	}
	if from.name == "" {
		from.name = builtIn(b.Type)
	}
	if b.Kind == llm.Opaque || from.name == "" || b.Arguments == "" && len(b.Raw) > 0 && !from.freeform {
		fromRaw(&from, b)
	}
	if from.name == "" {
		from.name = b.Type
	}
	return from
}

// builtIn is the tool that the calls of a provider type run without naming it.
func builtIn(providerType string) string {
	switch providerType {
	case "local_shell_call":
		return "local_shell"
	case "shell_call":
		return "shell"
	case "apply_patch_call":
		return "apply_patch"
	case "computer_call":
		return "computer"
	}
	return ""
}

// member returns the first of the members that is a string.
func member(raw []byte, names ...string) string {
	for _, name := range names {
		value, _, ok := jsonscan.Get(raw, name)
		if !ok {
			continue
		}
		if text, ok := jsonscan.Unquote(nil, value); ok {
			return string(text)
		}
	}
	return ""
}

// fromRaw finds the call in the JSON of a block that has no fields for it.
func fromRaw(from *said, b *llm.Block) {
	if len(b.Raw) == 0 {
		return
	}
	if from.name == "" {
		typ := member(b.Raw, "type")
		if from.name = member(b.Raw, "name", "tool_name", "tool", "function"); from.name == "" {
			from.name = builtIn(typ)
		}
		if from.name == "" {
			from.name = typ
		}
	}
	if from.server == "" {
		if from.server = member(b.Raw, "server_label", "server_name"); from.server != "" {
			from.mcp = true
		}
	}
	if from.text != "" {
		return
	}
	for _, name := range []string{"input", "arguments", "args", "parameters", "action", "operation"} {
		value, _, ok := jsonscan.Get(b.Raw, name)
		if !ok {
			continue
		}
		if text, ok := jsonscan.Unquote(nil, value); ok {
			from.text = string(text)
			// A string that is no JSON object is a free-form input.
			from.freeform = !looksLikeObject(from.text)
			return
		}
		if value[0] == '{' {
			from.text = string(value)
			return
		}
		break
	}
	from.text = string(b.Raw)
}

// looksLikeObject reports whether a text is meant to be a JSON object.
func looksLikeObject(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
}
