package openairesponses

import (
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// fail writes the dialect's error and ends the answer.
func (w *Writer) fail(dst []byte, cause error) []byte {
	w.errored, w.closed = true, true
	code := "server_error"
	var object []byte
	if provider, ok := errors.AsType[*stream.ProviderError](cause); ok {
		if provider.Code != "" {
			code = provider.Code
		} else if provider.Type != "" {
			code = provider.Type
		}
		if isError(provider.Raw) {
			object = provider.Raw
		}
	}
	if w.opts.Whole {
		return appendFailure(dst, code, plan.Told(cause), object)
	}
	w.compose(nameError)
	w.putString("code", code)
	w.putString("message", plan.Told(cause))
	w.putRaw("param", []byte("null"))
	if object != nil {
		w.putRaw("error", object)
	}
	return w.send(dst, nameError)
}

// failAs passes on an error that arrived as an event instead of a whole
// response.
func (w *Writer) failAs(dst []byte, c *stream.Chunk) []byte {
	for i := range c.Events {
		if ev := &c.Events[i]; ev.Type == stream.EventError {
			return w.fail(dst, ev.Err)
		}
	}
	return w.fail(dst, nil)
}

// appendFailure appends the body of a response that failed: the provider's own
// error object if there is one.
func appendFailure(dst []byte, code, message string, object []byte) []byte {
	dst = append(dst, `{"error":`...)
	if object == nil {
		object = jsonscan.AppendString([]byte(`{"message":`), message)
		object = append(object, `,"type":"server_error","param":null,"code":`...)
		object = append(jsonscan.AppendString(object, code), '}')
	}
	return append(append(dst, object...), '}')
}
