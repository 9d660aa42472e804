package rule

import (
	"slices"

	"cel.dev/cel-go/cel"

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

func isVariable(name string) bool {
	return slices.ContainsFunc(variables, func(v variable) bool { return v.name == name })
}

// blockText is the variable text.
var blockText = &field{typ: cel.StringType, is: opField, textOf: func(v *view) (string, answer) { return v.text(), yes }}
