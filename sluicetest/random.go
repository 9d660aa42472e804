package sluicetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// RandomBlocks returns an answer of one choice that the format can carry: from plain
// text to what breaks parsers (control characters, text that looks like framing or like
// an event, arguments of every shape). All texts are valid UTF-8, calls have unique
// ids, arguments are JSON objects or empty unless the call is free-form, and the blocks
// survive a round trip through a stream: in Chat and Gemini, which merge neighbouring
// texts, no two neighbours are texts of one kind. Calls are last except in Responses.
// It is never empty.
func RandomBlocks(r *rand.Rand, format string) []llm.Block {
	g := &generator{Rand: r, format: format}
	var blocks []llm.Block
	if r.IntN(3) == 0 {
		blocks = append(blocks, g.thinking())
	}
	for range r.IntN(4) {
		if block := g.beforeCalls(); g.mayFollow(blocks, &block) {
			blocks = append(blocks, block)
			if block.Kind == llm.ServerTool && format != OpenAIChat && r.IntN(4) > 0 {
				blocks = append(blocks, g.result(block.ID))
			}
		}
	}
	for range r.IntN(4) {
		blocks = append(blocks, g.call())
		if format == OpenAIResponses && r.IntN(3) == 0 {
			blocks = append(blocks, g.content())
		}
	}
	if len(blocks) == 0 {
		blocks = append(blocks, g.content())
	}
	for i := range blocks {
		blocks[i].Status = llm.Complete
	}
	return blocks
}

// generator makes random blocks of one format.
type generator struct {
	*rand.Rand
	format string
	ids    int
}

// mayFollow keeps texts of one kind apart in formats that would merge them.
func (g *generator) mayFollow(blocks []llm.Block, next *llm.Block) bool {
	if g.format != OpenAIChat && g.format != Gemini || len(blocks) == 0 {
		return true
	}
	return blocks[len(blocks)-1].Kind != next.Kind
}

func (g *generator) beforeCalls() llm.Block {
	switch g.IntN(8) {
	case 0:
		return g.thinking()
	case 1:
		if g.format == OpenAIChat || g.format == OpenAIResponses {
			return llm.Block{Kind: llm.Refusal, Text: g.words()}
		}
	case 2:
		if g.format == Anthropic || g.format == OpenAIResponses {
			return g.server()
		}
	case 3:
		if g.format == Anthropic || g.format == OpenAIResponses {
			return g.opaque()
		}
	}
	return g.content()
}

func (g *generator) content() llm.Block { return llm.Block{Kind: llm.Content, Text: g.words()} }

func (g *generator) thinking() llm.Block {
	block := llm.Block{Kind: llm.Thinking, Text: g.words()}
	switch g.format {
	case Anthropic:
		block.Signature = g.token(40)
		if g.IntN(5) == 0 {
			block.Text = ""
		}
	case OpenAIResponses:
		if g.IntN(2) == 0 {
			block.Signature = g.token(40)
		}
		if block.Signature != "" && g.IntN(4) == 0 {
			block.Text = ""
		}
	}
	return block
}

// server is a call that the provider has executed.
func (g *generator) server() llm.Block {
	if g.format == OpenAIResponses {
		return llm.Block{Kind: llm.ServerTool, ID: g.id("ws_"), Type: "web_search_call", Arguments: `{"type":"search","query":` + g.literal() + `}`}
	}
	kind := []string{"server_tool_use", "mcp_tool_use"}[g.IntN(2)]
	return llm.Block{Kind: llm.ServerTool, ID: g.id("srvtoolu_"), Name: "web_search", Type: kind, Arguments: orDefault(g.arguments(), "{}")}
}

// result is the result of a server tool.
func (g *generator) result(id string) llm.Block {
	if g.format == OpenAIResponses {
		return llm.Block{Kind: llm.ToolResult, ID: g.id("sho_"), Type: "shell_call_output", ToolUseID: g.id("call_"), Text: g.words()}
	}
	return llm.Block{Kind: llm.ToolResult, ToolUseID: id, Type: "mcp_tool_result", Text: g.words(), Failed: g.IntN(4) == 0}
}

func (g *generator) opaque() llm.Block {
	if g.format == OpenAIResponses {
		id := g.id("cmp_")
		raw := fmt.Sprintf(`{"id":%q,"type":"compaction","encrypted_content":%q}`, id, g.token(30))
		return llm.Block{Kind: llm.Opaque, ID: id, Type: "compaction", Raw: json.RawMessage(raw)}
	}
	raw := fmt.Sprintf(`{"type":"container_upload","file_id":%q}`, g.id("file_"))
	return llm.Block{Kind: llm.Opaque, Type: "container_upload", Raw: json.RawMessage(raw)}
}

func (g *generator) call() llm.Block {
	names := []string{"Bash", "get_weather", "mcp__files__read", "a", "apply-patch", strings.Repeat("n", 64)}
	block := llm.Block{Kind: llm.ToolCall, Name: names[g.IntN(len(names))], Arguments: g.arguments()}
	free := g.IntN(6) == 0
	switch g.format {
	case OpenAIChat:
		block.ID, block.Type = g.id("call_"), "function"
		if free {
			block.Type, block.Arguments = "custom", g.words()
		}
	case Anthropic:
		block.ID, block.Type = g.id("toolu_"), "tool_use"
	case OpenAIResponses:
		block.ID, block.Type = g.id("call_"), "function_call"
		if free {
			block.Type, block.Arguments = "custom_tool_call", g.words()
		}
	case Gemini:
		block.Type = "functionCall"
		if g.IntN(2) == 0 {
			block.ID = g.id("fc-")
		}
		if g.IntN(3) == 0 {
			block.Signature = g.token(24)
		}
	}
	return block
}

// id is unique within the answer.
func (g *generator) id(prefix string) string {
	g.ids++
	return fmt.Sprintf("%s%s%d", prefix, g.token(8), g.ids)
}

// token is a text of n characters as ids and signatures have them.
func (g *generator) token(n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(text)
}

// nasty are texts that have broken parsers.
var nasty = []string{
	"Hello", " world", ".", "\n", "\n\n", "\r\n", "\t", " ", `"`, `\`, `\"`, `\\n`, `\u0041`, "/", "</script>", "<b>&amp;",
	"data: [DONE]\n\n", "[DONE]", "event: message_stop\ndata: {}\n\n", `{"type":"message_stop"}`, `","finish_reason":"stop"`,
	"ä", "ß", "日本語", "🙂", "👩‍👩‍👧", "e\u0301", "\u202Eabc\u202C", "\u2028", "\u2029", "\u00a0", "\ufeff", "\uFFFD", "\U0010FFFF",
	"\x00", "\x01", "\x1b[31m", "\x7f", "{", "}", "[", "]", "null", ":", ",", "<think>", "```json\n{}\n```",
}

// words is a text that is not empty.
func (g *generator) words() string {
	count := 1 + g.IntN(12)
	if g.IntN(40) == 0 {
		count = 200 + g.IntN(800)
	}
	var text strings.Builder
	for range count {
		text.WriteString(nasty[g.IntN(len(nasty))])
	}
	return text.String()
}

// literal is a JSON string.
func (g *generator) literal() string {
	data, err := json.Marshal(g.words())
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(data)
}

// arguments is a JSON object as models write them, or nothing.
func (g *generator) arguments() string {
	switch g.IntN(8) {
	case 0:
		return ""
	case 1:
		return "{}"
	case 2:
		return `{"command":"rm -rf \"$HOME\"/tmp && echo '\\n' | tee /dev/null"}`
	case 3:
		return `{ "a" : [ 1, 2.50, -0, 1e400, 12345678901234567890 ], "\u0062":"\ud83d\ude00\/" }`
	default:
		return g.value(3, true)
	}
}

// value is a JSON value of bounded depth.
func (g *generator) value(depth int, isObject bool) string {
	kind := g.IntN(7)
	if isObject {
		kind = 0
	} else if depth == 0 {
		kind = 2 + g.IntN(5)
	}
	switch kind {
	case 0:
		var parts []string
		for i := range g.IntN(4) {
			parts = append(parts, fmt.Sprintf(`"key%d":%s`, i, g.value(depth-1, false)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case 1:
		var parts []string
		for range g.IntN(4) {
			parts = append(parts, g.value(depth-1, false))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case 2:
		return strconv.Itoa(g.IntN(2000) - 1000)
	case 3:
		return []string{"true", "false", "null"}[g.IntN(3)]
	default:
		return g.literal()
	}
}
