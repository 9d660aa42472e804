package policy

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// Conceal returns the arguments of an earlier call as the model is shown them: without
// what policies put into the call for the tool and keep from the model. It is for hosts
// that have no body for JudgeRequest, which does it for the calls of a request.
func (e *Engine) Conceal(arguments string) string {
	e.assemble()
	if !json.Valid([]byte(arguments)) {
		return e.concealed(arguments)
	}
	var edits edit.Edits
	body := []byte(arguments)
	e.concealStrings(body, llm.Span{End: len(body)}, edits.ReplaceString)
	if edits.Empty() {
		return arguments
	}
	out, err := edits.Apply(nil, body)
	if err != nil {
		return e.concealed(arguments)
	}
	return string(out)
}

// concealments are the strings of a body that the model is shown otherwise, by where
// they stand.
type concealments map[llm.Span]string

// take returns texts as they are to be shown, and forgets those of them that are hidden.
func (c concealments) take(spans []llm.Span, texts []string) []string {
	if len(c) == 0 {
		return texts
	}
	out := slices.Clone(texts)
	for i, span := range spans {
		if shown, ok := c[span]; ok {
			out[i] = shown
			delete(c, span)
		}
	}
	return out
}

// concealCalls finds what the model is not to be shown in the calls of a request.
func (e *Engine) concealCalls(body []byte, req *llm.Request) concealments {
	if req == nil || !e.conceals() {
		return nil
	}
	hidden := concealments{}
	last := llm.Span{}
	for m := range req.Messages {
		for i := range req.Messages[m].Blocks {
			b := &req.Messages[m].Blocks[i]
			if b.Kind != llm.ToolCall || b.Span == last { // one item can be several blocks
				continue
			}
			last = b.Span
			e.concealStrings(body, b.Span, func(span llm.Span, shown string) { hidden[span] = shown })
		}
	}
	return hidden
}

// conceals reports whether a policy has put something into calls; one in shadow mode
// has not.
func (e *Engine) conceals() bool {
	for i := range e.parts {
		if p := &e.parts[i]; p.Conceal != nil && p.def.Mode != Shadow {
			return true
		}
	}
	return false
}

func (e *Engine) concealed(text string) string {
	for i := range e.parts {
		if p := &e.parts[i]; p.Conceal != nil && p.def.Mode != Shadow {
			text = p.Conceal(e.x, text)
		}
	}
	return text
}

// concealStrings reports the strings and names of a JSON value that must be shown
// differently.
func (e *Engine) concealStrings(body []byte, in llm.Span, replace func(llm.Span, string)) {
	for at := in.Start; at < in.End; {
		quote := bytes.IndexByte(body[at:in.End], '"')
		if quote < 0 {
			return
		}
		at += quote
		end := at + 1
		for end < in.End && body[end] != '"' {
			if body[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, in.End)
		var text string
		if json.Unmarshal(body[at:end], &text) == nil {
			if shown := e.concealed(text); shown != text {
				replace(llm.Span{Start: at, End: end}, shown)
			}
		}
		at = end
	}
}
