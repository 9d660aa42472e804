package wire

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/gemini"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// AppendRequest appends a request to dst as a body in the format and returns the
// extended slice. The error is an *llm.RequestError: the format cannot express the
// request. It panics for a Format that is not one of the constants.
//
// In the format Gemini the model and the streaming flag are not part of the body but of
// the URL.
func (f Format) AppendRequest(dst []byte, req *llm.Request) ([]byte, error) {
	switch f {
	case OpenAIChat:
		return openaichat.AppendRequest(dst, req)
	case Anthropic:
		return anthropic.AppendRequest(dst, req)
	case OpenAIResponses:
		return openairesponses.AppendRequest(dst, req)
	case Gemini:
		return gemini.AppendRequest(dst, req)
	}
	panic("wire: no request writer for format " + string(f)) //nolint:forbidigo // a Format made by hand is a programming error
}
