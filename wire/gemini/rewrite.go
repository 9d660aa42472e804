package gemini

import (
	"bytes"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// rewrite writes a chunk of an edited answer: what the edits affect is changed in
// place, everything else keeps its bytes.
func (w *Writer) rewrite(dst []byte, c *stream.Chunk) ([]byte, error) {
	if c.Raw == nil {
		return w.rewriteEnd(dst, c)
	}
	if w.failed {
		return dst, nil // nothing follows an error
	}
	l := scanLayout(c.Raw)
	if l == nil {
		if string(bytes.TrimSpace(c.Raw)) == "[DONE]" {
			return dst, nil // from another dialect
		}
		return dst, stream.NewProtocolError(c, "the payload cannot be edited because it is not JSON", nil)
	}
	for _, ch := range w.choices {
		if !ch.open && !ch.Finished && !w.opts.Whole {
			dst = w.flush(dst, ch)
		}
	}
	r := rewriting{w: w, c: c, layout: l}
	if !r.decide() {
		return w.fail(dst, stream.ErrGap), stream.ErrGap
	}
	dst, gone := r.edit(dst)
	if gone {
		return dst, nil
	}
	payload := c.Raw
	if !r.edits.Empty() {
		var err error
		if payload, err = r.edits.Apply(nil, c.Raw); err != nil {
			return dst, err
		}
	}
	return w.frame(dst, c, payload), nil
}

// rewriteEnd handles the end of the upstream's stream: dropped chunks must not leave
// the answer without an end.
func (w *Writer) rewriteEnd(dst []byte, c *stream.Chunk) ([]byte, error) {
	for i := range c.Events {
		ev := &c.Events[i]
		switch {
		case ev.Type == stream.EventDone:
			dst, whole := w.finishUp(dst)
			w.done = true
			if !whole {
				return dst, stream.ErrGap
			}
			return dst, nil
		case ev.Block >= 0 && ev.Type != stream.EventUnknown:
			_, step := w.plan.Track(ev)
			if w.follow(c, ev, step) == plan.Gap {
				return w.fail(dst, stream.ErrGap), stream.ErrGap
			}
		default:
			w.notice(c, ev)
		}
	}
	return dst, nil
}

// rewriting is the state of rewriting one chunk.
type rewriting struct {
	w          *Writer
	c          *stream.Chunk
	layout     *layout
	candidates []candidateEdit
	late       map[int]bool // choices whose finish was sent before this chunk, which is older
	edits      edit.Edits
}

// candidateEdit is the decision about a candidate.
type candidateEdit struct {
	at    *candidateAt
	ch    *writing
	late  bool
	calls int // sent before this chunk
	parts []partEdit
}

// partEdit is the decision about a part.
type partEdit struct {
	events  bool // it is part of a block
	weight  uint8
	drop    bool
	kind    llm.Kind
	start   bool // it starts its block
	id      string
	rename  string      // the new id of a call whose own is taken
	instead []llm.Block // replacement of its block
	replace []byte      // parts to write instead of it
	before  []byte      // parts to write before it
	after   []byte      // parts to write after it
}

// partAt is the position of a part.
type partAt struct{ candidate, part int }

// decide processes the events of the chunk and decides what happens to each part. It
// reports false if a piece of a call is missing.
func (r *rewriting) decide() bool {
	places := map[int]partAt{}
	r.late = map[int]bool{}
	for i := range r.layout.candidates {
		at := &r.layout.candidates[i]
		ch := r.w.choice(at.number)
		f := candidateEdit{at: at, ch: ch, calls: ch.Calls, parts: make([]partEdit, len(at.parts))}
		f.late = ch.Finished && (r.w.shut || r.c.Seq <= ch.finishAt)
		r.late[at.number] = f.late
		r.candidates = append(r.candidates, f)
		for j, span := range at.parts {
			places[span.Start] = partAt{i, j}
		}
	}
	for i := range r.c.Events {
		ev := &r.c.Events[i]
		place, isPart := places[ev.Span.Start]
		isPart = isPart && !ev.Span.IsZero() && ev.Span == r.layout.candidates[place.candidate].parts[place.part]
		var f *partEdit
		if isPart {
			f = &r.candidates[place.candidate].parts[place.part]
			f.events = true
			if r.candidates[place.candidate].late {
				f.drop = true
				continue
			}
		}
		if ev.Block < 0 || ev.Type == stream.EventUnknown {
			if ev.Type == stream.EventFinish {
				if r.late[ev.Choice] {
					continue
				}
				if r.w.choice(ev.Choice).open {
					return false // the end of its call was dropped
				}
			}
			r.w.notice(r.c, ev)
			continue
		}
		if !r.late[ev.Choice] && !r.event(ev, f) {
			return false
		}
	}
	return true
}

// event processes one event of a block; f is its part, nil if it has none here.
func (r *rewriting) event(ev *stream.Event, f *partEdit) bool {
	e, step := r.w.plan.Track(ev)
	if ev.Type == stream.EventStart && step == plan.Pass && ev.Kind == llm.ToolCall {
		if id := r.w.unique(r.w.choice(ev.Choice), ev.ID); id != ev.ID {
			e.ID = id
			r.w.choice(ev.Choice).use(id)
		}
	}
	if step = r.w.follow(r.c, ev, step); step == plan.Gap {
		return false
	}
	ch := r.w.choice(ev.Choice)
	if e.Edited || e.Replaced && (ev.Kind == llm.Content || ev.Kind == llm.Thinking) {
		ch.textChanged = true
	}
	if f == nil {
		return true
	}
	f.kind, f.rename = ev.Kind, e.ID
	weight := uint8(1)
	switch {
	case ev.Type == stream.EventStart:
		weight, f.start, f.id = 2, true, ev.ID
	case ev.Type == stream.EventDelta && ev.Field == stream.Body:
		weight = 3
	}
	if weight >= f.weight {
		f.weight, f.drop = weight, step == plan.Skip
	}
	if ev.Field == stream.Signature && step == plan.Pass && e.Edited && e.Offset > 0 {
		f.drop = false // the signature of a text stays, although its last piece is removed
	}
	if e.Replaced && e.Sent == plan.Nothing {
		// From here on it is too late to replace it by something else.
		e.Sent = plan.Ended
		f.instead, e.With = e.With, nil
		if ch.open && ch.call.doubtful && len(f.instead) > 0 {
			return false // the end of the previous call was dropped
		}
	}
	return true
}

// edit turns the decisions into edits. It reports whether the chunk became empty. A
// chunk that must precede it is appended to dst.
func (r *rewriting) edit(dst []byte) (out []byte, gone bool) {
	gone = !r.layout.more && !r.c.Whole && !r.w.opts.Whole
	changed := false
	if r.w.opts.Whole {
		for i := range r.candidates {
			r.place(&r.candidates[i])
		}
		r.insert()
	}
	for i := range r.candidates {
		f := &r.candidates[i]
		if !r.w.opts.Whole {
			r.place(f)
		}
		empty, touched := r.editCandidate(&dst, f)
		changed = changed || touched
		gone = gone && empty
	}
	for i := range r.candidates {
		r.candidates[i].ch.seen = r.candidates[i].ch.seen || !gone || !changed
	}
	r.pin(r.layout.ids, &r.w.id)
	r.pin(r.layout.models, &r.w.model)
	return dst, gone && changed
}

// place positions the replacements of removed blocks: the text for a call goes before
// the first call, everything else where the block was.
func (r *rewriting) place(f *candidateEdit) {
	first := len(f.parts)
	for i := range f.parts {
		p := &f.parts[i]
		if p.calls() {
			first = i
			break
		}
	}
	for i := range f.parts {
		p := &f.parts[i]
		if len(p.instead) == 0 {
			continue
		}
		var moved, here []llm.Block
		for _, b := range p.instead {
			if b.Kind != llm.ToolCall || p.kind != llm.ToolCall {
				b.Signature = "" // it was made for something else
			}
			switch {
			case hollow(&b):
				continue
			case b.Kind == llm.ToolCall && b.ID == "" && p.kind == llm.ToolCall:
				b.ID = p.id
				here = append(here, b)
			case b.Kind != llm.ToolCall && p.kind == llm.ToolCall && f.calls == 0 && first <= i:
				moved = append(moved, b)
			default:
				here = append(here, b)
			}
		}
		if len(moved) > 0 {
			to := &f.parts[first]
			to.before = join(to.before, r.w.own(f.ch, moved))
		}
		p.replace = r.w.own(f.ch, here)
	}
	// Replacements of calls that are still to come go there, too. After a call was sent
	// there is no position for them.
	if first < len(f.parts) && f.calls == 0 {
		to := &f.parts[first]
		to.before = join(to.before, r.w.own(f.ch, f.ch.Ahead()))
	}
}

// calls reports whether a call starts in the part.
func (p *partEdit) calls() bool {
	return p.kind == llm.ToolCall && p.start && !p.drop || hasCall(p.instead)
}

func hasCall(blocks []llm.Block) bool {
	for i := range blocks {
		if blocks[i].Kind == llm.ToolCall {
			return true
		}
	}
	return false
}

// join joins two lists of parts.
func join(a, b []byte) []byte {
	if len(a) > 0 && len(b) > 0 {
		a = append(a, ',')
	}
	return append(a, b...)
}

// editCandidate edits one candidate. It reports whether the candidate became empty, and
// whether something was removed from it.
func (r *rewriting) editCandidate(dst *[]byte, f *candidateEdit) (empty, touched bool) {
	kept, dropped := false, false
	for i := range f.parts {
		p := &f.parts[i]
		p.drop = p.drop || f.late
		dropped = dropped || p.drop
		kept = kept || p.events && !p.drop || len(p.replace) > 0 || len(p.before) > 0 || len(p.after) > 0
	}
	if !f.ch.open && !f.late {
		if waiting := r.w.takeWaiting(f.ch); waiting != nil {
			if kept {
				f.parts[len(f.parts)-1].after = waiting
			} else {
				*dst = r.w.appendChunk(*dst, appendContent(nil, f.at.number, waiting))
			}
		}
	}
	if dropped && !kept {
		r.edits.Remove(f.at.content)
	} else if len(f.parts) > 0 {
		r.editParts(f)
		if r.w.opts.Force && !f.at.role {
			r.edits.InsertLast(r.c.Raw, f.at.inside, []byte(`"role":"model"`))
		}
	}
	finish := !f.at.finish.IsZero()
	if finish && f.late {
		r.edits.Remove(f.at.finish)
		finish, dropped = false, true
	}
	if f.ch.textChanged {
		for _, span := range f.at.copies {
			r.edits.Remove(span)
		}
	}
	if r.w.opts.Force && !f.at.indexed {
		r.edits.InsertLast(r.c.Raw, f.at.span, strconv.AppendInt([]byte(`"index":`), int64(f.at.number), 10))
	}
	return !kept && !finish && !f.at.more, dropped
}

func (r *rewriting) editParts(f *candidateEdit) {
	for i := range f.parts {
		p, span := &f.parts[i], f.at.parts[i]
		switch {
		case p.drop:
			if all := join(join(p.before, p.replace), p.after); len(all) > 0 {
				r.edits.Replace(span, all)
			} else {
				r.edits.Remove(span)
			}
		default:
			if len(p.before) > 0 {
				r.edits.InsertBefore(span, p.before)
			}
			if len(p.after) > 0 {
				r.edits.InsertAfter(span, p.after)
			}
			if p.rename != "" {
				r.rename(span, p.rename)
			}
		}
	}
}

// rename gives the call in a part another id, if it has one there.
func (r *rewriting) rename(part llm.Span, id string) {
	for _, key := range []string{"functionCall", "function_call"} {
		if raw, at, ok := jsonscan.Get(part.In(r.c.Raw), key, "id"); ok && raw[0] == '"' {
			r.edits.ReplaceString(llm.Span{Start: part.Start + at[0], End: part.Start + at[1]}, id)
		}
	}
}

// pin replaces a value by that of the first answer. If the chunk that carried it was
// dropped, this one carries it.
func (r *rewriting) pin(spans []llm.Span, word *string) {
	for _, span := range spans {
		have, ok := jsonscan.Unquote(nil, span.In(r.c.Raw))
		switch {
		case !ok || len(have) == 0 || string(have) == *word:
		case *word == "":
			*word = string(have)
		default:
			r.edits.ReplaceString(span, *word)
		}
	}
}
