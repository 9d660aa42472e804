package sluicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SSE frames payloads as the provider of the format would: with the payload's
// type as event name where the format has names, one data line each. A line
// break inside a payload (legal between JSON tokens) makes several data lines.
func SSE(format string, payloads []string) []byte {
	var out bytes.Buffer
	for _, payload := range payloads {
		if name := eventName(format, payload); name != "" {
			fmt.Fprintf(&out, "event: %s\n", name)
		}
		for line := range strings.SplitSeq(payload, "\n") {
			fmt.Fprintf(&out, "data: %s\n", line)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// eventName is the name that the format gives a payload's event.
func eventName(format, payload string) string {
	if format != Anthropic && format != OpenAIResponses {
		return ""
	}
	var typed struct {
		Type string `json:"type"`
	}
	if json.Unmarshal([]byte(payload), &typed) != nil {
		return ""
	}
	return typed.Type
}

// event is one dispatched server-sent event.
type event struct {
	name string
	data []byte
}

// split parses an event stream as the standard specifies, but strictly: the second
// result says why the rest is invalid. It is independent of wire/sse, so that a bug
// there cannot hide.
func split(stream []byte) ([]event, string) {
	var (
		events  []event
		name    string
		data    []byte
		hasData bool
		lines   int
	)
	stream = bytes.TrimPrefix(stream, []byte("\xef\xbb\xbf"))
	for len(stream) > 0 {
		end := bytes.IndexAny(stream, "\r\n")
		if end < 0 {
			return events, fmt.Sprintf("the last line has no end: %q", clip(stream))
		}
		line := stream[:end]
		if stream[end] == '\r' && end+1 < len(stream) && stream[end+1] == '\n' {
			end++
		}
		stream = stream[end+1:]
		lines++

		if !utf8.Valid(line) {
			return events, fmt.Sprintf("line %d is not UTF-8: %q", lines, clip(line))
		}
		if len(line) == 0 {
			if hasData {
				events = append(events, event{name: name, data: data})
			} else if name != "" {
				return events, fmt.Sprintf("line %d ends an event %q without data, which no client sees", lines, name)
			}
			name, data, hasData = "", nil, false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "": // a comment
		case "data":
			if hasData {
				data = append(data, '\n')
			}
			data = append(data, value...)
			hasData = true
		case "event":
			name = string(value)
		case "id", "retry":
		default:
			return events, fmt.Sprintf("line %d has an unknown field: %q", lines, clip(line))
		}
	}
	if hasData || name != "" {
		return events, fmt.Sprintf("the last event lacks its empty line, so no client sees it: %q", clip(data))
	}
	return events, ""
}

// clip shortens bytes for an error message.
func clip(b []byte) []byte { return b[:min(len(b), excerpt)] }
