package agent

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// finalMessage is an answer that ends a turn as it stands in the history: without
// calls, because nobody will run them, and without what was cut. It reports false
// if nothing is left that a provider would take back.
func finalMessage(a *Answer) (llm.Message, bool) {
	if a == nil {
		return llm.Message{}, false
	}
	said := llm.Message{Role: llm.Assistant}
	speaks := false
	for i := range a.Blocks {
		b := &a.Blocks[i]
		switch {
		case b.Kind == llm.ToolCall:
			continue
		case b.Kind == llm.Content || b.Kind == llm.Refusal:
			if strings.TrimSpace(b.Text) == "" {
				continue
			}
			speaks = true
		case b.Status == llm.Incomplete:
			continue // signed or made by the provider: only whole
		case b.Kind != llm.Thinking:
			speaks = true
		}
		said.Blocks = append(said.Blocks, *b)
	}
	return said, speaks
}

// roundMessage is an answer with calls as it stands in the history: every call has
// an id of its own, a name and arguments that all providers take back. What the
// model really wrote is in the answer, and in the results of calls that were wrong.
func roundMessage(a *Answer, taken map[string]bool) llm.Message {
	said := llm.Message{Role: llm.Assistant, Blocks: make([]llm.Block, 0, len(a.Blocks))}
	for i := range a.Blocks {
		b := a.Blocks[i]
		switch b.Kind {
		case llm.ToolCall:
			settle(&b, taken)
		case llm.Content, llm.Refusal:
			if strings.TrimSpace(b.Text) == "" {
				continue
			}
		default:
			if b.Status == llm.Incomplete {
				continue
			}
		}
		said.Blocks = append(said.Blocks, b)
	}
	return said
}

// settle makes a call one that every provider takes back.
func settle(b *llm.Block, taken map[string]bool) {
	if b.ID == "" || taken[b.ID] {
		id := b.ID
		if id == "" {
			id = "call"
		}
		for n := len(taken) + 1; ; n++ {
			if next := id + "_" + strconv.Itoa(n); !taken[next] {
				b.ID, b.Raw = next, nil
				break
			}
		}
	}
	taken[b.ID] = true
	if !legalName(b.Name) {
		b.Name, b.Raw = likeName(b.Name), nil
	}
	if !b.Freeform() && llm.CheckArguments(b.Arguments) != nil {
		b.Arguments, b.Raw = "{}", nil
	}
	b.Status = llm.Complete
}

// likeName makes a legal name of one that is not.
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

// noteIDs notes the ids of the calls in a history.
func noteIDs(taken map[string]bool, messages []llm.Message) {
	for i := range messages {
		for j := range messages[i].Blocks {
			if b := &messages[i].Blocks[j]; b.Kind == llm.ToolCall {
				taken[b.ID] = true
			}
		}
	}
}

// userText is a message of a user.
func userText(text string) llm.Message {
	return llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}
}
