package gemini

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// signature is the signature of an open block, kept because a provider may repeat or
// change it.
type signature struct {
	bytes []byte
	set   bool
}

// part turns one part into events.
func (d *Decoder) part(c *stream.Chunk, ch *choice, p *part) error {
	switch p.kind {
	case partEmpty:
		d.loneSignature(c, ch, p)
	case partText:
		d.text(c, ch, p)
	case partCall:
		d.endRun(c, ch, p.span.Start)
		return d.call(c, ch, p)
	case partResponse, partCode, partOutput, partToolCall, partToolReply:
		d.endRun(c, ch, p.span.Start)
		return d.tool(c, ch, p)
	case partOpaque:
		d.endRun(c, ch, p.span.Start)
		if ch.call != nil {
			ch.call.args.unclear = true // it may leave as a call, which to some clients ends the open one
		}
		ev := d.begin(c, ch, p, llm.Opaque)
		ev.Raw = p.span.In(c.Raw)
		d.sign(c, ch, p, llm.Opaque)
		end(c, ch, p.span, llm.Opaque)
	}
	return nil
}

// begin starts a block at a part.
func (d *Decoder) begin(c *stream.Chunk, ch *choice, p *part, kind llm.Kind) *stream.Event {
	if ch.finished && !ch.dirty {
		ch.dirty = true
		d.Note(c.Seq, "content-after-finish", "a candidate went on after it had finished")
	}
	if kind == llm.ToolCall {
		ch.calls++
	}
	ch.blocks++
	ev := about(c, ch, stream.EventStart, kind, p.span)
	ev.ProviderType = p.key
	return ev
}

// about appends an event of the choice's last block.
func about(c *stream.Chunk, ch *choice, t stream.EventType, kind llm.Kind, span llm.Span) *stream.Event {
	ev := add(c, t)
	ev.Choice, ev.Block, ev.Kind, ev.Span = ch.number, ch.blocks-1, kind, span
	return ev
}

func body(c *stream.Chunk, ch *choice, kind llm.Kind, span llm.Span, data []byte) {
	if len(data) > 0 {
		about(c, ch, stream.EventDelta, kind, span).Data = data
	}
}

// sign reports the signature that came with a part that is a whole block.
func (d *Decoder) sign(c *stream.Chunk, ch *choice, p *part, kind llm.Kind) {
	if len(p.signature) > 0 {
		ev := about(c, ch, stream.EventDelta, kind, p.span)
		ev.Field, ev.Data = stream.Signature, p.signature
	}
}

func end(c *stream.Chunk, ch *choice, span llm.Span, kind llm.Kind) {
	about(c, ch, stream.EventEnd, kind, span)
}

// text continues the open run of text parts, or starts one.
func (d *Decoder) text(c *stream.Chunk, ch *choice, p *part) {
	if ch.run && ch.thought != p.thought {
		d.endRun(c, ch, p.span.Start)
	}
	kind := textKind(p.thought)
	if !ch.run {
		d.begin(c, ch, p, kind)
		ch.run, ch.thought, ch.offset = true, p.thought, 0
		ch.signed.set = false
		// A call that is being streamed keeps its position; the run has its own.
		ch.runBlock = ch.blocks - 1
	}
	ev := about(c, ch, stream.EventDelta, kind, p.span)
	ev.Block, ev.Data, ev.Offset = ch.runBlock, p.text, ch.offset
	ch.offset += len(p.text)
	if len(p.signature) > 0 {
		d.signAgain(c, ch, &ch.signed, ch.runBlock, kind, p)
	}
	if p.unknown != "" {
		ev := about(c, ch, stream.EventUnknown, kind, p.span)
		ev.Block, ev.Name, ev.Raw = ch.runBlock, p.unknown, p.span.In(c.Raw)
	}
}

func textKind(thought bool) llm.Kind {
	if thought {
		return llm.Thinking
	}
	return llm.Content
}

// signAgain reports the signature of a block that stays open. If there are several, the
// last one counts, because clients that keep one per block overwrite it.
func (d *Decoder) signAgain(c *stream.Chunk, ch *choice, have *signature, block int, kind llm.Kind, p *part) {
	if have.set && bytes.Equal(have.bytes, p.signature) {
		return
	}
	t := stream.EventDelta
	if have.set {
		t = stream.EventWhole
		d.Note(c.Seq, "signature-repeated", "one block has several different signatures; the last one counts")
	}
	have.set = true
	have.bytes = append(have.bytes[:0], p.signature...)
	ev := about(c, ch, t, kind, p.span)
	ev.Block, ev.Field, ev.Data = block, stream.Signature, p.signature
}

// loneSignature is a signature without any other data: it belongs to the text before
// it, if that is still open.
func (d *Decoder) loneSignature(c *stream.Chunk, ch *choice, p *part) {
	if ch.run {
		d.signAgain(c, ch, &ch.signed, ch.runBlock, textKind(ch.thought), p)
		return
	}
	ev := add(c, stream.EventUnknown)
	ev.Choice, ev.Name, ev.Raw, ev.Span = ch.number, "thoughtSignature", p.span.In(c.Raw), p.span
}

// endRun ends the open run of text parts because of the value at offset at. Its end has
// an empty span there: it is not part of that value.
func (d *Decoder) endRun(c *stream.Chunk, ch *choice, at int) {
	if !ch.run {
		return
	}
	ch.run = false
	about(c, ch, stream.EventEnd, textKind(ch.thought), llm.Span{Start: at, End: at}).Block = ch.runBlock
}

// tool is a call that the provider executed, or a result: one whole part.
func (d *Decoder) tool(c *stream.Chunk, ch *choice, p *part) error {
	t, err := d.scanTool(c, p)
	if err != nil {
		return err
	}
	kind := llm.ToolResult
	if p.kind == partCode || p.kind == partToolCall {
		kind = llm.ServerTool
	}
	ev := d.begin(c, ch, p, kind)
	ev.Raw, ev.Name = p.span.In(c.Raw), string(t.name)
	if kind == llm.ServerTool {
		ev.ID = string(t.id)
	} else {
		ev.ToolUseID = string(t.id)
	}
	body(c, ch, kind, p.span, t.body)
	d.sign(c, ch, p, kind)
	end(c, ch, p.span, kind)
	return nil
}

// toolPart holds the members of parts of the provider's own tools, and of results.
type toolPart struct{ id, name, body []byte }

// scanTool parses such a part. The body is the arguments or the result as raw JSON, and
// for executed code the code's object or the printed text.
func (d *Decoder) scanTool(c *stream.Chunk, p *part) (toolPart, error) {
	var t toolPart
	bodyKey, nameKey := "response", "name"
	switch p.kind {
	case partCode:
		t.name, t.body, bodyKey, nameKey = []byte("codeExecution"), p.value, "", ""
	case partOutput:
		t.name, bodyKey, nameKey = []byte("codeExecution"), "output", ""
	case partToolCall:
		bodyKey, nameKey = "args", "toolType"
	case partToolReply:
		nameKey = "toolType"
	case partEmpty, partText, partCall, partResponse, partOpaque:
	}
	s := &d.sub
	s.Reset(p.value)
	if !s.Object() {
		return t, stream.NewProtocolError(c, p.key+" is not an object", nil)
	}
	var seen []string
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		name := string(key)
		if name == "tool_type" {
			name = "toolType"
		}
		if (name == "id" || name == bodyKey || name == nameKey) && slices.Contains(seen, name) {
			return t, twice(c, p.key)
		}
		switch name {
		case "id":
			t.id, ok = s.Str(&d.buf)
		case nameKey:
			t.name, ok = s.Str(&d.buf)
		case bodyKey:
			if p.kind == partOutput {
				t.body, ok = s.Str(&d.buf)
			} else if ok = !s.Null(); ok {
				t.body = s.Raw()
			}
		default:
			s.Skip()
			continue
		}
		seen = append(seen, name)
		if !ok && !s.Null() && s.Kind() != jsonscan.Invalid {
			s.Skip()
		}
	}
	return t, nil
}
