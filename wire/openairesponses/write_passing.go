package openairesponses

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
)

// passParts writes a chunk of a message or of reasoning from which nothing was
// taken. Events that the upstream leaves out around a part are added.
func (w *Writer) passParts(dst []byte, c *stream.Chunk, it *outItem) []byte {
	p := &w.p
	switch p.typ {
	case typeItemAdded:
		w.keepInitial(p.item.In(c.Raw), it)
		return w.relay(dst, c.Name, c.Raw, it, w.rename(p.item.In(c.Raw), it))
	case typePartAdded, typeSummaryAdded:
		return w.passPartAdded(dst, c, it)
	case typeTextDelta, typeRefusalDelta, typeThinkingDelta:
		if len(p.delta) == 0 {
			break
		}
		dst = w.enterPart(dst, it)
		part := it.current()
		part.text = append(part.text, p.delta...)
		if len(c.Events) > 0 {
			part.block = c.Events[len(c.Events)-1].Block
		}
	case typeTextDone, typeRefusalDone, typeThinkingDone:
		text := p.text
		if p.typ == typeRefusalDone {
			text = p.refusal
		}
		dst = w.enterPart(dst, it)
		dst = w.catchUp(dst, it, text)
		part := it.current()
		part.stage = textEnded
		if part.bare {
			part.stage = partEnded
		}
	case typePartDone, typeSummaryDone:
		return w.passPartDone(dst, c, it)
	case typeItemDone:
		dst = w.completeParts(dst, p.item.In(c.Raw), it)
		return w.passDone(dst, c, it)
	default:
	}
	return w.relay(dst, c.Name, c.Raw, it, nil)
}

// keepInitial notes the parts that an item begins with.
func (w *Writer) keepInitial(item []byte, it *outItem) {
	w.eachPart(item, func(typ partType, text, raw []byte) {
		part := it.push(typ, it.count(typ), -1)
		part.text = append(part.text, text...)
		part.keep(raw)
	})
}

// eachPart calls f for each part of a message or of reasoning whose type is
// known.
func (w *Writer) eachPart(item []byte, f func(typ partType, text, raw []byte)) {
	if !w.readView(item) {
		return
	}
	summary, content := w.view.summary, w.view.content
	for _, list := range [...]value{summary, content} {
		var s jsonscan.Scanner
		s.Reset(list.raw)
		if !s.Array() {
			continue
		}
		for s.Elem() {
			start := s.Pos()
			part, reason := readPart(&s, new([]byte))
			typ, ok := partTypeOf(string(part.typ))
			if reason == "" && ok {
				f(typ, part.text, list.raw[start:s.Pos()])
			}
		}
	}
}

// passPartAdded writes the beginning of a part in its place.
func (w *Writer) passPartAdded(dst []byte, c *stream.Chunk, it *outItem) []byte {
	raw := w.p.partAt.In(c.Raw)
	w.inner.Reset(raw)
	read, _ := readPart(&w.inner, &w.buf)
	typ, ok := partTypeOf(string(read.typ))
	if !ok {
		return w.relay(dst, c.Name, c.Raw, it, nil)
	}
	if it.current() != nil {
		kept := w.p
		dst = w.closePart(dst, it)
		w.p = kept
	}
	if w.p.part >= 0 && w.p.part < it.count(typ) {
		return dst // it was there before
	}
	part := it.push(typ, it.count(typ), -1)
	part.text = append(part.text, read.text...)
	return w.relay(dst, c.Name, c.Raw, it, nil)
}

// enterPart makes the part that a payload is about the one that is open.
func (w *Writer) enterPart(dst []byte, it *outItem) []byte {
	typ, _ := partTypeOfEvent(w.p.name)
	part := it.current()
	if part != nil && part.typ == typ && (w.p.part < 0 || w.p.part == part.number) {
		return dst
	}
	dst = w.closePart(dst, it)
	if typ == reasoningText {
		it.push(typ, it.count(typ), -1).bare = true
		return dst
	}
	return w.openPart(dst, it, typ, -1)
}

// catchUp sends what a part's final word has and its deltas lacked, where it
// goes on from them. Where it says something else, both stand: see Writer.
func (w *Writer) catchUp(dst []byte, it *outItem, text []byte) []byte {
	part := it.current()
	if part == nil || part.stage != partBegun || it.gap != w.gaps {
		return dst
	}
	if rest, ok := bytes.CutPrefix(text, part.text); ok && len(rest) > 0 {
		return w.growPart(dst, it, rest)
	}
	return dst
}

// passPartDone writes the end of a part.
func (w *Writer) passPartDone(dst []byte, c *stream.Chunk, it *outItem) []byte {
	raw := w.p.partAt.In(c.Raw)
	w.inner.Reset(raw)
	read, _ := readPart(&w.inner, &w.buf)
	typ, ok := partTypeOf(string(read.typ))
	if !ok {
		return w.relay(dst, c.Name, c.Raw, it, nil)
	}
	part := it.current()
	if part == nil || part.typ != typ {
		if w.p.part >= 0 && w.p.part < it.count(typ) {
			return dst // it ended before
		}
		dst = w.closePart(dst, it)
		dst = w.openPart(dst, it, typ, -1)
	}
	dst = w.catchUp(dst, it, read.text)
	part = it.current()
	if part.stage == partBegun && len(part.text) > 0 {
		bare := part.bare
		part.bare = true // only the text's end, the part's own is at hand
		dst = w.closePart(dst, it)
		part.bare = bare
	}
	part.keep(raw)
	return w.relay(dst, c.Name, c.Raw, it, nil)
}

// completeParts writes what has not been written of an item's parts before
// its end.
func (w *Writer) completeParts(dst, item []byte, it *outItem) []byte {
	var contents, summaries int64
	w.eachPart(item, func(typ partType, text, _ []byte) {
		at := contents
		if typ == summaryText {
			at = summaries
			summaries++
		} else {
			contents++
		}
		if part := it.current(); part != nil && part.typ == typ && part.number == at {
			dst = w.catchUp(dst, it, text)
			dst = w.closePart(dst, it)
			return
		}
		if at >= it.count(typ) {
			dst = w.wholePart(dst, it, typ, text)
		}
	})
	return w.closePart(dst, it)
}
