package sluicetest

// body reads a non-streaming response, by the rules that remain when everything arrives
// in one piece.
func (in *inspector) body(data []byte) {
	value, err := decode(data)
	if err != nil {
		in.fail("json", "%v", err)
		return
	}
	if list, isList := value.([]any); isList && in.format == Gemini {
		in.geminiArray(list)
		return
	}
	o, ok := value.(object)
	if !ok {
		in.fail("json", "the body is %s, want an object", kindOf(value))
		return
	}
	switch in.format {
	case OpenAIChat:
		in.chatBody(o)
	case Anthropic:
		in.anthropicBody(o)
	case OpenAIResponses:
		in.responsesBody(o)
	case Gemini:
		r := newGeminiReader(in)
		r.read("", o)
		r.end()
	}
}

// geminiArray reads what Gemini streams without alt=sse: one JSON array.
func (in *inspector) geminiArray(list []any) {
	r := newGeminiReader(in)
	for i, element := range list {
		in.payload = i
		o, ok := element.(object)
		if !ok {
			in.fail("json", "element %d is %s, want an object", i, kindOf(element))
			return
		}
		r.read("", o)
	}
	in.payload = -1
	r.end()
}

func (in *inspector) chatBody(o object) {
	r := newChatReader(in)
	if o["error"] != nil && o["choices"] == nil {
		r.failure(o["error"])
		return
	}
	if kind := in.text(o, "object"); kind != "chat.completion" {
		in.fail("object", "object is %q, want chat.completion", kind)
	}
	in.need("id", o, "id", "the body")
	choices := in.needList("choices", o, "choices", "the body")
	for i, choice := range choices {
		if n := in.needNumber("choice-index", choice, "index", "a choice"); n != i {
			in.fail("choice-index", "choice %d has the index %d", i, n)
		}
		message := in.needObject("message", choice, "message", "a choice")
		for j, call := range in.list(message, "tool_calls") {
			// In a whole message the calls have no index; their position is it.
			if n, given := in.number(call, "index"); given && n != j {
				in.fail("tool-index", "tool call %d has the index %d", j, n)
			}
			call["index"] = jsonNumber(j)
		}
		c := &chatChoice{number: i, ids: map[string]bool{}}
		r.choices[i], r.order = c, append(r.order, c)
		r.delta(c, message)
		r.finishChoice(c, in.need("finish-missing", choice, "finish_reason", "a choice"))
	}
	if len(choices) == 0 {
		in.fail("choices", "the body has no choices")
	}
	in.report.Ended = true
	if o["error"] != nil {
		in.report.Ended = false
		r.failure(o["error"])
	}
}

func (in *inspector) anthropicBody(o object) {
	r := newAnthropicReader(in)
	if in.text(o, "type") == "error" {
		r.failure(o)
		return
	}
	r.messageHead(o)
	for _, block := range in.needList("message", o, "content", "the message") {
		r.wholeBlock(block)
	}
	r.stopReason(in.need("stop-reason-missing", o, "stop_reason", "the message"))
	in.report.Ended = true
}

func (in *inspector) responsesBody(o object) {
	if o["error"] != nil && o["object"] == nil {
		failure := in.needObject("error", o, "error", "the body")
		in.needString("error", failure, "message", "the error")
		in.report.Failed = true
		return
	}
	if kind := in.text(o, "object"); kind != "response" {
		in.fail("object", "object is %q, want response", kind)
	}
	in.need("id", o, "id", "the response")
	r := newResponsesReader(in)
	for i, body := range in.needList("output", o, "output", "the response") {
		// An item that is added and done with the same body arrived whole.
		r.added(object{"output_index": jsonNumber(i), "item": body})
		if in.err == nil {
			r.itemDone(r.items[i], body)
		}
	}
	switch status := in.text(o, "status"); status {
	case "completed", "incomplete":
		if o["error"] != nil {
			in.fail("status", "the response is %s and carries an error", status)
		}
		in.finishes(0, status)
		in.report.Ended = true
	case "failed", "cancelled":
		in.report.Failed = true
	default:
		in.fail("status", "the response has the status %q", status)
	}
}
