package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// claim records the id of a call that is sent.
func (w *Writer) claim(id string) {
	if w.ids == nil {
		w.claimed = append(w.claimed, id)
		return
	}
	w.ids[id] = struct{}{}
}

// uniqueID returns id, or a new one if it is empty or another call has it.
func (w *Writer) uniqueID(prefix, id string) string {
	if w.ids == nil {
		w.ids = make(map[string]struct{}, len(w.claimed))
		for _, id := range w.claimed {
			w.ids[id] = struct{}{}
		}
		w.claimed = nil
	}
	for _, taken := w.ids[id]; taken || id == ""; _, taken = w.ids[id] {
		id = w.opts.ID(prefix)
	}
	w.claim(id)
	return id
}

// assign returns the id that an upstream call is sent with.
func (w *Writer) assign(ev *stream.Event) string {
	prefix := "toolu_"
	switch {
	case ev.ProviderType == "mcp_tool_use":
		prefix = "mcptoolu_"
	case ev.Kind == llm.ServerTool:
		prefix = "srvtoolu_"
	}
	id := w.uniqueID(prefix, ev.ID)
	if id != ev.ID && ev.ID != "" {
		if w.renamed == nil {
			w.renamed = make(map[string]string)
		}
		w.renamed[ev.ID] = id
	}
	return id
}

// identify lists the edits that give the upstream block at span the id it
// leaves with, or a result the id of the call it belongs to.
func (w *Writer) identify(raw []byte, span llm.Span, ev *stream.Event) {
	var name, id string
	switch ev.Kind {
	case llm.ToolCall, llm.ServerTool:
		if id = w.assign(ev); id == ev.ID {
			return
		}
		name = "id"
	case llm.ToolResult:
		if id = w.renamed[ev.ToolUseID]; id == "" {
			return
		}
		name = "tool_use_id"
	default:
		return
	}
	if f := w.reader.content(raw, span, &w.reader.block); f != nil {
		return
	}
	at := w.reader.block.idAt
	if name == "tool_use_id" {
		at = w.reader.block.useAt
	}
	if at.IsZero() {
		w.edits.InsertLast(raw, span, jsonscan.AppendString([]byte(`"`+name+`":`), id))
		return
	}
	w.edits.ReplaceString(at, id)
}

// identified returns content_block_start with the ids that the block leaves
// with.
func (w *Writer) identified(raw []byte, ev *stream.Event) []byte {
	if f := w.read(raw); f != nil {
		return raw
	}
	w.edits.Reset()
	w.identify(raw, w.payload.block, ev)
	return w.edited(raw)
}

// identifiedBlock returns a copy of a block that came inside a message with the
// ids that it leaves with.
func (w *Writer) identifiedBlock(raw []byte, ev *stream.Event) []byte {
	block := bytes.Clone(ev.Span.In(raw))
	w.edits.Reset()
	w.identify(block, llm.Span{End: len(block)}, ev)
	return w.edited(block)
}

func (w *Writer) edited(raw []byte) []byte {
	if w.edits.Empty() {
		return raw
	}
	changed, err := w.edits.Apply(nil, raw)
	if err != nil {
		return raw
	}
	return changed
}
