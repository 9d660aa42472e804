package sluicetest

import (
	"fmt"
	"strings"
)

// itemDone compares the final form of an item with what was streamed.
func (r *responsesReader) itemDone(item *responsesItem, body object) {
	if id := r.text(body, "id"); id != item.id {
		r.fail("item-id", "item %d is done with the id %q, it was added as %q", item.index, id, item.id)
	}
	if kind := r.text(body, "type"); kind != item.kind {
		r.fail("item-type", "item %d is done as %q, it was added as %q", item.index, kind, item.kind)
	}
	// Hosted items may change their call_id while they run; nobody answers them.
	if id := r.text(body, "call_id"); id != item.callID && item.call != nil {
		r.fail("call-id", "item %d is done with the call_id %q, it was added with %q", item.index, id, item.callID)
	}
	if name := r.text(body, "name"); name != item.name && item.call != nil {
		r.fail("tool-name", "item %d is done with the name %q, it was added with %q", item.index, name, item.name)
	}
	for _, list := range []string{"content", "summary"} {
		if parts, isList := body[list].([]any); (isList || body[list] == nil) && (item.kind == "message" || item.kind == "reasoning") && len(parts) != item.parts[list] {
			r.fail("four-copies", "item %d is done with %d %s parts, %d were added", item.index, len(parts), list, item.parts[list])
			return
		}
	}
	cut := r.text(body, "status") == "incomplete"
	for _, place := range item.order {
		r.textEnd(item, place, body, cut)
	}
	if member, isCall := clientCalls[item.kind]; isCall && item.call != nil {
		if arguments, isText := body[member].(string); isText {
			item.call.arguments.WriteString(arguments)
		} else {
			item.call.arguments.WriteString(compact(body[member]))
		}
		if item.kind == "function_call" && !cut {
			r.checkArguments(item.name, item.call.arguments.String())
		}
	}
	item.done = body
}

// textEnd checks one streamed text of an item that is done. A truncated text may lack
// its done event.
func (r *responsesReader) textEnd(item *responsesItem, place string, body object, cut bool) {
	text := item.texts[place]
	if text.streamed && !text.done && !cut {
		r.fail("done-missing", "item %d is done before %s has its done event", item.index, place)
	}
	if text.part && !text.closed && !cut {
		r.fail("part-unfinished", "item %d is done before %s has its part's done event", item.index, place)
	}
	whole, kind, known := valueAt(body, place)
	if !known {
		if text.text.Len() > 0 {
			r.fail("four-copies", "item %d is done without %s, its deltas gave %q", item.index, place, clip([]byte(text.text.String())))
		}
		return
	}
	if kind != "" && kind != text.kind {
		r.fail("part-kind", "item %d is done with %s as %q, it was added as %q", item.index, place, kind, text.kind)
	}
	if whole != text.text.String() {
		r.fail("four-copies", "item %d is done with %s %q, its deltas gave %q", item.index, place, clip([]byte(whole)), clip([]byte(text.text.String())))
	}
}

// valueAt returns the text at a place of an item, and the type of its part.
func valueAt(body object, place string) (text, kind string, ok bool) {
	list, number, _ := strings.Cut(place, "/")
	switch list {
	case "content", "summary":
		part, ok := element(body[list], number).(object)
		kind, _ := part["type"].(string)
		return partText(part), kind, ok
	case "command":
		action, _ := body["action"].(object)
		text, ok := element(action["commands"], number).(string)
		return text, "", ok
	case "diff":
		operation, _ := body["operation"].(object)
		text, ok := operation["diff"].(string)
		return text, "", ok
	default:
		text, ok := body[place].(string)
		return text, "", ok
	}
}

// element returns an element of a list, nil if there is none.
func element(list any, number string) any {
	elements, _ := list.([]any)
	var n int
	if _, err := fmt.Sscan(number, &n); err != nil || n < 0 || n >= len(elements) {
		return nil
	}
	return elements[n]
}

// partText is the text of a content or summary part.
func partText(part object) string {
	if text, ok := part["text"].(string); ok {
		return text
	}
	refusal, _ := part["refusal"].(string)
	return refusal
}

// copies lists what must be equal in all copies of an item. Statuses, log probabilities
// and encrypted content are ignored: servers vary them between copies.
func copies(item object) []string {
	var list []string
	for _, member := range []string{"id", "type", "call_id", "name", "arguments", "input", "code"} {
		if text, ok := item[member].(string); ok {
			list = append(list, member+": "+text)
		}
	}
	for _, member := range []string{"content", "summary"} {
		parts, _ := item[member].([]any)
		for i, element := range parts {
			part, _ := element.(object)
			kind, _ := part["type"].(string)
			list = append(list, fmt.Sprintf("%s/%d: %s %s", member, i, kind, partText(part)))
		}
	}
	for _, member := range []string{"action", "operation"} {
		if item[member] != nil {
			list = append(list, member+": "+compact(item[member]))
		}
	}
	return list
}

// difference shows the first place where two lists of copies differ.
func difference(sent, final []string) string {
	at := func(list []string, i int) string {
		if i < len(list) {
			return string(clip([]byte(list[i])))
		}
		return "nothing"
	}
	for i := range max(len(sent), len(final)) {
		if at(sent, i) != at(final, i) || i < len(sent) && i < len(final) && sent[i] != final[i] {
			return fmt.Sprintf("%q became %q", at(sent, i), at(final, i))
		}
	}
	return "no difference"
}
