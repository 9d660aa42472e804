package policies

import (
	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// leavesAtOnce is the dialect that the engine is told: the one in which each block
// leaves at its own verdict, and a text may stand in the place of a call. Both are
// so in an agent, which acts on nothing before its round has ended.
const leavesAtOnce = wire.OpenAIResponses

// hearing is one answer before an engine. The events of the chain become chunks,
// each with the number of the event that it came in; what the engine lets go becomes
// events again, see writer.go.
type hearing struct {
	engine *policy.Engine
	state  *stream.State
	out    *stream.Output
	round  int
	// blocks are those of the answer in the engine's order; open finds them by what
	// events say of them, and final has them by their place in the answer.
	blocks []*block
	open   map[place]*block
	final  []*block

	// chunk, events and said are what the engine is fed with, and current the event
	// that they are made of, zero for none.
	chunk   stream.Chunk
	events  []stream.Event
	said    []byte
	current agent.Event
	// left is the number of the chunk that left last. kept are the events of chunks
	// that have not; deltas are not kept, since the engine does that.
	left int
	kept []numbered
	// ready may be seen.
	ready []agent.Event

	// rewrites: texts may be replaced in flight.
	rewrites bool
	// denied are blocks that nobody has words for yet; words are for the next ones.
	denied []*block
	words  []policy.Denial
}

// numbered is an event with the number of its chunk.
type numbered struct {
	number int
	agent.Event
}

// place is where an event says that its block stands.
type place struct {
	number int
	kind   llm.Kind
}

// block is a block of the answer and what becomes of it.
type block struct {
	place

	position int // the engine's
	ended    bool
	// call is what was judged as the whole call, names what it was called from which
	// chunk on.
	call  *llm.Block
	names []naming
	// silent: no event told of it.
	silent bool

	// with stands in its place. denied: the model is told words instead.
	with   *llm.Block
	denied bool
	words  string
	// refused: it was a person who denied it. blocked: a policy kept it back.
	refused, blocked bool
	// ask is the question for which the run is interrupted.
	ask *agent.Ask
	// text is what was let go of its text, where it may be edited; edited says that it
	// is not what came, and whole has the provider's repetition of it as it may be
	// seen.
	text   []byte
	edited bool
	whole  *string
	// left: something of it may be seen. stood: what stands in its place was told.
	left, stood bool
}

// naming is the id and the name of a call from a chunk on.
type naming struct {
	number   int
	id, name string
}

func newHearing(set *policy.Set) *hearing {
	h := &hearing{state: stream.NewState(stream.Limits{}), open: make(map[place]*block), left: -1}
	h.chunk.Seq = -1
	h.rewrites = set != nil && (set.Judges(llm.Content) || set.Judges(llm.Refusal))
	h.out = stream.NewOutput((*writer)(h), nil)
	return h
}

// end ends the engine's part.
func (h *hearing) end() {
	h.engine.Cancel()
	h.engine.Close()
}

// block returns the block at a position of the engine, nil if there is none.
func (h *hearing) block(position int) *block {
	if position < 0 || position >= len(h.blocks) {
		return nil
	}
	return h.blocks[position]
}
