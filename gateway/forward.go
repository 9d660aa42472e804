package gateway

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
)

// forward hands a request on whose answer cannot carry a tool call, and the
// answer back, byte for byte.
func (x *exchange) forward() {
	in, no := x.g.readRequest(x.w, x.r)
	if no != nil {
		x.refuse(no)
		return
	}
	x.in = in
	x.begin()
	x.sink = newSink(x.w, x.g.config.Limits.Write)
	x.clock = startClock(&x.g.config.Limits, x.cancel, nil)
	defer x.clock.stop()
	if encodings := x.r.Header["Accept-Encoding"]; len(encodings) > 0 {
		x.header["Accept-Encoding"] = encodings // nobody here needs to read it
	}
	res, err := x.ask(in.wire)
	if err != nil {
		x.settle(err, nil)
		return
	}
	defer func() { _ = res.Body.Close() }()
	x.pass(res)
}

// pass hands an answer back as it is.
func (x *exchange) pass(res *http.Response) {
	x.clock.hear()
	x.end.Status = res.StatusCode
	h := x.w.Header()
	id := h.Get("X-Sluice-Exchange")
	passHeaders(h, res.Header)
	h.Set("X-Sluice-Exchange", id)
	if res.ContentLength >= 0 {
		h["Content-Length"] = res.Header["Content-Length"]
	}
	x.w.WriteHeader(res.StatusCode)
	control := http.NewResponseController(x.w)
	buf := make([]byte, 16<<10)
	for {
		n, err := res.Body.Read(buf)
		if n > 0 {
			x.clock.hear()
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

// passError hands back an error of the upstream: its status, its headers and its
// body as they are, because clients decide by all three what to do. After the
// status line it is told in the words of the dialect.
func (x *exchange) passError(res *http.Response) {
	if !x.sink.retract() {
		x.tellError(res)
		return
	}
	x.pass(res)
	if x.end.Outcome == Complete {
		x.end.Outcome, x.end.Error = UpstreamError, res.Status
	}
}

// maxLateError is the most that is read of an error that came too late for its
// status.
const maxLateError = 64 << 10

func (x *exchange) tellError(res *http.Response) {
	x.end.Outcome, x.end.Error = UpstreamError, res.Status
	cause := &stream.ProviderError{Message: "the upstream answered with the status " + res.Status}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxLateError))
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
