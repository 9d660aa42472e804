package gemini

import (
	"math"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// finish ends a choice when the provider has sent a reason.
func (d *Decoder) finish(c *stream.Chunk, ch *choice, word []byte, span llm.Span) {
	switch string(word) {
	case "":
		return
	case "FINISH_REASON_UNSPECIFIED":
		d.Note(c.Seq, "finish-unspecified", "an unspecified finish reason counts as none")
		return
	}
	if ch.call != nil {
		d.Note(c.Seq, "call-cut", "a candidate finished in the middle of a streamed call")
		d.closeCall(c, ch, at(span.Start), llm.Incomplete)
	}
	if ch.finished {
		if !ch.dirty {
			d.Note(c.Seq, "finish-repeated", "a candidate finished more than once")
		}
		if !ch.dirty && ch.word == string(word) {
			return
		}
	}
	ch.run = false
	ch.finished, ch.dirty = true, false
	if ch.word != string(word) {
		ch.word = string(word)
	}
	ev := add(c, stream.EventFinish)
	ev.Choice, ev.Data, ev.Span = ch.number, word, span
	ev.Reason = finishReason(word)
	if ev.Reason == llm.FinishStop && ch.calls > 0 {
		// The API has no reason for it: STOP and a call mean that results are awaited.
		ev.Reason = llm.FinishToolCalls
	}
}

func finishReason(word []byte) llm.FinishReason {
	switch string(word) {
	case "STOP":
		return llm.FinishStop
	case "MAX_TOKENS":
		return llm.FinishLength
	case "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR":
		return llm.FinishFiltered
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
		return llm.FinishBadCall
	}
	return llm.FinishOther
}

// feedback reads promptFeedback. Only a block reason matters: then the answer is whole
// without a candidate.
func (d *Decoder) feedback(c *stream.Chunk) error {
	s := &d.scan
	start := s.Pos()
	if s.Null() {
		return nil
	}
	if !s.Object() {
		return stream.NewProtocolError(c, "promptFeedback is not an object", nil)
	}
	blocked, seen := false, false
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "blockReason", "block_reason":
			if seen {
				return twice(c, "promptFeedback")
			}
			seen = true
			reason := d.word()
			blocked = len(reason) > 0 && string(reason) != "BLOCK_REASON_UNSPECIFIED"
		default:
			s.Skip()
		}
	}
	if err := s.Err(); err != nil || !blocked {
		return err
	}
	d.blocked = true
	d.Note(c.Seq, "prompt-blocked", "the provider refused the prompt and answered nothing")
	ev := add(c, stream.EventUnknown)
	ev.Name, ev.Span = nameFeedback, llm.Span{Start: start, End: s.Pos()}
	ev.Raw = ev.Span.In(c.Raw)
	return nil
}

// nameFeedback is the name of the event that reports a blocked prompt.
const nameFeedback = "promptFeedback"

// failure reports the provider's error. Calls that were being streamed first report
// what had arrived of them.
func (d *Decoder) failure(c *stream.Chunk, span llm.Span) {
	for _, ch := range d.choices {
		d.cutCall(c, ch)
		ch.run = false
	}
	d.failed = true
	e := &stream.ProviderError{Raw: span.In(c.Raw)}
	s := &d.sub
	s.Reset(e.Raw)
	if text, ok := s.Str(nil); ok {
		e.Message = string(text)
	}
	if s.Object() {
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			switch string(key) {
			case "status":
				e.Type = text(s)
			case "message":
				e.Message = text(s)
			case "code":
				e.Code = text(s)
			default:
				s.Skip()
			}
		}
	}
	ev := add(c, stream.EventError)
	ev.Err, ev.Span = e, span
}

// text reads a string or a number as text.
func text(s *jsonscan.Scanner) string {
	if v, ok := s.Str(nil); ok {
		return string(v)
	}
	if v, ok := s.Int(); ok {
		return strconv.FormatInt(v, 10)
	}
	s.Skip()
	return ""
}

// readUsage reads usageMetadata, whose counts are those of the answer so far.
func (d *Decoder) readUsage(c *stream.Chunk) error {
	s := &d.scan
	start := s.Pos()
	if s.Null() {
		return nil
	}
	if !s.Object() {
		return stream.NewProtocolError(c, "usageMetadata is not an object", nil)
	}
	var (
		seen                                    uint
		prompt, tools, answer, thoughts, cached int64
	)
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var (
			bit  uint
			into *int64
		)
		switch string(key) {
		case "promptTokenCount", "prompt_token_count":
			bit, into = 1, &prompt
		case "toolUsePromptTokenCount", "tool_use_prompt_token_count":
			bit, into = 2, &tools
		case "candidatesTokenCount", "candidates_token_count":
			bit, into = 4, &answer
		case "thoughtsTokenCount", "thoughts_token_count":
			bit, into = 8, &thoughts
		case "cachedContentTokenCount", "cached_content_token_count":
			bit, into = 16, &cached
		default:
			s.Skip()
			continue
		}
		if seen&bit != 0 {
			return twice(c, "usageMetadata")
		}
		if n, ok := s.Int(); ok {
			*into = max(n, 0)
			seen |= bit
		} else {
			s.Skip()
		}
	}
	if err := s.Err(); err != nil || seen == 0 {
		return err // no counts, only the traffic type: nothing to report
	}
	d.usage = llm.Usage{
		Input: plus(prompt, tools), Output: plus(answer, thoughts), CacheRead: cached, Reasoning: thoughts,
		Raw: c.Raw[start:s.Pos():s.Pos()],
	}
	ev := add(c, stream.EventUsage)
	ev.Usage, ev.Span = &d.usage, llm.Span{Start: start, End: s.Pos()}
	return nil
}

// plus adds non-negative counts without overflow.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
