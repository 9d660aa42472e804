package gemini

import (
	"bytes"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// partKind is what a part is.
type partKind uint8

const (
	partEmpty     partKind = iota // nothing but perhaps a signature
	partText                      // text
	partCall                      // functionCall
	partResponse                  // functionResponse
	partCode                      // executableCode
	partOutput                    // codeExecutionResult
	partToolCall                  // toolCall: a call that the provider runs
	partToolReply                 // toolResponse
	partOpaque                    // inlineData, fileData, unknown
)

// partKeys are the provider's names of parts, by kind.
var partKeys = [...]string{
	partText: "text", partCall: "functionCall", partResponse: "functionResponse", partCode: "executableCode",
	partOutput: "codeExecutionResult", partToolCall: "toolCall", partToolReply: "toolResponse",
}

// part is one scanned element of content.parts.
type part struct {
	kind    partKind
	key     string // the provider's name for it
	thought bool
	// more is set when the part has members that do not belong to its kind; unknown is
	// the first one that is not known at all.
	more      bool
	unknown   string
	span      llm.Span
	text      []byte
	signature []byte
	value     []byte    // the value of key, for all but text
	spellings spellings // how the member of a call is spelled
}

const (
	seenText = 1 << (iota + 16) // above the bits of the kinds
	seenThought
	seenSignature
	seenInline
	seenFile
	seenParts
)

// content reads a candidate's content into d.parts.
func (d *Decoder) content(c *stream.Chunk) error {
	s := &d.scan
	if s.Null() {
		return nil
	}
	if !s.Object() {
		return stream.NewProtocolError(c, "content is not an object", nil)
	}
	var (
		seen uint
		err  error
	)
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "role":
			s.Skip()
		case "parts":
			if seen&seenParts != 0 {
				return twice(c, "content")
			}
			seen |= seenParts
			if s.Null() {
				break
			}
			if !s.Array() {
				return stream.NewProtocolError(c, "parts is not an array", nil)
			}
			for err == nil && s.Elem() {
				err = d.scanPart(c)
			}
		default:
			err = d.keep(c, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scanPart reads one part. A part has one kind of data: the API says so, and clients
// would read a part with two differently.
func (d *Decoder) scanPart(c *stream.Chunk) error {
	s := &d.scan
	p := part{span: llm.Span{Start: s.Pos()}}
	if s.Null() {
		return nil
	}
	if !s.Object() {
		return stream.NewProtocolError(c, "a part is not an object", nil)
	}
	var seen, bit uint
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		kind, opaque := partEmpty, ""
		bit = 0
		switch string(key) {
		case "text":
			bit = seenText
			if seen&bit == 0 && !s.Null() {
				if p.text, ok = s.Str(&d.buf); !ok {
					return stream.NewProtocolError(c, "text is not a string", nil)
				}
			}
		case "thought":
			bit = seenThought
			if seen&bit == 0 && !s.Null() {
				if p.thought, ok = s.Bool(); !ok {
					return stream.NewProtocolError(c, "thought is neither true nor false", nil)
				}
			}
		case "thought_signature":
			d.snake(c)
			fallthrough
		case "thoughtSignature":
			bit = seenSignature
			if seen&bit == 0 {
				p.signature = d.word()
			}
		case "function_call":
			d.snake(c)
			fallthrough
		case "functionCall":
			kind = partCall
			p.spellings.add(spellingCall, key)
		case "function_response":
			d.snake(c)
			fallthrough
		case "functionResponse":
			kind = partResponse
		case "executable_code":
			d.snake(c)
			fallthrough
		case "executableCode":
			kind = partCode
		case "code_execution_result":
			d.snake(c)
			fallthrough
		case "codeExecutionResult":
			kind = partOutput
		case "tool_call":
			d.snake(c)
			fallthrough
		case "toolCall":
			kind = partToolCall
		case "tool_response":
			d.snake(c)
			fallthrough
		case "toolResponse":
			kind = partToolReply
		case "inlineData", "inline_data":
			kind, opaque, bit = partOpaque, "inlineData", seenInline
		case "fileData", "file_data":
			kind, opaque, bit = partOpaque, "fileData", seenFile
		case "videoMetadata", "video_metadata", "partMetadata", "part_metadata", "mediaResolution", "media_resolution":
			p.more = true
			s.Skip()
		default:
			if disguised(key) {
				return disguise(c)
			}
			if s.Null() {
				break
			}
			p.more = true
			if p.unknown == "" {
				p.unknown = string(key)
			}
			s.Skip()
		}
		if kind != partEmpty {
			if bit == 0 {
				bit = 1 << kind
			}
			if seen&bit == 0 && !s.Null() {
				if p.kind != partEmpty {
					return stream.NewProtocolError(c, "a part is two things at once", nil)
				}
				p.kind, p.key = kind, opaque
				p.value = s.Raw()
			}
		}
		if seen&bit != 0 {
			return twice(c, "a part")
		}
		seen |= bit
	}
	p.span.End = s.Pos()
	if err := s.Err(); err != nil {
		return err
	}
	return d.take(c, &p)
}

// take determines what a scanned part is and keeps it unless it is empty.
func (d *Decoder) take(c *stream.Chunk, p *part) error {
	switch {
	case len(p.text) > 0:
		if p.kind != partEmpty {
			return stream.NewProtocolError(c, "a part is two things at once", nil)
		}
		p.kind = partText
	case p.kind == partEmpty && p.unknown != "":
		p.kind, p.key, p.unknown = partOpaque, p.unknown, ""
	case p.kind == partEmpty && len(p.signature) == 0:
		return nil // an empty text starts nothing
	}
	if p.kind != partEmpty && p.kind != partOpaque {
		p.key = partKeys[p.kind]
	}
	d.parts = append(d.parts, *p)
	return d.count()
}

// disguised reports whether a name is a known one except for case. Some JSON parsers
// ignore case, so a client could see something that was not judged.
func disguised(key []byte) bool {
	for _, known := range [...]string{
		"candidates", "content", "parts", "index", "finishReason", "error", "promptFeedback", "text", "thought",
		"functionCall", "functionResponse", "executableCode", "codeExecutionResult", "toolCall", "toolResponse",
		"inlineData", "fileData", "name", "args", "id", "partialArgs", "willContinue",
		"function_call", "function_response", "executable_code", "code_execution_result", "tool_call", "tool_response",
		"inline_data", "file_data", "partial_args", "will_continue", "finish_reason", "prompt_feedback",
		"contents", "role", "tools", "systemInstruction", "system_instruction", "functionDeclarations", "function_declarations",
	} {
		if bytes.EqualFold(key, []byte(known)) && string(key) != known {
			return true
		}
	}
	return false
}

func disguise(c *stream.Chunk) error {
	return stream.NewProtocolError(c, "a member's name differs from a known one only in case", nil)
}
