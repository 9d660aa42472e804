package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

var errBorrowedName = errors.New("policy: the answer has a call that the provider runs, with the name of a tool of the client")

// borrowedName decides about a call that the provider says it runs itself, and that is
// therefore not judged. Clients that translate such calls with their own would run it if
// it is named like one of their tools. Servers of MCP name their tools as they like, and
// clients do not take those for their own.
func (e *Engine) borrowedName(c *stream.Chunk) error {
	if c.Repeats || !e.set.enforces {
		return nil
	}
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Kind == llm.ServerTool && ev.Type == stream.EventStart && !strings.HasPrefix(ev.ProviderType, "mcp_") && e.clientRuns(ev.Name, ev.ProviderType) {
			return errBorrowedName
		}
	}
	return nil
}

// clientRuns reports whether the request declares a tool that is known to be run by the
// client, and that a client could take a call of this name and type for.
//
// The call of a tool with a type of its own, such as shell, has no name: its type is that
// of the tool. Such a call says where it runs, but clients go by what they declared.
func (e *Engine) clientRuns(name, typ string) bool {
	if e.x == nil {
		return false
	}
	asked := e.x.Asked()
	return asked != nil && slices.ContainsFunc(asked.Tools, func(t llm.Tool) bool {
		switch {
		case t.Server:
			return false
		case t.Type+"_call" == typ:
			return true
		}
		return name != "" && t.Name == name && isClientType(t.Type)
	})
}

// isClientType reports whether tools of a declared type are run by the client. Providers
// keep adding types of tools that they run, so an unknown one is not.
func isClientType(declared string) bool {
	switch declared {
	case "", "function", "custom":
		return true
	}
	for _, family := range [...]string{"bash_", "text_editor_", "computer_", "memory_"} { // of Anthropic, with a date
		if strings.HasPrefix(declared, family) {
			return true
		}
	}
	return false
}
