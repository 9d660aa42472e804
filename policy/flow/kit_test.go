package flow_test

import (
	"encoding/json"
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/flow"
)

// talk is a conversation that is being written down.
type talk struct {
	messages []llm.Message
	calls    int
}

func user(text string) *talk { return new(talk).user(text) }

func (t *talk) user(text string) *talk {
	t.messages = append(t.messages, llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}})
	return t
}

// call adds a call and its result.
func (t *talk) call(tool string, args map[string]any, result string) *talk {
	t.calls++
	b := made(tool, args)
	b.ID = fmt.Sprint("call_", t.calls)
	t.messages = append(t.messages,
		llm.Message{Role: llm.Assistant, Blocks: []llm.Block{b}},
		llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.ToolResult, Type: "tool_result", ToolUseID: b.ID, Text: result}}})
	return t
}

func (t *talk) bash(command, result string) *talk {
	return t.call("Bash", map[string]any{"command": command}, result)
}

// add adds a block that is not of the usual sort.
func (t *talk) add(role llm.Role, b llm.Block) *talk {
	t.messages = append(t.messages, llm.Message{Role: role, Blocks: []llm.Block{b}})
	return t
}

func made(tool string, args map[string]any) llm.Block {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return llm.Block{Kind: llm.ToolCall, Type: "tool_use", Name: tool, Arguments: string(raw), Status: llm.Complete}
}

var session = policy.Session{Cwd: "/repo", Home: "/home/me"}

// exchange is one in which the conversation was sent.
func (t *talk) exchange() *policy.Exchange {
	return &policy.Exchange{Request: &llm.Request{Messages: t.messages}, Session: session}
}

// past is what came before a call.
func (t *talk) past() *flow.Past { return pastOf(t.exchange()) }

func pastOf(x *policy.Exchange) *flow.Past { return flow.Of(policy.NewSubject(x, made("Bash", nil))) }
