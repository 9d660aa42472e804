package contradict

import (
	"bytes"
	"fmt"
	"strings"
)

// Answer is what an upstream sends.
type Answer struct {
	Plan Plan
	// Events are the payloads in order; a body is the only one.
	Events []Event
	// Applied are the contradictions of the plan that could be applied.
	Applied []string
	// WellFormed: the dialect's real providers send such answers. Then Calls, Texts and
	// Thinking are exactly what the answer has. Otherwise they are what it may be read
	// as.
	WellFormed bool
	// Calls are in order, with those added by a contradiction last.
	Calls []Call
	// Texts and Thinking are the tokens in the texts, in order.
	Texts, Thinking []string
}

// Event is one server-sent event.
type Event struct{ Name, Payload string }

// Call is a call that a client may find in an answer.
type Call struct {
	Choice     int
	Name, Type string
	// Token is in the arguments of this call and of no other.
	Token     string
	Forbidden bool
}

// Body returns an answer that is not streamed.
func (a *Answer) Body() []byte {
	var out bytes.Buffer
	for _, ev := range a.Events {
		out.WriteString(ev.Payload)
	}
	return out.Bytes()
}

// SSE returns the bytes of the event stream.
func (a *Answer) SSE() []byte { return SSE(a.Events) }

// SSE frames events. A line break in a payload makes several data lines.
func SSE(events []Event) []byte {
	var out bytes.Buffer
	for _, ev := range events {
		if ev.Name != "" {
			out.WriteString("event: ")
			out.WriteString(ev.Name)
			out.WriteByte('\n')
		}
		for line := range strings.SplitSeq(ev.Payload, "\n") {
			out.WriteString("data: ")
			out.WriteString(line)
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// String describes an answer: its origin, its contradictions and its payloads.
func (a *Answer) String() string {
	var out strings.Builder
	form := "streamed"
	if a.Plan.Whole {
		form = "whole"
	}
	fmt.Fprintf(&out, "%s, %s, seed %d\n", a.Plan.Dialect, form, a.Plan.Seed)
	for _, b := range a.Plan.Blocks {
		fmt.Fprintf(&out, "block: %s\n", b)
	}
	for _, name := range a.Applied {
		fmt.Fprintf(&out, "contradiction: %s\n", name)
	}
	for _, ev := range a.Events {
		if ev.Name != "" {
			fmt.Fprintf(&out, "%s ", ev.Name)
		}
		fmt.Fprintf(&out, "%s\n", ev.Payload)
	}
	return out.String()
}
