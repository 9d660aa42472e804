package openaichat

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/sse"
)

// write appends the copies of the payload and the chunks between them.
func (p *payload) write(dst []byte, c *stream.Chunk) []byte {
	for k := range p.before {
		for _, own := range p.before[k] {
			dst = p.w.chunk(dst, own.choice, own.delta, "")
		}
		body := p.render(k)
		if len(p.elems) == 0 && find(p.top, "choices") != nil && saysIn(p.raw, find(p.top, "usage")) && !p.w.finished() && !p.w.errored {
			p.w.late = body
			continue
		}
		if body != nil {
			dst = sse.AppendEvent(dst, c.Name, body)
		}
	}
	return dst
}

// render returns copy k of the payload, nil if it is empty.
func (p *payload) render(k int) []byte {
	last := k == p.copy
	top := rebuild{raw: p.raw, members: p.top, same: p.raw}
	for _, m := range p.top {
		if slot := p.w.envelope.slot(m.name); slot != nil && *slot != nil {
			top.set(m.name, *slot)
		}
	}
	if p.w.opts.Force {
		p.renderHead(&top)
	}
	var elements [][]byte
	touched := false
	for i := range p.elems {
		e := &p.elems[i]
		body, same := p.renderElem(e, k, last)
		touched = touched || !same
		if body != nil {
			elements = append(elements, body)
		}
	}
	if touched {
		if len(elements) == 0 {
			if !last || !p.more() {
				return nil
			}
			if !p.w.finished() {
				// A payload without choices comes after all finishes only.
				elements = append(elements, p.emptyElem())
			}
		}
		top.change("choices", array(elements))
	}
	if !last {
		for _, name := range []string{"usage", "x_groq", "error"} {
			top.remove(name)
		}
	}
	return top.bytes()
}

// renderHead gives a payload what every client expects at its head.
func (p *payload) renderHead(top *rebuild) {
	choices := find(p.top, "choices")
	if choices == nil && saysIn(p.raw, find(p.top, "error")) {
		return // an error alone has no head
	}
	if choices == nil || p.raw[choices.value.Start] != '[' {
		top.set("choices", []byte("[]"))
	}
	if len(p.elems) == 0 {
		return
	}
	top.set("id", p.w.answerID())
	top.set("object", []byte(`"chat.completion.chunk"`))
}

// emptyElem returns a choice of which nothing is left: one that has not
// finished, because after its finish a choice has nothing to say.
func (p *payload) emptyElem() []byte {
	ch := p.elems[0].choice
	for _, other := range p.w.choices {
		if ch.finished {
			ch = other
		}
	}
	delta := "{}"
	if !ch.role {
		ch.role = true
		delta = `{"role":"assistant","content":""}`
	}
	return append(append([]byte(`{"index":`), number(ch.number)...), `,"delta":`+delta+`,"finish_reason":null}`...)
}

// more reports whether the payload says something beside its choices.
func (p *payload) more() bool {
	for i := range p.top {
		switch m := &p.top[i]; m.name {
		case "id", "object", "created", "model", "system_fingerprint", "choices", "service_tier", "obfuscation", "provider":
		default:
			if saysIn(p.raw, m) {
				return true
			}
		}
	}
	return false
}

// renderElem returns what copy k holds of a choice, nil if nothing, and whether
// that is the choice unchanged.
func (p *payload) renderElem(e *elem, k int, last bool) (body []byte, same bool) {
	raw := e.span.In(p.raw)
	if e.members == nil {
		if p.w.opts.Force {
			return nil, false // null
		}
		return raw, true
	}
	ch := e.choice
	delta := rebuild{raw: p.raw, members: e.delta}
	if e.body != nil {
		delta.same = e.body.value.In(p.raw)
	}
	holds, rest := p.renderDelta(e, &delta, k, last)
	finish := e.finishCopy == k
	said := e.finish != nil && saysIn(p.raw, e.finish)
	if !holds && !finish {
		if !last {
			return nil, false
		}
		// Many clients take the last finish reason they see, null included.
		cleared := e.dropped || e.started || ch.swallow || ch.finished
		if cleared && !rest && !p.aboutChoice(e) {
			return nil, false
		}
	}
	p.renderRole(e, &delta)
	out := rebuild{raw: p.raw, members: e.members, same: raw}
	if p.w.opts.Force {
		out.set("index", number(ch.number))
	}
	if e.body != nil {
		if value := delta.bytes(); delta.changed || len(delta.added) > 0 {
			out.change("delta", value)
		}
	}
	switch {
	case finish:
		if said {
			out.set("finish_reason", jsonscan.AppendString(nil, e.word))
		}
	case said:
		out.change("finish_reason", []byte("null"))
	}
	if e.dropped || !last || p.copy > 0 || ch.plan.Changed {
		// They repeat the text token by token, sometimes of what is gone.
		out.remove("logprobs")
	}
	out.remove("message")
	return out.bytes(), !out.changed && len(out.added) == 0
}

// aboutChoice reports whether a choice says something beside its delta that is
// not about the text that was taken out.
func (p *payload) aboutChoice(e *elem) bool {
	for i := range e.members {
		switch m := &e.members[i]; m.name {
		case "index", "delta", "message", "finish_reason", "logprobs", "native_finish_reason", "content_filter_results",
			"content_filter_offsets", "token_ids", "matched_stop", "stop_reason":
		default:
			if saysIn(p.raw, m) {
				return true
			}
		}
	}
	return false
}

// renderRole makes the first chunk of a choice carry the role, and only it
// where the upstream's own is not wanted.
func (p *payload) renderRole(e *elem, delta *rebuild) {
	ch := e.choice
	role := find(e.delta, "role")
	switch {
	case e.body == nil:
	case ch.role:
		if delta.same[0] != '{' {
			delta.same, delta.changed = nil, true
		}
		if e.started || ch.swallow {
			delta.remove("role")
		}
	default:
		ch.role = true
		if delta.same[0] != '{' {
			delta.same = nil
			delta.added = append(delta.added, []byte(`"role":"assistant"`))
		} else if role == nil || !says(role.value.In(p.raw)) {
			delta.set("role", []byte(`"assistant"`))
		}
	}
	e.started = true
}

// renderDelta takes out of a delta what copy k does not hold. It reports
// whether a piece of a block is in it, and whether anything else is.
func (p *payload) renderDelta(e *elem, delta *rebuild, k int, last bool) (holds, rest bool) {
	for i := range e.delta {
		m := &e.delta[i]
		switch m.name {
		case "role", "index":
		case "content":
			if p.raw[m.value.Start] == '[' {
				in, other := p.renderList(e, delta, m, k, last)
				holds, rest = holds || in, rest || other
				break
			}
			holds = p.renderValue(delta, m, k, last) || holds
		case "function_call":
			if p.pieces[m.value.Start] == nil && says(m.value.In(p.raw)) {
				// No event says whose piece it is, as where a name is repeated: its call may
				// be gone.
				delta.remove(m.name)
				e.dropped = true
				break
			}
			holds = p.renderValue(delta, m, k, last) || holds
		case "refusal", "audio":
			holds = p.renderValue(delta, m, k, last) || holds
		case "reasoning", "reasoning_content", "reasoning_details":
			in, other := p.renderReasoning(e, delta, m, k, last)
			holds, rest = holds || in, rest || other
		case "tool_calls":
			holds = p.renderCalls(delta, m, k, last) || holds
		default:
			if !last {
				delta.remove(m.name)
			} else if saysIn(p.raw, m) {
				rest = true
			}
		}
	}
	return holds, rest
}

// renderValue keeps or removes a member whose value is one piece.
func (p *payload) renderValue(delta *rebuild, m *member, k int, last bool) bool {
	at := p.pieces[m.value.Start]
	switch {
	case at == nil:
		if !last {
			delta.remove(m.name)
		}
		return false
	case at.copy != k:
		delta.remove(m.name)
		return false
	}
	if at.value != nil {
		delta.set(m.name, at.value)
	}
	return true
}

// renderReasoning keeps or removes the three members that carry the reasoning: they go
// together, because they repeat each other.
func (p *payload) renderReasoning(e *elem, delta *rebuild, m *member, k int, last bool) (holds, rest bool) {
	in, found := -1, false
	for i := range e.delta {
		switch other := &e.delta[i]; other.name {
		case "reasoning", "reasoning_content", "reasoning_details":
			for _, at := range p.within(other.value) {
				in, found = max(in, at.copy), true
			}
		}
	}
	switch {
	case !found:
		if !last {
			delta.remove(m.name)
			return false, false
		}
		return false, saysIn(p.raw, m)
	case in != k:
		delta.remove(m.name)
		return false, false
	}
	return true, false
}

// renderCalls keeps the entries of tool_calls that are in copy k. Entries that
// say nothing are left out.
func (p *payload) renderCalls(delta *rebuild, m *member, k int, last bool) bool {
	entries := elementsOf(p.raw, m.value)
	if len(entries) == 0 {
		if !last {
			delta.remove(m.name)
		}
		return false
	}
	var kept [][]byte
	same := true
	for _, at := range entries {
		piece := p.pieces[at.Start]
		if piece == nil || piece.copy != k {
			same = false
			continue
		}
		value := piece.value
		if value == nil {
			value = at.In(p.raw)
		}
		same = same && bytes.Equal(value, at.In(p.raw))
		kept = append(kept, value)
	}
	switch {
	case len(kept) == 0:
		delta.remove(m.name)
	case !same:
		delta.change(m.name, array(kept))
	}
	return len(kept) > 0
}

// renderList keeps the parts of a content list that are in copy k. A forced
// writer turns them into the strings that every client reads.
func (p *payload) renderList(e *elem, delta *rebuild, m *member, k int, last bool) (holds, rest bool) {
	var (
		kept  [][]byte
		texts [4][]byte
		same  = true
		plain = p.w.opts.Force && !p.mixed
	)
	for _, at := range elementsOf(p.raw, m.value) {
		in, found, kind := -1, false, llm.Opaque
		for _, piece := range p.within(at) {
			in, found, kind = max(in, piece.copy), true, piece.kind
		}
		if !found && last && !p.w.opts.Force {
			kept = append(kept, at.In(p.raw)) // a part that says nothing
			continue
		}
		if !found || in != k {
			same = false
			continue
		}
		holds = true
		kept = append(kept, at.In(p.raw))
		if kind == llm.Opaque {
			plain = false
			continue
		}
		texts[rank(kind)] = append(texts[rank(kind)], p.textIn(at)...)
	}
	plain = plain && (texts[1] == nil || find(e.delta, "reasoning_content") == nil) &&
		(texts[3] == nil || find(e.delta, "refusal") == nil)
	switch {
	case len(kept) == 0:
		delta.remove(m.name)
	case plain:
		delta.remove(m.name)
		for r, name := range [...]string{1: "reasoning_content", 2: "content", 3: "refusal"} {
			if texts[r] != nil {
				value := jsonscan.AppendStringBytes(nil, texts[r])
				if name == m.name {
					delta.change(name, value)
					continue
				}
				delta.added = append(delta.added, append(append(jsonscan.AppendString(nil, name), ':'), value...))
			}
		}
	case !same:
		delta.change(m.name, array(kept))
	}
	return holds, false
}

// textIn returns the text of the pieces in a part, in their order.
func (p *payload) textIn(at llm.Span) []byte {
	var out []byte
	for _, piece := range p.within(at) {
		out = append(out, piece.data...)
	}
	return out
}
