package sluicetest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// every is what a broken history is judged as if the rule is everyone's.
const every = wire.Format("")

// broken is a good history with one thing broken, and the rules that object:
// exactly these.
type broken struct {
	name   string
	from   string // name of the good history
	format wire.Format
	change func(h []llm.Message) []llm.Message
	rules  string
}

// edit changes one block.
func edit(message, block int, change func(b *llm.Block)) func([]llm.Message) []llm.Message {
	return func(h []llm.Message) []llm.Message {
		change(&h[message].Blocks[block])
		return h
	}
}

// swap changes the order of two messages.
func swap(i, j int) func([]llm.Message) []llm.Message {
	return func(h []llm.Message) []llm.Message {
		h[i], h[j] = h[j], h[i]
		return h
	}
}

// without removes messages.
func without(from, to int) func([]llm.Message) []llm.Message {
	return func(h []llm.Message) []llm.Message { return slices.Delete(h, from, to) }
}

// with inserts messages.
func with(at int, messages ...llm.Message) func([]llm.Message) []llm.Message {
	return func(h []llm.Message) []llm.Message { return slices.Insert(h, at, messages...) }
}

// adding appends blocks to a message.
func adding(message int, blocks ...llm.Block) func([]llm.Message) []llm.Message {
	return func(h []llm.Message) []llm.Message {
		h[message].Blocks = append(h[message].Blocks, blocks...)
		return h
	}
}

func TestBrokenHistoriesAreRefused(t *testing.T) {
	t.Parallel()
	status := func(s llm.Status) func([]llm.Message) []llm.Message {
		return edit(1, 1, func(b *llm.Block) { b.Status = s })
	}
	arguments := func(text string) func([]llm.Message) []llm.Message {
		return edit(1, 1, func(b *llm.Block) { b.Arguments = text })
	}
	toolName := func(name string) func([]llm.Message) []llm.Message {
		return edit(1, 1, func(b *llm.Block) { b.Name = name })
	}
	raw := func(text string) func([]llm.Message) []llm.Message {
		return edit(1, 0, func(b *llm.Block) { b.Raw = json.RawMessage(text) })
	}
	for _, c := range []broken{
		// Calls and results.
		{"a call without a result", "one call", every, without(2, 3), "call-unanswered"},
		{"a call without a result at the end", "one call", every, without(2, 4), "call-unanswered"},
		{"one of two calls without a result", "parallel calls", every, func(h []llm.Message) []llm.Message {
			h[2].Blocks = h[2].Blocks[:1]
			return h
		}, "call-unanswered"},
		{"the user speaks instead of a result", "one call", every, func(h []llm.Message) []llm.Message {
			h[2] = by(llm.User, said("Never mind."))
			return h
		}, "call-unanswered"},
		{"a result without a call", "one call", wire.OpenAIChat, without(1, 2), "result-orphan"},
		{"a result without a call", "one call", wire.Anthropic, without(1, 2), "result-orphan"},
		{"a result without a call", "one call", wire.OpenAIResponses, without(1, 2), "result-orphan"},
		{"a result without a call, which has no name then", "one call", wire.Gemini, without(1, 2), "request result-orphan"},
		{"a result without a call, with a name", "one call", wire.Gemini, func(h []llm.Message) []llm.Message {
			h[2].Blocks[0].Name = "weather"
			return slices.Delete(h, 1, 2)
		}, "result-orphan"},
		{"a result before its call", "one call", wire.OpenAIResponses, swap(1, 2), "call-unanswered result-orphan"},
		{"a result of an earlier round", "three rounds", wire.Anthropic, adding(4, resulted("a", "again")), "result-late result-orphan"},
		{"two results for one call", "one call", every, adding(2, resulted("a", "rainy")), "result-twice"},
		{"two results for one call in two messages", "one call", every, with(3, by(llm.ToolRole, resulted("a", "rainy"))), "result-twice"},
		{"two results for one call, apart", "parallel calls", wire.OpenAIChat, adding(2, resulted("a", "rainy")), "result-twice"},
		{"text between a call and its result", "one call", every, with(2, by(llm.User, said("Well?"))), "result-delayed"},
		{"text before a result in one message", "results in a message of the user, before its text", every, func(h []llm.Message) []llm.Message {
			slices.Reverse(h[2].Blocks)
			return h
		}, "result-delayed"},
		{"a system message before a result", "one call", wire.OpenAIChat, with(2, by(llm.System, said("Hurry."))), "call-unanswered result-delayed result-orphan"},
		{"the assistant speaks before a result, a round late", "one call", wire.OpenAIChat,
			with(2, by(llm.User, said("Well?")), by(llm.Assistant, said("Wait."))), "call-unanswered result-late result-orphan"},
		{"a call of the user", "one call", every, edit(0, 0, func(b *llm.Block) { *b = called("z", "step", "{}") }), "call-role request"},
		{"a result of the assistant", "no tools", wire.OpenAIChat, adding(1, resulted("a", "x")), "request result-role"},
		{"a result of the assistant, in one list", "no tools", wire.OpenAIResponses, adding(1, resulted("a", "x")), "result-orphan result-role"},
		{"a result of the system", "system messages first", wire.OpenAIResponses, adding(0, resulted("a", "x")), "result-orphan result-role"},

		// Calls themselves.
		{"a call that was cut", "one call", every, status(llm.Incomplete), "call-status"},
		{"a call that is malformed", "one call", every, status(llm.Malformed), "call-status"},
		{"a call that still arrives", "one call", every, status(llm.Open), "call-status"},
		{"an id twice in a turn", "parallel calls", wire.OpenAIChat, edit(1, 1, func(b *llm.Block) { b.ID = "a" }), "call-duplicate result-orphan"},
		{"an id twice in two rounds", "three rounds", wire.Anthropic, func(h []llm.Message) []llm.Message {
			h[3].Blocks[1].ID, h[4].Blocks[0].ToolUseID = "a", "a"
			return h
		}, "call-duplicate"},
		{"an id twice in two rounds, in one list", "three rounds", wire.OpenAIResponses, func(h []llm.Message) []llm.Message {
			h[3].Blocks[1].ID, h[4].Blocks[0].ToolUseID = "a", "a"
			return h
		}, "call-duplicate result-twice"},
		{"no ids", "one call", every, func(h []llm.Message) []llm.Message {
			h[1].Blocks[1].ID, h[2].Blocks[0].ToolUseID = "", ""
			return h
		}, "id-missing"},
		{"arguments that are cut", "one call", wire.OpenAIChat, arguments(`{"city":`), "arguments"},
		{"arguments that are cut, where they are no text", "one call", wire.Anthropic, arguments(`{"city":`), "arguments request"},
		{"arguments that are no JSON", "one call", wire.OpenAIResponses, arguments(`city=Rome`), "arguments"},
		{"arguments that are no object", "one call", wire.OpenAIChat, arguments(`["Rome"]`), "arguments"},
		{"arguments with a key twice", "one call", wire.OpenAIChat, arguments(`{"a":1,"a":2}`), "arguments"},
		{"a name with a dot", "one call", wire.OpenAIChat, toolName("weather.now"), "name"},
		{"a name with a dot, which one provider accepts", "one call", wire.Gemini, toolName("weather.now"), "name"},
		{"a name that is too long", "one call", wire.Anthropic, toolName(strings.Repeat("n", 65)), "name"},
		{"no name", "one call", every, toolName(""), "name request"},

		// Messages and blocks.
		{"a message without blocks", "no tools", every, with(2, by(llm.Assistant)), "message-empty"},
		{"an empty text", "no tools", every, edit(1, 0, func(b *llm.Block) { b.Text = "" }), "block-empty"},
		{"an empty refusal", "a refusal", every, edit(1, 0, func(b *llm.Block) { b.Text = "" }), "block-empty"},
		{"empty thinking", "reasoning of Chat", wire.OpenAIChat, edit(1, 0, func(b *llm.Block) { b.Text = "" }), "block-empty"},
		{"a system message in the middle", "no tools", wire.Anthropic, with(2, by(llm.System, said("Hurry."))), "request"},
		{"a role that nobody has", "no tools", every, with(2, by("critic", said("Bad."))), "request"},
		{"a block of no kind", "no tools", wire.OpenAIChat, adding(1, llm.Block{}), "request"},
		{"the assistant speaks first", "no tools", wire.Anthropic, without(0, 1), "first-role"},
		{"a text that is only space", "no tools", wire.Anthropic, edit(1, 0, func(b *llm.Block) { b.Text = " \n" }), "text-blank"},

		// Thinking and signatures.
		{"thinking behind text, with a call", "thinking with a signature of Anthropic", wire.Anthropic, func(h []llm.Message) []llm.Message {
			h[1].Blocks[0], h[1].Blocks[1] = h[1].Blocks[1], h[1].Blocks[0]
			return h
		}, "thinking-first"},
		{"only thinking", "thinking with a signature of Anthropic", wire.Anthropic, func(h []llm.Message) []llm.Message {
			h[3].Blocks = h[3].Blocks[:1]
			return h
		}, "thinking-last"},
		{"thinking that was changed", "thinking with a signature of Anthropic", wire.Anthropic,
			raw(`{"type":"thinking","thinking":"Something else.","signature":"EqQB"}`), "thinking-altered"},
		{"a signature that was changed", "thinking with a signature of Anthropic", wire.Anthropic,
			raw(`{"type":"thinking","thinking":"Hm.","signature":"EqQX"}`), "signature"},
		{"a thought that was changed", "thoughts and a call with a signature of Gemini", wire.Gemini, raw(`{"text":"Else.","thought":true}`), "thinking-altered"},
		{"a call that lost its signature", "thoughts and a call with a signature of Gemini", wire.Gemini, edit(1, 1, func(b *llm.Block) {
			b.Signature, b.Raw = "", json.RawMessage(`{"functionCall":{"id":"a","name":"weather","args":{"city":"Rome"}},"thoughtSignature":"c2lnbmVk"}`)
		}), "signature"},
		{"a signature that moved to the second call", "thoughts and a call with a signature of Gemini", wire.Gemini, func(h []llm.Message) []llm.Message {
			h[1].Blocks[1].Signature, h[1].Blocks[2].Signature = "", "c2lnbmVk"
			return h
		}, "signature"},
		{"a step without a signature after one with it", "three rounds", wire.Gemini, edit(1, 0, func(b *llm.Block) { b.Signature = "c2lnbmVk" }), "signature"},
		{"a signature that is not base64", "thoughts and a call with a signature of Gemini", wire.Gemini, edit(1, 1, func(b *llm.Block) { b.Signature = "§" }), "signature"},
		{"only reasoning", "reasoning of Chat", wire.OpenAIChat, func(h []llm.Message) []llm.Message {
			h[1].Blocks = h[1].Blocks[:1]
			return h
		}, "content-empty"},
		{"a result of another tool", "one call", wire.Gemini, edit(2, 0, func(b *llm.Block) { b.Name = "time" }), "result-name"},
	} {
		formats := []wire.Format{c.format}
		if c.format == every {
			formats = wire.Formats()
		}
		for _, format := range formats {
			t.Run(c.name+" in "+string(format), func(t *testing.T) {
				t.Parallel()
				good, ok := goodHistories()[c.from]
				if !ok {
					t.Fatalf("no history %q", c.from)
				}
				err := sluicetest.ValidateHistory(format, c.change(good))
				if got := rules(t, err); !slices.Equal(got, strings.Fields(c.rules)) {
					t.Errorf("got %v, want %v: %v", got, c.rules, err)
				}
			})
		}
	}
}

// TestNoResultAndNoCallCanBeMissed: whichever call or result is left out of
// whichever good history, every provider refuses the rest.
func TestNoResultAndNoCallCanBeMissed(t *testing.T) {
	t.Parallel()
	for name, history := range goodHistories() {
		for i := range history {
			for n := range history[i].Blocks {
				if kind := history[i].Blocks[n].Kind; kind != llm.ToolCall && kind != llm.ToolResult {
					continue
				}
				short := slices.Clone(history)
				short[i].Blocks = slices.Delete(slices.Clone(short[i].Blocks), n, n+1)
				if len(short[i].Blocks) == 0 {
					short = slices.Delete(short, i, i+1)
				}
				for _, format := range wire.Formats() {
					if sluicetest.ValidateHistory(format, short) == nil {
						t.Errorf("%s without message %d block %d is accepted in %s", name, i, n, format)
					}
				}
			}
		}
	}
}

// TestAHistoryCanBeCutBetweenRoundsOnly: a beginning of a good history is good
// if and only if no call waits for its result.
func TestAHistoryCanBeCutBetweenRoundsOnly(t *testing.T) {
	t.Parallel()
	for name, history := range goodHistories() {
		waiting := 0
		for i := range history {
			for _, b := range history[i].Blocks {
				switch b.Kind {
				case llm.ToolCall:
					waiting++
				case llm.ToolResult:
					waiting--
				default:
				}
			}
			if err := sluicetest.ValidateHistories(history[:i+1]); (err == nil) != (waiting == 0) {
				t.Errorf("%s up to message %d: %d wait, %v", name, i, waiting, err)
			}
		}
	}
}
