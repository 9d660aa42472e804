package witness

import (
	"slices"
	"strings"
)

func isMember(m *member, name string) bool { return strings.EqualFold(m.key, name) }

// anthropic reads a payload of Anthropic Messages. Clients use the type in the payload,
// or the event's name.
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
				w.grow(text, w.blocksOf(index, ok)...)
			}
		}
		return w.wholes(n, "a delta")
	case is("content_block_stop"):
		index, ok := n.number("index")
		for _, p := range w.blocksOf(index, ok) {
			if p != nil {
				if err := w.check(p, true); err != nil {
					return err
				}
			}
		}
	case is("message_delta") && endsTurn(n), is("message_stop"):
		if err := w.ended(0); err != nil {
			return err
		}
	}
	return w.wholes(n, "a "+quoted(kinds[0])+" payload")
}

// endsTurn reports whether a message_delta has a stop reason: others only count tokens, and
// may come while a call grows.
func endsTurn(n *node) bool {
	return slices.ContainsFunc(n.all("delta"), func(d *node) bool { return d.first("stop_reason") != "" })
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
		if p != nil {
			return &UnjudgedError{Name: p.readings()[0].name, Place: "one of two content blocks"}
		}
		p = &piece{typ: block.first("type"), place: "a content block"}
		p.addName(block.texts("name")...)
		for _, input := range bodiesIn(block) {
			if text := input.asText(); canonical(text) != canonical("") {
				p.initial = text
				if name := p.readings()[0].name; !w.allowed.is(name, text) {
					return &UnjudgedError{Name: name, Place: "the input that a content block begins with"}
				}
			}
		}
	}
	w.byIndex[index] = p
	w.byPosition = append(w.byPosition, p)
	if p != nil {
		w.touch(p)
	}
	return nil
}

// blocksOf returns the calls that clients may assign a payload to: the one that started
// with its index, and the one at that position, because some clients count. Without an
// index it is the last one, or the first, which an undefined position means.
func (w *Witness) blocksOf(index int64, ok bool) []*piece {
	began := len(w.byPosition)
	if !ok {
		if began == 0 {
			return nil
		}
		return []*piece{w.byPosition[began-1], w.byPosition[0]}
	}
	found := []*piece{w.byIndex[index]}
	if at := index - w.skipped; at >= 0 && at < int64(began) {
		found = append(found, w.byPosition[at])
	}
	return found
}
