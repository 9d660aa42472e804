package scripted

import "github.com/sluice-project/sluice/wire"

// pieces splits a payload into several, as a provider would send them: writers send a
// block in one delta, models do not.
func (s *server) pieces(payload object) [][]byte {
	holder, name := s.growing(payload)
	text, _ := holder[name].(string)
	if len(text) <= s.opts.ChunkSize {
		s.count(payload)
		return [][]byte{encode(payload)}
	}
	var pieces [][]byte
	for first := true; text != ""; first = false {
		n := boundary(text, s.opts.ChunkSize)
		holder[name], text = text[:n], text[n:]
		if !first {
			s.goesOn(payload)
		}
		s.count(payload)
		pieces = append(pieces, encode(payload))
	}
	return pieces
}

// count sets the sequence number of an event, in the format that has one.
func (s *server) count(payload object) {
	if payload["sequence_number"] == nil {
		return
	}
	if first, ok := payload["sequence_number"].(float64); ok && s.sequence < 0 {
		s.sequence = int(first)
	}
	payload["sequence_number"] = s.sequence
	s.sequence++
}

// growing returns the object and the member that hold the delta of a payload, nil if it
// has none that can be split.
func (s *server) growing(payload object) (holder object, name string) {
	switch s.format {
	case wire.OpenAIChat:
		return chatDelta(payload)
	case wire.Anthropic:
		delta, _ := payload["delta"].(object)
		return among(delta, "text", "thinking", "partial_json")
	case wire.OpenAIResponses:
		return among(payload, "delta")
	case wire.Gemini:
		for _, candidate := range list(payload["candidates"]) {
			content, _ := candidate["content"].(object)
			parts := list(content["parts"])
			if len(parts) == 1 && parts[0]["thoughtSignature"] == nil && candidate["finishReason"] == nil {
				return among(parts[0], "text")
			}
		}
	}
	return nil, ""
}

func chatDelta(payload object) (holder object, name string) {
	choices := list(payload["choices"])
	if len(choices) == 0 {
		return nil, ""
	}
	delta, _ := choices[0]["delta"].(object)
	if calls := list(delta["tool_calls"]); len(calls) == 1 {
		function, _ := calls[0]["function"].(object)
		return among(function, "arguments")
	}
	return among(delta, "content", "reasoning_content", "refusal")
}

// among returns the object with the first of the names that is a text in it.
func among(holder object, names ...string) (object, string) {
	for _, name := range names {
		if text, ok := holder[name].(string); ok && text != "" {
			return holder, name
		}
	}
	return nil, ""
}

// goesOn removes from a payload what only the first piece of a block contains.
func (s *server) goesOn(payload object) {
	if s.format != wire.OpenAIChat {
		return
	}
	for _, choice := range list(payload["choices"]) {
		delta, _ := choice["delta"].(object)
		delete(delta, "role")
		for _, call := range list(delta["tool_calls"]) {
			delete(call, "id")
			delete(call, "type")
			if function, ok := call["function"].(object); ok {
				delete(function, "name")
			}
		}
	}
}
