package main

import (
	"bytes"
	"io"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicstream "github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/openai/openai-go/v3"
	openaistream "github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"github.com/sluice-project/sluice/wire"
)

// response is what an HTTP client would hand to the stream reader, which closes
// it. The clients
// read the same bytes with their real decoders; only the network is missing.
func response(body []byte) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"text/event-stream"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
	}
}

func prepareOpenAIChat(wire.Format) func([]byte) int {
	return func(body []byte) int {
		s := openaistream.NewStream[openai.ChatCompletionChunk](openaistream.NewDecoder(response(body)), nil) //nolint:bodyclose // the stream closes it
		var acc openai.ChatCompletionAccumulator
		for s.Next() {
			acc.AddChunk(s.Current())
		}
		must(s.Err())
		n := 0
		for _, choice := range acc.Choices {
			n += len(choice.Message.Content) + len(choice.Message.Refusal)
			for _, call := range choice.Message.ToolCalls {
				n += len(call.Function.Arguments)
			}
		}
		return n
	}
}

func prepareOpenAIResponses(wire.Format) func([]byte) int {
	return func(body []byte) int {
		s := openaistream.NewStream[responses.ResponseStreamEventUnion](openaistream.NewDecoder(response(body)), nil) //nolint:bodyclose // the stream closes it
		n := 0
		for s.Next() {
			n += len(s.Current().Delta)
		}
		must(s.Err())
		return n
	}
}

func prepareAnthropic(wire.Format) func([]byte) int {
	return func(body []byte) int {
		s := anthropicstream.NewStream[anthropic.MessageStreamEventUnion](anthropicstream.NewDecoder(response(body)), nil) //nolint:bodyclose // bytes in memory need no closing
		var message anthropic.Message
		for s.Next() {
			must(message.Accumulate(s.Current()))
		}
		must(s.Err())
		n := 0
		for _, block := range message.Content {
			n += len(block.Text) + len(block.Thinking) + len(block.Input)
		}
		return n
	}
}
