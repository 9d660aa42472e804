package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func says(role llm.Role, text string) llm.Message {
	return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text, Status: llm.Complete}}}
}

func call(id string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: id, Name: "f", Arguments: "{}", Status: llm.Complete}
}

func result(id string) llm.Block {
	return llm.Block{Kind: llm.ToolResult, ToolUseID: id, Text: "r" + id, Status: llm.Complete}
}

// talk makes a conversation of words, one for each message: S, U and A with a
// number say it. C followed by ids is an answer with calls, T and R are their
// results in a message of the tools or of the user, M are results with a
// question. 0 is a message without content.
func talk(words string) []llm.Message {
	var messages []llm.Message
	for word := range strings.FieldsSeq(words) {
		blocks := func(block func(string) llm.Block) []llm.Block {
			var all []llm.Block
			for _, id := range word[1:] {
				all = append(all, block(string(id)))
			}
			return all
		}
		switch word[0] {
		case 'S':
			messages = append(messages, says(llm.System, word))
		case 'U':
			messages = append(messages, says(llm.User, word))
		case 'A':
			messages = append(messages, says(llm.Assistant, word))
		case 'C':
			messages = append(messages, llm.Message{Role: llm.Assistant, Blocks: blocks(call)})
		case 'T':
			messages = append(messages, llm.Message{Role: llm.ToolRole, Blocks: blocks(result)})
		case 'R':
			messages = append(messages, llm.Message{Role: llm.User, Blocks: blocks(result)})
		case 'M':
			messages = append(messages, llm.Message{Role: llm.User, Blocks: append(blocks(result), llm.Block{Kind: llm.Content, Text: word})})
		case '0':
			messages = append(messages, llm.Message{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.Content}}})
		default:
			panic(word)
		}
	}
	return messages
}

// words is the inverse of talk. ?a is an unknown result, m is a message with a
// question whose results are gone.
func words(messages []llm.Message) string {
	all := make([]string, len(messages))
	for i, m := range messages {
		var b strings.Builder
		for _, block := range m.Blocks {
			switch {
			case block.Kind == llm.ToolCall:
				b.WriteString("C" + block.ID)
			case block.Kind == llm.ToolResult && block.Failed && block.Text == memory.Unknown:
				b.WriteString("?" + block.ToolUseID)
			case block.Kind == llm.ToolResult && m.Role == llm.ToolRole:
				b.WriteString("T" + block.ToolUseID)
			case block.Kind == llm.ToolResult:
				b.WriteString("R" + block.ToolUseID)
			default:
				b.WriteString(block.Text)
			}
		}
		all[i] = b.String()
	}
	return strings.Join(all, " ")
}

func remember(t *testing.T, w memory.Window) *memory.Memory {
	t.Helper()
	m, err := memory.New(memory.NewInMemory(), memory.Options{Window: w})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// add adds each part with one call and returns what is kept then.
func add(t *testing.T, m *memory.Memory, parts ...string) string {
	t.Helper()
	c, err := m.Get(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	at := c.Version
	for _, part := range parts {
		if at, err = m.Add(t.Context(), "a", at, talk(part)...); err != nil {
			t.Fatalf("%s: %v", part, err)
		}
	}
	if c, err = m.Get(t.Context(), "a"); err != nil || c.Version != at {
		t.Fatalf("version %d, want %d, %v", c.Version, at, err)
	}
	return words(c.Messages)
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// accepted is what the strictest provider asks of a history.
func accepted(messages []llm.Message) error {
	var open []string
	begun, answered := false, false
	for i, m := range messages {
		switch {
		case memory.IsEmpty(m):
			return fmt.Errorf("message %d says nothing", i)
		case m.Role == llm.System && begun:
			return fmt.Errorf("message %d instructs in the middle", i)
		case m.Role == llm.Assistant && answered && len(open) > 0:
			return fmt.Errorf("message %d leaves the calls %v without results", i, open)
		case m.Role == llm.Assistant:
			answered = false
		}
		begun = begun || m.Role != llm.System
		speaks := false
		for _, b := range m.Blocks {
			switch {
			case m.Role == llm.Assistant && b.Kind == llm.ToolCall:
				open = append(open, b.ID)
			case b.Kind == llm.ToolResult && m.Role != llm.Assistant:
				at := -1
				for j, id := range open {
					if id == b.ToolUseID {
						at = j
						break
					}
				}
				if at < 0 {
					return fmt.Errorf("message %d has a result for %q, which nobody waits for", i, b.ToolUseID)
				}
				open = append(open[:at], open[at+1:]...)
				answered = true
			case m.Role != llm.Assistant:
				speaks = true
			}
		}
		if speaks && len(open) > 0 {
			return fmt.Errorf("message %d comes while the calls %v have no results", i, open)
		}
	}
	if len(open) > 0 {
		return errors.New("calls without results at the end")
	}
	return nil
}

type windowFunc func([]llm.Message) ([]llm.Message, error)

func (f windowFunc) Fit(_ context.Context, messages []llm.Message) ([]llm.Message, error) {
	return f(messages)
}
