package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// tally counts what passes.
type tally struct {
	mu       sync.Mutex
	requests int // that are judged
	other    int // that are only forwarded, or refused
	calls    int
	blocked  map[string]int // by call and policy
	would    map[string]int // in shadow
	failed   map[gateway.Outcome]int
	notices  []string
	// text counts requests that ask for calls as text, which are not judged, by the
	// form of the calls.
	text map[string]int
}

// mostNotices is how many notices, the last ones, are kept for the end.
const mostNotices = 10

// notice keeps a message for the end.
func (t *tally) notice(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.notices) == mostNotices {
		t.notices = t.notices[1:]
	}
	t.notices = append(t.notices, text)
}

func (t *tally) note(e gateway.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case e.Exchange.Canary: // a check, not a request of the program
	case e.Record != nil:
		if e.Record.Kind != llm.ToolCall {
			return
		}
		t.calls++
		if e.Record.Verdict.Action.Blocks() {
			t.blocked = more(t.blocked, denial(e.Record, e.Record.Verdict))
			return
		}
		var would policy.Verdict // the policies that would deny it, as one verdict
		for i := range e.Record.Verdicts {
			switch v := &e.Record.Verdicts[i]; {
			case !v.Shadow || v.Action.Passes():
			case would.Policy == "":
				would = *v
			case !slices.Contains(strings.Split(would.Policy, ", "), v.Policy):
				would.Policy += ", " + v.Policy
			}
		}
		if would.Policy != "" {
			t.would = more(t.would, denial(e.Record, would))
		}
	case e.End != nil:
		if e.End.Outcome != gateway.Complete {
			if t.failed == nil {
				t.failed = make(map[gateway.Outcome]int)
			}
			t.failed[e.End.Outcome]++
		}
	default:
		if e.Exchange.Policies != "" { // judged, not only forwarded
			t.requests++
			if e.Exchange.TextCalls != "" {
				t.text = more(t.text, e.Exchange.TextCalls)
			}
		} else {
			t.other++
		}
	}
}

// denial says which call was denied, or would have been, by which policies.
func denial(r *policy.Record, v policy.Verdict) string {
	text := oneLine(r.Name, 60) + " by " + oneLine(v.Policy, 200)
	if v.Attempt != "" {
		text += ": " + v.Attempt
	}
	return text
}

// more increments the count of a kind.
func more(counts map[string]int, kind string) map[string]int {
	if counts == nil {
		counts = make(map[string]int)
	}
	if len(counts) < 1000 {
		counts[kind]++
	}
	return counts
}

// notJudged says what no policy could judge; it is empty if there was
// nothing.
func (t *tally) notJudged() string {
	var b strings.Builder
	for _, form := range slices.Sorted(maps.Keys(t.text)) {
		fmt.Fprintf(&b, "sluice: NOT JUDGED: %s had the model write calls as text, in the form of %s; use the tool calls of the API, if the agent can\n",
			countOf(t.text[form], "request", "requests"), form)
	}
	return b.String()
}

// summary says what happened in a few lines.
func (t *tally) summary(shadow bool, log string) string {
	var b strings.Builder
	total := 0
	for _, n := range t.blocked {
		total += n
	}
	judged := "judged"
	if slices.ContainsFunc(t.notices, func(text string) bool { return strings.HasSuffix(text, file.NothingJudged) }) {
		judged = "NOT JUDGED"
	}
	fmt.Fprintf(&b, "sluice: %s, %s %s, %d blocked", countOf(t.requests, "request", "requests"), countOf(t.calls, "tool call", "tool calls"), judged, total)
	if shadow {
		total = 0
		for _, n := range t.would {
			total += n
		}
		fmt.Fprintf(&b, " (only observed; %d would have been)", total)
	}
	if log != "" {
		fmt.Fprintf(&b, "; log: %s", log)
	}
	b.WriteByte('\n')
	for _, list := range []struct {
		word   string
		counts map[string]int
	}{{"blocked", t.blocked}, {"would block", t.would}} {
		names := make([]string, 0, len(list.counts))
		for name := range list.counts {
			names = append(names, name)
		}
		slices.SortFunc(names, func(x, y string) int {
			return cmp.Or(cmp.Compare(list.counts[y], list.counts[x]), strings.Compare(x, y))
		})
		for i, name := range names {
			if i == mostListed {
				fmt.Fprintf(&b, "sluice:   and %d more kinds\n", len(names)-i)
				break
			}
			fmt.Fprintf(&b, "sluice:   %s %s (%dx)\n", list.word, name, list.counts[name])
		}
	}
	b.WriteString(t.notJudged())
	for _, outcome := range []gateway.Outcome{gateway.Unjudged, gateway.Unreachable, gateway.Cut, gateway.TimedOut, gateway.Refused, gateway.Aborted} {
		if n := t.failed[outcome]; n > 0 {
			fmt.Fprintf(&b, "sluice:   %s ended as %s; see the log\n", countOf(n, "request", "requests"), outcome)
		}
	}
	return b.String()
}
