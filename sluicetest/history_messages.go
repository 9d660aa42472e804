package sluicetest

import (
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// messageProblems returns what is wrong with messages for any provider: what a writer
// would silently repair, drop or join.
func messageProblems(messages []llm.Message) []error {
	r := &rounds{judge: &judge{format: "history"}, round: map[string]int{}}
	for i := range messages {
		r.message(i, &messages[i])
	}
	r.waiting.settle(r.judge)
	return r.problems
}

// rounds tracks the calls of a history and their results. A round is a turn of the
// assistant and everything up to its next one.
type rounds struct {
	*judge

	now       int            // number of the round
	assistant bool           // whether the last message was the assistant's
	delayed   string         // what is between the calls of the round and their results
	round     map[string]int // in which round a call was made, by its id
	waiting   awaited
	last      lastResult
}

// lastResult is the block before, if it was a result in the same message.
type lastResult struct {
	block *llm.Block
	parts bool // it has something other than text
}

func (r *rounds) message(i int, m *llm.Message) {
	at := fmt.Sprintf("message %d", i)
	if len(m.Blocks) == 0 {
		r.failf("message-empty", at, "a message of the role %s without blocks", m.Role)
		return
	}
	if m.Role == llm.Assistant && !r.assistant {
		r.waiting.settle(r.judge)
		r.now, r.delayed = r.now+1, ""
	}
	r.assistant, r.last = m.Role == llm.Assistant, lastResult{}
	for n := range m.Blocks {
		b := &m.Blocks[n]
		at := fmt.Sprintf("message %d block %d", i, n)
		r.unaltered(b, at)
		switch {
		case b.Kind == llm.ToolCall:
			r.call(b, m.Role, at)
		case b.Kind == llm.ToolResult, b.Kind == llm.Opaque && b.ToolUseID != "":
			r.result(b, m.Role, at)
			continue
		case isEmpty(b):
			r.failf("block-empty", at, "a block of kind %s that says nothing", b.Kind)
		}
		r.last = lastResult{}
		if m.Role != llm.Assistant && r.delayed == "" {
			r.delayed = at
		}
	}
}

// isEmpty reports whether a block has nothing to send.
func isEmpty(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Refusal:
		return b.Text == "" && b.Signature == ""
	case llm.Thinking:
		return b.Text == "" && b.Signature == "" && b.ID == "" && len(b.Raw) == 0
	case llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
	return false
}

func (r *rounds) call(b *llm.Block, role llm.Role, at string) {
	if role != llm.Assistant {
		r.failf("call-role", at, "a call in a message of the role %s", role)
		return
	}
	// A block with a span was read from a request, where nothing is open.
	if b.Status != llm.Complete && (b.Status != llm.Open || b.Span.IsZero()) {
		r.failf("call-status", at, "the call %q is %s: a history has only complete ones", b.ID, b.Status)
	}
	if b.Name != "" || !isBuiltIn(b.Type) {
		r.name(b.Name, at)
	}
	if !b.Freeform() {
		if err := llm.CheckArguments(b.Arguments); err != nil {
			r.failf("arguments", at, "the call %q: %v", b.ID, err)
		}
	}
	if b.ID == "" {
		r.failf("id-missing", at, "a call of %s without an id", b.Name)
		return
	}
	if _, known := r.round[b.ID]; known {
		r.failf("call-duplicate", at, "the id %q belongs to an earlier call", b.ID)
	}
	r.round[b.ID] = r.now
	r.waiting.call(b.ID, at)
}

// isBuiltIn reports whether calls of a type have an action instead of a name:
// local_shell_call, computer_call.
func isBuiltIn(typ string) bool {
	return strings.HasSuffix(typ, "_call") && typ != "function_call" && typ != "custom_tool_call"
}

func (r *rounds) result(b *llm.Block, role llm.Role, at string) {
	before := r.last
	r.last = lastResult{block: b, parts: b.Kind == llm.Opaque}
	switch role {
	case llm.Assistant:
		if isClients(b) {
			r.failf("result-role", at, "a result of the call %q in a message of the assistant", b.ToolUseID)
		}
		return
	case llm.System:
		r.failf("result-role", at, "a result of the call %q in a message of the system", b.ToolUseID)
		return
	default:
	}
	if before.block != nil && before.block.ToolUseID == b.ToolUseID {
		// Neighbours are the parts of one result if something other than text is
		// among them, or if they were read from a request. Two texts that
		// somebody made are two results.
		r.last.parts = r.last.parts || before.parts
		if r.last.parts || !b.Span.IsZero() && !before.block.Span.IsZero() {
			return
		}
	}
	made, known := r.round[b.ToolUseID]
	switch {
	case b.ToolUseID == "":
		r.failf("id-missing", at, "a result that names no call")
	case known && made != r.now:
		r.failf("result-late", at, "the call %q was made in an earlier round", b.ToolUseID)
	default:
		if known && r.delayed != "" {
			r.failf("result-delayed", at, "%s is between the call %q and its result", r.delayed, b.ToolUseID)
		}
		r.waiting.answer(r.judge, b.ToolUseID, at)
	}
}

// isClients reports whether a result is one that a client sends. Results of the
// provider's own tools are in the assistant's message.
func isClients(b *llm.Block) bool {
	if b.Kind != llm.ToolResult {
		return false
	}
	switch b.Type {
	case "", "tool_result", "tool", "function", "functionResponse", "function_call_output", "custom_tool_call_output":
		return true
	}
	return false
}

// unaltered requires thinking and signatures to be as the provider sent them, where
// that is known: a writer would send the fields.
func (r *rounds) unaltered(b *llm.Block, at string) {
	if b.Kind != llm.Thinking && b.Kind != llm.ToolCall && b.Kind != llm.Content || len(b.Raw) == 0 {
		return
	}
	value, err := decode(b.Raw)
	raw, ok := value.(object)
	if err != nil || !ok {
		return
	}
	for _, key := range []string{"signature", "thoughtSignature", "thought_signature", "encrypted_content"} {
		if proof, ok := raw[key].(string); ok && proof != b.Signature {
			r.failf("signature", at, "the %s is %q, but the provider sent %q", key, b.Signature, proof)
		}
	}
	if b.Kind != llm.Thinking {
		return
	}
	key := "thinking"
	if raw["thought"] == true {
		key = "text"
	}
	if text, ok := raw[key].(string); ok && text != b.Text {
		r.failf("thinking-altered", at, "the thinking is not what the provider sent")
	}
}
