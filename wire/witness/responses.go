package witness

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// responses reads a payload of the Responses dialect. Clients use the type in the
// payload, or the event's name.
func (w *Witness) responses(event string, n *node) error {
	kinds := append(n.texts("type"), event)
	is := func(kind string) bool { return slices.Contains(kinds, kind) }
	switch {
	case w.whole:
	case is("response.output_item.added"):
		return w.added(n)
	case slices.ContainsFunc(kinds, isBodyDelta):
		for _, text := range n.texts("delta") {
			w.grow(text, w.itemsOf(n)...)
		}
		return nil
	case slices.ContainsFunc(kinds, isBodyDone):
		return w.bodyDone(n)
	case is("response.output_item.done"):
		if err := w.itemDone(n); err != nil {
			return err
		}
	}
	return w.wholes(n, "a "+quoted(kinds[0])+" payload")
}

func isBodyDelta(kind string) bool {
	return strings.HasSuffix(kind, "_call_arguments.delta") && !strings.Contains(kind, "mcp") || strings.HasSuffix(kind, "_call_input.delta")
}

func isBodyDone(kind string) bool {
	return strings.HasSuffix(kind, "_call_arguments.done") && !strings.Contains(kind, "mcp") || strings.HasSuffix(kind, "_call_input.done")
}

// added processes the start of an item: a client may keep everything in it.
func (w *Witness) added(n *node) error {
	if w.byIndex == nil {
		w.byIndex, w.byID = make(map[int64]*piece), make(map[string]*piece)
	}
	for _, item := range n.all("item") {
		var p *piece
		switch {
		case isProviders(item):
		case slices.ContainsFunc(item.texts("type"), isCallType):
			p = &piece{typ: item.first("type"), place: "an item that was added"}
			p.addName(item.texts("name")...)
			for _, body := range item.any(bodies...) {
				if body.hasData() {
					p.initial = body.asText()
				}
			}
		default:
			if err := w.wholes(item, "an item that was added"); err != nil {
				return err
			}
		}
		if index, ok := n.number("output_index"); ok {
			w.byIndex[index] = p
		}
		for _, id := range item.texts("id") {
			if p != nil {
				w.byID[id] = p
			} else {
				delete(w.byID, id)
			}
		}
		w.byPosition = append(w.byPosition, p)
		if p == nil {
			continue
		}
		w.touch(p)
		if err := w.check(p, false); err != nil {
			return err
		}
	}
	return nil
}

// itemsOf returns the calls that clients may assign a payload to.
func (w *Witness) itemsOf(n *node) []*piece {
	var found []*piece
	index, indexed := n.number("output_index")
	if indexed {
		found = append(found, w.byIndex[index])
	}
	named := false
	for _, id := range n.texts("item_id") {
		if id != "" {
			named = true
			found = append(found, w.byID[id])
		}
	}
	if !indexed && !named && len(w.byPosition) > 0 {
		found = append(found, w.byPosition[len(w.byPosition)-1])
	}
	return found
}

// bodyDone checks the complete arguments of a call, with the name that it started with
// or has here.
func (w *Witness) bodyDone(n *node) error {
	for _, body := range n.any("arguments", "input") {
		for _, p := range w.itemsOf(n) {
			if p == nil || body.kind == jsonscan.Null { // null means absent
				continue
			}
			names := n.texts("name")
			for _, r := range p.readings() {
				names = append(names, r.name)
			}
			for _, name := range names {
				if !w.allowed.is(name, body.asText()) {
					return &UnjudgedError{Name: name, Place: "the whole of a call's arguments"}
				}
			}
		}
	}
	return nil
}

// bodiesOf are the members that hold the arguments of calls of a type.
func bodiesOf(typ string) []string {
	switch typ {
	case "function_call", "mcp_approval_request":
		return []string{"arguments"}
	case "custom_tool_call":
		return []string{"input"}
	}
	return bodies
}

// itemDone checks the final item under the name that it started with: calls in the
// payload itself are checked separately.
func (w *Witness) itemDone(n *node) error {
	for _, item := range n.all("item") {
		if isProviders(item) || !slices.ContainsFunc(item.texts("type"), isCallType) {
			continue
		}
		var begun []*piece
		if index, ok := n.number("output_index"); ok {
			begun = append(begun, w.byIndex[index])
		}
		for _, id := range item.texts("id") {
			begun = append(begun, w.byID[id])
		}
		for _, p := range begun {
			// An item that starts as a call of a built-in tool and ends as another type
			// is a call of that tool to no client.
			if p == nil || p.done || p.first == "" && !slices.Contains(item.texts("type"), p.typ) {
				continue
			}
			p.done = true
			for _, r := range p.readings() {
				for _, body := range item.any(bodiesOf(p.typ)...) {
					if !w.allowed.is(r.name, body.asText()) {
						return &UnjudgedError{Name: r.name, Place: "an item that began under this name"}
					}
				}
			}
			if len(p.arguments) > 0 {
				if err := w.check(p, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
