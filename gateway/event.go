package gateway

import (
	"time"

	"github.com/sluice-project/sluice/policy"
)

// Exchange identifies the request that an event belongs to.
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
	// Key and User identify the client, empty where no keys are used.
	Key  string `json:"key,omitempty"`
	User string `json:"user,omitempty"`
	// Policies is the version of the set in force.
	Policies string `json:"policies"`
	// TextCalls is the form in which the client has the model write calls as text,
	// which are not judged; empty if it is not known to do so.
	TextCalls string `json:"text_calls,omitempty"`
	// Canary: the request asked for a proof that calls are judged, and no provider
	// was asked. Such an exchange does not count as traffic.
	Canary bool `json:"canary,omitempty"`
}

// Outcome is how an exchange ended.
type Outcome string

// The outcomes.
const (
	// Complete: the answer was delivered to its end, whatever was blocked in it.
	Complete Outcome = "complete"
	// Aborted: a policy, or a limit of the engine, stopped it.
	Aborted Outcome = "aborted"
	// Unjudged: a call that no policy allowed was about to leave, and was stopped.
	// It is a bug in Sluice.
	Unjudged Outcome = "unjudged"
	// UpstreamError: the provider answered with an error of its own.
	UpstreamError Outcome = "upstream_error"
	// Unreachable: the provider could not be reached.
	Unreachable Outcome = "upstream_unreachable"
	// Cut: the provider's answer broke off, or cannot be read.
	Cut Outcome = "upstream_cut"
	// TimedOut: a time limit was reached.
	TimedOut Outcome = "timeout"
	// ClientGone: the client disconnected.
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

// End describes how an exchange ended.
type End struct {
	Outcome Outcome `json:"outcome"`
	// Status is the HTTP status that the client got, or would have got.
	Status int `json:"status"`
	// Error is why it did not complete.
	Error string `json:"error,omitempty"`
	// Duration is from the request to the end; UpstreamFirst is until the first
	// byte from the upstream and ClientFirst until the first byte to the client,
	// zero if there was none.
	Duration      time.Duration `json:"duration_ns"`
	UpstreamFirst time.Duration `json:"upstream_first_ns,omitempty"`
	ClientFirst   time.Duration `json:"client_first_ns,omitempty"`
	// RequestBytes and AnswerBytes are what the client sent and got.
	RequestBytes int64 `json:"request_bytes"`
	AnswerBytes  int64 `json:"answer_bytes"`
	// Blocks counts the blocks (parts) of the answer. Blocked counts the blocks of
	// request and answer that were denied: kept from the model or the client.
	// WouldBlock counts those that policies in shadow mode would have denied.
	Blocks     int `json:"blocks"`
	Blocked    int `json:"blocked"`
	WouldBlock int `json:"would_block,omitempty"`
}

// Event is something that happened. At most one of Record and End is set; at the
// beginning of an exchange neither is.
type Event struct {
	Exchange *Exchange `json:"exchange"`
	// Record is the verdict on a block; it is valid during the call.
	Record *policy.Record `json:"verdict,omitempty"`
	End    *End           `json:"end,omitempty"`
}

// Recorder records what an upstream sent of one answer; nil records nothing.
type Recorder interface {
	// Write gets bytes, which it must not retain.
	Write(p []byte)
	// Close gets how the exchange ended.
	Close(end End)
}
