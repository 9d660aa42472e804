package gateway

import (
	"time"

	"github.com/sluice-project/sluice/policy"
)

// Exchange says which request an event belongs to.
type Exchange struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	// Format is the dialect, Upstream the provider that was asked.
	Format   string `json:"format"`
	Upstream string `json:"upstream"`
	Model    string `json:"model,omitempty"`
	Stream   bool   `json:"stream"`
	Session  string `json:"session,omitempty"`
	Client   string `json:"client,omitempty"`
	// Key and User are who asked, empty where no keys are used.
	Key  string `json:"key,omitempty"`
	User string `json:"user,omitempty"`
	// Policies is the version of the set that judges.
	Policies string `json:"policies"`
	// TextCalls is the form in which the client lets the model write calls as text,
	// which are not judged; empty if it is not known to do so.
	TextCalls string `json:"text_calls,omitempty"`
	// Canary: somebody asked for a proof that calls are judged, and no provider
	// was asked. Such an exchange is no traffic.
	Canary bool `json:"canary,omitempty"`
}

// Outcome is how an exchange ended.
type Outcome string

// The outcomes.
const (
	// Complete: the answer came to its end, whatever was blocked in it.
	Complete Outcome = "complete"
	// Aborted: a policy, or a limit of the engine, stopped it.
	Aborted Outcome = "aborted"
	// Unjudged: a call that no policy allowed was about to leave, and was stopped.
	// It is a defect of Sluice.
	Unjudged Outcome = "unjudged"
	// UpstreamError: the provider answered with an error of its own.
	UpstreamError Outcome = "upstream_error"
	// Unreachable: the provider could not be asked.
	Unreachable Outcome = "upstream_unreachable"
	// Cut: the provider's answer stopped, or cannot be read.
	Cut Outcome = "upstream_cut"
	// TimedOut: a limit on time was reached.
	TimedOut Outcome = "timeout"
	// ClientGone: the client went away.
	ClientGone Outcome = "client_gone"
	// ClientSlow: the client did not read or write in time.
	ClientSlow Outcome = "client_slow"
	// Refused: the gateway did not serve the request.
	Refused Outcome = "refused"
	// Stopped: the gateway stopped.
	Stopped Outcome = "stopped"
	// Failed: the gateway itself failed.
	Failed Outcome = "failed"
)

// End is how an exchange went.
type End struct {
	Outcome Outcome `json:"outcome"`
	// Status is the one that the client got, or would have got.
	Status int `json:"status"`
	// Error is why it did not complete.
	Error string `json:"error,omitempty"`
	// Duration is from the request to the end; UpstreamFirst and ClientFirst
	// are until the upstream was first heard and until the client was, zero if
	// they never were.
	Duration      time.Duration `json:"duration_ns"`
	UpstreamFirst time.Duration `json:"upstream_first_ns,omitempty"`
	ClientFirst   time.Duration `json:"client_first_ns,omitempty"`
	// RequestBytes and AnswerBytes are what the client sent and got.
	RequestBytes int64 `json:"request_bytes"`
	AnswerBytes  int64 `json:"answer_bytes"`
	// Blocks counts the blocks of the answer, which are its parts. Blocked counts
	// the blocks of request and answer that were denied: kept from the model or the
	// client. WouldBlock counts those that policies in shadow would have denied.
	Blocks     int `json:"blocks"`
	Blocked    int `json:"blocked"`
	WouldBlock int `json:"would_block,omitempty"`
}

// Event is something that happened. Exactly one of Record and End is set, or
// none at the beginning of an exchange.
type Event struct {
	Exchange *Exchange `json:"exchange"`
	// Record is the verdict on a block; it is valid during the call.
	Record *policy.Record `json:"verdict,omitempty"`
	End    *End           `json:"end,omitempty"`
}

// Recorder keeps what an upstream sent of one answer; nil keeps nothing of it.
type Recorder interface {
	// Write is given bytes, which it must not keep.
	Write(p []byte)
	// Close is told how the exchange ended.
	Close(end End)
}
