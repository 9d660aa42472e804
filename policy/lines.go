package policy

import (
	"errors"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

var errNotUTF8 = errors.New("policy: a payload with a tool call is not valid UTF-8")

// encodedCall decides about the characters of a payload with a part of a call. Bytes that
// are not UTF-8 are no JSON: clients fail, skip them or read other characters than those
// that are judged. splits: it has a character at which some clients end a line; they would
// go on without the payload, and run another call than the one that was judged.
func (e *Engine) encodedCall(c *stream.Chunk) (splits bool, err error) {
	has := false
	for i := range c.Events {
		has = has || isOfCall(c.Events[i].Kind)
	}
	if !has {
		return false, nil
	}
	if e.set.enforces && !utf8.Valid(c.Raw) {
		return false, errNotUTF8
	}
	return !c.Whole && stream.HasLineEnds(c.Raw), nil
}

// beginsSplit reports whether a payload in which a block begins has a character at which
// some clients end a line. In dialects that number their blocks, clients that go on without
// it would count the later ones wrongly, and give one what belongs to another.
func beginsSplit(c *stream.Chunk, format wire.Format) bool {
	switch format {
	case wire.Anthropic:
		return c.Name == "content_block_start" && stream.HasLineEnds(c.Raw)
	case wire.OpenAIResponses:
		return c.Name == "response.output_item.added" && stream.HasLineEnds(c.Raw)
	default:
		return false
	}
}

// isOfCall includes blocks of unknown types, which may be judged as calls, and calls that
// the provider runs: clients that miss the beginning of one add its input to the call
// before it.
func isOfCall(kind llm.Kind) bool {
	return kind == llm.ToolCall || kind == llm.Opaque || kind == llm.ServerTool
}
