package policy

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Approver lets a person decide about a block when a policy asks. It returns
// when somebody has decided or ctx is done; an error counts as no answer.
type Approver interface {
	Approve(ctx context.Context, ask Approval) (Decision, error)
}

// Approval is what a person is asked. The decision is valid for exactly this
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
	// By and Comment go into the records; the model is told the comment of a
	// denial.
	By, Comment string
}

// ErrNobodyToAsk is returned where there is no Approver.
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
	// Keep is called with the denials of a message whose other calls were
	// delivered: the host puts them back into the history of the client's next
	// requests.
	Keep(denials []Denial)
}

// Denial is a blocked call and what the model is told about it.
type Denial struct {
	ID, Name, Type, Arguments string
	Policy, Reason            string
	// Attempt is what the call would have done; see Verdict.Attempt.
	Attempt string
	// Text is the tool result that takes the place of the call's own.
	Text string
}

// Source yields the payloads of an answer, as an *sse.Reader does. It returns
// io.EOF at the end. A payload is valid until the next call.
type Source interface {
	Next() (name string, payload []byte, err error)
}

// Ahead is a Source that can tell what it has buffered. It is asked while earlier
// payloads are being processed, so it must neither block nor do slow work.
type Ahead interface {
	Source
	// Buffered returns the next payload if it is already there, else false. The
	// payload is valid until the next call of either method.
	Buffered() (name string, payload []byte, ok bool)
}

// Ledger keeps what outlives an exchange: counters, budgets and pinned values.
// It is safe for concurrent use. Policies that use a ledger that may block must
// say Waits in their definition.
type Ledger interface {
	// Add adds n to the counter of a key and returns its new value. A counter
	// restarts when it is older than window.
	Add(ctx context.Context, key string, n int64, window time.Duration) (int64, error)
	// Pin stores the first value of a key and returns the stored value.
	Pin(ctx context.Context, key, value string) (string, error)
}

// ErrLedgerFull is returned when a MemoryLedger has no room for a new key.
var ErrLedgerFull = errors.New("policy: the in-memory ledger is full")

// MemoryLedger is a Ledger that lives as long as the process. The zero value is
// ready to use.
type MemoryLedger struct {
	// Max is the maximum number of keys; 0 means 100,000. Counters whose window
	// has passed make room.
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
		if !l.hasRoom(now) {
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

// Pin stores the first value of a key.
func (l *MemoryLedger) Pin(_ context.Context, key, value string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if pinned, known := l.pins[key]; known {
		return pinned, nil
	}
	if !l.hasRoom(time.Now()) {
		return "", ErrLedgerFull
	}
	if l.pins == nil {
		l.pins = make(map[string]string)
	}
	l.pins[key] = value
	return value, nil
}

// hasRoom reports whether there is room for one more key, evicting expired ones.
func (l *MemoryLedger) hasRoom(now time.Time) bool {
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
