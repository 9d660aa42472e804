package sluicetest

import (
	"strings"
	"unicode/utf8"
)

// responsesIDLimit is the most characters of an id. Observed: "string too long.
// Expected a string with maximum length 64".
const responsesIDLimit = 64

// responses judges the body of a request of OpenAI Responses. Documented: the
// shapes, roles and parts. Observed in refusals: that every call needs an output
// and every output a call before it, unique ids, what ids begin with, and that
// reasoning needs the item that it led to.
func (j *judge) responses(body object) {
	items := j.list(body, "input", "")
	if len(items) == 0 {
		j.failf("messages-empty", "input", "there must be one item at least")
	}
	r := &responsesHistory{judge: j, ids: map[string]bool{}, calls: map[string]string{}, forgets: body["store"] == false}
	for i, item := range items {
		typ := j.text(item.object, "type", item.at)
		r.id(item, typ)
		switch {
		case typ == "message", typ == "" && item.object["role"] != nil:
			j.responsesMessage(item)
		case typ == "reasoning":
			r.reasoning(item, items[i+1:])
		case typ == "":
			j.failf("item-type", item.at, "an item without a type")
		case strings.HasSuffix(typ, "_call") && item.object["call_id"] != nil:
			r.call(item, typ)
		case typ == "function_call", typ == "custom_tool_call":
			j.failf("id-missing", item.at, "a call without a call_id")
		case strings.HasSuffix(typ, "_call_output"):
			r.output(item, typ)
		}
	}
	r.waiting.settle(j)
}

// responsesHistory follows the items of one request.
type responsesHistory struct {
	*judge

	ids     map[string]bool   // of items
	forgets bool              // nothing is stored
	calls   map[string]string // the type of a call by its call_id
	waiting awaited
}

// id checks an item's own id, which is optional.
func (r *responsesHistory) id(item placed, typ string) {
	id := r.text(item.object, "id", item.at)
	if id == "" {
		return
	}
	if r.forgets && (typ == "reasoning" || typ == "function_call" || typ == "custom_tool_call" || typ == "message" && item.object["role"] == "assistant") {
		r.failf("item-not-stored", item.at, "the id is %q, but items are not persisted when store is false", id)
	}
	if r.ids[id] {
		r.failf("item-duplicate", item.at, "the id %q belongs to an earlier item", id)
	}
	r.ids[id] = true
	if !plain(id) || len(id) > responsesIDLimit {
		r.failf("item-id", item.at, "the id is %q, want 1 to %d of a-z, A-Z, 0-9, _ and -", id, responsesIDLimit)
	}
	prefix := ""
	switch typ {
	case "message":
		if item.object["role"] == "assistant" {
			prefix = "msg"
		}
	case "reasoning":
		prefix = "rs"
	case "function_call":
		prefix = "fc"
	}
	if !strings.HasPrefix(id, prefix) {
		r.failf("item-id", item.at, "the id is %q, but those of a %s begin with %s", id, typ, prefix)
	}
}

func (j *judge) responsesMessage(item placed) {
	role := j.text(item.object, "role", item.at)
	switch role {
	case "user", "assistant", "system", "developer":
	default:
		j.failf("role", item.at, "there is no role %q", role)
	}
	if text, isText := item.object["content"].(string); isText {
		if text == "" && role == "assistant" {
			j.failf("content-empty", item.at, "a message of the assistant without content")
		}
		return
	}
	parts := j.list(item.object, "content", item.at)
	if len(parts) == 0 {
		j.failf("content-empty", item.at, "a message of the role %s without content", role)
	}
	for _, part := range parts {
		typ := j.text(part.object, "type", part.at)
		said := typ == "output_text" || typ == "refusal"
		if said != (role == "assistant") || !said && !strings.HasPrefix(typ, "input_") {
			j.failf("part", part.at, "a message of the role %s has no parts of type %q", role, typ)
			continue
		}
		member := "text"
		if typ == "refusal" {
			member = typ
		}
		if _, ok := part.object[member].(string); !ok && (said || typ == "input_text") {
			j.failf("type", part.at, "%q is %s, want a string", member, kindOf(part.object[member]))
		}
	}
}

// reasoning asks for the item that the reasoning led to: something that the
// model made.
func (r *responsesHistory) reasoning(item placed, rest []placed) {
	if _, ok := item.object["summary"].([]any); !ok {
		r.failf("type", item.at, "\"summary\" is %s, want an array", kindOf(item.object["summary"]))
	}
	// Without its id only the encrypted content identifies the reasoning.
	if item.object["id"] == nil && r.text(item.object, "encrypted_content", item.at) == "" {
		r.failf("signature", item.at, "reasoning with neither an id nor encrypted_content")
	}
	if len(rest) == 0 || !responsesMade(rest[0].object) {
		r.failf("reasoning-alone", item.at, "reasoning without the item that follows from it")
		return
	}
	// Where answers are stored, what followed is known by its id, and knows what it
	// followed from.
	switch named, follower := item.object["id"] != nil, rest[0].object["id"] != nil; {
	case named && !follower:
		r.failf("reasoning-follower", item.at, "reasoning with the id %q was provided without its required following item: %s has no id", item.object["id"], rest[0].at)
	case !named && follower:
		r.failf("reasoning-required", rest[0].at, "the item with the id %q was provided without its required reasoning item: %s has no id", rest[0].object["id"], item.at)
	}
}

// responsesMade reports whether an item is one that the model makes.
func responsesMade(item object) bool {
	typ, _ := item["type"].(string)
	if typ == "message" || typ == "" {
		return item["role"] == "assistant"
	}
	return !strings.HasSuffix(typ, "_output")
}

func (r *responsesHistory) call(item placed, typ string) {
	id := r.text(item.object, "call_id", item.at)
	switch {
	case id == "":
		r.failf("id-missing", item.at, "a call without a call_id")
	case utf8.RuneCountInString(id) > responsesIDLimit:
		r.failf("id-long", item.at, "the call_id %q has more than %d characters", id, responsesIDLimit)
	case r.calls[id] != "":
		r.failf("call-duplicate", item.at, "the call_id %q belongs to an earlier call", id)
	}
	r.calls[id] = typ
	r.waiting.call(id, item.at)
	switch typ {
	case "function_call":
		r.name(r.text(item.object, "name", item.at), item.at)
		r.jsonArguments(item.object, item.at)
	case "custom_tool_call":
		r.name(r.text(item.object, "name", item.at), item.at)
		if _, ok := item.object["input"].(string); !ok {
			r.failf("type", item.at, "\"input\" is %s, want a string", kindOf(item.object["input"]))
		}
	}
}

func (r *responsesHistory) output(item placed, typ string) {
	id := r.text(item.object, "call_id", item.at)
	if of := r.calls[id]; of != "" && of+"_output" != typ {
		r.failf("result-type", item.at, "a %s for a %s", typ, of)
	}
	r.waiting.answer(r.judge, id, item.at)
	switch item.object["output"].(type) {
	case string, []any, object:
	default:
		r.failf("type", item.at, "\"output\" is %s, want a string or a list", kindOf(item.object["output"]))
	}
}
