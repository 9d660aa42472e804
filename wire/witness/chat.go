package witness

import "strconv"

// chat reads a payload of Chat Completions.
func (w *Witness) chat(n *node) error {
	rest := &node{kind: n.kind, raw: n.raw}
	for i := range n.members {
		m := &n.members[i]
		if !isMember(m, "choices") {
			rest.members = append(rest.members, *m)
			continue
		}
		for at, choice := range m.value.list() {
			if err := w.chatChoice(int64(at), choice); err != nil {
				return err
			}
		}
	}
	return w.wholes(rest, "beside the choices")
}

func (w *Witness) chatChoice(at int64, choice *node) error {
	if number, ok := choice.number("index"); ok {
		at = number
	}
	rest := &node{kind: choice.kind, raw: choice.raw}
	for i := range choice.members {
		m := &choice.members[i]
		if isMember(m, "delta") && !w.whole {
			if err := w.chatDelta(at, m.value); err != nil {
				return err
			}
			continue
		}
		rest.members = append(rest.members, *m)
	}
	if err := w.wholes(rest, "choice "+strconv.FormatInt(at, 10)); err != nil {
		return err
	}
	if choice.first("finish_reason") != "" {
		return w.ended(at)
	}
	return nil
}

func (w *Witness) chatDelta(choice int64, delta *node) error {
	if w.byChoice == nil {
		w.byChoice, w.last = make(map[string]*piece), make(map[int64]*piece)
	}
	for _, calls := range delta.all("tool_calls") {
		for _, c := range calls.list() {
			targets := w.chatCall(choice, c)
			for _, f := range c.any("function", "custom") {
				w.chatPiece(f, targets)
			}
		}
	}
	for _, f := range delta.all("function_call") {
		w.chatPiece(f, []*piece{w.chatKey(choice, "legacy")})
	}
	rest := &node{kind: delta.kind, raw: delta.raw}
	for i := range delta.members {
		if m := &delta.members[i]; !isMember(m, "tool_calls") && !isMember(m, "function_call") {
			rest.members = append(rest.members, *m)
		}
	}
	return w.wholes(rest, "a delta of choice "+strconv.FormatInt(choice, 10))
}

func (w *Witness) chatPiece(f *node, targets []*piece) {
	for _, p := range targets {
		before := len(p.arguments)
		p.addName(f.texts("name")...)
		for _, v := range f.any("arguments", "input") {
			p.addArguments(v.asText())
		}
		if p.read == nil || len(p.arguments) > before {
			w.touch(p)
		}
	}
}

// chatCall returns the calls that clients may assign an entry to.
func (w *Witness) chatCall(choice int64, c *node) []*piece {
	id := c.first("id")
	index, indexed := c.number("index")
	var targets []*piece
	switch {
	case indexed:
		targets = append(targets, w.chatKey(choice, strconv.FormatInt(index, 10)))
	case id != "":
		targets = append(targets, w.chatKey(choice, "id "+id))
	case w.last[choice] != nil:
		return []*piece{w.last[choice]}
	default:
		targets = append(targets, w.chatKey(choice, "?"))
	}
	w.last[choice] = targets[0]
	return targets
}

func (w *Witness) chatKey(choice int64, key string) *piece {
	key = strconv.FormatInt(choice, 10) + "/" + key
	p := w.byChoice[key]
	if p == nil {
		p = &piece{choice: choice, place: "call " + quoted(key) + " of the deltas"}
		w.byChoice[key] = p
	}
	return p
}
