package policy

import (
	"context"
	"time"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Options are what a host tells the engine of one exchange. The zero value is
// ready to use.
type Options struct {
	// Format is the dialect that is written; it decides when a judged block may
	// leave. Without one blocks leave at the end of their message.
	Format wire.Format
	// Whole says that the client did not ask for a stream and gets one body.
	Whole bool
	// Approver is asked where a policy asks; nil means that nobody can be.
	Approver Approver
	// AskFor is how long a person has to answer; 0 means 120 s, and 45 s where
	// the client gets a body, because nothing keeps it alive.
	AskFor time.Duration
	// Feedback says that the host can tell the model instead of the client:
	// it looks at Denials when the answer has ended.
	Feedback bool
	// Keep is told of denied calls of a message of which others were
	// delivered; see Feedback.Keep, which Run uses if this is nil.
	Keep   func([]Denial)
	Limits Limits
	// Judging is called with the size of a block before it is judged in place,
	// nil if nobody wants to know: a long one can take milliseconds, in which
	// the caller does nothing else.
	Judging func(size int)
	// Record is called with the verdict on every block: on a held one before it
	// leaves, on any other when it has ended. It must not keep the pointer.
	Record func(*Record)
}

// Engine enforces a set of policies on one answer. It is a stream.Handler: it
// is fed chunks, never blocks and owns no goroutine. It serves one exchange and
// is not safe for concurrent use.
//
// Blocks that no policy is about pass at once. A block that is judged is held:
// nothing of it leaves before its verdict, and what follows it in its choice
// waits behind it. Policies that take their time become Questions, which the
// host lets run beside the stream and whose Answers it hands back with Take.
type Engine struct {
	set  *Set
	x    *Exchange
	opts Options
	// assembly is nil until a chunk concerns a policy.
	*assembly
	// blind: a policy that looks at every chunk failed, and none does any more.
	blind bool
	// early is true when a block may leave before its message has ended.
	early bool
	// st is the state of the answer at hand.
	st *stream.State

	lanes   []*lane
	queue   queue
	touched touch
	body    int // text and arguments of held blocks so far
	// ambiguous: one of the chunks that were held can be read in two ways, so
	// all must be written as they were read.
	ambiguous bool

	questions []*Question
	waiting   int // questions whose answer counts
	shadowing int // questions whose answer is only recorded
	rounds    int
	choices   int // of this answer so far
	denials   []Denial
	aborted   *Verdict // the first that ends the answer
	refused   bool     // the model can no longer be told
	// lead is what earlier answers said, where they are bodies.
	lead string
	// ended: the answer was aborted, or failed.
	ended bool
	// cut are the blocks without an end that were recorded.
	cut map[[2]int]bool
	// desk is what the engine works on while it runs, nil without Run.
	desk *desk
	// told is the record that is told last; hosts must not keep it.
	told *Record
	// exit reads what leaves of an answer whose calls are judged.
	exit exit
}

// empty is the set of hosts without policies. Nothing in it ever changes.
var empty = &Set{}

// NewEngine returns the engine of one exchange. A nil set allows everything; of
// a nil exchange nothing is known.
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

// assemble makes the policies' parts in the exchange, once.
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
// text can have to come before it because of a later one.
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

// Came says in which form the answer really comes, where the host learns it only
// then: servers answer requests for a stream with a body. It must be called
// before the first chunk and before WriterOptions.
func (e *Engine) Came(whole bool) { e.opts.Whole = whole }

// WriterOptions are what the writer behind the engine must be told.
func (e *Engine) WriterOptions() stream.WriterOptions {
	return stream.WriterOptions{Settle: e.set.counts, Whole: e.opts.Whole, Ordered: true}
}

// OnChunk takes in a chunk and sends what may leave.
func (e *Engine) OnChunk(ctx context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) error {
	if e.ended {
		return stream.ErrTerminated
	}
	e.st = st
	if len(e.set.definitions) == 0 {
		e.recordPassed(ctx, st)
		return out.Send(c)
	}
	if err := e.strayCall(c); err != nil {
		e.assemble()
		v := abortVerdict(err)
		e.recordKept(c, v)
		return e.abort(v, out)
	}
	if e.assembly != nil && e.sees && !e.blind {
		e.see(c, st)
	}
	if !e.concerns(c) && e.queue.empty() {
		e.recordPassed(ctx, st)
		return e.out(c, out)
	}
	e.assemble()
	e.watchExit(out)
	return e.take(ctx, c, st, out)
}

// see lets policies look at a chunk. They decide nothing, so when one fails
// nothing is lost but the view.
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

// concerns reports whether a policy is about something in the chunk.
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

// Pending is the number of questions whose answers are waited for.
func (e *Engine) Pending() int { return e.waiting }

// Shadowing is the number of questions of policies in shadow. Nothing waits for
// their answers but the records.
func (e *Engine) Shadowing() int { return e.shadowing }

// Waiting reports whether something of the answer has not left. When it is true
// at the end of the answer and nothing is pending, the answer is not whole.
func (e *Engine) Waiting() bool { return !e.queue.empty() }

// Version is the version of the set that is enforced.
func (e *Engine) Version() string { return e.set.version }
