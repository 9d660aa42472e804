package agent

import (
	"github.com/sluice-project/sluice/llm"
)

// draft is an answer of which it is not known yet whether it stays.
type draft struct {
	yield func(Event, error) bool
	// held are the events that are seen if it stays. Pieces of one block are one
	// event, with their text in texts.
	held  []Event
	texts [][]byte
	// calls: it calls tools, so that it stays.
	calls bool
	final Event
}

// hear passes on what can be seen at once. It reports false if that was the end: the
// consumer left, or was told an error.
func (d *draft) hear(events Events) bool {
	for ev, err := range events {
		if err != nil {
			d.yield(Event{}, err)
			return false
		}
		switch ev.Type {
		case EventFinal:
			d.final = ev
			continue
		case EventRoundEnd:
			d.hold(ev)
			continue
		case EventText:
			if !d.calls {
				d.hold(ev)
				continue
			}
		case EventToolStart, EventToolDelta, EventToolEnd, EventToolResult:
			d.calls = true
			if !d.release() {
				return false
			}
		default:
		}
		if !d.yield(ev, nil) {
			return false
		}
	}
	if d.final.Final == nil {
		d.yield(Event{}, ErrNoFinal)
		return false
	}
	return true
}

func (d *draft) hold(ev Event) {
	last := len(d.held) - 1
	if ev.Type == EventText && last >= 0 && d.held[last].Type == EventText && d.held[last].Block == ev.Block && d.held[last].Round == ev.Round {
		d.texts[last] = append(d.texts[last], ev.Text...)
		return
	}
	d.held = append(d.held, ev)
	d.texts = append(d.texts, []byte(ev.Text))
}

// release shows what was held, and reports false if the consumer left.
func (d *draft) release() bool {
	for i, ev := range d.held {
		ev.Text = string(d.texts[i])
		if !d.yield(ev, nil) {
			return false
		}
	}
	d.held, d.texts = nil, nil
	return true
}

// show shows the rest of an answer that stays. What a good answer says is what it
// says at its end, which advisors further in may have changed.
func (d *draft) show() {
	result := d.final.Final
	if !d.calls && result.Reason == Done && result.Answer != nil {
		d.whole(result.Answer)
	}
	if d.release() {
		d.yield(d.final, nil)
	}
}

// whole puts the text of the answer into one event, before the end of its round.
func (d *draft) whole(answer *Answer) {
	ev := Event{Type: EventText, Round: d.final.Round, Text: answer.Text()}
	for i := range answer.Blocks {
		if answer.Blocks[i].Kind == llm.Content {
			ev.Block = i
			break
		}
	}
	var ends []Event
	for _, h := range d.held {
		if h.Type == EventRoundEnd {
			ends = append(ends, h)
		}
	}
	d.held, d.texts = append([]Event{ev}, ends...), make([][]byte, 1+len(ends))
	d.texts[0] = []byte(ev.Text)
}
