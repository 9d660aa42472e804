package sluicetest

import (
	"fmt"
	"strings"
)

// responsesItem is an output item while it arrives.
type responsesItem struct {
	index    int
	id, kind string
	callID   string
	name     string
	call     *openCall
	// texts are the streamed texts under their place in the item, such as
	// content/0, summary/1 or arguments; order has those places.
	texts map[string]*itemText
	order []string
	parts map[string]int // number of parts: content, summary
	done  object
}

// itemText is one streamed text of an item.
type itemText struct {
	kind     string // the part's type
	text     *strings.Builder
	streamed bool // a delta was seen
	done     bool // the text's own done event was seen
	part     bool // the part has an added event
	closed   bool // the part's done event was seen
}

// responsesText says where the text of an event family belongs.
type responsesText struct {
	place  string // member of the item, or list of parts
	index  string // member with the number of the part, "" if the text is the only one
	part   string // type of the part
	member string // member of the done event that has the whole text
}

// responsesTexts are the known families of text events: name + ".delta" and
// name + ".done".
var responsesTexts = map[string]responsesText{
	"response.output_text":                     {"content", "content_index", "output_text", "text"},
	"response.refusal":                         {"content", "content_index", "refusal", "refusal"},
	"response.reasoning_text":                  {"content", "content_index", "reasoning_text", "text"},
	"response.reasoning_summary_text":          {"summary", "summary_index", "summary_text", "text"},
	"response.function_call_arguments":         {"arguments", "", "function_call", "arguments"},
	"response.mcp_call_arguments":              {"arguments", "", "mcp_call", "arguments"},
	"response.custom_tool_call_input":          {"input", "", "custom_tool_call", "input"},
	"response.code_interpreter_call_code":      {"code", "", "code_interpreter_call", "code"},
	"response.shell_call_command":              {"command", "command_index", "", "command"},
	"response.apply_patch_call_operation_diff": {"diff", "", "apply_patch_call", "diff"},
}

// itemEvent reads every event that is not of the life cycle. Unknown ones may
// pass; if they name an item it must be one that is open.
func (r *responsesReader) itemEvent(kind string, o object) {
	switch kind {
	case "response.output_item.added":
		r.added(o)
		return
	case "response.output_item.done":
		if item := r.item(kind, o); item != nil {
			r.itemDone(item, r.needObject("item", o, "item", kind))
		}
		return
	}
	family, step := kind[:strings.LastIndexByte(kind, '.')+1], kind[strings.LastIndexByte(kind, '.')+1:]
	family = strings.TrimSuffix(family, ".")
	where, isText := responsesTexts[family]
	part := family == "response.content_part" || family == "response.reasoning_summary_part"
	if o["output_index"] == nil && !part && !(isText && (step == "delta" || step == "done")) {
		return
	}
	item := r.item(kind, o)
	switch {
	case item == nil:
	case part && step == "added":
		r.partAdded(item, family, o)
	case part && step == "done":
		r.partDone(item, family, o)
	case isText && step == "added":
		r.open(item, r.place(where, o), where.part, r.text(o, where.member))
	case isText && step == "delta":
		r.textDelta(item, where, o)
	case isText && step == "done":
		r.textDone(item, where, o)
	}
}

// item returns the open item that an event belongs to, nil after a violation.
func (r *responsesReader) item(kind string, o object) *responsesItem {
	index := r.needNumber("output-index", o, "output_index", kind)
	if index >= len(r.items) {
		r.fail("item-unknown", "%s for item %d, which was not added", kind, index)
		return nil
	}
	item := r.items[index]
	if item.done != nil {
		r.fail("item-done", "%s for item %d, which is done", kind, index)
		return nil
	}
	if id := r.text(o, "item_id"); o["item_id"] != nil && id != item.id {
		r.fail("item-id", "%s names the item %q, but item %d is %q", kind, id, index, item.id)
		return nil
	}
	return item
}

func (r *responsesReader) added(o object) {
	index := r.needNumber("output-index", o, "output_index", "response.output_item.added")
	if index != len(r.items) {
		r.fail("output-index", "item %d is added, want output_index %d", index, len(r.items))
		return
	}
	body := r.needObject("item", o, "item", "response.output_item.added")
	item := &responsesItem{
		index: index, id: r.need("item-id", body, "id", "an item"), kind: r.need("item-type", body, "type", "an item"),
		texts: map[string]*itemText{}, parts: map[string]int{},
	}
	r.items = append(r.items, item)
	if r.ids[item.id] {
		r.fail("item-id", "two items have the id %q", item.id)
	}
	r.ids[item.id] = true
	r.callHead(item, body)
	if item.kind == "message" && r.text(body, "role") != "assistant" {
		r.fail("role", "a message item has the role %q", r.text(body, "role"))
	}
	// Some servers send an item whole; what it has at the start counts.
	for _, list := range []string{"content", "summary"} {
		if _, isList := body[list].([]any); !isList {
			continue
		}
		for i, part := range r.list(body, list) {
			text := r.open(item, fmt.Sprintf("%s/%d", list, i), r.text(part, "type"), partText(part))
			text.done, text.closed = true, true
			item.parts[list]++
		}
	}
	for _, where := range responsesTexts {
		if where.index == "" && where.part == item.kind {
			r.open(item, where.place, item.kind, r.text(body, where.place))
		}
	}
}

// clientCalls are the items that the client executes, with the member that says
// what to do.
var clientCalls = map[string]string{
	"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action", "shell_call": "action",
	"apply_patch_call": "operation", "computer_call": "action", "mcp_approval_request": "arguments",
}

// callHead checks the ids of a call and begins it in the report.
func (r *responsesReader) callHead(item *responsesItem, body object) {
	item.callID, item.name = r.text(body, "call_id"), r.text(body, "name")
	if item.kind == "function_call" || item.kind == "custom_tool_call" {
		r.need("call-id", body, "call_id", "a "+item.kind)
		r.need("tool-name", body, "name", "a "+item.kind)
	}
	if _, isCall := clientCalls[item.kind]; !isCall {
		return
	}
	if item.callID != "" && r.callIDs[item.callID] {
		r.fail("call-id-unique", "two calls have the call_id %q", item.callID)
	}
	r.callIDs[item.callID] = true
	call := Call{ID: item.callID, Name: item.name, Type: item.kind}
	if call.ID == "" {
		call.ID = item.id
	}
	item.call = r.openCall(call)
}

// place returns the position of an event's text in its item.
func (r *responsesReader) place(where responsesText, o object) string {
	if where.index == "" {
		return where.place
	}
	return fmt.Sprintf("%s/%d", where.place, r.needNumber("part-index", o, where.index, "a text event"))
}

// open begins a text of an item.
func (r *responsesReader) open(item *responsesItem, place, kind, initial string) *itemText {
	text := &itemText{kind: kind}
	switch kind {
	case "output_text", "refusal":
		text.text = r.openText(false)
	case "reasoning_text", "summary_text":
		text.text = r.openText(true)
	default:
		text.text = new(strings.Builder)
	}
	text.text.WriteString(initial)
	item.texts[place] = text
	item.order = append(item.order, place)
	return text
}

// partList returns the list of an item that the events of a family fill.
func partList(family string) (list, index string) {
	if family == "response.reasoning_summary_part" {
		return "summary", "summary_index"
	}
	return "content", "content_index"
}

func (r *responsesReader) partAdded(item *responsesItem, family string, o object) {
	list, index := partList(family)
	n := r.needNumber("part-index", o, index, "a part")
	part := r.needObject("part", o, "part", "a part event")
	kind := r.need("part", part, "type", "a part")
	if n != item.parts[list] {
		r.fail("part-index", "part %d of item %d is added, want %s %d", n, item.index, index, item.parts[list])
		return
	}
	if list == "content" && item.kind != "message" && item.kind != "reasoning" {
		r.fail("part-kind", "a content part in item %d, which is %s", item.index, item.kind)
	}
	if list == "summary" && item.kind != "reasoning" {
		r.fail("part-kind", "a summary part in item %d, which is %s", item.index, item.kind)
	}
	item.parts[list]++
	r.open(item, fmt.Sprintf("%s/%d", list, n), kind, partText(part)).part = true
}

func (r *responsesReader) partDone(item *responsesItem, family string, o object) {
	list, index := partList(family)
	n := r.needNumber("part-index", o, index, "a part")
	part := r.needObject("part", o, "part", "a part event")
	text := item.texts[fmt.Sprintf("%s/%d", list, n)]
	switch {
	case text == nil:
		r.fail("part-unknown", "%s part %d of item %d is done but was not added", list, n, item.index)
	case text.closed:
		r.fail("part-done", "%s part %d of item %d is done twice", list, n, item.index)
	case text.kind != r.text(part, "type"):
		r.fail("part-kind", "%s part %d of item %d changes its type from %q to %q", list, n, item.index, text.kind, r.text(part, "type"))
	case text.text.String() != partText(part):
		r.fail("four-copies", "%s part %d of item %d is done with %q, its deltas gave %q", list, n, item.index, clip([]byte(partText(part))), clip([]byte(text.text.String())))
	default:
		text.closed = true
	}
}

func (r *responsesReader) textDelta(item *responsesItem, where responsesText, o object) {
	delta := r.needString("delta", o, "delta", "a delta event")
	if text := r.streamedText(item, where, o); text != nil {
		text.streamed = true
		text.text.WriteString(delta)
	}
}

func (r *responsesReader) textDone(item *responsesItem, where responsesText, o object) {
	whole := r.needString("done", o, where.member, "a done event")
	text := r.streamedText(item, where, o)
	if text == nil {
		return
	}
	if whole != text.text.String() {
		r.fail("four-copies", "the text of item %d is done with %q, its deltas gave %q", item.index, clip([]byte(whole)), clip([]byte(text.text.String())))
	}
	text.done = true
}

// streamedText returns the text that an event belongs to, nil after a
// violation.
func (r *responsesReader) streamedText(item *responsesItem, where responsesText, o object) *itemText {
	place := r.place(where, o)
	text := item.texts[place]
	if text == nil && where.part == "reasoning_text" && item.kind == "reasoning" && place == fmt.Sprintf("content/%d", item.parts["content"]) {
		// OpenAI documents no part events around raw reasoning.
		item.parts["content"]++
		text = r.open(item, place, where.part, "")
	}
	switch {
	case text == nil:
		r.fail("part-unknown", "a text event for %s of item %d (%s), which was not added", place, item.index, item.kind)
		return nil
	case where.part != "" && text.kind != where.part:
		r.fail("delta-kind", "a %s event for %s of item %d, which is %s", where.part, place, item.index, text.kind)
		return nil
	case text.done || text.closed:
		r.fail("text-done", "%s of item %d goes on after it was done", place, item.index)
		return nil
	}
	return text
}
