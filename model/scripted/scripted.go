package scripted

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// Options say how a script is played. The zero value is ready to use.
type Options struct {
	// ChunkSize is about how many bytes a delta has; 0 means 16. A character is
	// never cut in two.
	ChunkSize int
	// Sleep waits for d or until ctx is done, and returns its cause then. Nil
	// means real time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Model is the name that the model gives itself. Empty means the one that
	// the request asks for.
	Model string
}

// Model is a model that follows a script. It is safe for concurrent use: each
// request gets a round of its own, in the order in which the requests are made,
// so a script for concurrent requests tells them apart with When.
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

// NewWithOptions is New for those who want something else than the defaults.
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

// Requests returns the requests that were made so far, in their order, as they
// were at that time.
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

// choose records a request and returns its round and its number, which counts
// from 1.
func (m *Model) choose(req *llm.Request) (Round, int, error) {
	var matching Round
	found := slices.IndexFunc(m.rounds, func(r Round) bool { return r.matches(req) })
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	m.seen = append(m.seen, clone(req))
	if found >= 0 {
		return m.rounds[found], m.asked, nil
	}
	for m.next < len(m.rounds) {
		matching = m.rounds[m.next]
		m.next++
		if !matching.conditional() {
			return matching, m.asked, nil
		}
	}
	return nil, m.asked, &ExhaustedError{Asked: m.asked, Rounds: len(m.rounds)}
}

// clone copies what a caller may change later: the lists, not the texts.
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
// when the sequence is ranged over.
func (m *Model) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		round, number, err := m.choose(req)
		if err != nil {
			yield(stream.Event{}, err)
			return
		}
		name := m.opts.Model
		if name == "" {
			name = req.Model
		}
		p := player{opts: &m.opts, number: number, model: name, yield: yield, word: "stop", reason: llm.FinishStop}
		if err := p.play(ctx, round); err != nil && !p.left {
			yield(stream.Event{}, err)
		}
	}
}

// player plays one round.
type player struct {
	opts   *Options
	number int
	model  string
	yield  func(stream.Event, error) bool
	left   bool
	begun  bool
	blocks int
	calls  int
	word   string
	reason llm.FinishReason
}

// put yields an event and reports whether to go on.
func (p *player) put(ev stream.Event) bool {
	if !p.left && !p.yield(ev, nil) {
		p.left = true
	}
	return !p.left
}

// begin tells who answers, before anything else is told.
func (p *player) begin() bool {
	if p.begun {
		return true
	}
	p.begun = true
	return p.put(stream.Event{Type: stream.EventMeta, ID: "scripted_" + strconv.Itoa(p.number), Name: p.model, Block: -1, Index: -1})
}

// play yields the events of a round. The error is how it ends, nil if the answer
// is complete or the consumer left.
func (p *player) play(ctx context.Context, round Round) error {
	for i := range round {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		step := &round[i]
		done, err := p.step(ctx, step, cutsAfter(round[i+1:]))
		if err != nil || p.left {
			return err
		}
		if done {
			break
		}
	}
	if !p.begin() {
		return nil
	}
	if p.put(stream.Event{Type: stream.EventFinish, Data: []byte(p.word), Reason: p.reason, Block: -1, Index: -1}) {
		p.put(stream.Event{Type: stream.EventDone, Block: -1, Index: -1})
	}
	return nil
}

// cutsAfter reports whether what follows a block breaks it off.
func cutsAfter(rest Round) bool { return len(rest) > 0 && rest[0].kind == stepCut }

func (p *player) step(ctx context.Context, s *Step, cut bool) (done bool, err error) {
	switch s.kind {
	case stepNothing, stepWhen:
		return false, nil
	case stepPause:
		return false, p.opts.Sleep(ctx, s.pause)
	case stepFail:
		return true, p.fail(s.err)
	case stepBlock, stepUsage, stepFinish, stepCut, stepGarbage:
	}
	if !p.begin() {
		return true, nil
	}
	switch s.kind {
	case stepBlock:
		p.block(ctx, s.block, cut)
		if ctx.Err() != nil {
			return true, context.Cause(ctx)
		}
	case stepUsage:
		u := s.usage
		u.Raw = fmt.Appendf(nil, `{"input_tokens":%d,"output_tokens":%d}`, u.Input, u.Output)
		p.put(stream.Event{Type: stream.EventUsage, Usage: &u, Block: -1, Index: -1})
	case stepFinish:
		p.word, p.reason = s.word, s.reason
		return true, nil
	case stepCut:
		return true, stream.ErrIncomplete
	case stepGarbage:
		return true, &stream.ProtocolError{Reason: "the payload is not JSON", Seq: p.blocks, Payload: garbage}
	case stepNothing, stepWhen, stepPause, stepFail:
	}
	return false, nil
}

// garbage is what Garbage sends.
const garbage = `{"garbage":`

func (p *player) fail(err error) error {
	if reported, ok := err.(*stream.ProviderError); ok { //nolint:errorlint // an error that merely wraps one is the caller's own
		p.put(stream.Event{Type: stream.EventError, Err: reported, Block: -1, Index: -1})
	}
	if err == nil {
		return stream.ErrIncomplete
	}
	return err
}

// block yields the events of a block. One that is cut gets half of its text and
// no end.
func (p *player) block(ctx context.Context, b llm.Block, cut bool) {
	ev := stream.Event{Kind: b.Kind, Block: p.blocks, Index: p.blocks}
	p.blocks++
	body := b.Text
	if b.Kind == llm.ToolCall {
		p.calls++
		p.word, p.reason = "tool_calls", llm.FinishToolCalls
		if b.ID == "" {
			b.ID = callID(p.number, p.calls)
		}
		body = b.Arguments
	}
	start := ev
	start.Type, start.ID, start.Name = stream.EventStart, b.ID, b.Name
	if !p.put(start) {
		return
	}
	if cut {
		body = body[:boundary(body, len(body)/2)]
	}
	for sent := 0; sent < len(body) && ctx.Err() == nil; {
		n := boundary(body[sent:], p.opts.ChunkSize)
		delta := ev
		delta.Type, delta.Offset, delta.Data = stream.EventDelta, sent, []byte(body[sent:sent+n])
		if !p.put(delta) {
			return
		}
		sent += n
	}
	if cut || ctx.Err() != nil {
		return
	}
	if b.Signature != "" {
		proof := ev
		proof.Type, proof.Field, proof.Data = stream.EventDelta, stream.Signature, []byte(b.Signature)
		if !p.put(proof) {
			return
		}
	}
	end := ev
	end.Type = stream.EventEnd
	p.put(end)
}

func callID(answer, call int) string { return fmt.Sprintf("call_%d_%d", answer, call) }

// boundary returns the end of the first characters of s that have about n bytes,
// at least one character.
func boundary(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if n == 0 && s != "" {
		_, n = utf8.DecodeRuneInString(s)
	}
	return n
}

var _ model.Model = (*Model)(nil)
