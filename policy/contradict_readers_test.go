package policy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
)

// readPair is a call as a client reads it.
type readPair struct{ name, arguments string }

// keyed is how a client finds the call that a piece belongs to.
type keyed uint8

const (
	byPlace keyed = iota // by index
	byID
	byOrder // the one that began last
)

// readEveryWay reads the calls in a stream of Responses or Messages as clients do that put
// them together from their pieces, each in its own way. Calls without arguments are left
// out: a client that cannot find the pieces of a call has one.
func readEveryWay(a *contradict.Answer, sent []byte) (calls []readPair) {
	if a.Plan.Whole || a.Plan.Dialect != sluicetest.OpenAIResponses && a.Plan.Dialect != sluicetest.Anthropic {
		return nil
	}
	var events []map[string]any
	for line := range bytes.Lines(sent) {
		var event map[string]any
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && json.Unmarshal(data, &event) == nil {
			events = append(events, event)
		}
	}
	for _, how := range []keyed{byPlace, byID, byOrder} {
		calls = append(calls, readPieces(events, how)...)
	}
	return calls
}

// readPieces reads the calls that end.
func readPieces(events []map[string]any, how keyed) (calls []readPair) {
	open := make(map[string]*readPair)
	key := func(event map[string]any, item any) string {
		switch how {
		case byPlace:
			return fmt.Sprint(event["index"], event["output_index"])
		case byID:
			members, _ := item.(map[string]any)
			if id, ok := event["item_id"]; ok {
				return fmt.Sprint(id)
			}
			return fmt.Sprint(members["id"], event["index"])
		default:
			return ""
		}
	}
	ends := func(p *readPair, arguments string) {
		if p != nil && p.name != "" && strings.Trim(arguments, "{} ") != "" {
			calls = append(calls, readPair{p.name, arguments})
		}
	}
	for _, event := range events {
		text := func(name string) string { s, _ := event[name].(string); return s }
		switch text("type") {
		case "content_block_start", "response.output_item.added":
			block, _ := event["content_block"].(map[string]any)
			if item, ok := event["item"].(map[string]any); ok {
				block = item
			}
			p := new(readPair)
			if block["type"] == "tool_use" || block["type"] == "function_call" || block["type"] == "custom_tool_call" {
				p.name, _ = block["name"].(string)
			}
			open[key(event, block)] = p
		case "content_block_delta":
			delta, _ := event["delta"].(map[string]any)
			if p := open[key(event, nil)]; p != nil {
				piece, _ := delta["partial_json"].(string)
				p.arguments += piece
			}
		case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
			if p := open[key(event, nil)]; p != nil {
				p.arguments += text("delta")
			}
		case "response.function_call_arguments.done", "response.custom_tool_call_input.done":
			ends(open[key(event, nil)], text("arguments")+text("input"))
		case "content_block_stop":
			if p := open[key(event, nil)]; p != nil {
				ends(p, p.arguments)
			}
		case "response.output_item.done":
			item, _ := event["item"].(map[string]any)
			if p := open[key(event, item)]; p != nil && (item["type"] == "function_call" || item["type"] == "custom_tool_call") {
				ends(p, p.arguments)
			}
		}
	}
	return calls
}

// allOf returns the first call that is not allowed. Of an answer that ended in an error a
// call may be cut off.
func allOf(read, allowed []readPair, cut bool) error {
	for _, call := range read {
		if !slices.ContainsFunc(allowed, func(a readPair) bool {
			same := a.arguments == call.arguments || equalJSON(a.arguments, call.arguments) || cut && strings.HasPrefix(a.arguments, call.arguments)
			return a.name == call.name && same
		}) {
			return fmt.Errorf("%s(%s), of %q", call.name, call.arguments, allowed)
		}
	}
	return nil
}
