package policy

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Approver lets a person decide about a block for which a policy asked. It
// returns when somebody decided or ctx is done; an error counts as no answer.
type Approver interface {
	Approve(ctx context.Context, ask Approval) (Decision, error)
}

// Approval is what a person is asked. The decision is about exactly this
// Digest and no other call.
type Approval struct {
	Subject *Subject
	Digest  string
	Policy  string
	Reason  string
	// Attempt is what the call would do; see Verdict.Attempt.
	Attempt string
}

// Decision is a person's answer.
type Decision struct {
	Approved bool
	// By and Comment go into the records; the comment of a denial is told to
	// the model.
	By, Comment string
}

// ErrNobodyToAsk is the answer where there is no Approver.
var ErrNobodyToAsk = errors.New("policy: nobody can be asked here")

// Nobody is the Approver of hosts without one: it refuses at once.
type Nobody struct{}

// Approve returns ErrNobodyToAsk.
func (Nobody) Approve(context.Context, Approval) (Decision, error) {
	return Decision{}, ErrNobodyToAsk
}

// Feedback is offered by hosts that can tell the model instead of the client.
type Feedback interface {
	// Again sends the denials back to the model as the results of its calls and
	// returns its new answer. It is called when every call of a message was
	// denied. The engine goes on with the same client response.
	Again(ctx context.Context, denials []Denial) (Source, error)
	// Keep is told the denials of a message of which other calls were
	// delivered: the host puts them back into the history of the client's next
	// requests.
	Keep(denials []Denial)
}

// Denial is a call that was blocked and what the model is told about it.
type Denial struct {
	ID, Name, Type, Arguments string
	Policy, Reason            string
	// Attempt is what the call would have done; see Verdict.Attempt.
	Attempt string
	// Text is the tool result that stands for the call's outcome.
	Text string
}

// Source is where the payloads of an answer come from, an *sse.Reader or the
// like. It returns io.EOF at the end. A payload is valid until the next call.
type Source interface {
	Next() (name string, payload []byte, err error)
}

// Ahead is a Source that can tell what it has already. It is asked while it is
// handed on what came before, so that it must not wait, nor do anything that takes
// time.
type Ahead interface {
	Source
	// Buffered returns the next payload if it is there, else false. The payload
	// is valid until the next call of either method.
	Buffered() (name string, payload []byte, ok bool)
}

// Ledger keeps what outlives an exchange: counters, budgets and pinned values.
// It is safe for concurrent use. Policies that use one that may wait must say
// so in their definition.
type Ledger interface {
	// Add adds n to the counter of a key and returns its new value. A counter
	// begins again when it is older than window.
	Add(ctx context.Context, key string, n int64, window time.Duration) (int64, error)
	// Pin remembers the first value of a key and returns the one that is
	// remembered.
	Pin(ctx context.Context, key, value string) (string, error)
}

// ErrLedgerFull is returned when a MemoryLedger has no room for a new key.
var ErrLedgerFull = errors.New("policy: the ledger in memory is full")

// MemoryLedger is a Ledger that forgets when the process ends. The zero value
// is ready to use.
type MemoryLedger struct {
	// Max is the most keys it keeps; 0 means 100,000. Counters whose window is
	// over make room.
	Max int

	mu       sync.Mutex
	counters map[string]counter
	pins     map[string]string
}

type counter struct {
	value int64
	ends  time.Time
}

// Add adds n to a counter.
func (l *MemoryLedger) Add(_ context.Context, key string, n int64, window time.Duration) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	c, known := l.counters[key]
	if !known {
		if !l.room(now) {
			return 0, ErrLedgerFull
		}
		if l.counters == nil {
			l.counters = make(map[string]counter)
		}
	}
	if !known || !now.Before(c.ends) {
		c = counter{ends: now.Add(window)}
	}
	c.value += n
	l.counters[key] = c
	return c.value, nil
}

// Pin remembers the first value of a key.
func (l *MemoryLedger) Pin(_ context.Context, key, value string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if pinned, known := l.pins[key]; known {
		return pinned, nil
	}
	if !l.room(time.Now()) {
		return "", ErrLedgerFull
	}
	if l.pins == nil {
		l.pins = make(map[string]string)
	}
	l.pins[key] = value
	return value, nil
}

// room reports whether there is room for one more key, and makes some.
func (l *MemoryLedger) room(now time.Time) bool {
	most := l.Max
	if most <= 0 {
		most = 100_000
	}
	if len(l.counters)+len(l.pins) < most {
		return true
	}
	for key, c := range l.counters {
		if !now.Before(c.ends) {
			delete(l.counters, key)
		}
	}
	return len(l.counters)+len(l.pins) < most
}
