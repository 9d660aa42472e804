package scripted

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// Options configure how a script is played. The zero value is ready to use.
type Options struct {
	// ChunkSize is the approximate size of a delta in bytes; 0 means 16. A character is
	// never split.
	ChunkSize int
	// Sleep waits for d or until ctx is done, and then returns its cause. Nil means
	// real time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Model is the model name in answers. Empty means the one in the request.
	Model string
}

// Model is a model that follows a script. It is safe for concurrent use: each request
// gets a round of its own, in the order of the requests, so a script for concurrent
// requests distinguishes them with When.
type Model struct {
	opts   Options
	rounds []Round

	mu    sync.Mutex
	next  int
	seen  []*llm.Request
	asked int
}

// New returns a model that answers with the rounds. They must not be changed
// afterwards.
func New(rounds ...Round) *Model { return NewWithOptions(Options{}, rounds...) }

// NewWithOptions is New with options.
func NewWithOptions(opts Options, rounds ...Round) *Model {
	if opts.ChunkSize <= 0 {
		opts.ChunkSize = 16
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	return &Model{opts: opts, rounds: rounds}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Requests returns copies of the requests so far, in order.
func (m *Model) Requests() []*llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.seen)
}

// Remaining returns how many of the rounds without When have not been used.
func (m *Model) Remaining() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := 0
	for _, r := range m.rounds[m.next:] {
		if !r.conditional() {
			left++
		}
	}
	return left
}

func (r Round) conditional() bool {
	return slices.ContainsFunc(r, func(s Step) bool { return s.kind == stepWhen })
}

func (r Round) matches(req *llm.Request) bool {
	for _, s := range r {
		if s.kind == stepWhen && !s.match(req) {
			return false
		}
	}
	return r.conditional()
}

// choose records a request and returns its round and its number, counted from 1.
func (m *Model) choose(req *llm.Request) (Round, int, error) {
	found := slices.IndexFunc(m.rounds, func(r Round) bool { return r.matches(req) })
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	m.seen = append(m.seen, clone(req))
	if found >= 0 {
		return m.rounds[found], m.asked, nil
	}
	for m.next < len(m.rounds) {
		round := m.rounds[m.next]
		m.next++
		if !round.conditional() {
			return round, m.asked, nil
		}
	}
	return nil, m.asked, &ExhaustedError{Asked: m.asked, Rounds: len(m.rounds)}
}

// clone copies what a caller may change later: the slices, not the texts.
func clone(req *llm.Request) *llm.Request {
	c := *req
	c.System = slices.Clone(req.System)
	c.Messages = slices.Clone(req.Messages)
	for i := range c.Messages {
		c.Messages[i].Blocks = slices.Clone(c.Messages[i].Blocks)
	}
	c.Tools = slices.Clone(req.Tools)
	c.Extra = maps.Clone(req.Extra)
	if req.Temperature != nil {
		t := *req.Temperature
		c.Temperature = &t
	}
	return &c
}

// Stream answers a request with its round; see model.Model. The round is chosen
// when the sequence is ranged over; a context that is done takes none.
func (m *Model) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		if ctx.Err() != nil {
			yield(stream.Event{}, context.Cause(ctx))
			return
		}
		round, number, err := m.choose(req)
		if err != nil {
			yield(stream.Event{}, err)
			return
		}
		name := m.opts.Model
		if name == "" {
			name = req.Model
		}
		left := false
		put := func(ev stream.Event) bool {
			if ctx.Err() != nil {
				return false
			}
			left = !yield(ev, nil)
			return !left
		}
		p := player{opts: &m.opts, number: number, model: name, yield: put, word: "stop", reason: llm.FinishStop}
		err = p.play(ctx, round)
		if p.stopped {
			err = context.Cause(ctx)
		}
		if err != nil && !left {
			yield(stream.Event{}, err)
		}
	}
}

var _ model.Model = (*Model)(nil)
