package rule

import (
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// The blocks that have the variables call and text.
var (
	callKinds   = policy.KindsOf(llm.ToolCall, llm.ServerTool, llm.Opaque)
	textKinds   = policy.KindsOf(llm.Content, llm.Thinking, llm.Refusal, llm.ToolResult, policy.Prompt)
	resultKinds = policy.KindsOf(llm.ToolResult)
)

// variable is one of the top-level names of an expression.
type variable struct {
	name string
	typ  *cel.Type
	// kinds are the blocks that have it; zero means that the exchange has it.
	kinds policy.Kinds
}

var variables = []variable{
	{"call", callType, callKinds},
	{"result", resultType, resultKinds},
	{"text", cel.StringType, textKinds},
	{"request", requestType, 0},
	{"past", pastType, callKinds},
	{"session", sessionType, 0},
	{"key", keyType, 0},
	{"now", cel.TimestampType, 0},
	{"params", anyMapType, 0},
}

// activation gives an evaluation its variables.
type activation struct {
	view   *view // nil if nothing is known but the parameters
	params ref.Val
	known  bool // shows the known part of incomplete lists
	// written shows texts of which a part is not known as they are written.
	written bool
}

// ResolveName implements cel.Activation.
func (a *activation) ResolveName(name string) (any, bool) {
	if name == "params" {
		return a.params, true
	}
	v := a.view
	if v == nil {
		return anything.unknown(), isVariable(name)
	}
	of := v.variables()
	switch name {
	case "call":
		return &of.call[viewNumber(a.known, a.written)], true
	case "text":
		return v.text(), true
	case "result":
		return &of.result, true
	case "request":
		if !of.asked.known(v.exchange) {
			return requestAll.unknown(), true
		}
		return &of.request, true
	case "past":
		return &of.past, true
	case "session":
		return &of.session, true
	case "key":
		return &of.key, true
	case "now":
		return v.now(), true
	default:
		return nil, false
	}
}

// Parent implements cel.Activation.
func (a *activation) Parent() cel.Activation { return nil }

func isVariable(name string) bool {
	return slices.ContainsFunc(variables, func(v variable) bool { return v.name == name })
}
