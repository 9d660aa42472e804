package witness

import (
	"slices"
	"strings"
)

func isMember(m *member, name string) bool { return strings.EqualFold(m.key, name) }

// anthropic reads a payload of Anthropic Messages. Clients go by the type in the
// payload, or by the event's name.
func (w *Witness) anthropic(event string, n *node) error {
	kinds := append(n.texts("type"), event)
	is := func(kind string) bool { return slices.Contains(kinds, kind) }
	switch {
	case w.whole:
	case is("message_start"):
		w.skipped = 0
	case is("content_block_start"):
		return w.anthropicStart(n)
	case is("content_block_delta"):
		index, ok := n.number("index")
		for _, d := range n.all("delta") {
			for _, text := range d.texts("partial_json") {
				grow(text, w.at(index, ok), w.position(index, ok))
			}
		}
		return w.wholes(n, "a delta")
	case is("content_block_stop"):
		index, ok := n.number("index")
		for _, p := range []*piece{w.at(index, ok), w.position(index, ok)} {
			if p != nil {
				if err := w.check(p, true); err != nil {
					return err
				}
			}
		}
	case is("message_delta"), is("message_stop"):
		if err := w.ended(); err != nil {
			return err
		}
	}
	return w.wholes(n, "a "+strings.Join(kinds[:1], "")+" payload")
}

func (w *Witness) anthropicStart(n *node) error {
	if w.byIndex == nil {
		w.byIndex = make(map[int64]*piece)
	}
	index, ok := n.number("index")
	if !ok {
		index = int64(len(w.byPosition)) + max(0, w.skipped)
	}
	if w.skipped < 0 {
		w.skipped = index
	}
	var p *piece
	for _, block := range n.all("content_block") {
		if isProviders(block) || !slices.ContainsFunc(block.texts("type"), isCallType) {
			if err := w.wholes(block, "a content block"); err != nil {
				return err
			}
			continue
		}
		p = &piece{typ: block.first("type"), place: "a content block", touched: true}
		p.named(block.texts("name")...)
		for _, input := range block.all("input") {
			if text := input.said(); text != "{}" && text != "" {
				p.initial = text
				if !w.allowed.is(p.readings()[0], text) {
					return &UnjudgedError{Name: p.readings()[0], Place: "the input that a content block begins with"}
				}
			}
		}
	}
	w.byIndex[index] = p
	w.byPosition = append(w.byPosition, p)
	return nil
}

// at is the call that began with an index, the last one for a payload without one.
func (w *Witness) at(index int64, ok bool) *piece {
	if !ok {
		if n := len(w.byPosition); n > 0 {
			return w.byPosition[n-1]
		}
		return nil
	}
	return w.byIndex[index]
}

// position is the call that began as the one with a number: some clients count.
func (w *Witness) position(index int64, ok bool) *piece {
	index -= w.skipped
	if !ok || index < 0 || index >= int64(len(w.byPosition)) {
		return nil
	}
	return w.byPosition[index]
}
