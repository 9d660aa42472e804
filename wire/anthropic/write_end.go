package anthropic

import (
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// errCut is why an answer that is ended in the middle of a block fails.
var errCut = errors.New("the answer was ended before it was complete")

// finish writes everything that precedes message_stop: what is still queued, and the
// one message_delta with the stop reason.
func (w *Writer) finish(dst []byte) []byte {
	if w.choice.Finished {
		return dst
	}
	dst = w.flushWaiting(dst, true)
	if w.next == 0 && w.isEmptied(w.word) {
		dst = w.writeBlock(dst, &llm.Block{Kind: llm.Content, Text: removedText})
	}
	w.choice.Finished = true
	if w.final == nil {
		return w.writeFinish(dst)
	}
	p := &w.payload
	if f := w.read(w.final); f != nil {
		return w.writeFinish(dst)
	}
	w.edits.Reset()
	w.fixType(w.final, messageDelta)
	w.fixStop(w.word, p.delta.stopAt, p.delta.seqAt)
	if (w.swallowed || w.reports > 1) && len(w.usage) > 0 {
		if p.usage.IsZero() {
			w.edits.InsertLast(w.final, p.object, append([]byte(`"usage":`), w.usage...))
		} else {
			w.edits.Replace(p.usage, w.usage)
		}
	}
	return w.applied(dst, messageDelta, w.final)
}

// writeFinish writes a message_delta of Sluice's own.
func (w *Writer) writeFinish(dst []byte) []byte {
	word := w.word
	if word == "" {
		word = endTurn
		if w.calls > 0 {
			word = toolUse
		}
	}
	b := append([]byte(nil), `{"type":"message_delta","delta":{"stop_reason":`...)
	b = jsonscan.AppendString(b, w.derive(word))
	b = append(b, `,"stop_sequence":null},"usage":`...)
	if len(w.usage) > 0 {
		b = append(b, w.usage...)
	} else {
		b = append(b, `{"output_tokens":0}`...)
	}
	return sse.AppendEvent(dst, messageDelta, append(b, '}'))
}

// isEmptied reports whether an answer without blocks had some. Chunks that the
// caller left out may have been blocks, but a refusal has none by nature.
func (w *Writer) isEmptied(word string) bool {
	return w.choice.Changed || w.anyCleared() || w.skipped && finishReason(word) != llm.FinishFiltered
}

// derive returns the stop reason that fits what was sent. It is the upstream's unless
// blocks were added, removed or dropped.
func (w *Writer) derive(word string) string {
	if !w.choice.Changed && !w.skipped {
		return word
	}
	switch reason := finishReason(word); {
	case reason == llm.FinishToolCalls && w.calls == 0:
		return endTurn
	case reason == llm.FinishStop && w.calls > 0 && w.added > 0:
		return toolUse
	}
	return word
}

// fixStop lists the edits that make a stop reason fit what was sent.
func (w *Writer) fixStop(word string, stop, sequence llm.Span) {
	fit := w.derive(word)
	if fit == word || stop.IsZero() {
		return
	}
	w.edits.ReplaceString(stop, fit)
	if !sequence.IsZero() {
		w.edits.Replace(sequence, []byte("null"))
	}
}

// gap ends an answer of which a part is missing.
func (w *Writer) gap(dst []byte) ([]byte, error) {
	dst, _ = w.Fail(dst, errCut)
	return dst, stream.ErrGap
}

// Fail ends the answer with an error event. The provider's own error object is passed
// on; other causes are reported only if they quote nothing of the answer.
func (w *Writer) Fail(dst []byte, cause error) ([]byte, error) {
	if w.ended || w.over {
		return dst, stream.ErrTerminated
	}
	w.ended = true
	w.plan.Edited = true
	w.queue = queue{}
	b := append([]byte(nil), `{"type":"error","error":`...)
	b = append(appendError(b, cause), '}')
	if w.opts.Whole {
		return append(dst, b...), nil
	}
	return sse.AppendEvent(dst, errorEvent, b), nil
}

func appendError(dst []byte, cause error) []byte {
	kind := "api_error"
	if provider, ok := errors.AsType[*stream.ProviderError](cause); ok {
		if isError(provider.Raw) {
			return append(dst, provider.Raw...)
		}
		if isErrorType(provider.Type) {
			kind = provider.Type
		}
	}
	dst = jsonscan.AppendString(append(dst, `{"type":`...), kind)
	dst = jsonscan.AppendString(append(dst, `,"message":`...), plan.Told(cause))
	return append(dst, '}')
}

// isError reports whether raw is an error object of this dialect.
func isError(raw []byte) bool {
	if jsonscan.Valid(raw) != nil {
		return false
	}
	for _, name := range [...]string{"type", "message"} {
		if value, _, ok := jsonscan.Get(raw, name); !ok || value[0] != '"' {
			return false
		}
	}
	return true
}

func isErrorType(word string) bool {
	switch word {
	case "invalid_request_error", "authentication_error", "billing_error", "permission_error",
		"not_found_error", "request_too_large", "rate_limit_error", "timeout_error", "api_error",
		"overloaded_error":
		return true
	}
	return false
}
