package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
)

// forward passes on, byte for byte, a request whose answer cannot carry a tool
// call, and the answer.
func (x *exchange) forward() {
	in, no := x.readRequest()
	if no != nil {
		x.refuse(no)
		return
	}
	x.in = in
	x.begin()
	x.sink = x.mem.sink.open(x.w, x.control, nil, x.g.config.Limits.Write)
	x.clock = x.mem.clock.start(&x.g.config.Limits, x.cancel, nil)
	defer x.clock.stop()
	if encodings := x.r.Header["Accept-Encoding"]; len(encodings) > 0 {
		x.header["Accept-Encoding"] = encodings // the gateway does not read it
	}
	body := in.wire
	set := x.g.config.Policies.Load()
	results := set.Judges(llm.ToolResult)
	if x.asks && len(in.plain) > 0 && (results || set.Judges(policy.Prompt)) {
		// What the model must not see it must not count or cache either.
		x.engine = x.newEngine()
		var err error
		if body, err = x.question(); err == nil && results && isWrapped(in.plain) {
			err = &refusal{http.StatusForbidden, "tool results in a wrapped request are not judged; send its contents directly", Refused}
		}
		if err != nil {
			x.settle(err, nil)
			return
		}
	}
	res, err := x.ask(body)
	if err != nil {
		x.settle(err, nil)
		return
	}
	defer func() { _ = res.Body.Close() }()
	x.pass(res)
}

// isWrapped reports whether a request contains another request with tool results,
// as Gemini's token count takes it.
func isWrapped(body []byte) bool {
	inner, _, ok := jsonscan.Get(body, "generateContentRequest")
	return ok && (bytes.Contains(inner, []byte("unctionResponse")) || bytes.Contains(inner, []byte("function_response")) || bytes.Contains(inner, []byte(`\u`)))
}

// pass passes an answer on unchanged.
func (x *exchange) pass(res *http.Response) {
	x.clock.noteRead()
	x.end.Status = res.StatusCode
	h := x.w.Header()
	clientHeaders(h, res.Header)
	if res.ContentLength >= 0 {
		h["Content-Length"] = res.Header["Content-Length"]
	}
	switch kinds, said := h["Content-Type"]; {
	case !said:
		h["Content-Type"] = nil // otherwise net/http guesses one
	case slices.ContainsFunc(kinds, isUTF8):
		h["Content-Type"] = []string{inUTF8(kinds)}
	}
	x.w.WriteHeader(res.StatusCode)
	control := x.control
	buf := make([]byte, 16<<10)
	for {
		n, err := res.Body.Read(buf)
		if n > 0 {
			x.clock.noteRead()
			written, failed := x.writeThrough(control, buf[:n])
			x.end.AnswerBytes += int64(written)
			if failed != nil {
				x.gone(failed)
				return
			}
		}
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			x.end.Outcome = Complete
			return
		}
		if err != nil {
			no := x.reason(&brokenError{err})
			x.end.Outcome, x.end.Error = no.outcome, no.message
			panic(http.ErrAbortHandler) //nolint:forbidigo // half an answer must not look whole
		}
	}
}

func (x *exchange) writeThrough(control *http.ResponseController, p []byte) (int, error) {
	_ = control.SetWriteDeadline(x.writeDeadline())
	n, err := x.w.Write(p)
	if err == nil {
		if err = control.Flush(); errors.Is(err, http.ErrNotSupported) {
			err = nil
		}
	}
	return n, err
}

func (x *exchange) writeDeadline() time.Time { return time.Now().Add(x.g.config.Limits.Write) }

// maxError is the size limit of an upstream's error body.
const maxError = 1 << 20

// passError passes on an error of the upstream: its status, its headers and its body
// as they are, because clients use all three to decide what to do. After the status
// line it is reported in the dialect's form. If the body could be more than an error,
// only the status is passed on, by which clients decide whether to retry.
func (x *exchange) passError(res *http.Response) {
	status := fmt.Sprintf("%d %s", res.StatusCode, http.StatusText(res.StatusCode))
	body, err := io.ReadAll(io.LimitReader(res.Body, maxError+1))
	switch {
	case err != nil:
		x.settle(&brokenError{err}, nil)
		return
	case res.StatusCode < 300 || res.StatusCode > 599:
		x.settle(&refusal{http.StatusBadGateway, fmt.Sprintf("the upstream answered with the invalid status %d", res.StatusCode), Cut}, nil)
		return
	case len(body) > maxError || couldBeAnswer(body, encodingOf(res.Header)):
		x.settle(&refusal{res.StatusCode, "the upstream answered with the status " + status + " and a body that could be an answer or contain a tool call that was not judged, so it is withheld", Cut}, nil)
		return
	}
	if !x.sink.retract() {
		x.tellError(status, body)
		return
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	if kind := res.Header["Content-Type"]; len(kind) > 0 {
		res.Header["Content-Type"] = []string{inUTF8(kind)}
	}
	x.pass(res)
	if x.end.Outcome == Complete {
		x.end.Outcome, x.end.Error = UpstreamError, status
	}
}

// tellError reports an error that came too late for its status.
func (x *exchange) tellError(status string, body []byte) {
	x.end.Outcome, x.end.Error = UpstreamError, status
	cause := &stream.ProviderError{Message: "the upstream answered with the status " + status}
	if raw, _, ok := jsonscan.Get(body, "error"); ok && jsonscan.IsObject(string(raw)) {
		cause.Raw = raw
		if message, _, ok := jsonscan.Get(raw, "message"); ok {
			if text, ok := jsonscan.Unquote(nil, message); ok {
				cause.Message = string(text)
			}
		}
	}
	out := stream.NewOutput(x.format.NewWriter(stream.WriterOptions{}), x.sink.Write)
	_ = out.Fail(cause)
	_ = x.sink.finish()
}
