package evasion

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

// Case is one line of a suite.
type Case struct {
	// Name is its position: the file and the number of the line.
	Name string
	// Text is the call as the line has it, without the dangers.
	Text string
	// Dangers are the classes of a hostile case.
	Dangers []string
	// Calls are the calls of the answer. The last is the one that is judged.
	Calls []Call
	// Before is what the conversation had before the answer.
	Before []Turn
	// Cwd and Home are where the client works; empty means that it does not
	// matter.
	Cwd, Home string
	// Choice is the number of the choice that has the calls.
	Choice int
	// Legacy says that the call comes in the old field of Chat Completions.
	Legacy bool
}

// Call is a call of a case.
type Call struct {
	// Shell is a command in the shape of any client; if it is empty, the other
	// fields are the call.
	Shell string
	// Tool and Type are its name and the provider's type.
	Tool, Type string
	// Arguments is what the tool gets, byte for byte.
	Arguments string
}

// Turn is an entry of a conversation: what somebody said, or a call and its
// result.
type Turn struct {
	User, Assistant string
	Call            *Call
	Result          string
	Failed          bool
}

// Forms returns the calls of the case in the shape of every client: one form if
// no call is a shell command.
func (c *Case) Forms() [][]llm.Block {
	count := 1
	for i := range c.Calls {
		if c.Calls[i].Shell != "" {
			count = len(call.Shapes(""))
		}
	}
	forms := make([][]llm.Block, count)
	for n := range forms {
		for i := range c.Calls {
			b := c.Calls[i].block(n)
			b.ID = callID(i)
			forms[n] = append(forms[n], b)
		}
	}
	return forms
}

// block returns the call, a shell command in the shape of a client.
func (c *Call) block(shape int) llm.Block {
	if c.Shell != "" {
		return call.Shapes(c.Shell)[shape]
	}
	return llm.Block{Kind: llm.ToolCall, Name: c.Tool, Type: c.Type, Arguments: c.Arguments, Status: llm.Complete}
}
