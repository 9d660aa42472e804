package anthropic

import (
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/sse"
)

// removedText is the content of a message from which everything was removed: many
// clients refuse a message without content.
const removedText = "[content removed]"

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// ensureStart begins the message if the upstream has not.
func (w *Writer) ensureStart(dst []byte) []byte {
	if w.started {
		return dst
	}
	w.started = true
	w.swallowed = true
	b := append([]byte(nil), `{"type":"message_start","message":{"id":`...)
	b = jsonscan.AppendString(b, w.opts.ID("msg_"))
	b = append(b, `,"type":"message","role":"assistant","model":"sluice","content":[],"stop_reason":null,`+
		`"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}}`...)
	return sse.AppendEvent(dst, messageStart, b)
}

// writeBlock writes a block of Sluice's own under the next index.
func (w *Writer) writeBlock(dst []byte, b *llm.Block) []byte {
	out := w.next
	w.next++
	switch b.Kind {
	case llm.ToolCall:
		w.calls++
		start := append([]byte(nil), `{"type":"tool_use","id":`...)
		start = jsonscan.AppendString(start, b.ID)
		start = append(start, `,"name":`...)
		start = jsonscan.AppendString(start, b.Name)
		start = append(start, `,"input":{}}`...)
		dst = appendStart(dst, out, start)
		dst = appendDelta(dst, out, "input_json_delta", "partial_json", b.Arguments)
	case llm.Thinking:
		dst = appendStart(dst, out, []byte(`{"type":"thinking","thinking":"","signature":""}`))
		if b.Text != "" {
			dst = appendDelta(dst, out, "thinking_delta", "thinking", b.Text)
		}
		if b.Signature != "" {
			dst = appendDelta(dst, out, "signature_delta", "signature", b.Signature)
		}
	default:
		dst = appendStart(dst, out, []byte(emptyText))
		dst = appendDelta(dst, out, "text_delta", "text", b.Text)
	}
	return appendStop(dst, out)
}

const emptyText = `{"type":"text","text":""}`

// writeWhole writes an upstream block that came in one piece under the next
// index.
func (w *Writer) writeWhole(dst, block []byte) []byte {
	out := w.next
	w.next++
	return appendStop(appendStart(dst, out, block), out)
}

func appendStart(dst []byte, out int, block []byte) []byte {
	b := append([]byte(nil), `{"type":"content_block_start","index":`...)
	b = appendInt(b, out)
	b = append(b, `,"content_block":`...)
	b = append(b, block...)
	return sse.AppendEvent(dst, blockStart, append(b, '}'))
}

func appendDelta(dst []byte, out int, kind, member, value string) []byte {
	b := append([]byte(nil), `{"type":"content_block_delta","index":`...)
	b = appendInt(b, out)
	b = append(b, `,"delta":{"type":"`+kind+`","`+member+`":`...)
	b = jsonscan.AppendString(b, value)
	return sse.AppendEvent(dst, blockDelta, append(b, `}}`...))
}

func appendStop(dst []byte, out int) []byte {
	return sse.AppendEvent(dst, blockStop, stopPayload(out))
}

func stopPayload(out int) []byte {
	return append(appendInt([]byte(`{"type":"content_block_stop","index":`), out), '}')
}

// element returns a block of Sluice's own as an element of a message's content.
func element(b *llm.Block) []byte {
	switch b.Kind {
	case llm.ToolCall:
	case llm.Thinking:
		e := jsonscan.AppendString([]byte(`{"type":"thinking","thinking":`), b.Text)
		e = jsonscan.AppendString(append(e, `,"signature":`...), b.Signature)
		return append(e, '}')
	default:
		return append(jsonscan.AppendString([]byte(`{"type":"text","text":`), b.Text), '}')
	}
	e := jsonscan.AppendString([]byte(`{"type":"tool_use","id":`), b.ID)
	e = jsonscan.AppendString(append(e, `,"name":`...), b.Name)
	e = append(e, `,"input":`...)
	switch {
	case b.Arguments == "":
		e = append(e, `{}`...)
	case jsonscan.Valid([]byte(b.Arguments)) == nil:
		e = append(e, b.Arguments...)
	default:
		// Not repaired: text that is not JSON stays a string that no tool accepts.
		e = jsonscan.AppendString(e, b.Arguments)
	}
	return append(e, '}')
}
