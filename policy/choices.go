package policy

import (
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

var errUnaskedChoice = errors.New("policy: the answer has calls in several choices, and one choice was asked for")

// unaskedChoice decides about a chunk in which a call begins. Many clients that asked for
// one answer read the first choice of each payload, whatever its index is: of calls in
// several choices they would join the pieces to calls that nobody judged.
func (e *Engine) unaskedChoice(c *stream.Chunk) error {
	if c.Repeats || c.Whole || !e.set.enforces {
		return nil
	}
	for i := range c.Events {
		ev := &c.Events[i]
		switch {
		case ev.Type != stream.EventStart || ev.Kind != llm.ToolCall:
		case !e.called:
			e.called, e.calledIn = true, ev.Choice
		case ev.Choice != e.calledIn && e.asksForOne():
			return errUnaskedChoice
		}
	}
	return nil
}

// asksForOne reports whether the request is known and asks for one choice.
func (e *Engine) asksForOne() bool {
	if e.x == nil {
		return false
	}
	req := e.x.Asked()
	if req == nil {
		return false
	}
	number := req.Extra["n"]
	if e.opts.Format == wire.Gemini {
		number = nil
		for _, config := range []string{"generationConfig", "generation_config"} {
			for _, name := range []string{"candidateCount", "candidate_count"} {
				if value, _, ok := jsonscan.Get(req.Extra[config], name); ok {
					number = value
				}
			}
		}
	}
	var s jsonscan.Scanner
	s.Reset(number)
	n, ok := s.Int()
	return !ok || n < 2
}
