package openaichat

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// takeCall decides about one entry of tool_calls, or the legacy function_call,
// by all its events.
func (p *payload) takeCall(e *elem, events []stream.Event) {
	ch, first := e.choice, &events[0]
	if ch.finished {
		p.drop(e, first)
		return
	}
	var said entrySays
	for i := range events {
		ev := &events[i]
		planned, step := p.w.plan.Track(ev)
		if planned.Replaced {
			p.drop(e, first)
			p.placeCall(ch, planned, ev)
			return
		}
		if !p.takeCallEvent(ch, ev, step, &said) {
			p.gap = true
			return
		}
	}
	call := ch.call(first.Block)
	if call == nil {
		p.drop(e, first)
		return
	}
	p.sendCall(e, call, first, &said)
}

// entrySays is what an entry adds to its call.
type entrySays struct {
	args   []byte
	begins bool
	other  bool
}

// takeCallEvent takes in one event of a call. It returns false if a part of the
// call is missing.
func (p *payload) takeCallEvent(ch *outChoice, ev *stream.Event, step plan.Step, said *entrySays) bool {
	if step == plan.Gap {
		return false
	}
	if step == plan.Skip {
		return true
	}
	if ev.Type == stream.EventStart {
		p.release(ch, false)
		p.ahead(ch)
		call := p.w.newCall(ch, ev)
		ch.held = append(ch.held, call)
		said.begins = true
		return true
	}
	call := ch.call(ev.Block)
	if call == nil || ev.Type != stream.EventDelta {
		return true
	}
	switch ev.Field {
	case stream.Body:
		said.args = ev.Data
		call.scan.feed(ev.Data)
	case stream.Name:
		switch {
		case ev.Offset > len(call.name):
			return false
		case ev.Offset == len(call.name):
			if call.begun {
				return false // the client took another name as whole
			}
			call.name += string(ev.Data)
		}
	case stream.ID:
		if call.id == "" {
			call.id = string(ev.Data)
		}
	case stream.Signature:
		said.other = true
	}
	return true
}

// placeCall writes the replacement of a call.
func (p *payload) placeCall(ch *outChoice, entry *plan.Entry, ev *stream.Event) {
	if entry.Out < 0 && ev.ProviderType == legacyType {
		// A legacy call becomes another legacy call: no other kind of call can
		// be next to it.
		i := slices.IndexFunc(entry.With, func(b llm.Block) bool { return b.Kind == llm.ToolCall })
		if i >= 0 {
			p.between(ch, functionCallMember(&entry.With[i]))
			ch.calls++
			ch.legacy++
			entry.With = slices.Delete(slices.Clone(entry.With), i, i+1)
		}
	}
	p.place(ch, entry, ev.ID)
}

// maxGathered bounds what waits for the end of its call.
const maxGathered = 16 << 20

// sendCall sends an entry, or holds the call back until its name is whole: an argument
// byte, another block or the finish proves it. A call that could be read in two ways is
// held back until the finish, for only that ends it.
func (p *payload) sendCall(e *elem, call *outCall, first *stream.Event, said *entrySays) {
	ch := e.choice
	raw := first.Span.In(p.raw)
	switch {
	case call.begun:
		if len(said.args) == 0 && !said.other {
			p.drop(e, first)
			return
		}
		p.keep(e, first).value = laterEntry(raw, call, said)
		return
	case p.w.gather, call.name == "" || len(said.args) == 0 && len(call.args) == 0:
		if p.w.gathered += len(said.args); p.w.gathered > maxGathered {
			p.gap = true
			return
		}
		call.take(bytes.Clone(raw), said)
		p.drop(e, first)
		return
	}
	call.take(raw, said)
	ch.unhold(call)
	p.keep(e, first).value = p.w.beginEntry(ch, call)
}

// take stores the content of an entry of a call that has not been sent yet.
func (call *outCall) take(raw []byte, said *entrySays) {
	call.args = append(call.args, said.args...)
	switch {
	case call.first == nil:
		call.first = raw
	case call.typ != legacyType:
		call.extra = unknownMembers(call.extra, call.first, raw)
	}
}

func (ch *outChoice) unhold(call *outCall) {
	for i, held := range ch.held {
		if held == call {
			ch.held = append(ch.held[:i:i], ch.held[i+1:]...)
			return
		}
	}
}

// releaseHeld returns the deltas of the calls that were held back, in their
// order: those with a name, unless all of a call must come first, or all of them.
func (w *Writer) releaseHeld(ch *outChoice, all bool) (deltas [][]byte) {
	if len(ch.held) == 0 || w.gather && !all {
		return nil
	}
	held := ch.held
	ch.held = nil
	for _, call := range held {
		switch {
		case call.own != nil:
			deltas = append(deltas, w.block(ch, call.own))
			continue
		case call.name == "" && !all || call.first == nil:
			ch.held = append(ch.held, call)
			continue
		case call.typ == legacyType:
			deltas = append(deltas, append([]byte(`"function_call":`), w.beginEntry(ch, call)...))
			continue
		}
		delta := append([]byte(`"tool_calls":[`), w.beginEntry(ch, call)...)
		deltas = append(deltas, append(delta, ']'))
	}
	return deltas
}

// beginEntry returns the entry with which the client sees a call begin: its
// first one, with index, id, type, the whole name, and arguments as a string. A
// function_call has neither index nor id nor type.
func (w *Writer) beginEntry(ch *outChoice, call *outCall) []byte {
	if call.typ == legacyType {
		return beginLegacy(ch, call)
	}
	call.index = ch.next
	ch.next++
	ch.calls++
	call.id = w.uniqueID(ch, call.id)
	call.begun = true
	ch.open = append(ch.open, call)

	object, argument, word := call.words()
	name := jsonscan.AppendString(nil, call.name)
	args := jsonscan.AppendStringBytes(nil, call.args)
	raw := call.first
	list := membersOf(raw, llm.Span{End: len(raw)})
	body := rebuild{raw: raw}
	if m := find(list, object); m != nil && raw[m.value.Start] == '{' {
		body.members = membersOf(raw, m.value)
		body.same = m.value.In(raw)
	}
	body.set("name", name)
	body.set(argument, args)
	entry := rebuild{raw: raw, members: list, same: raw}
	entry.set("index", number(call.index))
	entry.set("id", jsonscan.AppendString(nil, call.id))
	entry.set("type", jsonscan.AppendString(nil, word))
	entry.set(object, body.bytes())
	if len(call.extra) > 0 {
		entry.added = append(entry.added, call.extra)
	}
	call.first, call.args, call.extra = nil, nil, nil
	return entry.bytes()
}

func beginLegacy(ch *outChoice, call *outCall) []byte {
	ch.calls++
	ch.legacy++
	call.begun = true
	ch.open = append(ch.open, call)
	raw := call.first
	body := rebuild{raw: raw, members: membersOf(raw, llm.Span{End: len(raw)}), same: raw}
	body.set("name", jsonscan.AppendString(nil, call.name))
	body.set("arguments", jsonscan.AppendStringBytes(nil, call.args))
	call.first, call.args = nil, nil
	return body.bytes()
}

// words returns where a call of this type keeps what it says, and its type.
func (call *outCall) words() (object, argument, word string) {
	switch call.typ {
	case "custom":
		return "custom", "input", "custom"
	case "":
		return "function", "arguments", "function"
	}
	return "function", "arguments", call.typ
}

// laterEntry returns an entry that continues a call: its index and arguments,
// and what is not known here.
func laterEntry(raw []byte, call *outCall, said *entrySays) []byte {
	object, argument, _ := call.words()
	entry := rebuild{raw: raw, members: membersOf(raw, llm.Span{End: len(raw)}), same: raw}
	if call.typ == legacyType {
		entry.set(argument, jsonscan.AppendStringBytes(nil, said.args))
		entry.remove("name") // the client has it, and may append it or begin anew with it
		return entry.bytes()
	}
	entry.set("index", number(call.index))
	entry.remove("id")
	entry.remove("type")
	if m := find(entry.members, object); m != nil && raw[m.value.Start] == '{' {
		body := rebuild{raw: raw, members: membersOf(raw, m.value), same: m.value.In(raw)}
		body.remove("name")
		if len(said.args) > 0 || find(body.members, argument) != nil {
			body.set(argument, jsonscan.AppendStringBytes(nil, said.args))
		}
		entry.set(object, body.bytes())
	}
	return entry.bytes()
}

// unknownMembers appends the members of an entry that are in neither list nor
// first, so that nothing of a held call is lost.
func unknownMembers(list, first, raw []byte) []byte {
	known := membersOf(first, llm.Span{End: len(first)})
	wrapped := append(append([]byte{'{'}, list...), '}')
	kept := membersOf(wrapped, llm.Span{End: len(wrapped)})
	for _, m := range membersOf(raw, llm.Span{End: len(raw)}) {
		switch m.name {
		case "index", "id", "type", "function", "custom":
			continue
		}
		if find(known, m.name) != nil || find(kept, m.name) != nil || !saysIn(raw, &m) {
			continue
		}
		if len(list) > 0 {
			list = append(list, ',')
		}
		list = append(list, m.span.In(raw)...)
	}
	return list
}
