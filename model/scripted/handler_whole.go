package scripted

import (
	"context"
	"encoding/json"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// whole answers with one JSON body.
func (s *server) whole(ctx context.Context, round Round) {
	var blocks []llm.Block
steps:
	for i := range round {
		step := &round[i]
		switch step.kind {
		case stepNothing, stepWhen:
		case stepBlock:
			blocks = append(blocks, s.named(step.block))
		case stepUsage:
			s.usage = step.usage
		case stepFinish:
			s.reason = step.reason
			break steps
		case stepPause:
			if !s.waited(ctx, step.pause) {
				return
			}
		case stepFail:
			reported, ok := step.err.(*stream.ProviderError) //nolint:errorlint // an error that merely wraps one breaks the connection
			if !ok {
				s.abort()
			}
			s.w.Header().Set("Content-Type", "application/json")
			s.write(encode(object{"error": object{"type": reported.Type, "code": reported.Code, "message": reported.Message}}))
			return
		case stepCut:
			s.cut = true
			break steps
		case stepGarbage:
			s.w.Header().Set("Content-Type", "application/json")
			s.write([]byte(garbage))
			return
		}
	}
	if s.reason == llm.FinishNone {
		s.reason = llm.FinishStop
		if s.calls > 0 {
			s.reason = llm.FinishToolCalls
		}
	}
	body := encode(s.answer(blocks))
	s.w.Header().Set("Content-Type", "application/json")
	if s.cut {
		s.write(body[:len(body)/2])
		s.abort()
	}
	s.write(body)
}

func (s *server) answer(blocks []llm.Block) object {
	switch s.format {
	case wire.Anthropic:
		return s.anthropicAnswer(blocks)
	case wire.OpenAIResponses:
		return s.responsesAnswer(blocks)
	case wire.Gemini:
		return s.geminiAnswer(blocks)
	case wire.OpenAIChat:
	}
	return s.chatAnswer(blocks)
}

// add appends to a member that is a text.
func add(o object, name, text string) {
	before, _ := o[name].(string)
	o[name] = before + text
}

func (s *server) chatAnswer(blocks []llm.Block) object {
	message := object{"role": "assistant", "content": nil}
	var calls []object
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case llm.Thinking:
			add(message, "reasoning_content", b.Text)
		case llm.Refusal:
			add(message, "refusal", b.Text)
		case llm.ToolCall:
			calls = append(calls, object{"id": b.ID, "type": "function", "function": object{"name": b.Name, "arguments": b.Arguments}})
		default:
			add(message, "content", b.Text)
		}
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": "scripted", "object": "chat.completion", "created": 0, "model": s.model, "usage": s.usageObject(),
		"choices": []object{{"index": 0, "message": message, "finish_reason": chatWord(s.reason)}},
	}
}

func (s *server) anthropicAnswer(blocks []llm.Block) object {
	content := []object{}
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case llm.Thinking:
			content = append(content, object{"type": "thinking", "thinking": b.Text, "signature": b.Signature})
		case llm.ToolCall:
			content = append(content, object{"type": "tool_use", "id": b.ID, "name": b.Name, "input": input(b)})
		default:
			content = append(content, object{"type": "text", "text": b.Text})
		}
	}
	return object{
		"id": "msg_scripted", "type": "message", "role": "assistant", "model": s.model, "content": content,
		"stop_reason": anthropicWord(s.reason), "stop_sequence": nil, "usage": s.usageObject(),
	}
}

func (s *server) responsesAnswer(blocks []llm.Block) object {
	items := []object{}
	message := func(id string, part object) object {
		return object{"id": "msg_" + id, "type": "message", "role": "assistant", "status": "completed", "content": []object{part}}
	}
	for i := range blocks {
		id := callID(s.number, i)
		switch b := &blocks[i]; b.Kind {
		case llm.Thinking:
			item := object{"id": "rs_" + id, "type": "reasoning", "summary": []object{{"type": "summary_text", "text": b.Text}}}
			if b.Signature != "" {
				item["encrypted_content"] = b.Signature
			}
			items = append(items, item)
		case llm.Refusal:
			items = append(items, message(id, object{"type": "refusal", "refusal": b.Text}))
		case llm.ToolCall:
			items = append(items, object{
				"id": "fc_" + id, "type": "function_call", "call_id": b.ID, "name": b.Name,
				"arguments": b.Arguments, "status": "completed",
			})
		default:
			items = append(items, message(id, object{"type": "output_text", "text": b.Text, "annotations": []object{}}))
		}
	}
	answer := object{
		"id": "resp_scripted", "object": "response", "created_at": 0, "status": "completed", "model": s.model,
		"output": items, "usage": s.usageObject(), "incomplete_details": nil, "error": nil,
	}
	if reason := incomplete(s.reason); reason != "" {
		answer["status"], answer["incomplete_details"] = "incomplete", object{"reason": reason}
	}
	return answer
}

func (s *server) geminiAnswer(blocks []llm.Block) object {
	parts := make([]object, 0, len(blocks))
	for i := range blocks {
		part := object{}
		switch b := &blocks[i]; b.Kind {
		case llm.Thinking:
			part["text"], part["thought"] = b.Text, true
		case llm.ToolCall:
			part["functionCall"] = object{"id": b.ID, "name": b.Name, "args": input(b)}
		default:
			part["text"] = b.Text
		}
		if blocks[i].Signature != "" {
			part["thoughtSignature"] = blocks[i].Signature
		}
		parts = append(parts, part)
	}
	return object{
		"responseId": "scripted", "modelVersion": s.model, "usageMetadata": s.usageObject(),
		"candidates": []object{{
			"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": geminiWord(s.reason),
		}},
	}
}

// input returns a call's arguments as JSON. Text that is not JSON becomes a string that
// no tool accepts.
func input(b *llm.Block) any {
	switch {
	case b.Arguments == "":
		return object{}
	case json.Valid([]byte(b.Arguments)):
		return json.RawMessage(b.Arguments)
	}
	return b.Arguments
}

// usageObject returns the usage in the form of the format.
func (s *server) usageObject() object {
	in, out := s.usage.Input, s.usage.Output
	switch s.format {
	case wire.OpenAIChat:
		return object{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
	case wire.Gemini:
		return object{"promptTokenCount": in, "candidatesTokenCount": out, "totalTokenCount": in + out}
	case wire.OpenAIResponses:
		return object{
			"input_tokens": in, "output_tokens": out, "total_tokens": in + out,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
		}
	case wire.Anthropic:
	}
	return object{"input_tokens": in, "output_tokens": out}
}

func anthropicWord(reason llm.FinishReason) string {
	switch reason {
	case llm.FinishToolCalls:
		return "tool_use"
	case llm.FinishLength:
		return "max_tokens"
	case llm.FinishFiltered:
		return "refusal"
	case llm.FinishPaused:
		return "pause_turn"
	case llm.FinishNone, llm.FinishStop, llm.FinishBadCall, llm.FinishFailed, llm.FinishOther:
	}
	return "end_turn"
}

func geminiWord(reason llm.FinishReason) string {
	switch reason {
	case llm.FinishLength:
		return "MAX_TOKENS"
	case llm.FinishFiltered:
		return "SAFETY"
	case llm.FinishBadCall:
		return "MALFORMED_FUNCTION_CALL"
	case llm.FinishOther, llm.FinishFailed:
		return "OTHER"
	case llm.FinishNone, llm.FinishStop, llm.FinishToolCalls, llm.FinishPaused:
	}
	return "STOP"
}

// incomplete is the reason why a response is not complete, or empty.
func incomplete(reason llm.FinishReason) string {
	switch reason {
	case llm.FinishLength:
		return "max_output_tokens"
	case llm.FinishFiltered:
		return "content_filter"
	case llm.FinishNone, llm.FinishStop, llm.FinishToolCalls, llm.FinishPaused, llm.FinishBadCall, llm.FinishFailed, llm.FinishOther:
	}
	return ""
}
