package agent

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// stateVersion is the version of the JSON form.
const stateVersion = 1

// stateForm is the JSON form of a State. Messages are written by the memory's
// codec, which keeps every byte.
type stateForm struct {
	Version      int                        `json:"version"`
	Conversation string                     `json:"conversation,omitempty"`
	Created      time.Time                  `json:"created"`
	Round        int                        `json:"round"`
	Question     json.RawMessage            `json:"question"`
	Messages     json.RawMessage            `json:"messages"`
	Kept         int                        `json:"kept"`
	Memory       int64                      `json:"memory_version,omitempty"`
	Instructions json.RawMessage            `json:"instructions,omitempty"`
	Done         json.RawMessage            `json:"done,omitempty"`
	Pending      []pendingForm              `json:"pending"`
	Waiting      []string                   `json:"waiting,omitempty"`
	Rounds       []roundForm                `json:"rounds"`
	Counts       []countForm                `json:"counts,omitempty"`
	Model        string                     `json:"model,omitempty"`
	System       string                     `json:"system,omitempty"`
	MaxTokens    int                        `json:"max_tokens,omitempty"`
	Temperature  *float64                   `json:"temperature,omitempty"`
	Extra        map[string]json.RawMessage `json:"extra,omitempty"`
}

type pendingForm struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Question  json.RawMessage `json:"question,omitempty"`
	Held      bool            `json:"held,omitempty"`
}

type roundForm struct {
	Input      int64 `json:"input,omitempty"`
	Output     int64 `json:"output,omitempty"`
	CacheRead  int64 `json:"cache_read,omitempty"`
	CacheWrite int64 `json:"cache_write,omitempty"`
	Reasoning  int64 `json:"reasoning,omitempty"`
	Calls      int   `json:"calls,omitempty"`
	Ran        int   `json:"ran,omitempty"`
	Finish     uint8 `json:"finish,omitempty"`
}

// countForm is how often a call was run. Its key contains a byte that JSON would
// escape.
type countForm struct {
	Call []byte `json:"call"`
	N    int    `json:"n"`
}

// MarshalJSON writes the state.
func (s *State) MarshalJSON() ([]byte, error) {
	form := stateForm{
		Version: stateVersion, Conversation: s.Conversation, Created: s.Created, Round: s.Round, Kept: s.Kept, Memory: s.Version, Waiting: s.Waiting,
		Model: s.Model, System: s.System, MaxTokens: s.MaxTokens, Temperature: s.Temperature, Extra: s.Extra,
	}
	var err error
	if form.Question, err = memory.Marshal(s.Question); err != nil {
		return nil, err
	}
	if form.Messages, err = memory.Marshal(s.Messages); err != nil {
		return nil, err
	}
	if len(s.Instructions) > 0 {
		if form.Instructions, err = memory.Marshal(s.Instructions); err != nil {
			return nil, err
		}
	}
	if len(s.Done) > 0 {
		if form.Done, err = memory.Marshal([]llm.Message{{Role: llm.ToolRole, Blocks: s.Done}}); err != nil {
			return nil, err
		}
	}
	for _, p := range s.Pending {
		form.Pending = append(form.Pending, pendingForm(p))
	}
	for _, r := range s.Rounds {
		form.Rounds = append(form.Rounds, roundForm{
			r.Usage.Input, r.Usage.Output, r.Usage.CacheRead, r.Usage.CacheWrite, r.Usage.Reasoning, r.Calls, r.Ran, uint8(r.Finish),
		})
	}
	for call, n := range s.Counts {
		form.Counts = append(form.Counts, countForm{[]byte(call), n})
	}
	return json.Marshal(&form)
}

// UnmarshalJSON reads a state. Use ReadState for one that may have been tampered
// with.
func (s *State) UnmarshalJSON(data []byte) error {
	var form stateForm
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("agent: the state cannot be read: %w", err)
	}
	if form.Version != stateVersion {
		return fmt.Errorf("agent: the state has version %d, but only version %d is supported", form.Version, stateVersion)
	}
	*s = State{
		Conversation: form.Conversation, Created: form.Created, Round: form.Round, Kept: form.Kept, Version: form.Memory, Waiting: form.Waiting,
		Model: form.Model, System: form.System, MaxTokens: form.MaxTokens, Temperature: form.Temperature, Extra: form.Extra,
	}
	var err error
	if s.Question, err = memory.Unmarshal(form.Question); err != nil {
		return err
	}
	if s.Messages, err = memory.Unmarshal(form.Messages); err != nil {
		return err
	}
	if len(form.Instructions) > 0 {
		if s.Instructions, err = memory.Unmarshal(form.Instructions); err != nil {
			return err
		}
	}
	if len(form.Done) > 0 {
		done, err := memory.Unmarshal(form.Done)
		if err != nil {
			return err
		}
		for i := range done {
			s.Done = append(s.Done, done[i].Blocks...)
		}
	}
	for _, p := range form.Pending {
		s.Pending = append(s.Pending, Pending(p))
	}
	for _, r := range form.Rounds {
		s.Rounds = append(s.Rounds, Round{
			Usage: llm.Usage{Input: r.Input, Output: r.Output, CacheRead: r.CacheRead, CacheWrite: r.CacheWrite, Reasoning: r.Reasoning},
			Calls: r.Calls, Ran: r.Ran, Finish: llm.FinishReason(r.Finish),
		})
	}
	for _, c := range form.Counts {
		if s.Counts == nil {
			s.Counts = make(map[string]int)
		}
		s.Counts[string(c.Call)] = c.N
	}
	if s.Kept < 0 || s.Round < 0 {
		return errors.New("agent: the state has a negative count")
	}
	return nil
}

// ErrBadSignature means that a state was changed, or signed with another key.
var ErrBadSignature = errors.New("agent: the state was changed after it was signed, or signed with another key")

// shortestKey is as long as what is made of it.
const shortestKey = 32

type signedForm struct {
	State string `json:"state"` // base64, so that nobody reformats what was signed
	MAC   string `json:"mac"`
}

// Sign returns the state in a tamper-evident form: JSON with a MAC (HMAC-SHA256)
// of key, which must have at least 32 bytes. It is not encrypted, and a state
// that was resumed can be resumed again: to prevent that, delete it first.
func (s *State) Sign(key []byte) ([]byte, error) {
	if len(key) < shortestKey {
		return nil, fmt.Errorf("agent: a key for states must have at least %d bytes, this one has %d", shortestKey, len(key))
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return json.Marshal(&signedForm{
		State: base64.StdEncoding.EncodeToString(data),
		MAC:   base64.StdEncoding.EncodeToString(macOf(key, data)),
	})
}

// ReadState reads what Sign wrote with the same key. The error is ErrBadSignature
// if it was changed.
func ReadState(data, key []byte) (*State, error) {
	if len(key) < shortestKey {
		return nil, fmt.Errorf("agent: a key for states must have at least %d bytes, this one has %d", shortestKey, len(key))
	}
	var signed signedForm
	if err := json.Unmarshal(data, &signed); err != nil {
		return nil, fmt.Errorf("agent: the signed state cannot be read: %w", err)
	}
	state, err := base64.StdEncoding.DecodeString(signed.State)
	if err != nil {
		return nil, ErrBadSignature
	}
	mac, err := base64.StdEncoding.DecodeString(signed.MAC)
	if err != nil || !hmac.Equal(mac, macOf(key, state)) {
		return nil, ErrBadSignature
	}
	s := &State{}
	if err := json.Unmarshal(state, s); err != nil {
		return nil, err
	}
	return s, nil
}

func macOf(key, data []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("sluice agent state 1\n"))
	mac.Write(data)
	return mac.Sum(nil)
}
