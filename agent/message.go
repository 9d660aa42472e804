package agent

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// finalMessage is an answer that ends a turn as it appears in the history:
// without calls, because they will not be run, and without truncated blocks. It
// returns false if nothing is left that a provider would accept.
func finalMessage(a *Answer) (llm.Message, bool) {
	if a == nil {
		return llm.Message{}, false
	}
	said := llm.Message{Role: llm.Assistant}
	end := 0 // of what is not followed by thinking alone
	for i := range a.Blocks {
		b := &a.Blocks[i]
		if b.Kind == llm.ToolCall || !replayable(b) || unanswered(a.Blocks, b) {
			continue
		}
		said.Blocks = append(said.Blocks, *b)
		if b.Kind != llm.Thinking {
			end = len(said.Blocks)
		}
	}
	said.Blocks = said.Blocks[:end]
	a.unlink(&said)
	return said, end > 0
}

// unlink removes the provider's ids from a message that is no longer its complete
// answer: a provider that refers to blocks by ids links thinking to what follows it,
// and rejects either without the other. A block that was changed in place needs no
// mark, because it differs from its Raw.
func (a *Answer) unlink(said *llm.Message) {
	if a.came == nil || slices.EqualFunc(a.came, said.Blocks, func(came, b llm.Block) bool { return bytes.Equal(came.Raw, b.Raw) }) {
		return
	}
	for i := range said.Blocks {
		switch b := &said.Blocks[i]; b.Kind {
		case llm.Content, llm.Refusal, llm.Thinking:
			b.ID, b.Raw = "", nil
		case llm.ToolCall:
			if b.Type == "function_call" || b.Freeform() { // others have no other form
				b.Raw = nil
			}
		default:
		}
	}
}

// unanswered reports whether a block is a call that the provider started to run
// itself without reporting the result, in a dialect that reports it in a block of
// its own.
func unanswered(blocks []llm.Block, b *llm.Block) bool {
	if b.Kind != llm.ServerTool || b.Type != "server_tool_use" && b.Type != "mcp_tool_use" {
		return false
	}
	return !slices.ContainsFunc(blocks, func(r llm.Block) bool { return r.ToolUseID == b.ID && r.Kind != llm.ToolCall })
}

// replayable reports whether a provider accepts a block in a history: it is not
// empty, and if it is signed or made by the provider, it is complete.
func replayable(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Refusal:
		return strings.TrimSpace(b.Text) != ""
	case llm.Thinking:
		return b.Status != llm.Incomplete && (strings.TrimSpace(b.Text) != "" || b.Signature != "" || len(b.Raw) > 0)
	default:
		return b.Status != llm.Incomplete
	}
}

// roundMessage is an answer with calls as it appears in the history: every call has
// a unique id, a name and arguments that all providers accept. What the model
// really wrote is in the answer, and in the results of invalid calls.
func roundMessage(a *Answer, taken *ids) llm.Message {
	said := llm.Message{Role: llm.Assistant, Blocks: make([]llm.Block, 0, len(a.Blocks))}
	for i := range a.Blocks {
		b := a.Blocks[i]
		if b.Kind == llm.ToolCall {
			makeLegal(&b, taken)
		} else if !replayable(&b) {
			continue
		}
		said.Blocks = append(said.Blocks, b)
	}
	// No provider accepts thinking that nothing follows.
	for n := len(said.Blocks); n > 0 && said.Blocks[n-1].Kind == llm.Thinking; n-- {
		said.Blocks = said.Blocks[:n-1]
	}
	a.unlink(&said)
	return said
}

// makeLegal makes a call one that every provider accepts.
func makeLegal(b *llm.Block, taken *ids) {
	if id := taken.take(b.ID); id != b.ID {
		b.ID, b.Raw = id, nil
	}
	if !legalName(b.Name) {
		b.Name, b.Raw = likeName(b.Name), nil
	}
	if !b.Freeform() && llm.CheckArguments(b.Arguments) != nil {
		b.Arguments, b.Raw = "{}", nil
	}
	b.Status = llm.Complete
}

// likeName makes a legal name similar to an illegal one.
func likeName(name string) string {
	if name == "" {
		return "unknown"
	}
	legal := make([]byte, 0, longestName)
	for i := 0; i < len(name) && len(legal) < longestName; i++ {
		if c := name[i]; nameByte(c) {
			legal = append(legal, c)
		} else {
			legal = append(legal, '_')
		}
	}
	return string(legal)
}

// ids are the call ids in use.
type ids struct {
	taken map[string]bool
	made  int
}

// note adds the ids of the calls in a history.
func (s *ids) note(messages []llm.Message) {
	for i := range messages {
		for j := range messages[i].Blocks {
			if b := &messages[i].Blocks[j]; b.Kind == llm.ToolCall {
				s.add(b.ID)
			}
		}
	}
}

// take reserves an id, or a new one if it is empty or in use. Numbers are tried once,
// so that guessing them gains nothing.
func (s *ids) take(id string) string {
	if id == "" {
		id = "call"
	} else if !s.taken[id] {
		s.add(id)
		return id
	}
	for {
		s.made++
		if next := id + "_" + strconv.Itoa(s.made); !s.taken[next] {
			s.add(next)
			return next
		}
	}
}

func (s *ids) add(id string) {
	if s.taken == nil {
		s.taken = make(map[string]bool)
	}
	s.taken[id] = true
}

// userText is a message of a user.
func userText(text string) llm.Message {
	return llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}
}
