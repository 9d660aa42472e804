package policies

import (
	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// leavesAtOnce is the dialect that the engine is configured for: the one in which
// each block leaves at its own verdict, and a text may replace a call. Both hold
// in an agent, which acts on nothing before its round has ended.
const leavesAtOnce = wire.OpenAIResponses

// judgedAnswer is one answer on its way through an engine. The events of the chain
// become chunks, each numbered like the event that it came in; what the engine
// releases becomes events again, see writer.go.
type judgedAnswer struct {
	engine *policy.Engine
	state  *stream.State
	out    *stream.Output
	round  int
	// blocks are those of the answer in the engine's order; open finds them by what
	// events say about them, and final by their index in the answer.
	blocks []*block
	open   map[place]*block
	final  []*block

	// chunk, events and said are the engine's input, and current the event that
	// they are made from, zero for none.
	chunk   stream.Chunk
	events  []stream.Event
	said    []byte
	current agent.Event
	// left is the number of the last chunk that left. kept are the events of chunks
	// that have not; deltas are not kept, since the engine does that.
	left int
	kept []numbered
	// ready may be shown.
	ready []agent.Event

	// rewrites: texts may be replaced as they stream.
	rewrites bool
	// denied are blocks whose denial has no text yet; words are the texts for the
	// next ones.
	denied []*block
	words  []policy.Denial
}

// numbered is an event with the number of its chunk.
type numbered struct {
	number int
	agent.Event
}

// place is where an event says that its block is.
type place struct {
	number int
	kind   llm.Kind
}

// block is a block of the answer and its outcome.
type block struct {
	place

	position int // the engine's
	ended    bool
	// call is what was judged as the complete call, names its names, each from a
	// chunk on.
	call  *llm.Block
	names []naming
	// silent: no event mentioned it.
	silent bool

	// with replaces it. denied: the model is told words instead.
	with   *llm.Block
	denied bool
	words  string
	// refused: a person denied it. blocked: a policy withheld it.
	refused, blocked bool
	// ask is the question for which the run is interrupted.
	ask *agent.Ask
	// text is what was released of its text, if it may be edited; edited says that it
	// differs from what arrived, and whole has the provider's repetition of it as it
	// may be shown.
	text   []byte
	edited bool
	whole  *string
	// left: something of it may be shown. stood: its replacement was shown.
	left, stood bool
}

// naming is the id and the name of a call from a chunk on.
type naming struct {
	number   int
	id, name string
}

func newJudgedAnswer(set *policy.Set) *judgedAnswer {
	h := &judgedAnswer{state: stream.NewState(stream.Limits{}), open: make(map[place]*block), left: -1}
	h.chunk.Seq = -1
	h.rewrites = set != nil && (set.Judges(llm.Content) || set.Judges(llm.Refusal))
	h.out = stream.NewOutput((*writer)(h), nil)
	return h
}

// end ends the engine's part.
func (h *judgedAnswer) end() {
	h.engine.Cancel()
	h.engine.Close()
}

// block returns the block at a position of the engine, nil if there is none.
func (h *judgedAnswer) block(position int) *block {
	if position < 0 || position >= len(h.blocks) {
		return nil
	}
	return h.blocks[position]
}
