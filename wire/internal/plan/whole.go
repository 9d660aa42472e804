package plan

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Wait holds inserted blocks for an answer that will arrive as one non-streaming
// response; see stream.WriterOptions.Whole.
func (p *Plan) Wait(choice int, blocks []llm.Block) {
	if len(blocks) == 0 {
		return
	}
	c := p.Choice(choice)
	c.Waiting = append(c.Waiting, blocks...)
	c.Changed = true
	p.Edited = true
}

// Stream passes the blocks held by Wait to insert, because the answer streams.
func (p *Plan) Stream(dst []byte, insert func([]byte, int, ...llm.Block) ([]byte, error)) ([]byte, error) {
	for _, c := range p.choices {
		waiting := c.Waiting
		if len(waiting) == 0 {
			continue
		}
		c.Waiting = nil
		var err error
		if dst, err = insert(dst, c.Number, waiting...); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Highest is the highest number of a choice with waiting blocks, -1 if there are none.
func (p *Plan) Highest() int {
	highest := -1
	for _, c := range p.choices {
		if len(c.Waiting) > 0 {
			highest = max(highest, c.Number)
		}
	}
	return highest
}

// Failed reports whether a chunk carries the provider's error: nothing is inserted into
// such an answer.
func Failed(c *stream.Chunk) bool {
	for i := range c.Events {
		if c.Events[i].Type == stream.EventError {
			return true
		}
	}
	return false
}
