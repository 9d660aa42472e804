package agent

import (
	"github.com/sluice-project/sluice/llm"
)

// draft is an answer that may still be rejected.
type draft struct {
	yield func(Event, error) bool
	// held are the events that are shown if it is accepted. Pieces of one block
	// are one event, with their text in texts.
	held  []Event
	texts [][]byte
	// calls: it calls tools, so it is accepted.
	calls bool
	final Event
}

// take passes on what can be shown at once. It returns false at the end: the
// consumer left, or got an error.
func (d *draft) take(events Events) bool {
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

// release shows what was held, and returns false if the consumer left.
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

// show shows the rest of an accepted answer. Its text is the final one, which
// advisors closer to the model may have changed.
func (d *draft) show() {
	result := d.final.Final
	if !d.calls && result.Reason == Done && result.Answer != nil {
		d.whole(result.Answer)
	}
	if d.release() {
		d.yield(d.final, nil)
	}
}

// whole emits the text of the answer as one event, before the end of its round.
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
