package policy

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// JudgeRequest judges the texts of a request, and the tool results in it, before the
// model sees them. The exchange's Request must have been read from body. It returns
// the body to send: the same bytes if nothing was changed, and the same change for
// the same text every time, so that prompt caches keep hitting. The error is an
// *AbortError when the request must not be sent, for instance when a policy applies
// to results and the request is not known.
func (e *Engine) JudgeRequest(ctx context.Context, body []byte) ([]byte, error) {
	e.assemble()
	return e.judgeBody(ctx, body, len(body) > 0 && e.judges(Prompt))
}

// JudgeResults is JudgeRequest for the tool results alone.
func (e *Engine) JudgeResults(ctx context.Context, body []byte) ([]byte, error) {
	e.assemble()
	return e.judgeBody(ctx, body, false)
}

func (e *Engine) judgeBody(ctx context.Context, body []byte, prompts bool) ([]byte, error) {
	results := e.judges(llm.ToolResult) && mayHaveResults(body)
	if !prompts && !results {
		return body, nil
	}
	var edits edit.Edits
	var hidden concealments
	if results {
		if err := e.editResults(ctx, &edits, body); err != nil {
			return nil, err
		}
		if !edits.Empty() {
			hidden = e.concealCalls(body, e.x.Asked())
		}
	}
	if prompts {
		if err := e.editPrompts(ctx, &edits, body, hidden); err != nil {
			return nil, err
		}
	}
	for span, shown := range hidden {
		edits.ReplaceString(span, shown)
	}
	if edits.Empty() {
		return body, nil
	}
	return edits.Apply(nil, body)
}

// editResults judges the tool results and edits the body accordingly.
func (e *Engine) editResults(ctx context.Context, edits *edit.Edits, body []byte) error {
	req := e.x.Asked()
	if req == nil && len(body) > 0 && e.mustJudge(llm.ToolResult) {
		return &AbortError{Policy: enginePolicy, Reason: "the request cannot be read, so the tool results in it cannot be judged"}
	}
	if req == nil {
		return nil
	}
	left := MaxResultTexts
	for m := range req.Messages {
		results, err := resultsIn(body, req.Messages[m].Span, &left)
		if err != nil {
			return err
		}
		for i, r := range results {
			if r.name == "" {
				r.name = e.x.Called(r.id)
			}
			if err := e.editResult(ctx, edits, body, &r, m, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// judges reports whether a policy applies to a kind.
func (e *Engine) judges(kind llm.Kind) bool {
	for i := range e.parts {
		if e.parts[i].def.Applies.Has(kind) {
			return true
		}
	}
	return false
}

// mustJudge reports whether a policy that applies to a kind requires that what it
// cannot judge is stopped.
func (e *Engine) mustJudge(kind llm.Kind) bool {
	for i := range e.parts {
		d := e.parts[i].def
		if d.Applies.Has(kind) && d.Mode != Shadow && d.OnError != Allow && d.OnError != Annotate {
			return true
		}
	}
	return false
}

// resultMarks are substrings of which every body with a tool result contains
// one, whatever its dialect.
var resultMarks = [][]byte{
	[]byte("Response\""), []byte("xecution"),
	[]byte(`\u00`), // letters may be escaped
}

// resultNames are marks with an underscore, which is rare in words: the text
// before it and after it.
var resultNames = []struct{ before, behind string }{
	{"tool", "result"},
	{"call", "id"},
	{"", "output"},
	{"", "response\""},
	{"", "call\""},
}

// mayHaveResults is a prefilter: it reports whether a request can contain a
// tool result. Most first requests of a conversation have none, and need not be
// parsed.
func mayHaveResults(body []byte) bool {
	for _, mark := range resultMarks {
		if bytes.Contains(body, mark) {
			return true
		}
	}
	for at := bytes.IndexByte(body, '_'); at >= 0; {
		before, behind := body[:at], body[at+1:]
		for _, name := range resultNames {
			if bytes.HasPrefix(behind, []byte(name.behind)) && bytes.HasSuffix(before, []byte(name.before)) {
				return true
			}
		}
		next := bytes.IndexByte(behind, '_')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	for rest := body; ; { // a role in any case
		i := bytes.Index(rest, []byte(`"role"`))
		if i < 0 {
			return false
		}
		rest = rest[i+len(`"role"`):]
		value := bytes.TrimLeft(rest, " \t\r\n:")
		for _, role := range []string{`"tool"`, `"function"`} {
			if len(value) >= len(role) && strings.EqualFold(string(value[:len(role)]), role) {
				return true
			}
		}
	}
}

// editResult judges one result and edits the body accordingly.
func (e *Engine) editResult(ctx context.Context, edits *edit.Edits, body []byte, r *result, message, position int) error {
	b := llm.Block{Kind: llm.ToolResult, ToolUseID: r.id, Name: r.name, Type: r.kind, Raw: r.span.In(body), Status: llm.Complete}
	out, rec := e.judgeTexts(ctx, &b, r.texts)
	rec.Message, rec.Block = message, position
	e.tell(rec)
	switch v := rec.Verdict; {
	case v.Action == Abort:
		return &AbortError{Policy: v.Policy, Reason: v.Reason, Err: v.Err}
	case !v.Action.Passes():
		return r.withhold(edits, &v)
	}
	for i := range out {
		if out[i] != r.texts[i] {
			edits.ReplaceString(r.spans[i], out[i])
		}
	}
	return nil
}

// judgeTexts lets the policies change and judge the texts of one part of a request.
// If there are several, patterns are replaced in each on its own, and they are
// judged together. The record says what happened.
func (e *Engine) judgeTexts(ctx context.Context, b *llm.Block, texts []string) ([]string, *Record) {
	started := time.Now()
	out := slices.Clone(texts)
	var votes []Verdict
	for i := range e.parts {
		if p := &e.parts[i]; p.Change != nil && p.def.Applies.Has(b.Kind) {
			for n := range out {
				changed, v := p.callChange(ctx, e.requestSubject(b, out[n]))
				v.Policy, v.Shadow = p.def.Name, p.def.Mode == Shadow
				if v.Action > Allow {
					votes = append(votes, v)
				}
				if !v.Shadow && (v.Action == Rewrite || v.Action == Redact) {
					out[n] = changed
				}
			}
		}
	}
	said := strings.Join(texts, "\n")
	left := said
	if !slices.Equal(out, texts) {
		left = strings.Join(out, "\n")
	}
	votes = append(votes, e.judgeText(ctx, e.requestSubject(b, left))...)
	verdict := Verdict{Action: Allow}
	for _, v := range votes {
		if !v.Shadow && v.Action > verdict.Action {
			verdict = v
		}
	}
	rec := &Record{
		Stage: StageRequest, Kind: b.Kind, ID: b.ToolUseID, Name: b.Name,
		Type: b.Type, Status: llm.Complete, Verdict: verdict, Verdicts: votes, Version: e.set.version,
		Latency: time.Since(started), In: said, Size: len(said), Delivered: verdict.Action.Passes(),
	}
	if rec.Delivered {
		rec.Out = left
	}
	return out, rec
}

// tell passes a record to the host, if it wants records.
func (e *Engine) tell(r *Record) {
	if e.opts.Record != nil {
		e.opts.Record(r)
	}
}

func (e *Engine) requestSubject(b *llm.Block, text string) *Subject {
	shown := *b
	shown.Text = text
	return &Subject{Exchange: e.x, Stage: StageRequest, Block: shown}
}

// judgeText asks all policies about a text of a request, the asynchronous ones
// concurrently, and a person if they say so.
func (e *Engine) judgeText(ctx context.Context, s *Subject) []Verdict {
	var votes []Verdict
	var questions []*Question
	for i := range e.parts {
		p := &e.parts[i]
		switch {
		case p.Judge == nil || !p.def.Applies.Has(s.Block.Kind):
		case p.def.Waits:
			questions = append(questions, &Question{part: p, subjects: []*Subject{s}, deadline: p.def.Timeout})
		default:
			v := p.call(ctx, s)
			v.Shadow = p.def.Mode == Shadow
			votes = append(votes, v)
		}
	}
	for _, a := range askAll(ctx, questions) {
		v := a.verdicts[0]
		v.Shadow = a.question.part.def.Mode == Shadow
		votes = append(votes, v)
	}
	for i, v := range votes {
		if v.Action == Ask && !v.Shadow {
			q := &Question{approver: e.opts.Approver, deadline: e.opts.AskFor, ask: v}
			q.approval = Approval{Subject: s, Digest: s.Digest(), Policy: v.Policy, Reason: v.Reason}
			votes[i] = q.Ask(ctx).verdicts[0]
		}
	}
	return slices.DeleteFunc(votes, func(v Verdict) bool { return v.Action <= Allow && v.Cause == "" })
}
