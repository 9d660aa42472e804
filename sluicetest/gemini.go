package sluicetest

import "strings"

// geminiReader reads Gemini streamGenerateContent. Every payload is a partial
// answer; parts are appended, and the end of the bytes ends the stream.
type geminiReader struct {
	*inspector
	id         string
	candidates map[int]*geminiCandidate
	blocked    bool
}

// geminiCandidate is what has been read of one candidate.
type geminiCandidate struct {
	number  int
	finish  string
	runKind string
	runText *strings.Builder
	partial *openCall // a call whose arguments go on in the next part
	ids     map[string]bool
}

func newGeminiReader(in *inspector) *geminiReader {
	return &geminiReader{inspector: in, candidates: map[int]*geminiCandidate{}}
}

// geminiData lists the members of which a part has exactly one.
var geminiData = []string{
	"text", "functionCall", "functionResponse", "inlineData", "fileData",
	"executableCode", "codeExecutionResult", "toolCall", "toolResponse",
}

func (r *geminiReader) read(_ string, o object) {
	if r.report.Failed {
		r.fail("after-error", "a payload follows the error")
		return
	}
	if o["error"] != nil {
		r.failure(o)
		return
	}
	if id := r.text(o, "responseId"); id != "" {
		if r.id != "" && r.id != id {
			r.fail("id", "responseId changes from %q to %q", r.id, id)
		}
		r.id = id
	}
	candidates := r.list(o, "candidates")
	feedback := r.object(o, "promptFeedback")
	if r.text(feedback, "blockReason") != "" {
		r.blocked = true
	}
	if o["candidates"] == nil && feedback == nil && o["usageMetadata"] == nil {
		r.fail("payload", "the payload has no candidates, promptFeedback, usageMetadata or error")
	}
	for _, candidate := range candidates {
		r.candidate(candidate)
	}
}

func (r *geminiReader) failure(o object) {
	failure := r.needObject("error", o, "error", "the payload")
	r.needString("error", failure, "message", "the error")
	if o["candidates"] != nil {
		r.fail("error", "the payload has an error and candidates")
	}
	r.report.Failed = true
}

func (r *geminiReader) done() {
	r.fail("done", "[DONE] does not belong to this format")
}

func (r *geminiReader) candidate(o object) {
	number, _ := r.number(o, "index") // absent means 0
	c := r.candidates[number]
	if c == nil {
		c = &geminiCandidate{number: number, ids: map[string]bool{}}
		r.candidates[number] = c
	}
	content := r.object(o, "content")
	parts := r.list(content, "parts")
	if len(parts) > 0 && c.finish != "" {
		r.fail("after-finish", "candidate %d goes on after its finishReason %q", number, c.finish)
	}
	if role := r.text(content, "role"); role != "model" && (role != "" || len(parts) > 0) {
		r.fail("role", "the content of candidate %d has the role %q, want model", number, role)
	}
	for _, part := range parts {
		r.part(c, part)
	}
	if word := r.text(o, "finishReason"); word != "" {
		switch {
		case c.finish != "":
			r.fail("finish-once", "candidate %d finishes again with %q after %q", number, word, c.finish)
		case c.partial != nil:
			r.fail("call-open", "candidate %d finishes while the arguments of %s go on", number, c.partial.Name)
		}
		c.finish = word
		r.finishes(number, word)
	}
}

func (r *geminiReader) part(c *geminiCandidate, part object) {
	kind := ""
	for _, name := range geminiData {
		if part[name] == nil {
			continue
		}
		if kind != "" {
			r.fail("part", "a part has both %s and %s", kind, name)
			return
		}
		kind = name
	}
	if kind == "" {
		r.fail("part", "a part of candidate %d has no data", c.number)
		return
	}
	r.text(part, "thoughtSignature")
	if kind == "text" {
		r.textPart(c, part)
		return
	}
	if c.partial != nil && kind != "functionCall" {
		r.fail("call-open", "a %s part comes while the arguments of %s go on", kind, c.partial.Name)
	}
	data := r.object(part, kind)
	c.runKind = ""
	if kind == "functionCall" && data != nil {
		r.call(c, data)
	}
}

func (r *geminiReader) textPart(c *geminiCandidate, part object) {
	text := r.text(part, "text")
	thought, isBool := part["thought"].(bool)
	if part["thought"] != nil && !isBool {
		r.fail("type", `"thought" is %s, want a boolean`, kindOf(part["thought"]))
	}
	if text == "" {
		return // opens nothing; it may carry a signature
	}
	if c.partial != nil {
		r.fail("call-open", "a text part comes while the arguments of %s go on", c.partial.Name)
	}
	kind := "content"
	if thought {
		kind = "thinking"
	}
	if c.runKind != kind {
		c.runKind, c.runText = kind, r.openText(thought)
	}
	c.runText.WriteString(text)
}

// call reads a functionCall. It is whole unless willContinue says that more
// parts without a name bring further arguments.
func (r *geminiReader) call(c *geminiCandidate, o object) {
	name, id := r.text(o, "name"), r.text(o, "id")
	args := r.object(o, "args")
	goesOn, _ := o["willContinue"].(bool)
	r.list(o, "partialArgs")
	switch {
	case c.partial == nil && name == "":
		r.fail("tool-name", "a functionCall of candidate %d has no name", c.number)
		return
	case c.partial != nil && name != "" && name != c.partial.Name:
		r.fail("call-open", "the call of %s begins while the arguments of %s go on", name, c.partial.Name)
		return
	case c.partial == nil && id != "" && c.ids[id]:
		r.fail("tool-id-unique", "two calls have the id %q", id)
	}
	c.ids[id] = true
	if c.partial == nil {
		c.partial = r.openCall(Call{Choice: c.number, ID: id, Name: name, Type: "functionCall"})
	}
	if args != nil {
		c.partial.arguments.WriteString(compact(args))
	} else if o["partialArgs"] != nil {
		c.partial.arguments.WriteString(compact(o["partialArgs"]))
	}
	if !goesOn {
		c.partial = nil
	}
}

func (r *geminiReader) end() {
	if r.report.Failed {
		return
	}
	for _, c := range r.candidates {
		if c.finish == "" {
			return
		}
	}
	for number := range len(r.candidates) {
		if r.candidates[number] == nil {
			r.fail("candidate-index", "there are %d candidates but none has the index %d", len(r.candidates), number)
		}
	}
	r.report.Ended = len(r.candidates) > 0 || r.blocked
}
