package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// load is one stream that every contender reads.
type load struct {
	name   string
	format wire.Format
	body   []byte // as it comes over the network, framing included
	chunks int    // payloads in body
	// family and length are set for streams that exist in several lengths.
	family string
	length int
}

// frame makes a load of payloads.
func frame(name string, format wire.Format, payloads []string) load {
	l := load{name: name, format: format, chunks: len(payloads)}
	for _, p := range payloads {
		l.body = sse.AppendEvent(l.body, eventName(format, p), []byte(p))
	}
	return l
}

// eventName returns the name that goes on the wire with a payload: its type,
// in the formats that have event names.
func eventName(format wire.Format, payload string) string {
	if format != wire.Anthropic && format != wire.OpenAIResponses {
		return ""
	}
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal([]byte(payload), &head) != nil {
		return ""
	}
	return head.Type
}

// lengths are the sizes of the streams that show how the cost of a chunk grows
// with what came before it.
var lengths = []int{300, 3000, 30000}

// generatedLoads returns the streams that need no recording.
func generatedLoads() []load {
	list := make([]load, 0, len(dialects)*(1+2*len(lengths)))
	for _, d := range dialects {
		list = append(list, frame(d.prefix+"/turn", d.format, d.turn()))
		for _, n := range lengths {
			for _, family := range []string{"text", "args"} {
				payloads := d.text(n)
				if family == "args" {
					payloads = d.args(n)
				}
				l := frame(fmt.Sprintf("%s/%s-%d", d.prefix, family, n), d.format, payloads)
				l.family, l.length = d.prefix+"/"+family, n
				list = append(list, l)
			}
		}
	}
	return list
}

// recordings are streams of the corpus that are long enough to say something.
var recordings = []struct {
	format wire.Format
	file   string
}{
	{wire.OpenAIChat, "openai-text"},
	{wire.OpenAIChat, "xai-long-text"},
	{wire.OpenAIChat, "seed-gpt-multiple-tools"},
	{wire.Anthropic, "code-execution-20250825-pptx-skill"},
	{wire.Anthropic, "complex-object-tool"},
	{wire.OpenAIResponses, "openai-web-search-tool"},
	{wire.OpenAIResponses, "openai-gpt5-multi-tool"},
}

// recordedLoads returns the recorded streams below dir. An empty dir has none.
func recordedLoads(dir string) ([]load, error) {
	if dir == "" {
		return nil, nil
	}
	var list []load
	for _, r := range recordings {
		//nolint:gosec // the directory is the one that the caller named
		data, err := os.ReadFile(filepath.Join(dir, string(r.format), r.file+".jsonl"))
		if err != nil {
			return nil, fmt.Errorf("read a recorded stream: %w", err)
		}
		payloads := strings.Split(string(bytes.TrimRight(data, "\n")), "\n")
		list = append(list, frame("recorded/"+r.file, r.format, payloads))
	}
	return list, nil
}
