package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/witness"
)

// settle ends the client's answer; nil is a normal end. As long as nothing has
// been sent, an error gets its own status. Later it is reported in the
// dialect's form, and never followed by a normal end.
func (x *exchange) settle(err error, out *stream.Output) {
	if gone := x.sink.failed(); gone != nil {
		x.gone(gone)
		return
	}
	if err == nil {
		x.complete()
		return
	}
	no := x.reason(err)
	if out != nil && endedInDialect(err, no, out) {
		x.complete()
		return
	}
	x.end.Outcome, x.end.Error = no.outcome, no.message
	switch no.outcome {
	case ClientGone:
		return
	case Unjudged:
		x.g.log.Error("an answer was stopped because a call that no policy allowed was about to leave; this is a bug in Sluice",
			slog.String("exchange", x.info.ID), slog.String("upstream", x.info.Upstream), slog.String("format", string(x.format)), slog.Any("error", err))
	case Cut, Unreachable, Failed:
		x.journal.cause = causeForLog(err, no.message)
	default:
	}
	if no.status == 0 { // reported by the provider itself
		_ = x.sink.finish()
		return
	}
	if x.sink.retract() {
		x.end.Status = no.status
		no.write(x.w, x.format)
		return
	}
	if out == nil {
		out = stream.NewOutput(x.format.NewWriter(stream.WriterOptions{}), x.sink.Write)
	}
	if !out.Terminated() {
		_ = out.Fail(no)
	}
	_ = x.sink.finish()
}

// complete ends an answer normally.
func (x *exchange) complete() {
	x.end.Outcome = Complete
	if gone := x.sink.finish(); gone != nil {
		x.gone(gone)
	}
}

// endedInDialect reports whether the answer was already complete in its dialect when a
// connection ended, or failed to end: many clients disconnect at the last event,
// and some upstreams do not. If it was not, out ends with the error.
func endedInDialect(err error, no *refusal, out *stream.Output) bool {
	_, broken := errors.AsType[*brokenError](err)
	switch no.outcome {
	case TimedOut, ClientGone, Stopped:
	case Cut:
		if !broken {
			return false
		}
	default:
		return false
	}
	if !out.Terminated() {
		err = out.Fail(no)
	}
	return errors.Is(err, stream.ErrTerminated)
}

// gone notes that the client has disconnected.
func (x *exchange) gone(err error) {
	x.end.Outcome, x.end.Error = ClientGone, ErrClientGone.Error()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		x.end.Outcome, x.end.Error = ClientSlow, ErrClientSlow.Error()
	}
}

// errOver is the cause of cancelling an upstream whose answer is not read any
// further. It says nothing about how the answer ended.
var errOver = errors.New("the answer is over")

// failedMessage is what a client is told about a failure of the gateway
// itself.
const failedMessage = "the gateway failed; see its log"

// statusGone is the recorded status if the client disconnected.
const statusGone = 499

// reason says what an error means to the client.
func (x *exchange) reason(err error) *refusal {
	if x.telling { // an observer panicked
		return &refusal{http.StatusInternalServerError, failedMessage, Failed}
	}
	if no, ok := errors.AsType[*refusal](err); ok {
		return no
	}
	if abort, ok := errors.AsType[*policy.AbortError](err); ok {
		if _, unjudged := errors.AsType[*witness.UnjudgedError](err); unjudged {
			return &refusal{http.StatusBadGateway, abort.Error(), Unjudged}
		}
		return &refusal{http.StatusForbidden, abort.Error(), Aborted}
	}
	if cause := context.Cause(x.ctx); cause != nil && !errors.Is(cause, errOver) {
		err = cause // the failure is a consequence of that
	}
	if limit, ok := errors.AsType[*timeError](err); ok {
		return &refusal{http.StatusGatewayTimeout, limit.Error(), TimedOut}
	}
	if protocol, ok := errors.AsType[*stream.ProtocolError](err); ok {
		return &refusal{http.StatusBadGateway, "the upstream's answer cannot be read: " + protocol.Reason, Cut}
	}
	if unreachable, ok := errors.AsType[*unreachableError](err); ok {
		return &refusal{http.StatusBadGateway, unreachable.Error(), Unreachable}
	}
	if provider, ok := errors.AsType[*stream.ProviderError](err); ok {
		return &refusal{0, "the provider reported an error in its answer" + errorKind(provider), UpstreamError}
	}
	switch {
	case errors.Is(err, ErrStopping):
		return &refusal{http.StatusServiceUnavailable, ErrStopping.Error() + "; try again", Stopped}
	case errors.Is(err, context.Canceled):
		return &refusal{statusGone, ErrClientGone.Error(), ClientGone}
	case errors.Is(err, stream.ErrIncomplete):
		return &refusal{http.StatusBadGateway, "the upstream's answer ended before it was complete", Cut}
	}
	return &refusal{http.StatusBadGateway, err.Error(), Cut}
}

// errorKind is a provider's name for the class of an error, if it looks like
// one: anything else may quote what the provider was sent, and does not belong
// in records.
func errorKind(e *stream.ProviderError) string {
	for i := range len(e.Type) {
		if c := e.Type[i]; i > 64 || c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return ""
		}
	}
	if e.Type == "" {
		return ""
	}
	return ": " + e.Type
}

// refuse answers with a refusal.
func (x *exchange) refuse(no *refusal) {
	x.end.Outcome, x.end.Status, x.end.Error = no.outcome, no.status, no.message
	if no.status == http.StatusUpgradeRequired {
		defer x.w.Header().Del("Upgrade")
	}
	if no.status == http.StatusMethodNotAllowed {
		x.w.Header().Set("Allow", strings.Join(x.allow, ", "))
	}
	no.write(x.w, x.format)
}

// begin reports that the exchange starts.
func (x *exchange) begin() {
	x.begun = true
	x.info.Canary = x.action == judge && x.isCanary()
	x.g.tell(Event{Exchange: &x.info})
}

// record reports the verdict on a block.
func (x *exchange) record(r *policy.Record) {
	if r.Stage == policy.StageAnswer {
		x.end.Blocks++
	}
	switch {
	case wasDenied(r):
		x.end.Blocked++
	case wouldBeDenied(r):
		x.end.WouldBlock++
	}
	x.journal.add(r)
	x.deny(r)
	if x.transcript != nil {
		x.transcript.add(r)
	}
	x.telling = true
	x.g.tell(Event{Exchange: &x.info, Record: r})
	x.telling = false
}

// finish reports how the exchange ended, even if the gateway itself failed.
func (x *exchange) finish() {
	failure := recover()
	if x.entered {
		defer x.g.leave(x) // even if an observer fails
	}
	if failure != nil && failure != http.ErrAbortHandler { //nolint:errorlint // it is compared as net/http does
		x.g.log.Error("the gateway failed", slog.String("exchange", x.info.ID), slog.Any("panic", failure), slog.String("stack", string(debug.Stack())))
		x.end.Outcome, x.end.Error = Failed, "the gateway failed"
		if x.sink == nil || x.sink.retract() {
			x.end.Status = http.StatusInternalServerError
			(&refusal{http.StatusInternalServerError, failedMessage, Failed}).write(x.w, x.format)
			failure = nil
		} else {
			failure = http.ErrAbortHandler // no normal end after half an answer
		}
	}
	x.end.Duration = time.Since(x.info.Started)
	if x.in != nil {
		x.end.RequestBytes = int64(len(x.in.wire))
	}
	if x.sink != nil {
		x.sink.close()
		sent, first, _ := x.sink.told()
		x.end.AnswerBytes += sent
		if !first.IsZero() {
			x.end.ClientFirst = first.Sub(x.info.Started)
		}
	}
	if x.clock != nil && x.clock.first.Load() > 0 {
		x.end.UpstreamFirst = time.Duration(x.clock.first.Load()) + x.clock.started.Sub(x.info.Started)
	}
	if x.end.Status == 0 {
		x.end.Status = http.StatusOK
		if x.end.Outcome == ClientGone {
			x.end.Status = statusGone
		}
	}
	x.writeLog()
	if !x.tellEnd() && failure == nil {
		failure = http.ErrAbortHandler
	}
	if failure != nil {
		panic(failure) //nolint:forbidigo // net/http cuts the connection then
	}
}

// tellEnd reports how the exchange ended, and returns false if an observer
// panicked.
func (x *exchange) tellEnd() (told bool) {
	defer func() {
		if failure := recover(); failure != nil {
			x.g.log.Error("an observer of an exchange's end failed", slog.String("exchange", x.info.ID), slog.Any("panic", failure))
		}
	}()
	if x.keep != nil {
		x.keep.Close(x.end)
	}
	x.g.tell(Event{Exchange: &x.info, End: &x.end})
	return true
}
