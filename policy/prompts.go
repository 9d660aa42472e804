package policy

import (
	"context"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// prompt is one message of a request, or its instructions: all of its texts, each a
// JSON string in the body.
type prompt struct {
	message int // its index, -1 for instructions
	spans   []llm.Span
	texts   []string
}

// MaxPromptTexts is the maximum number of texts in a request apart from its tool
// results.
const MaxPromptTexts = 50_000

// JudgePrompts judges texts that belong together in a request, as JudgeRequest does
// with those in a body, and returns them as they are to be sent. message is for the
// records. The error is an *AbortError when the request must not be sent.
func (e *Engine) JudgePrompts(ctx context.Context, message int, texts []string) ([]string, error) {
	e.assemble()
	b := llm.Block{Kind: Prompt, Status: llm.Complete}
	out, rec := e.judgeTexts(ctx, &b, texts)
	if rec.Message = message; len(rec.Verdicts) > 0 { // a history is sent again with every request
		e.tell(rec)
	}
	if v := &rec.Verdict; !v.Action.Passes() {
		return nil, &AbortError{Policy: v.Policy, Reason: v.Reason, Err: v.Err}
	}
	return out, nil
}

// editPrompts judges what the request says and edits the body accordingly. Strings of
// calls that are hidden are judged as they are to be shown, and taken out of hidden.
func (e *Engine) editPrompts(ctx context.Context, edits *edit.Edits, body []byte, hidden concealments) error {
	var reading prompts
	if !reading.read(body) && e.mustJudge(Prompt) {
		return &AbortError{Policy: enginePolicy, Reason: "the request cannot be read, so it cannot be judged"}
	}
	for _, p := range reading.list {
		if reading.count += len(p.texts); reading.count > MaxPromptTexts {
			limit := &LimitError{What: "texts in the messages of a request", Limit: MaxPromptTexts}
			return &AbortError{Policy: enginePolicy, Reason: limit.reason() + "; send fewer or longer ones", Err: limit}
		}
		said := hidden.take(p.spans, p.texts)
		out, err := e.JudgePrompts(ctx, p.message, said)
		if err != nil {
			return err
		}
		for i := range out {
			if out[i] != p.texts[i] {
				edits.ReplaceString(p.spans[i], out[i])
			}
		}
	}
	return nil
}

// prompts are those of a body, in order.
type prompts struct {
	list  []prompt
	count int
}

// read finds the prompts of a request. It returns false if that is not one JSON
// object.
func (r *prompts) read(body []byte) bool {
	var s jsonscan.Scanner
	if s.Reset(body); !s.Object() {
		return false
	}
	r.members(body, &s, true)
	return s.End() == nil
}

// members collects the texts in the members of a request. A member can be a
// request itself, as in Gemini's requests to count tokens.
func (r *prompts) members(body []byte, s *jsonscan.Scanner, wraps bool) {
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "system", "instructions", "systemInstruction", "system_instruction", "prompt":
			r.message(body, spanOf(s, 0), -1)
		case "messages", "input", "contents":
			if s.Kind() != jsonscan.Array {
				r.message(body, spanOf(s, 0), 0)
				continue
			}
			s.Array()
			for m := 0; s.Elem(); m++ {
				r.message(body, spanOf(s, 0), m)
			}
		case "generateContentRequest":
			if wraps && s.Object() {
				r.members(body, s, false)
				continue
			}
			s.Skip()
		default:
			s.Skip()
		}
	}
}

// spanOf skips the value at the cursor and returns its span.
func spanOf(s *jsonscan.Scanner, base int) llm.Span {
	raw := s.Raw()
	end := base + s.Pos()
	return llm.Span{Start: end - len(raw), End: end}
}

// message collects the texts of a message, an item of a history or an
// instruction, without tool results.
func (r *prompts) message(body []byte, at llm.Span, number int) {
	p := prompt{message: number}
	switch {
	case at.IsZero() || isOther(body, at):
	case body[at.Start] != '{':
		p.parts(body, at)
	default:
		var s jsonscan.Scanner
		s.Reset(at.In(body))
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			if name := string(key); name == "content" || name == "parts" {
				p.parts(body, spanOf(&s, at.Start))
			} else {
				p.member(&s, at.Start, name)
			}
		}
	}
	if len(p.texts) > 0 {
		r.list = append(r.list, p)
	}
}

// parts collects the texts of a message's parts, or the text in their place.
func (p *prompt) parts(body []byte, at llm.Span) {
	if at.IsZero() || body[at.Start] != '[' {
		p.collect(body, at, false)
		return
	}
	var s jsonscan.Scanner
	s.Reset(at.In(body))
	s.Array()
	for s.Elem() {
		if part := spanOf(&s, at.Start); !isOther(body, part) {
			p.collect(body, part, false)
		}
	}
}

// isOther reports whether a message or a part must not be changed here: a tool
// result, which is judged as one, or thinking, which is signed.
func isOther(body []byte, at llm.Span) bool {
	if at.IsZero() || body[at.Start] != '{' {
		return false
	}
	of := membersOf(body, at)
	switch of.word("type") {
	case "thinking", "redacted_thinking", "reasoning":
		return true
	}
	if thought := member(body, at, "thought"); string(thought.In(body)) == "true" {
		return true
	}
	_, is := resultAt(body, at, &of)
	return is
}

// collect collects all strings in a value, except those that identify or encode
// something. In a value that the model is free to choose, such as the arguments of
// a call, nothing is left out.
func (p *prompt) collect(body []byte, at llm.Span, free bool) {
	var s jsonscan.Scanner
	s.Reset(at.In(body))
	p.walk(&s, at.Start, free)
}

// walk collects the strings of the value at the cursor, iteratively, however deeply
// they are nested.
func (p *prompt) walk(s *jsonscan.Scanner, base int, free bool) {
	switch s.Kind() {
	case jsonscan.Object:
		s.Object()
		encoded, from, to := false, 0, 0 // the texts of a member that may be encoded
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			switch name := string(key); {
			case free:
				p.walk(s, base, true)
			case name == "type":
				kind, _ := jsonscan.Text(s.Raw())
				encoded = encoded || kind == "base64"
			case name == "data":
				from = len(p.texts)
				p.walk(s, base, false)
				to = len(p.texts)
			default:
				p.member(s, base, name)
			}
		}
		if encoded {
			p.texts, p.spans = slices.Delete(p.texts, from, to), slices.Delete(p.spans, from, to)
		}
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			p.walk(s, base, free)
		}
	case jsonscan.String:
		raw := s.Raw()
		at := llm.Span{Start: base + s.Pos() - len(raw), End: base + s.Pos()}
		if text, ok := jsonscan.Text(raw); ok && text != "" && len(p.texts) <= MaxPromptTexts {
			p.spans, p.texts = append(p.spans, at), append(p.texts, text)
		}
	default:
		s.Skip()
	}
}

// member collects the texts in a member of a message or a part.
func (p *prompt) member(s *jsonscan.Scanner, base int, name string) {
	switch name {
	case "type", "name", "cache_control", "detail", "format", "filename", "url", "uri", "file_uri", "fileUri", "file_url",
		"inlineData", "inline_data", "input_audio", "thoughtSignature", "thought_signature", "reasoning_details", "thinking_blocks":
		s.Skip()
	case "input", "args", "arguments", "action":
		p.walk(s, base, true)
	default:
		if encodes(name) {
			s.Skip()
		} else {
			p.walk(s, base, false)
		}
	}
}
