package openaichat

import (
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// Terminate ends the answer.
func (w *Writer) Terminate(dst []byte) ([]byte, error) {
	if w.ended {
		return dst, stream.ErrTerminated
	}
	if w.errored {
		w.ended = true
		return dst, nil
	}
	if w.opts.Whole {
		return w.writeOwn(dst), nil
	}
	for _, ch := range w.choices {
		if len(ch.open) > 0 {
			return w.Fail(dst, errCut)
		}
	}
	dst = w.finishRest(dst)
	w.ended = true
	return sse.AppendEvent(dst, "", []byte(doneWord)), nil
}

var errCut = errors.New("the answer was ended inside a tool call")

// mostChoices bounds how many empty choices are made up for missing numbers.
const mostChoices = 128

// finishRest ends the choices that have not finished. Numbers that are missing
// among them, because all of a choice was left out, become empty choices: so
// does an answer without any choice.
func (w *Writer) finishRest(dst []byte) []byte {
	w.choice(0)
	for n := 0; n < len(w.choices) && len(w.choices) < mostChoices; n++ {
		w.choice(n)
	}
	for _, ch := range w.choices {
		if ch.finished {
			continue
		}
		if !ch.role {
			dst = w.chunk(dst, ch, []byte(`"content":""`), "")
		}
		word := "stop"
		if ch.calls > 0 {
			word = "tool_calls"
		}
		dst = w.chunk(dst, ch, nil, word)
		ch.finish()
	}
	if w.late != nil {
		dst = sse.AppendEvent(dst, "", w.late)
		w.late = nil
	}
	return dst
}

// finished reports whether every choice that the client knows of has finished.
func (w *Writer) finished() bool {
	for _, ch := range w.choices {
		if !ch.finished {
			return false
		}
	}
	return len(w.choices) > 0
}

// Fail ends the answer with an error.
func (w *Writer) Fail(dst []byte, cause error) ([]byte, error) {
	if w.ended {
		return dst, stream.ErrTerminated
	}
	w.ended = true
	if w.errored {
		return dst, nil // the provider has already told the client
	}
	if w.opts.Whole {
		return append(dst, failure(cause)...), nil
	}
	return sse.AppendEvent(dst, "", failure(cause)), nil
}

// failure is the payload that reports an error to a client.
func failure(cause error) []byte {
	b := []byte(`{"error":`)
	typ, code := "server_error", ""
	if e, ok := errors.AsType[*stream.ProviderError](cause); ok {
		if jsonscan.Valid(e.Raw) == nil && len(e.Raw) > 0 && e.Raw[0] == '{' {
			return append(append(b, e.Raw...), '}')
		}
		typ, code = e.Type, e.Code
	}
	b = append(b, `{"message":`...)
	b = jsonscan.AppendString(b, plan.Told(cause))
	b = append(b, `,"type":`...)
	b = jsonscan.AppendString(b, typ)
	b = append(b, `,"param":null,"code":`...)
	if code == "" {
		b = append(b, "null"...)
	} else {
		b = jsonscan.AppendString(b, code)
	}
	return append(b, "}}"...)
}
