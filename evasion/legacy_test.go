package evasion_test

import (
	"encoding/json"
)

// legacyPayloads moves the one call of a Chat stream to the field function_call.
func legacyPayloads(payloads []string) []string {
	out := make([]string, 0, len(payloads))
	for _, p := range payloads {
		out = append(out, moved(p, "delta"))
	}
	return out
}

// legacyBody does the same for a whole answer.
func legacyBody(body string) string { return moved(body, "message") }

// moved rewrites the choices of a payload.
func moved(payload, member string) string {
	var p map[string]any
	if json.Unmarshal([]byte(payload), &p) != nil {
		return payload
	}
	choices, _ := p["choices"].([]any)
	for _, c := range choices {
		choice := c.(map[string]any)
		if choice["finish_reason"] == "tool_calls" {
			choice["finish_reason"] = "function_call"
		}
		delta, _ := choice[member].(map[string]any)
		calls, _ := delta["tool_calls"].([]any)
		if len(calls) == 0 {
			continue
		}
		// Entries that share a delta go on with the same call.
		first := calls[0].(map[string]any)["function"].(map[string]any)
		for _, c := range calls[1:] {
			more, _ := c.(map[string]any)["function"].(map[string]any)["arguments"].(string)
			so, _ := first["arguments"].(string)
			first["arguments"] = so + more
		}
		delete(delta, "tool_calls")
		delta["function_call"] = first
	}
	text, err := json.Marshal(p)
	if err != nil {
		return payload
	}
	return string(text)
}
