package stream

import (
	"encoding/json"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// maxCitations bounds the sources of one block. A source can be two bytes long and
// takes more than ten times that in memory.
const maxCitations = 10_000

// Citations returns the sources that the provider has named for the block's text so
// far, each in the provider's own JSON. The caller must not change them.
func (b *Block) Citations() []json.RawMessage { return b.citations }

// cite records the sources of a text. Sources of other blocks stay in the payload only:
// nobody would look for them here.
func (s *State) cite(ev *Event) error {
	b := s.cited(ev)
	if b == nil {
		return nil
	}
	if ev.Status == llm.Complete {
		b.citations = nil
	}
	// One copy that all of them share.
	data := slices.Clone(ev.Data)
	var scan jsonscan.Scanner
	scan.Reset(data)
	if scan.Kind() != jsonscan.Array {
		return s.keepCitation(b, &scan)
	}
	scan.Array()
	for scan.Elem() {
		if err := s.keepCitation(b, &scan); err != nil {
			return err
		}
	}
	return nil
}

// keepCitation records the value at the cursor if it is an object.
func (s *State) keepCitation(b *Block, scan *jsonscan.Scanner) error {
	if scan.Kind() != jsonscan.Object {
		scan.Skip()
		return nil
	}
	source := scan.Raw()
	if scan.Err() != nil {
		return nil //nolint:nilerr // the decoder tells of it
	}
	if len(b.citations) == maxCitations {
		return &LimitError{What: "citations in one block", Limit: maxCitations}
	}
	b.citations = append(b.citations, json.RawMessage(slices.Clip(source)))
	return s.count(len(source))
}

// cited returns the block that a citation event refers to, or nil.
func (s *State) cited(ev *Event) *Block {
	blocks := s.Choice(ev.Choice).blocks
	if ev.Block >= 0 {
		if ev.Block < len(blocks) && blocks[ev.Block].kind == llm.Content {
			return blocks[ev.Block]
		}
		return nil
	}
	for _, b := range slices.Backward(blocks) {
		if b.kind == llm.Content {
			return b
		}
	}
	return nil
}
