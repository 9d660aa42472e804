package main

import (
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// maxRequest is how many bytes of a file are read to find out whether it is a
// request.
const maxRequest = 8 << 20

// beginning keeps the first bytes of what is written to it.
type beginning struct{ data []byte }

// Write keeps what fits.
func (b *beginning) Write(p []byte) (int, error) {
	b.data = append(b.data, p[:min(len(p), maxRequest-len(b.data))]...)
	return len(p), nil
}

// aboutRequest describes a file that is a request, as "sluice record" stores
// it beside the answer, and not an answer. It is empty if it is neither.
func aboutRequest(name string, data []byte) string {
	answer, recorded := "", false
	if base, ending, ok := strings.Cut(name, ".request.json"); ok {
		recorded = true
		answer = "; its answer is " + base + ".sse or " + base + ".json"
		if ending != "" {
			return "this is a request as the client sent it, compressed, not an answer" + answer
		}
	}
	format := requestFormat(name, data)
	if format == "" && !recorded {
		return ""
	}
	return "this is a request" + summary(format, data) + ", not an answer" + answer
}

// summary describes a request in a few words; it is empty if the request
// cannot be read.
func summary(format wire.Format, data []byte) string {
	if format == "" {
		return ""
	}
	req, err := format.ReadRequest(data)
	if err != nil {
		return ""
	}
	text := " (" + string(format)
	if req.Model != "" {
		text += ", model " + oneLine(req.Model, 80)
	}
	return text + ", " + count(len(req.Messages), "message") + ", " + count(len(req.Tools), "tool") + ")"
}

// requestFormat finds out which format a request is in, by the name of the
// recording or else by the members. It is empty if the object is not a request.
func requestFormat(name string, data []byte) wire.Format {
	found, ok := wire.DetectRequest(data)
	if !ok {
		return ""
	}
	for _, f := range wire.Formats() {
		if strings.Contains(filepath.Base(name), "-"+string(f)+"-") {
			return f
		}
	}
	return found
}
