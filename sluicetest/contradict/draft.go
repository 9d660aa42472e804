package contradict

import (
	"math/rand/v2"
	"slices"

	"github.com/sluice-project/sluice/sluicetest"
)

// draft is an answer while it is made.
type draft struct {
	*rand.Rand

	dialect string
	whole   bool
	events  []*event

	calls           []Call
	texts, thinking []string
	number          int // of the last token that a contradiction brought
	ids             int
	unnumbered      bool // Responses without sequence numbers
	lines           bool // line breaks between the members of payloads
}

// event is a payload while the answer is made.
type event struct {
	// name is the event's name if it is not the payload's type.
	name  string
	named bool
	// data is the payload, raw the payload if it is no JSON value.
	data *node
	raw  string
	// block is the place of the block in the plan, -1 if it belongs to none.
	block int
	role  role
}

// role is what an event does in its dialect.
type role uint8

const (
	head   role = iota + 1 // what comes before the blocks
	start                  // a block begins
	part                   // a part of a block begins or ends
	delta                  // a piece of a block
	full                   // the whole text or arguments, before the block ends
	stop                   // a block ends, with all of it in some dialects
	finish                 // the answer ends, with all of it in some dialects
	last                   // nothing may follow
)

func (d *draft) one(of int) bool { return d.IntN(of) == 0 }

func (d *draft) add(block int, r role, data *node) {
	d.events = append(d.events, &event{data: data, block: block, role: r})
}

// insert puts events before the one at a place, or at the end.
func (d *draft) insert(at int, events ...*event) {
	d.events = slices.Insert(d.events, min(at, len(d.events)), events...)
}

// between puts a payload after the first and before the last.
func (d *draft) between(data *node) bool {
	if len(d.events) < 2 {
		return false
	}
	d.insert(1+d.IntN(len(d.events)-1), &event{block: -1, data: data})
	return true
}

// all returns the events of these roles, of any role if none is given.
func (d *draft) all(roles ...role) []*event {
	var found []*event
	for _, ev := range d.events {
		if ev.data != nil && (len(roles) == 0 || slices.Contains(roles, ev.role)) {
			found = append(found, ev)
		}
	}
	return found
}

// pick returns one event of these roles, nil if there is none.
func (d *draft) pick(roles ...role) *event { return anyOf(d, d.all(roles...)) }

// anyOf returns one element of a list, the zero value of an empty one.
func anyOf[T any](d *draft, list []T) (found T) {
	if len(list) > 0 {
		found = list[d.IntN(len(list))]
	}
	return found
}

// objectsWith returns the objects of all payloads that have a member.
func (d *draft) objectsWith(name string) []*node {
	var found []*node
	for _, ev := range d.all() {
		ev.data.walk(func(o *node) {
			if o.at(name) >= 0 {
				found = append(found, o)
			}
		})
	}
	return found
}

// lists returns the arrays that are a member of an object and have elements.
func (d *draft) lists(name string) []*node {
	var found []*node
	for _, o := range d.objectsWith(name) {
		if l := o.get(name); l.kind == array && len(l.items) > 0 {
			found = append(found, l)
		}
	}
	return found
}

// place is where an event stands.
func (d *draft) place(ev *event) int { return slices.Index(d.events, ev) }

// of returns the events of a block that have data.
func (d *draft) of(block int) []*event {
	var found []*event
	for _, ev := range d.events {
		if ev.data != nil && ev.block == block {
			found = append(found, ev)
		}
	}
	return found
}

// some returns a part of the events of a block, usually all of them.
func (d *draft) some(block int) []*event {
	events := d.of(block)
	if d.one(2) {
		return events
	}
	return slices.DeleteFunc(events, func(*event) bool { return d.one(2) })
}

// hasDeltas reports whether a block grows.
func (d *draft) hasDeltas(block int) bool {
	return slices.ContainsFunc(d.of(block), func(ev *event) bool { return ev.role == delta })
}

// blocks returns the blocks that have events.
func (d *draft) blocks() []int {
	var found []int
	for _, ev := range d.events {
		if ev.block >= 0 && !slices.Contains(found, ev.block) {
			found = append(found, ev.block)
		}
	}
	return found
}

// remove takes an event out.
func (d *draft) remove(ev *event) {
	d.events = slices.DeleteFunc(d.events, func(x *event) bool { return x == ev })
}

func (ev *event) clone() *event {
	c := *ev
	c.data = ev.data.clone()
	return &c
}

// finish writes the answer.
func (d *draft) finish() []Event {
	events := make([]Event, 0, len(d.events))
	for i, ev := range d.events {
		out := Event{Name: ev.name, Payload: ev.raw}
		if d.whole {
			out.Name = ""
		}
		if ev.data != nil {
			named := d.dialect == sluicetest.Anthropic || d.dialect == sluicetest.OpenAIResponses
			if named && !ev.named && !d.whole {
				out.Name = ev.data.str("type")
			}
			if d.dialect == sluicetest.OpenAIResponses && !d.whole && !d.unnumbered && ev.data.kind == object {
				ev.data.set("sequence_number", i)
			}
			out.Payload = ev.data.String()
			if d.lines {
				out.Payload = broken(out.Payload)
			}
		}
		events = append(events, out)
	}
	return events
}

// broken puts line breaks where JSON and server-sent events allow them.
func broken(payload string) string {
	out := make([]byte, 0, len(payload)+16)
	inText := false
	for i := range len(payload) {
		c := payload[i]
		out = append(out, c)
		switch {
		case inText && c == '\\' || !inText && c == ',':
			if !inText {
				out = append(out, '\n')
			}
		case c == '"' && (!inText || !escapedAt(payload, i)):
			inText = !inText
		}
	}
	return string(out)
}

// escapedAt reports whether the character at i follows an odd number of
// backslashes.
func escapedAt(s string, i int) bool {
	n := 0
	for i--; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
