package gemini

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// insert puts the blocks that wait for an answer which does not stream into its
// candidates: text before the first call, calls last. A failure and a blocked
// prompt take nothing in.
func (r *rewriting) insert() {
	w := r.w
	highest := w.plan.Highest()
	if w.failed || w.blocked {
		highest = -1
	}
	var added []byte
	for n := range highest + 1 {
		if ch := w.choice(n); !r.insertInto(ch) {
			added = join(added, w.ownCandidate(ch))
		}
	}
	for _, ch := range w.choices {
		ch.Waiting = nil
	}
	if len(added) > 0 {
		r.addCandidates(added)
	}
}

// insertInto puts what waits into the candidates of a choice. A response that
// is a list can have several. It reports false if there are none.
func (r *rewriting) insertInto(ch *writing) bool {
	var some *candidateEdit
	var call, last *partEdit
	for i := range r.candidates {
		f := &r.candidates[i]
		if f.ch != ch {
			continue
		}
		if some == nil {
			some = f
		}
		for j := range f.parts {
			last = &f.parts[j]
			if call == nil && last.calls() {
				call = last
			}
		}
	}
	if some == nil {
		return false
	}
	texts, calls := r.w.ownParts(ch)
	switch {
	case call != nil:
		call.before = join(texts, call.before)
		last.after = join(last.after, calls)
	case last != nil:
		last.after = join(last.after, join(texts, calls))
	case len(texts)+len(calls) > 0:
		r.addContent(some.at, join(texts, calls))
	}
	return true
}

// ownParts returns what waits for a choice as parts.
func (w *Writer) ownParts(ch *writing) (texts, calls []byte) {
	slices.SortStableFunc(ch.Waiting, func(a, b llm.Block) int { return rank(a.Kind) - rank(b.Kind) })
	first := len(ch.Waiting)
	if i := slices.IndexFunc(ch.Waiting, func(b llm.Block) bool { return b.Kind == llm.ToolCall }); i >= 0 {
		first = i
	}
	texts, calls = w.own(ch, ch.Waiting[:first]), w.own(ch, ch.Waiting[first:])
	ch.Waiting = nil
	return texts, calls
}

// addContent gives a candidate without parts some.
func (r *rewriting) addContent(at *candidateAt, parts []byte) {
	content := append([]byte(`"content":{"role":"model","parts":[`), parts...)
	content = append(content, "]}"...)
	if at.content.IsZero() {
		r.edits.InsertFirst(r.c.Raw, at.span, content)
		return
	}
	r.edits.Replace(at.content, content)
}

// addCandidates puts candidates behind those that are there.
func (r *rewriting) addCandidates(added []byte) {
	raw := r.c.Raw
	if n := len(r.layout.candidates); n > 0 {
		r.edits.InsertAfter(r.layout.candidates[n-1].span, added)
		return
	}
	list := append(append([]byte{'['}, added...), ']')
	member := append([]byte(`"candidates":`), list...)
	_, at, _ := jsonscan.Get(raw) // without the white space around it
	all := llm.Span{Start: at[0], End: at[1]}
	if raw[all.Start] == '[' {
		r.edits.InsertLast(raw, all, append(append([]byte{'{'}, member...), '}'))
		return
	}
	if _, at, ok := jsonscan.Get(raw, "candidates"); ok { // null or empty
		r.edits.Replace(llm.Span{Start: at[0], End: at[1]}, list)
		return
	}
	r.edits.InsertLast(raw, all, member)
}

// ownCandidate returns a candidate that holds nothing but what waits for it.
func (w *Writer) ownCandidate(ch *writing) []byte {
	texts, calls := w.ownParts(ch)
	stop := appendStop(nil, ch.Number)
	parts := join(texts, calls)
	if len(parts) == 0 {
		return stop
	}
	candidate := append([]byte(`{"content":{"role":"model","parts":[`), parts...)
	return append(append(candidate, "]},"...), stop[1:]...)
}

// ownBody returns an answer that does not stream and holds nothing but what
// waits.
func (w *Writer) ownBody() []byte {
	var candidates []byte
	for n := range max(w.plan.Highest(), 0) + 1 {
		candidates = join(candidates, w.ownCandidate(w.choice(n)))
	}
	return append(append([]byte(`{"candidates":[`), candidates...), "]}"...)
}
