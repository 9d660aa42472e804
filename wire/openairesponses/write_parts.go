package openairesponses

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// partType is the type of a part of a message or of reasoning.
type partType uint8

const (
	outputText partType = iota
	refusalText
	summaryText
	reasoningText
)

// partForm is how the events of a part look.
type partForm struct {
	typ, member          string // of the part
	added, delta         string // event names
	textDone, done       string
	index                string // member with the part's number
	kind                 llm.Kind
	empty, before, after string // JSON of the part: empty, and around its text
}

var partForms = [...]partForm{
	outputText: {
		"output_text", "text", namePartAdded, nameTextDelta, nameTextDone, namePartDone, "content_index", llm.Content,
		`{"type":"output_text","annotations":[],"logprobs":[],"text":""}`,
		`{"type":"output_text","annotations":[],"logprobs":[],"text":`, "}",
	},
	refusalText: {
		"refusal", "refusal", namePartAdded, nameRefusalDelta, nameRefusalDone, namePartDone, "content_index", llm.Refusal,
		`{"type":"refusal","refusal":""}`, `{"type":"refusal","refusal":`, "}",
	},
	summaryText: {
		"summary_text", "text", nameSummaryAdded, nameSummaryDelta, nameSummaryText, nameSummaryDone, "summary_index", llm.Thinking,
		`{"type":"summary_text","text":""}`, `{"type":"summary_text","text":`, "}",
	},
	reasoningText: {
		"reasoning_text", "text", namePartAdded, nameThinkDelta, nameThinkDone, namePartDone, "content_index", llm.Thinking,
		`{"type":"reasoning_text","text":""}`, `{"type":"reasoning_text","text":`, "}",
	},
}

// partTypeOf returns the part type with a name of the dialect.
func partTypeOf(typ string) (partType, bool) {
	switch typ {
	case "output_text", "text":
		return outputText, true
	case "refusal":
		return refusalText, true
	case "summary_text":
		return summaryText, true
	case "reasoning_text":
		return reasoningText, true
	}
	return 0, false
}

// partTypeOfEvent returns the part type that a delta or text event is about.
func partTypeOfEvent(name string) (partType, bool) {
	switch name {
	case nameTextDelta, nameTextDone:
		return outputText, true
	case nameRefusalDelta, nameRefusalDone:
		return refusalText, true
	case nameSummaryDelta, nameSummaryText:
		return summaryText, true
	case nameThinkDelta, nameThinkDone:
		return reasoningText, true
	}
	return 0, false
}

// outPart is a part that has begun to leave.
type outPart struct {
	typ    partType
	number int64
	block  int // -1 while it is not known
	text   []byte
	stage  stage
	bare   bool   // it has no part events: upstream sends none for raw reasoning
	json   []byte // as the upstream told it in full
}

// stage is how much of a part was sent.
type stage uint8

const (
	partBegun stage = iota // content_part.added has left, or a delta without it
	textEnded              // output_text.done has left
	partEnded              // content_part.done has left
)

// current returns the part that is open, nil if there is none.
func (it *outItem) current() *outPart {
	if n := len(it.parts); n > 0 && it.parts[n-1].stage != partEnded {
		return &it.parts[n-1]
	}
	return nil
}

// count returns how many parts of the item's list for this type there are: a
// summary is a list of its own.
func (it *outItem) count(typ partType) int64 {
	if typ == summaryText {
		return it.summaries
	}
	return it.contents
}

// push records the start of a part.
func (it *outItem) push(typ partType, number int64, block int) *outPart {
	if typ == summaryText {
		it.summaries = max(it.summaries, number+1)
	} else {
		it.contents = max(it.contents, number+1)
	}
	it.parts = append(it.parts, outPart{typ: typ, number: number, block: block})
	return &it.parts[len(it.parts)-1]
}

// JSON returns the part as an element of the item.
func (p *outPart) JSON() []byte {
	if p.json != nil {
		return p.json
	}
	form := &partForms[p.typ]
	out := append([]byte(nil), form.before...)
	out = jsonscan.AppendStringBytes(out, p.text)
	return append(out, form.after...)
}

// openPart writes the beginning of a part.
func (w *Writer) openPart(dst []byte, it *outItem, typ partType, block int) []byte {
	form := &partForms[typ]
	part := it.push(typ, it.count(typ), block)
	w.compose(form.added)
	w.putItem(it)
	w.putInt(form.index, part.number)
	w.putRaw("part", []byte(form.empty))
	return w.send(dst, form.added)
}

// growPart writes a delta of the part that is open.
func (w *Writer) growPart(dst []byte, it *outItem, text []byte) []byte {
	part := it.current()
	form := &partForms[part.typ]
	part.text = append(part.text, text...)
	w.compose(form.delta)
	w.putItem(it)
	w.putInt(form.index, part.number)
	w.putBytes("delta", text)
	if part.typ == outputText {
		w.putRaw("logprobs", []byte("[]"))
	}
	return w.send(dst, form.delta)
}

// closePart writes what is left of the part that is open.
func (w *Writer) closePart(dst []byte, it *outItem) []byte {
	part := it.current()
	if part == nil {
		return dst
	}
	form := &partForms[part.typ]
	if part.stage == partBegun {
		w.compose(form.textDone)
		w.putItem(it)
		w.putInt(form.index, part.number)
		w.putBytes(form.member, part.text)
		if part.typ == outputText {
			w.putRaw("logprobs", []byte("[]"))
		}
		dst = w.send(dst, form.textDone)
	}
	part.stage = partEnded
	if part.bare {
		return dst
	}
	w.compose(form.done)
	w.putItem(it)
	w.putInt(form.index, part.number)
	w.putRaw("part", part.JSON())
	return w.send(dst, form.done)
}

// wholePart writes a part from its beginning to its end.
func (w *Writer) wholePart(dst []byte, it *outItem, typ partType, text []byte) []byte {
	dst = w.closePart(dst, it)
	dst = w.openPart(dst, it, typ, -1)
	if len(text) > 0 {
		dst = w.growPart(dst, it, text)
	}
	return w.closePart(dst, it)
}

// content is the JSON list of an item's parts, summary or content.
func (it *outItem) content(summary bool) []byte {
	out := []byte{'['}
	for i := range it.parts {
		if part := &it.parts[i]; (part.typ == summaryText) == summary {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, part.JSON()...)
		}
	}
	return append(out, ']')
}

// keep remembers a part as the upstream sent it in full.
func (p *outPart) keep(raw []byte) {
	p.stage = partEnded
	p.json = slices.Clone(raw)
}
