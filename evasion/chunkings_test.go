package evasion_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// chunking is a way in which an answer comes: how its texts are cut into deltas,
// how its calls are mixed with others and spelled, how its bytes are cut on the
// way.
type chunking struct {
	name   string
	piece  int // characters in a delta, 0 means all
	seed   uint64
	quirks sluicetest.Quirks
	read   int // bytes in a read, 0 means all, negative random
	mix    func([]llm.Block) []llm.Block
	spell  func(string) string
	frame  func([]byte) []byte
	recut  func(format wire.Format, payloads []string) []string
	whole  bool // not streamed
	other  bool // what leaves says the same in other bytes
}

// chunkings are the ways that every case is tried in.
var chunkings = []chunking{
	{name: "whole deltas"},
	{name: "whole deltas, byte by byte", read: 1},
	{name: "single characters", piece: 1},
	{name: "single characters, byte by byte", piece: 1, read: 1},
	{name: "two characters", piece: 2},
	{name: "two characters, three bytes", piece: 2, read: 3},
	{name: "three characters, two bytes", piece: 3, read: 2},
	{name: "five characters, seven bytes", piece: 5, read: 7},
	{name: "seven characters, thirteen bytes", piece: 7, read: 13},
	{name: "sixteen characters", piece: 16},
	{name: "sixty-four characters, 61 bytes", piece: 64, read: 61},
	{name: "random deltas and reads", seed: 1, read: -1},
	{name: "other random deltas and reads", seed: 2, read: -1, piece: 40},
	{name: "random small deltas, escaped as providers do", seed: 3, piece: 3, read: -1},
	{name: "pings and padding", seed: 4, other: true, quirks: sluicetest.QuirkPing | sluicetest.QuirkPadding},
	{name: "names and ids on every delta", piece: 9, quirks: sluicetest.QuirkRepeat | sluicetest.QuirkNoNumbers},
	{name: "the finish with the last delta", piece: 11, quirks: sluicetest.QuirkFinishWithDelta, read: 5},
	{name: "the whole call in one delta", quirks: sluicetest.QuirkWholeCalls | sluicetest.QuirkFinishWithDelta | sluicetest.QuirkFilterFirst},
	{name: "a harmless call before", piece: 6, mix: companionBefore},
	{name: "a harmless call after, interleaved", piece: 4, quirks: sluicetest.QuirkInterleave, mix: companionAfter},
	{name: "harmless calls around, interleaved at random", seed: 5, quirks: sluicetest.QuirkInterleave, mix: companionsAround, read: -1},
	{name: "words and thinking before", piece: 8, mix: wordsBefore},
	{name: "arguments in escapes, cut within them", piece: 1, spell: escaped},
	{name: "arguments in escapes, byte by byte", piece: 5, spell: escaped, read: 1},
	{name: "arguments with room, and line ends of two characters cut apart", piece: 3, spell: roomy, frame: carriageReturns, other: true, read: 1},
	{name: "the name in pieces", piece: 10, other: true, recut: splitNames},
	{name: "payloads of several lines", piece: 12, frame: manyLines, other: true, read: 17},
	{name: "not streamed", whole: true},
}

func companion(n int) llm.Block {
	return llm.Block{
		Kind: llm.ToolCall, Type: "function", ID: fmt.Sprintf("beside_%d", n), Name: "Read", Status: llm.Complete,
		Arguments: fmt.Sprintf(`{"file_path":"/home/alice/project/src/é😀%d.go"}`, n),
	}
}

func companionBefore(b []llm.Block) []llm.Block { return append([]llm.Block{companion(1)}, b...) }
func companionAfter(b []llm.Block) []llm.Block  { return append(slices.Clone(b), companion(2)) }
func companionsAround(b []llm.Block) []llm.Block {
	return companionAfter(companionBefore(b))
}

func wordsBefore(b []llm.Block) []llm.Block {
	return append([]llm.Block{
		{Kind: llm.Thinking, Text: "What would be best?", Signature: "c2ln"},
		{Kind: llm.Content, Text: "Let me see: 日本語 😀."},
	}, b...)
}

// escaped writes the letters in the strings of JSON as escapes.
func escaped(arguments string) string {
	if !json.Valid([]byte(arguments)) {
		return arguments
	}
	var out strings.Builder
	inside, escape := false, 0
	for _, r := range arguments {
		switch {
		case escape > 0:
			if escape--; r == 'u' && escape == 0 {
				escape = 4
			}
		case r == '\\' && inside:
			escape = 1
		case r == '"':
			inside = !inside
		case inside && r > ' ' && r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// roomy writes JSON with spaces and lines.
func roomy(arguments string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(arguments), " ", "\t") != nil {
		return arguments
	}
	return out.String()
}

func carriageReturns(events []byte) []byte {
	return bytes.ReplaceAll(events, []byte("\n"), []byte("\r\n"))
}

// manyLines breaks payloads after their first brace, which makes them several
// lines of data.
func manyLines(events []byte) []byte {
	lines := bytes.SplitAfter(events, []byte("\n"))
	for i, line := range lines {
		if rest, ok := bytes.CutPrefix(line, []byte("data: {")); ok {
			lines[i] = append([]byte(": a comment\ndata: {\ndata: "), rest...)
		}
	}
	return bytes.Join(lines, nil)
}

// splitNames sends the names of Chat calls in two pieces.
func splitNames(format wire.Format, payloads []string) []string {
	if format != wire.OpenAIChat {
		return payloads
	}
	var out []string
	for _, p := range payloads {
		head, rest, found := strings.Cut(p, `"function":{"name":"`)
		name, _, _ := strings.Cut(rest, `"`)
		half := len(name) / 2
		if !found || half == 0 || strings.ContainsAny(name, `\`) || name[half] >= 0x80 || !strings.Contains(rest, `"arguments":""`) {
			out = append(out, p)
			continue
		}
		_, start, _ := strings.Cut(p, `"tool_calls":[{"index":`)
		index, _, _ := strings.Cut(start, ",")
		first := head + `"function":{"name":"` + name[:half] + rest[len(name):]
		second := `{"id":"chatcmpl-built","object":"chat.completion.chunk","created":1700000000,"model":"built-model","choices":[{"index":0,"delta":{"tool_calls":[{"index":` +
			index + `,"function":{"name":"` + name[half:] + `"}}]},"logprobs":null,"finish_reason":null}]}`
		if strings.Contains(p, `"choices":[{"index":0,`) {
			out = append(out, first, second)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// reader gives the bytes in the chunking's reads.
func (c *chunking) reader(data []byte) io.Reader {
	switch {
	case c.read < 0:
		return sluicetest.Chopped(data, rand.New(rand.NewPCG(c.seed, 7)))
	case c.read > 0:
		return &fixed{data: data, size: c.read}
	}
	return bytes.NewReader(data)
}

// fixed gives a number of bytes at a time.
type fixed struct {
	data []byte
	size int
}

func (f *fixed) Read(p []byte) (int, error) {
	if len(f.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.data[:min(f.size, len(f.data))])
	f.data = f.data[n:]
	return n, nil
}

// build returns the answer as it comes from the provider.
func (c *chunking) build(format wire.Format, choices [][]llm.Block, legacy bool) []byte {
	opt := sluicetest.BuildOptions{MaxPiece: c.piece, Quirks: c.quirks}
	if c.seed > 0 {
		opt.Rand = rand.New(rand.NewPCG(c.seed, 0))
	}
	if c.whole {
		body := sluicetest.BuildBody(string(format), choices, opt)
		if legacy {
			body = legacyBody(body)
		}
		return []byte(body)
	}
	payloads := sluicetest.Build(string(format), choices, opt)
	if legacy {
		payloads = legacyPayloads(payloads)
	} else if c.recut != nil {
		payloads = c.recut(format, payloads)
	}
	if format == wire.OpenAIResponses {
		payloads = patchPayloads(payloads, c.piece)
	}
	events := sluicetest.SSE(string(format), payloads)
	if c.frame != nil {
		events = c.frame(events)
	}
	return events
}
