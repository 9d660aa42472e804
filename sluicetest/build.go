package sluicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
)

// Quirks are valid deviations of real providers that a stream can have. They can be
// combined; one that a format does not have has no effect there.
type Quirks uint

const (
	// QuirkPing puts pings between and inside blocks (Anthropic).
	QuirkPing Quirks = 1 << iota
	// QuirkPadding pads payloads with spaces before the last brace (Anthropic)
	// or with an obfuscation member (OpenAI).
	QuirkPadding
	// QuirkFilterFirst begins with Azure's chunk without choices, id and
	// object (Chat).
	QuirkFilterFirst
	// QuirkInterleave mixes the deltas of neighbouring calls (Chat).
	QuirkInterleave
	// QuirkRepeat repeats role, id and name on every delta (Chat).
	QuirkRepeat
	// QuirkFinishWithDelta puts the finish into the last payload with content
	// instead of one of its own (Chat, Gemini).
	QuirkFinishWithDelta
	// QuirkWholeCalls sends every call in one delta.
	QuirkWholeCalls
	// QuirkNoNumbers leaves the sequence numbers out (Responses).
	QuirkNoNumbers
)

// BuildOptions says how a stream is split and ended. The zero value sends every text in
// one piece, ends normally and derives the finish from the blocks.
type BuildOptions struct {
	// Rand decides where texts are split and how payloads are composed. If it is nil
	// the result is deterministic.
	Rand *rand.Rand
	// MaxPiece is the maximum number of characters in a delta; 0 means 12 with Rand, no
	// limit without.
	MaxPiece int
	// Finish is the finish reason; "" derives it from the blocks. For Responses it is
	// the status, completed or incomplete.
	Finish string
	// Usage adds token counts in formats that have them only on request. Formats that
	// always have them ignore it.
	Usage bool
	// Error, if not empty, ends the stream with the format's error event with
	// this message instead of the finish. [BuildBody] ignores it.
	Error string
	// Quirks are deviations to add.
	Quirks Quirks
	// ID and Model name the answer; both have defaults.
	ID, Model string
}

// Build returns the payloads of a valid stream of the format that carries the blocks of
// each choice in order. Texts must be valid UTF-8. Anthropic and Responses have one
// choice: further ones are ignored. Empty texts and kinds that the format cannot
// express are ignored too; a refusal in a format without refusals is written as
// content. Calls without an ID get one. Opaque blocks, results and server tools with
// Raw are written as that JSON. An unknown format panics.
func Build(format string, choices [][]llm.Block, opt BuildOptions) []string {
	b := newBuilder(format, choices, opt)
	switch format {
	case OpenAIChat:
		b.chat()
	case Anthropic:
		b.anthropic()
	case OpenAIResponses:
		b.responses()
	case Gemini:
		b.gemini()
	default:
		panic(unknownFormat(format))
	}
	return b.out
}

// BuildBody returns the body of a non-streaming response with the same blocks as
// [Build].
func BuildBody(format string, choices [][]llm.Block, opt BuildOptions) string {
	b := newBuilder(format, choices, opt)
	switch format {
	case OpenAIChat:
		return b.chatBody()
	case Anthropic:
		return b.anthropicBody()
	case OpenAIResponses:
		return b.responsesBody()
	case Gemini:
		return b.geminiBody()
	default:
		panic(unknownFormat(format))
	}
}

// builder writes one answer.
type builder struct {
	BuildOptions
	choices [][]llm.Block
	out     []string
	minted  int
	number  int // next sequence number
}

func newBuilder(format string, choices [][]llm.Block, opt BuildOptions) *builder {
	prefix := map[string]string{OpenAIChat: "chatcmpl-", Anthropic: "msg_", OpenAIResponses: "resp_"}[format]
	if opt.ID == "" {
		opt.ID = prefix + "built"
	}
	if opt.Model == "" {
		opt.Model = "built-model"
	}
	if opt.MaxPiece == 0 && opt.Rand != nil {
		opt.MaxPiece = 12
	}
	if len(choices) == 0 {
		choices = [][]llm.Block{nil}
	}
	return &builder{BuildOptions: opt, choices: choices}
}

func (b *builder) has(quirk Quirks) bool { return b.Quirks&quirk != 0 }

// chance is true with probability 1/n, never without Rand.
func (b *builder) chance(n int) bool { return b.Rand != nil && b.Rand.IntN(n) == 0 }

// mint returns the id, or a new one if it is empty.
func (b *builder) mint(id, prefix string) string {
	if id != "" {
		return id
	}
	b.minted++
	return fmt.Sprintf("%sbuilt%d", prefix, b.minted)
}

// pieces splits a text between characters; an empty text has no pieces.
func (b *builder) pieces(text string) []string {
	var pieces []string
	for text != "" {
		length := len(text)
		if b.MaxPiece > 0 {
			characters := b.MaxPiece
			if b.Rand != nil {
				characters = 1 + b.Rand.IntN(b.MaxPiece)
			}
			length = 0
			for ; characters > 0 && length < len(text); characters-- {
				_, size := utf8.DecodeRuneInString(text[length:])
				length += size
			}
		}
		pieces = append(pieces, text[:length])
		text = text[length:]
	}
	return pieces
}

// callPieces is pieces for arguments, which some servers send whole.
func (b *builder) callPieces(arguments string) []string {
	if b.has(QuirkWholeCalls) && arguments != "" {
		return []string{arguments}
	}
	return b.pieces(arguments)
}

// quote writes a JSON string, with Rand in one of the ways that servers do: characters
// unchanged, HTML escaped, or all but ASCII escaped.
func (b *builder) quote(text string) string {
	style := 0
	if b.Rand != nil {
		style = b.Rand.IntN(4)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(style == 1)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	literal := strings.TrimSuffix(out.String(), "\n")
	if style != 2 {
		return literal
	}
	var ascii strings.Builder
	for _, char := range literal {
		switch {
		case char < utf8.RuneSelf:
			ascii.WriteRune(char)
		case char > 0xFFFF:
			high, low := utf16.EncodeRune(char)
			fmt.Fprintf(&ascii, `\u%04x\u%04X`, high, low)
		default:
			fmt.Fprintf(&ascii, `\u%04x`, char)
		}
	}
	return ascii.String()
}

// members writes a JSON object from names and raw values; a member with the
// value "" is left out.
func members(pairs ...string) string {
	var out strings.Builder
	out.WriteByte('{')
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%q:%s", pairs[i], pairs[i+1])
	}
	out.WriteByte('}')
	return out.String()
}

// array writes a JSON array of raw values.
func array(values ...string) string { return "[" + strings.Join(values, ",") + "]" }

// orEmptyObject returns arguments as a JSON object: "" is {}, and free text is wrapped,
// because the format does not allow it.
func (b *builder) orEmptyObject(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &o) == nil && o != nil {
		return arguments
	}
	return members("input", b.quote(arguments))
}

// hasCall reports whether the client has something to execute.
func hasCall(blocks []llm.Block) bool {
	for i := range blocks {
		if blocks[i].Kind == llm.ToolCall {
			return true
		}
	}
	return false
}

// finishWord is the finish reason of a choice.
func (b *builder) finishWord(blocks []llm.Block, natural, calls string) string {
	switch {
	case b.Finish != "":
		return b.Finish
	case hasCall(blocks):
		return calls
	default:
		return natural
	}
}

func orDefault(value, other string) string {
	if value == "" {
		return other
	}
	return value
}
