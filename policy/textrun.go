package policy

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/stream"
)

// texts are the policies that replace text as it streams, compiled into one chain.
type texts struct {
	chain *text.Chain
	// by maps each rule of the chain to its policy.
	by []*Definition
}

func compileTexts(definitions []*Definition) (*texts, error) {
	t := &texts{}
	var rules []text.Rule
	for _, d := range definitions {
		rules = append(rules, d.Text...)
		for range d.Text {
			t.by = append(t.by, d)
		}
	}
	if len(rules) == 0 {
		return nil, nil //nolint:nilnil // no texts are no chain
	}
	chain, err := text.Compile(rules...)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	t.chain = chain
	return t, nil
}

// verdicts turns hits into verdicts, one for each policy.
func (t *texts) verdicts(hits []text.Hit) []Verdict {
	var list []Verdict
	for i, d := range t.by {
		n := 0
		for _, h := range hits {
			if h.Rule == i {
				n++
			}
		}
		if n == 0 {
			continue
		}
		note := "found once"
		if n > 1 {
			note = fmt.Sprintf("found %d times", n)
		}
		if len(list) > 0 && list[len(list)-1].Policy == d.Name {
			list[len(list)-1].Notes = append(list[len(list)-1].Notes, note)
			continue
		}
		list = append(list, Verdict{
			Action: d.TextAction, Policy: d.Name, Reason: d.Reason, Notes: []string{note}, Shadow: d.Mode == Shadow,
		})
	}
	return list
}

// textRun is a text whose patterns are replaced while it streams.
type textRun struct {
	stream *text.Stream // nil if matches are only looked for
	// fed is how much arrived, written how much of the output is settled.
	fed, written int
	// edited: from here on offsets are those of the output.
	edited  bool
	waiting []*span
	hits    []text.Hit
}

// span is a chunk's part of a text.
type span struct{ *delta }

type delta struct {
	run        *textRun
	event      int
	start, end int
	// parts are what is left of it once it is settled.
	parts  []textPart
	edited bool
	done   bool
	offset int
	// whole is the replacement for an event that repeats the whole text, nil if
	// it is not one.
	whole []byte
}

// textPart is a piece of the output: a range of the delta as it arrived, or a text.
type textPart struct {
	from, to int
	text     string
}

// take processes an event of the text.
func (t *textRun) take(e *Engine, to *touch, c *stream.Chunk, r *ruling, i int) {
	ev := &c.Events[i]
	if t.stream == nil || ev.Field != stream.Body {
		return
	}
	switch ev.Type {
	case stream.EventDelta:
		t.grow(to, ev, i)
	case stream.EventWhole:
		t.repeat(e, to, ev, r, i)
	default:
	}
}

func (t *textRun) grow(to *touch, ev *stream.Event, i int) {
	if len(ev.Data) == 0 {
		return
	}
	clean := t.stream.Write(ev.Data)
	from := t.fed
	t.fed += len(ev.Data)
	if clean && len(t.waiting) == 0 {
		t.stream.Pieces()
		if t.edited {
			to.spans = append(to.spans, span{&delta{run: t, event: i, done: true, offset: t.written}})
		}
		t.written += len(ev.Data)
		return
	}
	d := span{&delta{run: t, event: i, start: from, end: t.fed}}
	t.waiting = append(t.waiting, &d)
	to.spans = append(to.spans, d)
	to.pending = true
	t.distribute()
}

// repeat processes the provider's repetition of the whole text. If it equals
// the deltas, the writer handles it; otherwise it is a text of its own.
func (t *textRun) repeat(e *Engine, to *touch, ev *stream.Event, r *ruling, i int) {
	streamed := r.block.Text()
	if other, two := r.block.Other(); two && !r.complete {
		streamed = other // a late final value is the other text itself
	}
	if t.fed > 0 && streamed == string(ev.Data) {
		return
	}
	out, hits := e.texts.chain.Apply(string(ev.Data))
	t.hits = append(t.hits, hits...)
	if out == string(ev.Data) && !t.edited && len(t.waiting) == 0 {
		return
	}
	t.edited = true
	to.spans = append(to.spans, span{&delta{run: t, event: i, done: true, edited: true, whole: []byte(out)}})
	to.pending = true
}

// distribute assigns the settled output to the deltas it came from.
func (t *textRun) distribute() {
	for _, p := range t.stream.Pieces() {
		t.edited = t.edited || p.Replaced
		with := p.Text
		for _, d := range t.waiting {
			if d.end <= p.Start {
				continue
			}
			if d.start >= p.End {
				break
			}
			switch {
			case !p.Replaced:
				d.parts = append(d.parts, textPart{from: max(p.Start, d.start) - d.start, to: min(p.End, d.end) - d.start})
			default:
				d.edited = true
				d.parts = append(d.parts, textPart{text: with})
				with = "" // the rest of the range is gone
			}
		}
		t.pop(p.End)
	}
	t.hits = append(t.hits, t.stream.Hits()...)
}

// pop closes the deltas that are settled.
func (t *textRun) pop(settled int) {
	for len(t.waiting) > 0 && t.waiting[0].end <= settled {
		d := t.waiting[0]
		d.done, d.offset = true, t.written
		for _, p := range d.parts {
			t.written += p.to - p.from + len(p.text)
		}
		t.waiting[0] = nil
		t.waiting = t.waiting[1:]
	}
}

func (s span) settled() bool { return s.done }

// edit writes the output into the chunk.
func (s span) edit(c *stream.Chunk) {
	ev := &c.Events[s.event]
	if s.whole != nil {
		ev.Data, ev.Edited, c.Edited = s.whole, true, true
		return
	}
	if s.run.edited {
		ev.Offset = s.offset
	}
	if !s.edited {
		return
	}
	var out []byte
	for _, p := range s.parts {
		out = append(append(out, ev.Data[p.from:p.to]...), p.text...)
	}
	ev.Data, ev.Edited, c.Edited = out, true, true
}

// end is called at the end of the text: everything is settled then.
func (e *Engine) endText(r *ruling) {
	t := r.text
	v := Verdict{Action: Allow}
	if t.stream != nil {
		t.stream.End()
		t.distribute()
		if _, over := t.stream.Overrun(); over {
			limit := &LimitError{What: "bytes of text in which a pattern may still match", Limit: e.opts.Limits.Block}
			r.votes = append(r.votes, Verdict{Action: Redact, Policy: enginePolicy, Cause: CauseLimit, Reason: limit.reason(), Err: limit})
		}
		r.votes = append(r.votes, e.texts.verdicts(t.hits)...)
	}
	if e.shadows != nil {
		r.votes = append(r.votes, e.shadows.verdicts(e.shadows.chain.Find(r.block.Text()))...)
	}
	for _, vote := range r.votes {
		if !vote.Shadow && vote.Action > v.Action {
			v = vote
		}
	}
	r.verdict, r.decided, r.released = v, true, true
}

// recordText reports a text in which patterns were replaced.
func (e *Engine) recordText(r *ruling, left bool) {
	rec := e.about(r.block)
	rec.Verdict, rec.Verdicts, rec.Delivered = r.verdict, r.votes, left
	switch {
	case !left:
	case r.text.stream != nil && r.text.edited:
		rec.Out, _ = e.texts.chain.Apply(rec.In)
	default:
		rec.Out = rec.In
	}
	e.opts.Record(rec)
}

// changeText replaces patterns in a text that is held as a whole.
func (e *Engine) changeText(r *ruling) {
	for n, s := range r.versions {
		if e.texts != nil {
			out, hits := e.texts.chain.Apply(s.Block.Text)
			r.votes = append(r.votes, e.texts.verdicts(hits)...)
			if out != s.Block.Text {
				b := s.Block
				b.Text = out
				r.versions[n] = e.subject(r, b)
				r.changed = true
			}
		}
		if e.shadows != nil {
			r.votes = append(r.votes, e.shadows.verdicts(e.shadows.chain.Find(s.Block.Text))...)
		}
	}
}

func isText(kind llm.Kind) bool { return kind == llm.Content || kind == llm.Refusal }
