package policy

import (
	"bytes"
	"encoding/json"

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
	e.concealStrings(&edits, body, llm.Span{End: len(body)})
	if edits.Empty() {
		return arguments
	}
	out, err := edits.Apply(nil, body)
	if err != nil {
		return e.concealed(arguments)
	}
	return string(out)
}

// concealCalls edits the calls of a request so that they are what the model is shown.
func (e *Engine) concealCalls(edits *edit.Edits, body []byte, req *llm.Request) {
	if !e.conceals() {
		return
	}
	last := llm.Span{}
	for m := range req.Messages {
		for i := range req.Messages[m].Blocks {
			b := &req.Messages[m].Blocks[i]
			if b.Kind != llm.ToolCall || b.Span == last { // one item can be several blocks
				continue
			}
			last = b.Span
			e.concealStrings(edits, body, b.Span)
		}
	}
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

// concealStrings edits the strings and names of a JSON value.
func (e *Engine) concealStrings(edits *edit.Edits, body []byte, in llm.Span) {
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
				edits.ReplaceString(llm.Span{Start: at, End: end}, shown)
			}
		}
		at = end
	}
}
