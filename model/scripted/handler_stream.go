package scripted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// stream plays a round as an event stream.
func (s *server) stream(ctx context.Context, round Round) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.w.Header().Set("Cache-Control", "no-cache")
	s.w.WriteHeader(200)
	ids := 0
	writer := s.format.NewWriter(stream.WriterOptions{NewID: func() string {
		ids++
		return fmt.Sprintf("scripted_%d_%d", s.number, ids)
	}})
	for _, step := range round {
		if step.kind == stepUsage {
			// Some formats send a part of it at the start.
			s.usage = step.usage
		}
	}
	for i := range round {
		if ctx.Err() != nil {
			return
		}
		if done := s.step(ctx, writer, &round[i], cutsAfter(round[i+1:])); done {
			return
		}
		if round[i].kind == stepFinish {
			break
		}
	}
	out, err := writer.Terminate(nil)
	if err != nil {
		s.abort()
	}
	s.write(s.patched(out))
}

// step sends one step and reports whether it was the last.
func (s *server) step(ctx context.Context, writer stream.Writer, step *Step, cut bool) (done bool) {
	switch step.kind {
	case stepNothing, stepWhen, stepUsage:
	case stepPause:
		return !s.waited(ctx, step.pause)
	case stepFinish:
		s.reason = step.reason
	case stepFail:
		reported, ok := step.err.(*stream.ProviderError) //nolint:errorlint // an error that merely wraps one breaks the connection
		if !ok {
			s.abort()
		}
		s.fail(writer, reported)
		return true
	case stepCut:
		s.abort()
	case stepGarbage:
		s.write(sse.AppendEvent(nil, "", []byte(garbage)))
		return true
	case stepBlock:
		return s.block(writer, step.block, cut)
	}
	return false
}

func (s *server) fail(writer stream.Writer, cause error) {
	if out, err := writer.Fail(nil, cause); err == nil {
		s.write(s.patched(out))
	}
}

func (s *server) block(writer stream.Writer, b llm.Block, cut bool) (done bool) {
	b = s.named(b)
	out, err := writer.Insert(nil, 0, b)
	if errors.Is(err, stream.ErrNotWritable) && b.Kind == llm.Refusal {
		// A refusal is sent as text in formats without refusals.
		b.Kind = llm.Content
		out, err = writer.Insert(nil, 0, b)
	}
	if err != nil {
		s.fail(writer, err)
		return true
	}
	if !cut {
		s.write(s.patched(out))
		return false
	}
	if len(out) == 0 { // it waits for its position, which is the end
		out, _ = writer.Terminate(nil)
	}
	out = s.patched(out)
	s.write(out[:len(out)/2])
	return false
}

// patched adds what the writers cannot know to their events: the model, the usage, and
// the finish reason.
func (s *server) patched(events []byte) []byte {
	var out []byte
	reader := sse.NewReader(bytes.NewReader(events), sse.Options{})
	for {
		ev, err := reader.Next()
		if err != nil {
			return out
		}
		name, data := string(ev.Name), ev.Data
		if string(data) == "[DONE]" && s.tellsUsage {
			out = sse.AppendEvent(out, "", encode(object{
				"id": s.id, "object": "chat.completion.chunk", "created": 0, "model": s.model,
				"choices": []object{}, "usage": s.usageObject(),
			}))
		}
		var payload object
		if json.Unmarshal(data, &payload) == nil && payload != nil {
			name = s.patch(name, payload)
			for _, piece := range s.pieces(payload) {
				out = sse.AppendEvent(out, name, piece)
			}
			continue
		}
		out = sse.AppendEvent(out, name, data)
	}
}

// patch changes a payload and returns its event name.
func (s *server) patch(name string, payload object) string {
	switch s.format {
	case wire.OpenAIChat:
		s.patchChat(payload)
	case wire.Anthropic:
		s.patchAnthropic(payload)
	case wire.OpenAIResponses:
		return s.patchResponses(name, payload)
	case wire.Gemini:
		s.patchGemini(payload)
	}
	return name
}

func (s *server) patchChat(payload object) {
	if _, failed := payload["error"]; failed {
		return
	}
	payload["model"] = s.model
	s.id, _ = payload["id"].(string)
	for _, choice := range list(payload["choices"]) {
		if word, _ := choice["finish_reason"].(string); word != "" && s.reason != llm.FinishNone {
			choice["finish_reason"] = chatWord(s.reason)
		}
	}
}

func (s *server) patchAnthropic(payload object) {
	if message, ok := payload["message"].(object); ok {
		message["model"] = s.model
		message["usage"] = object{"input_tokens": s.usage.Input, "output_tokens": 0}
	}
	if payload["type"] == "message_delta" {
		payload["usage"] = s.usageObject()
		if delta, ok := payload["delta"].(object); ok && s.reason != llm.FinishNone {
			delta["stop_reason"] = anthropicWord(s.reason)
		}
	}
}

func (s *server) patchResponses(name string, payload object) string {
	response, ok := payload["response"].(object)
	if !ok {
		return name
	}
	response["model"] = s.model
	if name != "response.completed" {
		return name
	}
	response["usage"] = s.usageObject()
	if reason := incomplete(s.reason); reason != "" {
		name = "response.incomplete"
		payload["type"] = name
		response["status"] = "incomplete"
		response["incomplete_details"] = object{"reason": reason}
	}
	return name
}

func (s *server) patchGemini(payload object) {
	payload["modelVersion"] = s.model
	for _, candidate := range list(payload["candidates"]) {
		if word, _ := candidate["finishReason"].(string); word != "" {
			if s.reason != llm.FinishNone {
				candidate["finishReason"] = geminiWord(s.reason)
			}
			payload["usageMetadata"] = s.usageObject()
		}
	}
}

// list returns the objects in a JSON list.
func list(v any) []object {
	var objects []object
	elements, _ := v.([]any)
	for _, e := range elements {
		if o, ok := e.(object); ok {
			objects = append(objects, o)
		}
	}
	return objects
}
