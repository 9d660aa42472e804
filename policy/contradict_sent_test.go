package policy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
	"github.com/sluice-project/sluice/wire/witness"
)

// keeps reports whether what left keeps a promise, else why not.
func keeps(promise string, a *contradict.Answer, sent []byte, err error, aborts bool) (bool, error) {
	switch promise {
	case leftArguments:
		if a.Plan.Dialect == sluicetest.Anthropic && !a.Plan.Whole {
			sent = withoutProviders(sent)
		}
		return !contradict.Marked(string(sent)), nil
	case leftName:
		name := forbiddenName(a.Plan.Whole, sent)
		return name == "", errors.New(name)
	case stopped:
		_, unjudged := errors.AsType[*witness.UnjudgedError](err)
		return !unjudged, err
	case recombined:
		return true, nil // it takes more than what left to tell
	case notWhole:
		if !a.WellFormed || aborts && slices.ContainsFunc(a.Calls, func(c contradict.Call) bool { return c.Forbidden }) {
			return true, nil
		}
	}
	inspect := sluicetest.Inspect
	if a.Plan.Whole {
		inspect = sluicetest.InspectBody
	}
	report, invalid := inspect(a.Plan.Dialect, sent)
	if err = errors.Join(err, invalid); err == nil {
		err = a.Expect(report, true)
	}
	return err == nil && report.Ended, err
}

// withoutProviders is an Anthropic stream without the input of what the provider runs
// itself, by its index and by its place: a piece of a call with the index of such a
// block is one of that block, and the client runs nothing of it.
func withoutProviders(sent []byte) []byte {
	if !contradict.Marked(string(sent)) {
		return sent
	}
	var left []byte
	var places []bool
	byIndex := map[int]bool{}
	for event := range bytes.SplitSeq(sent, []byte("\n\n")) {
		_, data, _ := bytes.Cut(event, []byte("data:"))
		var p struct {
			Type  string `json:"type"`
			Index *int   `json:"index"`
			Block struct {
				Type string `json:"type"`
			} `json:"content_block"`
			Delta struct {
				Type string `json:"type"`
			} `json:"delta"`
		}
		if json.Unmarshal(data, &p) == nil && p.Index != nil {
			switch p.Type {
			case "content_block_start":
				byIndex[*p.Index] = p.Block.Type == "server_tool_use" || p.Block.Type == "mcp_tool_use"
				places = append(places, byIndex[*p.Index])
			case "content_block_delta":
				isPlace := *p.Index < 0 || *p.Index >= len(places) || places[*p.Index]
				if byIndex[*p.Index] && isPlace && p.Delta.Type == "input_json_delta" {
					continue
				}
			}
		}
		left = append(append(left, event...), "\n\n"...)
	}
	return left
}

// forbiddenName returns the first forbidden name where clients look for one. It
// reads the bytes as they are, with duplicate members.
func forbiddenName(whole bool, sent []byte) string {
	if !bytes.ContainsRune(sent, 'Z') && !bytes.Contains(sent, []byte(`\u005a`)) && !bytes.Contains(sent, []byte(`\u005A`)) {
		return ""
	}
	if whole {
		return nameIn(sent)
	}
	for event := range bytes.SplitSeq(sent, []byte("\n\n")) {
		var payload []byte
		for line := range bytes.SplitSeq(event, []byte("\n")) {
			if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				payload = append(payload, data...)
			}
		}
		if name := nameIn(payload); name != "" {
			return name
		}
	}
	return ""
}

// nameIn returns a forbidden name in a JSON value, and the whole value if it cannot
// be read but may have one.
func nameIn(payload []byte) string {
	d := json.NewDecoder(bytes.NewReader(payload))
	type level struct {
		object, value bool // an object, and its next token is a value
		key           string
	}
	var levels []level
	for {
		t, err := d.Token()
		if err != nil {
			if !errors.Is(err, io.EOF) && bytes.ContainsRune(payload, 'Z') {
				return string(payload)
			}
			return ""
		}
		top := len(levels) - 1
		if word, isText := t.(string); isText && top >= 0 && levels[top].object {
			if !levels[top].value {
				levels[top].key, levels[top].value = word, true
				continue
			}
			if strings.EqualFold(strings.TrimSpace(levels[top].key), "name") && contradict.MarkedName(word) {
				return word
			}
		}
		if delim, isDelim := t.(json.Delim); isDelim && (delim == '}' || delim == ']') {
			levels = levels[:top]
			top--
		} else if isDelim {
			if top >= 0 {
				levels[top].value = false
			}
			levels = append(levels, level{object: delim == '{'})
			continue
		}
		if top >= 0 {
			levels[top].value = false
		}
	}
}
