package llm

import "encoding/json"

// Block is one unit of a message: what a policy judges and a writer writes.
type Block struct {
	Kind Kind
	// ID is the id a tool result refers to (for OpenAI Responses the call_id),
	// or the provider's id of the block. It can be empty.
	ID string
	// Name is the tool's name for calls.
	Name string
	// Text is the text of content, thinking and refusals. For tool results it
	// is the text the tool returned; for opaque blocks it is empty.
	Text string
	// Arguments are the arguments of a call, exactly as the model wrote them, never
	// repaired. Empty means {}. Custom tools have free-form text here; calls without an
	// arguments field have their action as JSON.
	Arguments string
	// Signature is the provider's opaque signature of this block (signature,
	// thoughtSignature, encrypted_content). It must be sent back byte for byte, and
	// never to another provider.
	Signature string
	// ToolUseID is the id of the call that a tool result answers.
	ToolUseID string
	// Type is the provider's own type of the block: tool_use, custom_tool_call.
	Type   string
	Status Status
	// Failed is true for a tool result that reports an error.
	Failed bool
	// Citations are the sources that the provider names for the text, each in the
	// provider's own JSON: a citation of Anthropic, an annotation of OpenAI, the
	// grounding metadata of Gemini. They are sent back to providers that accept them.
	// Some hold offsets into Text, so they must be dropped when Text changes.
	Citations []json.RawMessage
	// Raw is the provider's JSON of the whole block if it arrived in one piece: always
	// for opaque blocks, tool results and blocks read from a request. It is never
	// edited in place.
	Raw json.RawMessage

	// Span is the position of the whole block in the request body it was read from;
	// BodySpan is the position of the JSON string with its text or arguments, quotes
	// included. Both are empty for blocks that were not read from a request or have no
	// such string.
	Span, BodySpan Span
}

// Freeform reports whether the arguments are free text by design, not JSON.
func (b *Block) Freeform() bool { return IsFreeform(b.Type) }

// IsFreeform reports whether calls of this provider type take free text instead of JSON
// arguments.
func IsFreeform(providerType string) bool {
	return providerType == "custom" || providerType == "custom_tool_call"
}

// Span is a half-open byte range, [Start, End). The zero Span means none.
type Span struct{ Start, End int }

// IsZero reports whether the span is unset.
func (s Span) IsZero() bool { return s.End <= s.Start }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// In returns the bytes of the span. It panics if the span was not made for body.
func (s Span) In(body []byte) []byte { return body[s.Start:s.End] }
