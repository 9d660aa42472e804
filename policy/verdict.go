package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// Verdict is a policy's decision about a block. The zero Verdict is no
// decision: the engine treats it as a failure of the policy.
type Verdict struct {
	Action Action
	// Reason is for people. If the block is blocked, the reason reaches the
	// client and the model, so it should say what to do instead.
	Reason string
	// Policy is the name of the policy; the engine fills it in.
	Policy string
	// Cause says how the verdict came about if it is not simply the policy's
	// decision.
	Cause Cause
	// Err is the error behind the verdict, nil if there is none. It stays in
	// the records and is never shown to the client.
	Err error
	// Attempt is what a call that does not pass would have done, if the policy
	// describes it; see Definition.Describe. The engine fills it in, as one line
	// of at most MaxAttempt bytes in which no client finds a call, a link or a
	// command, because it contains text that the model wrote.
	Attempt string
	// Notes are for the records: a score, a pattern's name, who approved.
	Notes []string
	// Shadow is true when the verdict was not enforced.
	Shadow bool
	// Latency is the time until the policy had decided. Synchronous policies
	// are called one after the other.
	Latency time.Duration
}

// Cause says why a verdict is what it is.
type Cause string

// The causes. The empty cause is a policy's own decision.
const (
	// CauseError: the policy failed, and its on_error decided.
	CauseError Cause = "error"
	// CauseTimeout: the policy took too long, and its on_error decided.
	CauseTimeout Cause = "timeout"
	// CausePanic: the policy panicked, and its on_error decided.
	CausePanic Cause = "panic"
	// CauseUnknown: the policy lacked information, and its on_unknown decided.
	CauseUnknown Cause = "unknown"
	// CauseTruncated: the call was cut off and is incomplete.
	CauseTruncated Cause = "truncated"
	// CauseUnreadable: the call has no name, or its arguments are not a single,
	// unambiguous JSON object.
	CauseUnreadable Cause = "unreadable"
	// CauseLimit: the block was larger than what may be held.
	CauseLimit Cause = "limit"
	// CauseApproved and CauseDenied: a person decided.
	CauseApproved Cause = "approved"
	CauseDenied   Cause = "denied"
	// CauseNoAnswer: nobody decided in time, or nobody could be asked.
	CauseNoAnswer Cause = "no answer"
	// CauseUnjudgeable: the block left before it could be judged, for instance
	// because the provider runs it itself.
	CauseUnjudgeable Cause = "unjudgeable"
)

// Stage says where a block was judged.
type Stage string

// The stages.
const (
	// StageAnswer: a block of the model's answer.
	StageAnswer Stage = "answer"
	// StageRequest: a block of the request.
	StageRequest Stage = "request"
)

// Record is the stored verdict on one block: there is one for the final content
// of every block.
type Record struct {
	Stage  Stage
	Choice int
	// Block is the block's position among the blocks of its choice; Message is
	// its message's position in a request, -1 in an answer.
	Block, Message int
	Kind           llm.Kind
	ID, Name, Type string
	Status         llm.Status
	// Verdict is the one that was applied, with the action that was carried out.
	Verdict Verdict
	// Verdicts are all verdicts other than Allow, including those in shadow mode.
	Verdicts []Verdict
	// Version is the version of the set of policies.
	Version string
	// Held is how long the block was held; Latency how long judging took.
	Held, Latency time.Duration
	// Discarded counts early judgements that became outdated because more bytes
	// arrived.
	Discarded int
	// In is the text or the arguments as they arrived, Out as they were
	// delivered; Delivered is false when the client did not get the block.
	In, Out   string
	Delivered bool
	// Size is the length of what arrived. If it is greater than the length of In,
	// the text was not kept, see MaxTexts: In and Out are empty then, but the
	// hashes are still known.
	Size int
	sum  string // the hash of such a text
}

// HashIn returns the SHA-256 of what arrived, in hexadecimal.
func (r Record) HashIn() string {
	if r.sum != "" {
		return r.sum
	}
	return hash(r.In)
}

// HashOut returns the SHA-256 of what was delivered, empty if nothing was.
func (r Record) HashOut() string {
	if !r.Delivered {
		return ""
	}
	if r.sum != "" {
		return r.sum
	}
	return hash(r.Out)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// MarshalJSON writes the verdict as one object with flat members.
func (v Verdict) MarshalJSON() ([]byte, error) {
	view := struct {
		Action  Action   `json:"action"`
		Policy  string   `json:"policy,omitempty"`
		Reason  string   `json:"reason,omitempty"`
		Attempt string   `json:"attempt,omitempty"`
		Cause   Cause    `json:"cause,omitempty"`
		Error   string   `json:"error,omitempty"`
		Notes   []string `json:"notes"`
		Shadow  bool     `json:"shadow,omitempty"`
		Latency int64    `json:"latency_us"`
	}{v.Action, v.Policy, v.Reason, v.Attempt, v.Cause, "", neverNull(v.Notes), v.Shadow, v.Latency.Microseconds()}
	if v.Err != nil {
		view.Error = v.Err.Error()
	}
	return json.Marshal(view)
}

// MarshalJSON writes the record with hashes in place of the texts.
func (r Record) MarshalJSON() ([]byte, error) {
	view := struct {
		Stage     Stage      `json:"stage"`
		Choice    int        `json:"choice"`
		Message   *int       `json:"message,omitempty"`
		Block     int        `json:"block"`
		Kind      llm.Kind   `json:"kind"`
		ID        string     `json:"id,omitempty"`
		Name      string     `json:"name,omitempty"`
		Type      string     `json:"type,omitempty"`
		Status    llm.Status `json:"status"`
		Verdict   Verdict    `json:"verdict"`
		Verdicts  []Verdict  `json:"verdicts"`
		Version   string     `json:"version,omitempty"`
		Held      int64      `json:"held_us"`
		Latency   int64      `json:"latency_us"`
		Discarded int        `json:"discarded,omitempty"`
		Delivered bool       `json:"delivered"`
		HashIn    string     `json:"hash_in"`
		HashOut   string     `json:"hash_out,omitempty"`
	}{
		Stage: r.Stage, Choice: r.Choice, Block: r.Block, Kind: r.Kind, ID: r.ID, Name: r.Name, Type: r.Type,
		Status: r.Status, Verdict: r.Verdict, Verdicts: neverNull(r.Verdicts), Version: r.Version,
		Held: r.Held.Microseconds(), Latency: r.Latency.Microseconds(), Discarded: r.Discarded,
		Delivered: r.Delivered, HashIn: r.HashIn(), HashOut: r.HashOut(),
	}
	if r.Stage == StageRequest {
		view.Message = &r.Message
	}
	return json.Marshal(view)
}

// neverNull is a list that is [] in JSON where it is empty.
func neverNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
