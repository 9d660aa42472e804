package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// bodyMember is the member that holds the arguments of a call, and whether that is JSON
// itself instead of a string. Types that the client does not execute have none.
func bodyMember(typ string) (member string, isJSON bool) {
	switch typ {
	case itemFunctionCall, itemApproval:
		return "arguments", false
	case itemCustomCall:
		return "input", false
	case itemLocalShell, itemShell, itemComputer:
		return "action", true
	case itemApplyPatch:
		return "operation", true
	}
	return "", false
}

// callType is the item type that a block is written as. from is the upstream's
// item that it replaces, nil if there is none.
func callType(b *llm.Block, from *outItem) string {
	typ := b.Type
	switch {
	case typ == "custom":
		typ = itemCustomCall
	case typ == "" && from != nil && from.kind == llm.ToolCall:
		typ = from.typ
	}
	if member, _ := bodyMember(typ); member == "" {
		return itemFunctionCall
	}
	return typ
}

// writable reports whether a call has a form in this dialect. One that replaces
// another may leave its name to that.
func writable(b *llm.Block, replaces bool) bool {
	if _, isJSON := bodyMember(callType(b, nil)); isJSON {
		return jsonscan.Valid([]byte(b.Arguments)) == nil
	}
	return b.Name != "" || replaces
}

// writeBlock writes a block of Sluice's own as a whole item. from is the
// upstream's item that it replaces, nil if there is none: an item of the same
// type keeps its ids and every member that the block does not know.
func (w *Writer) writeBlock(dst []byte, b *llm.Block, from *outItem) []byte {
	ch := w.plan.Choice(0)
	ch.Blocks++
	switch b.Kind {
	case llm.Content:
		return w.writeText(dst, b, from, outputText)
	case llm.Refusal:
		return w.writeText(dst, b, from, refusalText)
	case llm.Thinking:
		return w.writeThinking(dst, b)
	case llm.ToolCall:
		ch.Calls++
		return w.writeCall(dst, b, from)
	case llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
	return dst
}

// newItem records an item created by the writer.
func (w *Writer) newItem(typ string, kind llm.Kind, id, callID string, from *outItem) *outItem {
	it := &outItem{up: -1, typ: typ, kind: kind, id: id, callID: callID, gap: w.gaps}
	if from != nil && !from.reused && from.typ == typ {
		// The replaced item claimed its ids; nothing else uses them now.
		from.reused = true
		delete(w.itemIDs, from.id)
		it.id = from.id
		if callID == "" || callID == from.callID {
			delete(w.callIDs, from.callID)
			it.callID = from.callID
		}
	}
	if kind == llm.ToolCall && typ != itemApproval && it.callID == "" {
		it.callID = w.opts.ID("call_")
	}
	w.name(it)
	w.started(it, w.next)
	return it
}

// writeAdded writes the beginning of an item.
func (w *Writer) writeAdded(dst []byte, it *outItem, item []byte) []byte {
	w.compose(nameItemAdded)
	w.putInt("output_index", int64(it.out))
	w.putRaw("item", item)
	return w.send(dst, nameItemAdded)
}

// writeDone writes the end of an item.
func (w *Writer) writeDone(dst []byte, it *outItem, item []byte) []byte {
	w.compose(nameItemDone)
	w.putInt("output_index", int64(it.out))
	w.putRaw("item", item)
	dst = w.send(dst, nameItemDone)
	w.ended(it, item)
	return dst
}

func (w *Writer) writeText(dst []byte, b *llm.Block, from *outItem, typ partType) []byte {
	it := w.newItem(itemMessage, 0, b.ID, "", from)
	dst = w.writeAdded(dst, it, messageJSON(it, "in_progress"))
	dst = w.wholePart(dst, it, typ, []byte(b.Text))
	return w.writeDone(dst, it, messageJSON(it, "completed"))
}

// messageJSON is a message item with the parts that have left.
func messageJSON(it *outItem, status string) []byte {
	out := append([]byte(nil), `{"id":`...)
	out = jsonscan.AppendString(out, it.id)
	out = append(out, `,"type":"message","status":"`...)
	out = append(out, status...)
	out = append(out, `","role":"assistant","content":`...)
	out = append(out, it.content(false)...)
	return append(out, '}')
}

func (w *Writer) writeThinking(dst []byte, b *llm.Block) []byte {
	it := w.newItem(itemReasoning, llm.Thinking, b.ID, "", nil)
	item := func() []byte {
		out := append([]byte(nil), `{"id":`...)
		out = jsonscan.AppendString(out, it.id)
		out = append(out, `,"type":"reasoning","summary":`...)
		out = append(out, it.content(true)...)
		if b.Signature != "" {
			out = append(out, `,"encrypted_content":`...)
			out = jsonscan.AppendString(out, b.Signature)
		}
		return append(out, '}')
	}
	dst = w.writeAdded(dst, it, item())
	if b.Text != "" {
		dst = w.wholePart(dst, it, summaryText, []byte(b.Text))
	}
	return w.writeDone(dst, it, item())
}

func (w *Writer) writeCall(dst []byte, b *llm.Block, from *outItem) []byte {
	typ := callType(b, from)
	_, isJSON := bodyMember(typ)
	if isJSON && jsonscan.Valid([]byte(b.Arguments)) != nil {
		return dst // it cannot be expressed: fail closed, the call is dropped
	}
	member, body := callBody(typ, b.Arguments)
	var template []byte
	if from != nil && from.typ == typ && !from.reused {
		template = from.added
	}
	if member == "" {
		template = body
	}
	id, callID := "", b.ID
	if typ == itemApproval {
		id, callID = b.ID, ""
	}
	if b.Name == "" && template == nil && !isJSON {
		return dst // nameless calls are not calls
	}
	it := w.newItem(typ, llm.ToolCall, id, callID, from)
	begun := body
	if typ == itemFunctionCall || typ == itemCustomCall {
		begun = []byte(`""`)
	}
	dst = w.writeAdded(dst, it, w.callJSON(it, b.Name, template, "in_progress", member, begun))
	if family := callEvents(typ); family != nil && b.Arguments != "" {
		dst = w.writeBody(dst, it, family, body)
	}
	return w.writeDone(dst, it, w.callJSON(it, b.Name, template, "completed", member, body))
}

// callFamily are the events that stream the body of a call.
type callFamily struct{ delta, done, member string }

var (
	argumentsEvents = callFamily{nameArgsDelta, nameArgsDone, "arguments"}
	mcpEvents       = callFamily{nameMCPArgsDelta, nameMCPArgsDone, "arguments"}
	inputEvents     = callFamily{nameInputDelta, nameInputDone, "input"}
)

// callEvents returns the events of a type whose body streams, else nil.
func callEvents(typ string) *callFamily {
	switch typ {
	case itemFunctionCall:
		return &argumentsEvents
	case itemCustomCall:
		return &inputEvents
	case itemMCPCall:
		return &mcpEvents
	}
	return nil
}

// writeBody writes the body of a call, a JSON string, as one delta and its done.
func (w *Writer) writeBody(dst []byte, it *outItem, family *callFamily, literal []byte) []byte {
	return w.writeBodyDone(w.writeDelta(dst, it, family, literal), it, family, literal)
}

// writeDelta writes the body of a call, a JSON string, as one delta.
func (w *Writer) writeDelta(dst []byte, it *outItem, family *callFamily, literal []byte) []byte {
	it.streamed = true
	w.compose(family.delta)
	w.putItem(it)
	w.putRaw("delta", literal)
	return w.send(dst, family.delta)
}

func (w *Writer) writeBodyDone(dst []byte, it *outItem, family *callFamily, literal []byte) []byte {
	it.streamed, it.told = true, true
	w.compose(family.done)
	w.putItem(it)
	w.putRaw(family.member, literal)
	return w.send(dst, family.done)
}

// callJSON is a call item: the template with another body, or a fresh one. Without a
// member for the body, the template has it.
func (w *Writer) callJSON(it *outItem, name string, template []byte, status, member string, body []byte) []byte {
	if template != nil && w.readView(template) && !w.view.hasOther(member) {
		v := &w.view
		w.inside.Reset()
		w.set(template, &v.id, "id", jsonscan.AppendString(nil, it.id))
		if it.callID != "" {
			w.set(template, &v.callID, "call_id", jsonscan.AppendString(nil, it.callID))
		}
		if name != "" {
			w.set(template, &v.name, "name", jsonscan.AppendString(nil, name))
		}
		if !v.status.at.IsZero() {
			w.inside.ReplaceString(v.status.at, status)
		}
		if member != "" {
			w.set(template, v.member([]byte(member), nil), member, body)
		}
		if out, err := w.inside.Apply(nil, template); err == nil {
			return out
		}
	}
	out := append([]byte(nil), `{"id":`...)
	out = jsonscan.AppendString(out, it.id)
	out = append(out, `,"type":"`...)
	out = append(out, it.typ...)
	out = append(out, '"')
	if it.typ != itemApproval {
		out = append(out, `,"status":"`...)
		out = append(out, status...)
		out = append(out, `","call_id":`...)
		out = jsonscan.AppendString(out, it.callID)
	}
	if name != "" {
		out = append(out, `,"name":`...)
		out = jsonscan.AppendString(out, name)
	}
	if member == "" {
		member, _ = bodyMember(it.typ) // the template is not readable
	}
	out = append(out, `,"`...)
	out = append(out, member...)
	out = append(out, `":`...)
	out = append(out, body...)
	return append(out, '}')
}
