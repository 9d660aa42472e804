package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// load is a stream, or several, that every contender reads.
type load struct {
	name   string
	format wire.Format
	bodies [][]byte // as they arrive over the network, framing included
	chunks int      // payloads in all of them
	// family and length are set for streams that exist in several lengths.
	family string
	length int
}

// frame makes a load of payloads.
func frame(name string, format wire.Format, payloads []string) load {
	var body []byte
	for _, p := range payloads {
		body = sse.AppendEvent(body, eventName(format, p), []byte(p))
	}
	return load{name: name, format: format, chunks: len(payloads), bodies: [][]byte{body}}
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
// with the length of the stream.
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

// recordings are streams of the corpus that are long enough to be meaningful.
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

// recordedLoads returns the recorded streams below dir: some by name, and for
// each format all complete ones as one load. An empty dir has none.
func recordedLoads(dir string) ([]load, error) {
	if dir == "" {
		return nil, nil
	}
	var list []load
	for _, r := range recordings {
		payloads, err := readRecording(filepath.Join(dir, string(r.format), r.file+".jsonl"))
		if err != nil {
			return nil, err
		}
		list = append(list, frame("recorded/"+r.file, r.format, payloads))
	}
	for _, format := range wire.Formats() {
		all, err := allRecordings(dir, format)
		if err != nil {
			return nil, err
		}
		list = append(list, all)
	}
	return list, nil
}

// allRecordings makes one load of the complete streams that a provider has
// sent. Those written by hand to be unusual are left out.
func allRecordings(dir string, format wire.Format) (load, error) {
	all := load{name: allName(format), format: format}
	files, err := filepath.Glob(filepath.Join(dir, string(format), "*.jsonl"))
	if err != nil {
		return all, err
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "synth-") || strings.HasPrefix(name, "inline-") || strings.HasPrefix(name, "duplicate-") {
			continue
		}
		payloads, err := readRecording(file)
		if err != nil {
			return all, err
		}
		one := frame(name, format, payloads)
		report, err := recording.Inspect(bytes.NewReader(one.bodies[0]), recording.Options{Format: format})
		if err != nil || !report.Complete {
			continue
		}
		all.bodies = append(all.bodies, one.bodies[0])
		all.chunks += one.chunks
	}
	return all, nil
}

func allName(format wire.Format) string { return allPrefix + string(format) }

// allPrefix begins the name of the load with all recorded streams of a format.
const allPrefix = "recorded/all of "

func readRecording(path string) ([]string, error) {
	data, err := os.ReadFile(path) //nolint:gosec // the directory is the one that the caller named
	if err != nil {
		return nil, fmt.Errorf("read a recorded stream: %w", err)
	}
	return strings.Split(string(bytes.TrimRight(data, "\n")), "\n"), nil
}
