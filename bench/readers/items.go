package readers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// itemReader reads responses in Go, with a function for each way. It shares no
// code with Sluice's own decoder: what both got wrong would not be seen.
type itemReader struct {
	name   string
	stream func(events []object, give func(via string, item object))
}

// Codex reads as Codex does, which does not use a library: it acts on every item
// that is done, whatever earlier events said, and ignores all other copies.
func Codex() Reader {
	return itemReader{name: "codex", stream: func(events []object, give func(string, object)) {
		for _, event := range events {
			if event.text("type") == "response.output_item.done" {
				give("output_item.done", event.object("item"))
			}
		}
	}}
}

// Credulous reads as a program that keeps the item of the first event, its type,
// name and id, and takes only the arguments from the events that follow, found by
// their index or by the id of the item.
func Credulous() Reader {
	return itemReader{name: "credulous", stream: credulous}
}

func credulous(events []object, give func(via string, item object)) {
	for _, key := range []string{"output_index", "item_id"} {
		added := map[string]object{} // by the raw key, so that a missing index is one, too
		var order []string
		find := func(event object) (object, bool) {
			item, found := added[string(event[key])]
			return item, found
		}
		for _, event := range events {
			switch kind := event.text("type"); kind {
			case "response.output_item.added":
				item := event.object("item")
				at := string(event[key])
				if key == "item_id" {
					at = string(item["id"])
				}
				if _, again := added[at]; !again {
					order = append(order, at)
				}
				added[at] = item.clone()
			case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
				if item, found := find(event); found {
					member := argumentsMember(kind)
					item.setText(member, item.text(member)+event.text("delta"))
				}
			case "response.function_call_arguments.done", "response.custom_tool_call_input.done":
				if item, found := find(event); found {
					member := argumentsMember(kind)
					give("added, "+member+".done by "+key, item.with(member, event[member]))
				}
			case "response.output_item.done":
				done := event.object("item")
				at := string(event[key])
				if key == "item_id" {
					at = string(done["id"])
				}
				item, found := added[at]
				if !found {
					give("done alone by "+key, done)
					continue
				}
				for _, member := range []string{"arguments", "input", "action", "operation"} {
					if value, has := done[member]; has {
						item = item.with(member, value)
					}
				}
				give("added, output_item.done by "+key, item)
			}
		}
		for _, at := range order {
			give("added and deltas by "+key, added[at])
		}
	}
}

// argumentsMember is the member of an item that an event is about.
func argumentsMember(event string) string {
	if strings.HasPrefix(event, "response.custom_tool_call_input.") {
		return "input"
	}
	return "arguments"
}

func (r itemReader) Name() string            { return r.name }
func (r itemReader) Dialects() []wire.Format { return []wire.Format{wire.OpenAIResponses} }
func (r itemReader) Close() error            { return nil }

func (r itemReader) Read(ctx context.Context, answers []Answer) ([]Reading, error) {
	readings := make([]Reading, len(answers))
	for i, answer := range answers {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		readings[i] = r.read(answer)
	}
	return readings, nil
}

func (r itemReader) read(answer Answer) Reading {
	var reading Reading
	give := func(via string, item object) {
		if call, is := callOf(item); is {
			call.Via = via
			reading.Calls = append(reading.Calls, call)
		}
	}
	switch {
	case answer.Dialect != wire.OpenAIResponses:
		reading.Error = fmt.Sprintf("this reader does not read %s", answer.Dialect)
	case answer.Status >= 400:
		reading.Error = fmt.Sprintf("the status is %d", answer.Status)
	case !answer.Stream:
		var response object
		if err := json.Unmarshal(answer.Body, &response); err != nil {
			reading.Error = err.Error()
			break
		}
		for _, item := range response.objects("output") {
			give("output", item)
		}
	default:
		events, ended := eventsOf(answer.Body)
		r.stream(events, give)
		reading.Error = ended
	}
	return reading
}

// eventsOf are the payloads of an event stream that are objects, and how it
// failed: by an event that says so, or by its missing end.
func eventsOf(body []byte) (events []object, failure string) {
	failure = "the stream has no end"
	body = bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	for block := range bytes.SplitSeq(body, []byte("\n\n")) {
		var data []byte
		for line := range bytes.SplitSeq(block, []byte("\n")) {
			if rest, is := bytes.CutPrefix(line, []byte("data:")); is {
				data = append(data, bytes.TrimPrefix(rest, []byte(" "))...)
				data = append(data, '\n')
			}
		}
		var event object
		if json.Unmarshal(data, &event) != nil {
			continue
		}
		events = append(events, event)
		switch event.text("type") {
		case "response.completed", "response.incomplete":
			if failure == "the stream has no end" {
				failure = ""
			}
		case "response.failed", "error":
			failure = string(data)
		}
	}
	return events, failure
}

// callOf is the call that a client would execute for an item. An unknown type is
// one if its name says so.
func callOf(item object) (Call, bool) {
	kind := item.text("type")
	call := Call{Name: item.text("name"), ID: item.text("call_id")}
	if call.ID == "" {
		call.ID = item.text("id")
	}
	switch kind {
	case "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call", "tool_search_call":
		return Call{}, false // the provider executes these
	case "shell_call":
		if strings.HasPrefix(item.object("environment").text("type"), "container") {
			return Call{}, false // in the provider's own container
		}
	case "function_call", "custom_tool_call", "local_shell_call", "computer_call", "apply_patch_call", "mcp_approval_request":
	default:
		if !strings.HasSuffix(kind, "_call") && !strings.HasSuffix(kind, "tool_use") && !strings.HasSuffix(kind, "_request") {
			return Call{}, false
		}
	}
	if call.Name == "" {
		call.Name = kind
	}
	for _, member := range []string{"arguments", "input", "action", "actions", "operation"} {
		if value, has := item[member]; has {
			call.Arguments = textOf(value)
			return call, true
		}
	}
	all, err := json.Marshal(item)
	call.Arguments = string(all)
	return call, err == nil
}
