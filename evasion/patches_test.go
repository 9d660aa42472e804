package evasion_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

// patchPayloads lets the diff of an apply_patch_call come in deltas, as its
// provider sends it.
func patchPayloads(payloads []string, piece int) []string {
	var out []string
	for _, p := range payloads {
		var event struct {
			Type  string         `json:"type"`
			Index int            `json:"output_index"`
			Item  map[string]any `json:"item"`
		}
		out = append(out, p)
		if json.Unmarshal([]byte(p), &event) != nil || event.Type != "response.output_item.added" || event.Item["type"] != "apply_patch_call" {
			continue
		}
		operation, _ := event.Item["operation"].(map[string]any)
		diff, _ := operation["diff"].(string)
		if diff == "" {
			continue
		}
		id, _ := event.Item["id"].(string)
		operation["diff"], event.Item["status"] = "", "in_progress"
		item, err := json.Marshal(event.Item)
		if err != nil {
			continue
		}
		out[len(out)-1] = fmt.Sprintf(`{"type":%q,"sequence_number":0,"output_index":%d,"item":%s}`, event.Type, event.Index, item)
		for _, text := range cut(diff, piece) {
			out = append(out, diffEvent("delta", id, event.Index, "delta", text))
		}
		out = append(out, diffEvent("done", id, event.Index, "diff", diff))
	}
	if len(out) == len(payloads) {
		return payloads
	}
	number := regexp.MustCompile(`"sequence_number":\d+,`)
	for i, p := range out {
		counted := `"sequence_number":` + strconv.Itoa(i) + ","
		if !number.MatchString(payloads[0]) { // some servers do not number
			counted = ""
		}
		out[i] = number.ReplaceAllLiteralString(p, counted)
	}
	return out
}

func diffEvent(kind, id string, index int, member, text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(`{"type":"response.apply_patch_call_operation_diff.%s","sequence_number":0,"item_id":%q,"output_index":%d,%q:%s}`, kind, id, index, member, quoted)
}

// cut cuts a text into pieces of so many characters, 0 means one piece.
func cut(text string, piece int) []string {
	if piece == 0 {
		return []string{text}
	}
	var pieces []string
	for chars := []rune(text); len(chars) > 0; {
		n := min(piece, len(chars))
		pieces, chars = append(pieces, string(chars[:n])), chars[n:]
	}
	return pieces
}
