package openairesponses

import (
	"bytes"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Item types that are used more than once.
const (
	itemMessage      = "message"
	itemReasoning    = "reasoning"
	itemFunctionCall = "function_call"
	itemCustomCall   = "custom_tool_call"
	itemLocalShell   = "local_shell_call"
	itemShell        = "shell_call"
	itemComputer     = "computer_call"
	itemApplyPatch   = "apply_patch_call"
	itemApproval     = "mcp_approval_request"
	itemMCPCall      = "mcp_call"
	itemToolSearch   = "tool_search_call"
)

// value is the value of a member of an item.
type value struct {
	kind jsonscan.Kind // Invalid if the member is absent or null
	raw  []byte
	str  []byte // the unescaped text of a string
	at   llm.Span
}

func (v *value) present() bool { return v.kind != jsonscan.Invalid }

// itemView is a parsed output or input item. Its slices are borrowed from the JSON and
// the buffer that it was read with.
type itemView struct {
	raw  []byte
	typ  string
	kind llm.Kind // 0 for a message, whose kind depends on its parts

	id, callID, name, status     value
	arguments, input             value
	action, actions              value
	operation, output            value
	content, summary, encrypted  value
	execution, environment, role value
	tools                        value
	members                      int
}

// read parses the members of an item. It returns the reason why it is invalid, empty if
// it is not. raw must be valid JSON. Spans are offsets in raw.
func (v *itemView) read(s *jsonscan.Scanner, raw []byte, buf *[]byte) string {
	*v = itemView{raw: raw}
	s.Reset(raw)
	if !s.Object() {
		return "an item is not an object"
	}
	var typ value
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		v.members++
		to := v.member(key, &typ)
		if to == nil {
			if jsonscan.Disguised(key, names) {
				return disguised
			}
			s.Skip()
			continue
		}
		if !to.at.IsZero() {
			return "a member of an item occurs twice: " + string(key)
		}
		start := s.Pos()
		to.kind = s.Kind()
		if str, ok := s.Str(buf); ok {
			to.str = str
		} else {
			s.Skip()
		}
		to.at = llm.Span{Start: start, End: s.Pos()}
		if s.Err() != nil {
			return "an item is not valid JSON"
		}
		to.raw = raw[to.at.Start:to.at.End]
		if to.kind == jsonscan.Null {
			to.kind = jsonscan.Invalid
		}
	}
	if s.Err() != nil {
		return "an item is not valid JSON"
	}
	if typ.present() && typ.kind != jsonscan.String {
		return "the type of an item is not a string"
	}
	v.typ, v.kind = v.classify(typ.str)
	if v.kind == llm.ToolCall && v.name.present() && v.name.kind != jsonscan.String {
		return "the name of a call is not a string"
	}
	if (v.kind == llm.ToolCall || v.typ == itemShell) && v.isTwoCalls() {
		return "a call has what calls of another type are given"
	}
	if isBuiltIn(v.typ) && len(v.name.str) > 0 {
		// Clients know the tool by the type, and policies would know it by the name.
		return "a call of a built-in tool has a name"
	}
	return ""
}

// isBuiltIn reports whether the type of a call says which tool is called.
func isBuiltIn(typ string) bool {
	switch typ {
	case itemLocalShell, itemShell, itemComputer, itemApplyPatch:
		return true
	}
	return false
}

// isTwoCalls reports whether a call has the body of another type besides its own: a
// client that ignores the type would read that.
func (v *itemView) isTwoCalls() bool {
	own, _ := bodyMember(v.typ)
	for _, m := range [...]struct {
		name  string
		value *value
	}{{"arguments", &v.arguments}, {"input", &v.input}, {"action", &v.action}, {"operation", &v.operation}} {
		if m.name != own && m.value.present() && (m.value.kind != jsonscan.String || len(m.value.str) > 0) {
			return true
		}
	}
	return v.isTwoActions()
}

func (v *itemView) member(key []byte, typ *value) *value {
	switch string(key) {
	case "type":
		return typ
	case "id":
		return &v.id
	case "call_id":
		return &v.callID
	case "name":
		return &v.name
	case "status":
		return &v.status
	case "arguments":
		return &v.arguments
	case "input":
		return &v.input
	case "action":
		return &v.action
	case "actions":
		return &v.actions
	case "operation":
		return &v.operation
	case "output":
		return &v.output
	case "content":
		return &v.content
	case "summary":
		return &v.summary
	case "encrypted_content":
		return &v.encrypted
	case "execution":
		return &v.execution
	case "environment":
		return &v.environment
	case "role":
		return &v.role
	case "tools":
		return &v.tools
	}
	return nil
}

// classify returns an item's kind, and its type without an allocation for known types.
func (v *itemView) classify(typ []byte) (string, llm.Kind) {
	switch string(typ) {
	case itemMessage:
		return itemMessage, 0
	case itemReasoning:
		return itemReasoning, llm.Thinking
	case itemFunctionCall:
		return itemFunctionCall, llm.ToolCall
	case itemCustomCall:
		return itemCustomCall, llm.ToolCall
	case itemLocalShell:
		return itemLocalShell, llm.ToolCall
	case itemApplyPatch:
		return itemApplyPatch, llm.ToolCall
	case itemComputer:
		return itemComputer, llm.ToolCall
	case itemApproval:
		return itemApproval, llm.ToolCall
	case itemShell:
		if v.hosted() {
			return itemShell, llm.ServerTool
		}
		return itemShell, llm.ToolCall
	case itemMCPCall:
		return itemMCPCall, llm.ServerTool
	case "web_search_call":
		return "web_search_call", llm.ServerTool
	case "file_search_call":
		return "file_search_call", llm.ServerTool
	case "code_interpreter_call":
		return "code_interpreter_call", llm.ServerTool
	case "image_generation_call":
		return "image_generation_call", llm.ServerTool
	case "program":
		return "program", llm.ServerTool
	case itemToolSearch:
		if string(v.execution.str) == "client" {
			return itemToolSearch, llm.Opaque
		}
		return itemToolSearch, llm.ServerTool
	}
	name := string(typ)
	if strings.HasSuffix(name, "_output") {
		return name, llm.ToolResult
	}
	return name, llm.Opaque
}

// hosted reports whether a shell call runs in a container of the provider. In any doubt
// it counts as a client's call.
func (v *itemView) hosted() bool {
	var s jsonscan.Scanner
	s.Reset(v.environment.raw)
	if !s.Object() {
		return false
	}
	hosted, seen := false, false
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if string(key) != "type" {
			if jsonscan.Disguised(key, names) {
				return false
			}
			s.Skip()
			continue
		}
		typ, ok := s.Str(nil)
		if !ok {
			s.Skip()
		}
		hosted = !seen && bytes.HasPrefix(typ, []byte("container"))
		seen = true
	}
	return hosted
}

// blockID is the id that results refer to, or the item's own.
func (v *itemView) blockID() []byte {
	if len(v.callID.str) > 0 && v.kind != llm.ToolResult && v.typ != itemApproval {
		return v.callID.str
	}
	return v.id.str
}

// body returns the content of an item that is one piece: arguments, input or action of
// a call, output of a result. Messages and reasoning have parts instead. The reason is
// not empty if a member has a type that could hide something.
func (v *itemView) body() (body []byte, reason string) {
	switch v.typ {
	case itemFunctionCall, itemApproval, itemMCPCall:
		return v.callArguments()
	case itemCustomCall:
		if v.input.present() && v.input.kind != jsonscan.String {
			return nil, "the input of a custom tool call is not a string"
		}
		return v.input.str, ""
	case itemComputer:
		return v.computerBody(), ""
	case itemLocalShell, itemShell:
		return orItem(&v.action, v.raw), ""
	case itemApplyPatch:
		return orItem(&v.operation, v.raw), ""
	}
	switch v.kind {
	case llm.ServerTool:
		switch {
		case v.action.present():
			return v.action.raw, ""
		case v.arguments.kind == jsonscan.String:
			return v.arguments.str, ""
		case v.arguments.present():
			return v.arguments.raw, ""
		}
		return v.raw, ""
	case llm.ToolResult:
		return orItem(&v.output, v.raw), ""
	default:
		return nil, ""
	}
}

func (v *itemView) callArguments() ([]byte, string) {
	switch v.arguments.kind {
	case jsonscan.String:
		return v.arguments.str, ""
	case jsonscan.Object:
		return v.arguments.raw, ""
	case jsonscan.Invalid:
		return nil, ""
	default:
		return nil, "the arguments of a call are neither a string nor an object"
	}
}

// orItem is the raw value of a member. A call without it is judged by the whole item.
func orItem(v *value, item []byte) []byte {
	if v.present() {
		return v.raw
	}
	return item
}

// textRun is one block of a message: consecutive parts of one kind.
type textRun struct {
	kind  llm.Kind
	text  []byte
	first int64 // content_index of its first part
	parts int
	// sources are the non-empty annotation lists of its parts.
	sources [][]byte
}

// part is one element of a message's content or of a reasoning summary.
type part struct {
	kind    llm.Kind // 0 if the type is not known
	typ     []byte
	text    []byte
	at      llm.Span // of the text's string literal
	sources []byte   // the annotations of a text, if there are some
	members int
}

// readPart reads a part of a message or of reasoning. The reason is not empty if it is
// ambiguous.
func readPart(s *jsonscan.Scanner, buf *[]byte) (p part, reason string) {
	if str, ok := s.Str(buf); ok {
		return part{kind: llm.Content, text: str}, ""
	}
	if !s.Object() {
		s.Skip()
		return part{}, ""
	}
	var text, refusal value
	var typ []byte
	var seenType bool
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		p.members++
		var to *value
		switch string(key) {
		case "text":
			to = &text
		case "refusal":
			to = &refusal
		case "type":
			if seenType {
				return p, "the type of a part occurs twice"
			}
			seenType = true
			if typ, ok = s.Str(buf); !ok {
				s.Skip()
			}
			continue
		case "annotations":
			if p.sources = s.Raw(); len(p.sources) <= len("[]") {
				p.sources = nil
			}
			continue
		default:
			if jsonscan.Disguised(key, names) {
				return p, disguised
			}
			s.Skip()
			continue
		}
		if !to.at.IsZero() {
			return p, "the text of a part occurs twice"
		}
		start := s.Pos()
		to.kind = s.Kind()
		if to.str, ok = s.Str(buf); !ok {
			s.Skip()
		}
		to.at = llm.Span{Start: start, End: s.Pos()}
	}
	p.typ = typ
	from := &text
	switch string(typ) {
	case "output_text", "text", "input_text":
		p.kind = llm.Content
	case "refusal":
		p.kind, from = llm.Refusal, &refusal
	case "summary_text", "reasoning_text":
		p.kind = llm.Thinking
	default:
		return p, ""
	}
	if from.kind != jsonscan.String && from.kind != jsonscan.Null && from.kind != jsonscan.Invalid {
		return p, "the text of a part is not a string"
	}
	p.text = from.str
	if from.kind == jsonscan.String {
		p.at = from.at
	}
	return p, ""
}
