package wire

import (
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/gemini"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// Format is the name of a wire format.
type Format string

// The formats that Sluice reads and writes.
const (
	OpenAIChat      Format = "openai-chat"
	Anthropic       Format = "anthropic"
	OpenAIResponses Format = "openai-responses"
	Gemini          Format = "gemini"
)

// Formats lists all formats in the order in which they are shown to users.
func Formats() []Format {
	return []Format{OpenAIChat, Anthropic, OpenAIResponses, Gemini}
}

// ParseFormat parses the name of a format.
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if string(f) == name {
			return f, nil
		}
	}
	return "", fmt.Errorf("unknown format %q: use one of %s", name, Names())
}

// Names lists the names of all formats for a message.
func Names() string {
	names := make([]string, 0, len(Formats()))
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// NewDecoder returns a decoder for one answer in the format. It panics for a
// Format that is not one of the constants.
func (f Format) NewDecoder() stream.Decoder {
	switch f {
	case OpenAIChat:
		return chatDecoder()
	case Anthropic:
		return anthropicDecoder()
	case OpenAIResponses:
		return openairesponses.NewDecoder()
	case Gemini:
		return gemini.NewDecoder()
	}
	panic("wire: no decoder for format " + string(f)) //nolint:forbidigo // a Format made by hand is a programming error
}

// NewWriter returns a writer for one answer in the format. It panics for a
// Format that is not one of the constants.
func (f Format) NewWriter(opts stream.WriterOptions) stream.Writer {
	switch f {
	case OpenAIChat:
		return chatWriter(opts)
	case Anthropic:
		return anthropicWriter(opts)
	case OpenAIResponses:
		return openairesponses.NewWriter(opts)
	case Gemini:
		return gemini.NewWriter(opts)
	}
	panic("wire: no writer for format " + string(f)) //nolint:forbidigo // a Format made by hand is a programming error
}

// ReadRequest reads a request body in the format, within the default limits. The
// error is an *llm.RequestError. It panics for a Format that is not one of the
// constants.
func (f Format) ReadRequest(body []byte) (*llm.Request, error) {
	return f.ReadRequestWithin(body, llm.RequestLimits{})
}

// ReadRequestWithin is ReadRequest with custom limits. The cause of the error is an
// *llm.RequestLimitError for a request that exceeds one of them.
func (f Format) ReadRequestWithin(body []byte, limits llm.RequestLimits) (*llm.Request, error) {
	switch f {
	case OpenAIChat:
		return openaichat.ReadRequestWithin(body, limits)
	case Anthropic:
		return anthropic.ReadRequestWithin(body, limits)
	case OpenAIResponses:
		return openairesponses.ReadRequestWithin(body, limits)
	case Gemini:
		return gemini.ReadRequestWithin(body, limits)
	}
	panic("wire: no request reader for format " + string(f)) //nolint:forbidigo // a Format made by hand is a programming error
}
