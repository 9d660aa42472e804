package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// claim notes the ids of an item that leaves unchanged.
func (w *Writer) claim(it *outItem) {
	if it.id != "" {
		w.itemIDs[it.id] = struct{}{}
	}
	if it.callID != "" && it.kind == llm.ToolCall {
		w.callIDs[it.callID] = struct{}{}
	}
}

// name gives an item ids that no other one has: its own if they are free.
func (w *Writer) name(it *outItem) {
	if _, taken := w.itemIDs[it.id]; taken || it.id == "" {
		it.id = w.opts.ID(prefix(it.typ))
	}
	if it.kind == llm.ToolCall && it.typ != itemApproval {
		_, taken := w.callIDs[it.callID]
		if taken || it.callID == "" && (it.typ == itemFunctionCall || it.typ == itemCustomCall) {
			it.callID = w.opts.ID("call_")
		}
	}
	w.claim(it)
}

// prefix is how ids of items of a type begin. Servers refuse an item that is
// replayed under the prefix of another type.
func prefix(typ string) string {
	switch typ {
	case itemMessage:
		return "msg_"
	case itemReasoning:
		return "rs_"
	case itemFunctionCall:
		return "fc_"
	case itemCustomCall:
		return "ctc_"
	case itemLocalShell:
		return "lsh_"
	case itemShell:
		return "sh_"
	case itemApplyPatch:
		return "apc_"
	case itemComputer:
		return "cu_"
	case itemApproval:
		return "mcpr_"
	}
	return "item_"
}

// rename returns the JSON of an item with the ids that it has downstream, nil
// if it has them already. It reads the item into w.view.
func (w *Writer) rename(raw []byte, it *outItem) []byte {
	if !w.readView(raw) {
		return nil
	}
	v := &w.view
	w.inside.Reset()
	if it.id != "" && it.id != string(v.id.str) {
		w.set(raw, &v.id, "id", jsonscan.AppendString(nil, it.id))
	}
	if it.callID != "" && it.kind == llm.ToolCall && it.callID != string(v.callID.str) {
		w.set(raw, &v.callID, "call_id", jsonscan.AppendString(nil, it.callID))
	}
	if w.inside.Empty() {
		return nil
	}
	out, err := w.inside.Apply(nil, raw)
	if err != nil {
		return nil
	}
	return out
}

// set gives a member of an item a value, in w.inside.
func (w *Writer) set(raw []byte, member *value, key string, value []byte) {
	if !member.at.IsZero() {
		w.inside.Replace(member.at, value)
		return
	}
	added := append(jsonscan.AppendString(nil, key), ':')
	w.inside.InsertLast(raw, objectSpan(raw), append(added, value...))
}
