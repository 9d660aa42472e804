package advice

import (
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// The blocks that have the variables call and text.
var (
	CallKinds   = policy.KindsOf(llm.ToolCall, llm.ServerTool, llm.Opaque)
	TextKinds   = policy.KindsOf(llm.Content, llm.Thinking, llm.Refusal, llm.ToolResult, policy.Prompt)
	ResultKinds = policy.KindsOf(llm.ToolResult)
)

// Variable is one of the top-level names of an expression.
type Variable struct {
	Name string
	Type *cel.Type
	// Kinds are the blocks that have it; zero means that the exchange has it.
	Kinds policy.Kinds
}

// Variables are all of them.
var Variables = []Variable{
	{"call", CallType, CallKinds},
	{"result", ResultType, ResultKinds},
	{"text", cel.StringType, TextKinds},
	{"request", RequestType, 0},
	{"past", PastType, CallKinds},
	{"session", SessionType, 0},
	{"key", KeyType, 0},
	{"now", cel.TimestampType, 0},
	{"params", AnyMapType, 0},
}

// IsVariable reports whether a name is that of one.
func IsVariable(name string) bool {
	return slices.ContainsFunc(Variables, func(v Variable) bool { return v.Name == name })
}
