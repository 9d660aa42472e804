package policy

import (
	"context"
	"slices"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Options are the engine's settings for one exchange. The zero value is ready
// to use.
type Options struct {
	// Format is the dialect that is written; it determines when a judged block
	// may leave. If it is empty, blocks leave at the end of their message.
	Format wire.Format
	// Whole says that the client did not ask for a stream and gets a single body.
	Whole bool
	// Approver is asked when a policy's verdict is Ask; nil means that nobody can
	// be asked.
	Approver Approver
	// AskFor is how long a person has to answer; 0 means 120 s, and 45 s where
	// the client gets a body, because a body cannot be kept alive while it
	// waits.
	AskFor time.Duration
	// Feedback says that the host can tell the model instead of the client: it
	// reads Denials when the answer has ended.
	Feedback bool
	// Keep is called with the denied calls of a message when its other calls
	// were delivered; see Feedback.Keep, which Run uses if this is nil.
	Keep   func([]Denial)
	Limits Limits
	// Judging, if not nil, is called with the size of a block before it is
	// judged synchronously: a long one can take milliseconds, during which the
	// caller does nothing else.
	Judging func(size int)
	// Record is called with the verdict on every block: for a held block before
	// it leaves, for any other when it has ended. It must not keep the pointer.
	Record func(*Record)
}

// Engine enforces a set of policies on one answer. It is a stream.Handler:
// chunks are fed in, it never blocks and owns no goroutine. It serves one
// exchange and is not safe for concurrent use.
//
// Blocks that no policy applies to pass at once. A block that is judged is
// held: nothing of it leaves before its verdict, and whatever follows it in its
// choice waits behind it. Asynchronous policies become Questions, which the
// host answers concurrently with the stream, handing each Answer back with
// Take.
type Engine struct {
	set  *Set
	x    *Exchange
	opts Options
	// assembly is nil until a chunk concerns a policy.
	*assembly
	// blind: a policy's See failed, and See is no longer called.
	blind bool
	// early is true when a block may leave before its message has ended.
	early bool
	// st is the state of the current answer.
	st *stream.State

	lanes   []*lane
	queue   queue
	touched touch
	body    int // text and arguments of held blocks so far
	// ambiguous: one of the held chunks can be read in two ways, so all must be
	// rewritten as they were read.
	ambiguous bool
	// resumed: the answer goes on from one that began elsewhere.
	resumed bool
	// called: a call has begun, in the choice calledIn if it was the first.
	called   bool
	calledIn int

	questions []*Question
	waiting   int // questions whose answer counts
	shadowing int // questions whose answer is only recorded
	rounds    int
	choices   int // of this answer so far
	denials   []Denial
	aborted   *Verdict // the first that ends the answer
	refused   bool     // the model can no longer be told about denials
	// lead is the text of earlier answers, where answers are bodies.
	lead string
	// ended: the answer was aborted, or failed.
	ended bool
	// cut are the blocks without an end that have been recorded.
	cut map[[2]int]bool
	// space is the engine's workspace while it runs, nil without Run.
	space *workspace
	// told is the record passed to the host last; hosts must not keep it.
	told *Record
	// exit checks what leaves of an answer whose calls are judged.
	exit exit
}

// empty is the set of hosts without policies. It never changes.
var empty = &Set{}

// NewEngine returns the engine of one exchange. A nil set allows everything; a
// nil exchange means that nothing is known about it.
func NewEngine(set *Set, x *Exchange, opts Options) *Engine {
	if set == nil {
		set = empty
	}
	if opts.Approver == nil {
		opts.Approver = Nobody{}
	}
	if opts.AskFor <= 0 {
		opts.AskFor = 120 * time.Second
		if opts.Whole {
			opts.AskFor = 45 * time.Second
		}
	}
	opts.Limits = opts.Limits.withDefaults()
	e := &Engine{set: set, x: x, opts: opts}
	if set.sees {
		e.assemble()
	}
	return e
}

// assemble makes the policies' instances for the exchange, once.
func (e *Engine) assemble() {
	if e.assembly != nil {
		return
	}
	if e.x == nil {
		e.x = e.set.nothing
	} else {
		e.x = known(e.x, e.set.ledger)
	}
	if e.assembly = e.set.always; e.assembly == nil {
		e.assembly = e.set.assemble(e.x)
	}
	e.early = e.leavesEarly()
}

// leavesEarly reports whether a block may leave at its own verdict: where no
// later verdict can require a text before it.
func (e *Engine) leavesEarly() bool {
	switch e.opts.Format {
	case wire.OpenAIResponses:
		return !e.waitsForAll
	case wire.Anthropic:
		return !e.waitsForAll && e.onlyFeedback && e.opts.Feedback && e.rounds < e.opts.Limits.Rounds
	default:
		return false
	}
}

// Came tells the engine in which form the answer actually arrives, for hosts
// that learn it only then: some servers answer a request for a stream with a
// body. It must be called before the first chunk and before WriterOptions.
func (e *Engine) Came(whole bool) { e.opts.Whole = whole }

// WriterOptions are the options for the writer behind the engine.
func (e *Engine) WriterOptions() stream.WriterOptions {
	return stream.WriterOptions{Settle: e.set.counts, Whole: e.opts.Whole, Ordered: true}
}

// declared reports whether the request declares a tool of this name.
func (e *Engine) declared(name []byte) bool {
	if e.x == nil {
		return false
	}
	asked := e.x.Asked()
	return asked != nil && slices.ContainsFunc(asked.Tools, func(t llm.Tool) bool { return t.Name == string(name) })
}

// OnChunk processes a chunk and sends what may leave.
func (e *Engine) OnChunk(ctx context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) error {
	if e.ended {
		return stream.ErrTerminated
	}
	e.st = st
	if len(e.set.definitions) == 0 {
		e.recordPassed(ctx, st)
		return out.Send(c)
	}
	if c.Seq == 0 {
		e.resumed = e.opts.Format == wire.OpenAIResponses && !c.Whole && c.Name != "response.created"
	}
	if len(c.Joined) > 0 && !c.Ambiguous {
		c.Ambiguous = e.declared(c.Joined)
	}
	if beginsSplit(c, e.opts.Format) {
		out.EscapeLineEnds()
	}
	err := e.strayCall(c)
	if err == nil {
		err = e.unaskedChoice(c)
	}
	if err == nil {
		err = e.borrowedName(c)
	}
	if err != nil {
		return e.refuse(c, err, out)
	}
	if e.assembly != nil && e.sees && !e.blind {
		e.see(c, st)
	}
	if !e.concerns(c) && e.queue.empty() {
		e.recordPassed(ctx, st)
		return e.out(c, out)
	}
	splits, err := e.encodedCall(c)
	if err != nil {
		return e.refuse(c, err, out)
	}
	if splits {
		out.EscapeLineEnds()
	}
	e.assemble()
	e.watchExit(out)
	return e.take(ctx, c, st, out)
}

// refuse ends the answer because of a chunk that cannot be judged.
func (e *Engine) refuse(c *stream.Chunk, err error, out *stream.Output) error {
	e.assemble()
	v := abortVerdict(err)
	e.recordKept(c, v)
	return e.abort(v, out)
}

// see calls the policies' See. They decide nothing there, so if one fails only
// the observation is lost.
func (e *Engine) see(c *stream.Chunk, st *stream.State) {
	defer func() {
		if recover() != nil {
			e.blind = true
		}
	}()
	for i := range e.parts {
		if e.parts[i].See != nil {
			e.parts[i].See(c, st)
		}
	}
}

// concerns reports whether a policy applies to something in the chunk.
func (e *Engine) concerns(c *stream.Chunk) bool {
	watched, made := e.set.watched, e.assembly != nil
	if made {
		watched = e.watched
	}
	for i := range c.Events {
		switch ev := &c.Events[i]; ev.Type {
		case stream.EventDelta, stream.EventStart, stream.EventWhole, stream.EventEnd, stream.EventHint:
			if watched.Has(ev.Kind) {
				return true
			}
		case stream.EventUnknown:
			return true
		case stream.EventFinish, stream.EventError:
			if made {
				return true
			}
		default:
		}
	}
	return false
}

// Ended reports whether the engine ended the answer itself.
func (e *Engine) Ended() bool { return e.ended }

// Pending is the number of questions still to be answered.
func (e *Engine) Pending() int { return e.waiting }

// Shadowing is the number of open questions of shadow policies. Only the
// records wait for their answers.
func (e *Engine) Shadowing() int { return e.shadowing }

// Waiting reports whether part of the answer has not left yet. If it is true at
// the end of the answer with nothing pending, the answer is incomplete.
func (e *Engine) Waiting() bool { return !e.queue.empty() }

// Version is the version of the set that is enforced.
func (e *Engine) Version() string { return e.set.version }
