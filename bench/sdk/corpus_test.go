package sdk

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// checked are the formats that have an official client to compare with.
var checked = []wire.Format{wire.OpenAIChat, wire.Anthropic, wire.OpenAIResponses}

// recorded is a stream of the corpus, framed as it comes over the network.
type recorded struct {
	name string
	body []byte
}

// corpusDir returns the directory of recorded streams or skips the test.
func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set: it names the directory of recorded streams " +
			"(openai-chat, anthropic, openai-responses) that this test reads")
	}
	return dir
}

// corpus returns the recorded streams of a format. The corpus has one payload
// per line and no event names: the name is the type of the payload.
func corpus(t *testing.T, format wire.Format) []recorded {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpusDir(t), string(format), "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no recorded streams of %s", format)
	}
	list := make([]recorded, 0, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		list = append(list, recorded{name: name, body: frame(format, string(bytes.TrimRight(data, "\n")))})
	}
	return list
}

// frame turns payloads, one per line, into an event stream.
func frame(format wire.Format, lines string) []byte {
	var body []byte
	for line := range strings.SplitSeq(lines, "\n") {
		var head struct {
			Type string `json:"type"`
		}
		if format != wire.OpenAIChat {
			_ = json.Unmarshal([]byte(line), &head) // a payload without a type has no event name
		}
		body = sse.AppendEvent(body, head.Type, []byte(line))
	}
	return body
}
