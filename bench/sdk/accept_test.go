package sdk

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// What Sluice writes when it rewrites every payload is accepted by the official
// client, says the same to it as to Sluice, and is the same answer.
func TestSDKAcceptsForcedRecode(t *testing.T) {
	for _, format := range checked {
		t.Run(string(format), func(t *testing.T) {
			for _, stream := range corpus(t, format) {
				t.Run(stream.name, func(t *testing.T) { accepts(t, format, stream) })
			}
		})
	}
}

func accepts(t *testing.T, format wire.Format, stream recorded) {
	t.Helper()
	written, before, err := recode(format, stream.body)
	if err != nil {
		t.Fatalf("write anew: %v", err)
	}
	after := read(format, written, nil)
	theirs := readOfficial(t.Context(), format, written)
	if before.err != nil {
		staysFailed(t, before, after, theirs)
		return
	}
	if after.err != nil {
		t.Fatalf("what was written anew cannot be read: %v\n%s", after.err, written)
	}
	if theirs["error"] != "" {
		t.Errorf("the official reader refuses the stream")
	}
	sameAnswer(t, before, after)
	explain(t, format, stream.name, inRecoded, Compare(after.facts(format), theirs))
	if t.Failed() {
		t.Logf("written:\n%s", written[:min(len(written), 4000)])
	}
}

// staysFailed: a cut or failed answer must not look like a good one to anybody.
func staysFailed(t *testing.T, before, after reading, theirs Facts) {
	t.Helper()
	if after.err == nil {
		t.Errorf("the answer failed with %v, but reads as complete when written anew", before.err)
	}
	if theirs["error"] == "" && slices.Contains(goodFinishes, theirs["choice/0/finish"]) {
		t.Errorf("the answer failed with %v, but the official reader sees a good finish: %v", before.err, theirs)
	}
}

// A truncated answer never becomes a complete one by being rewritten.
func TestSDKSeesCutStreamsAsFailed(t *testing.T) {
	for _, format := range checked {
		t.Run(string(format), func(t *testing.T) {
			for _, stream := range corpus(t, format) {
				t.Run(stream.name, func(t *testing.T) {
					events := bytes.SplitAfter(stream.body, []byte("\n\n"))
					events = events[:len(events)-1]
					for _, n := range []int{1, len(events) / 4, len(events) / 2, len(events) * 3 / 4, len(events) - 1} {
						written, before, err := recode(format, bytes.Join(events[:n], nil))
						if err != nil {
							t.Fatalf("write the first %d of %d events anew: %v", n, len(events), err)
						}
						if before.err != nil { // without [DONE], what has finished is whole
							staysFailed(t, before, read(format, written, nil), readOfficial(t.Context(), format, written))
						}
					}
				})
			}
		})
	}
}

// legacyCall is the type of Chat's old function_call, which has no id.
const legacyCall = "function_call"

// goodFinishes are the words after which a client acts on an answer.
var goodFinishes = []string{"stop", "tool_calls", "function_call", "end_turn", "tool_use", "completed"}

// sameAnswer fails the test if rewriting changed the content. Ids that were
// missing or not unique, and a finish that was never said, may be new.
func sameAnswer(t *testing.T, before, after reading) {
	t.Helper()
	if len(before.state.Choices()) != len(after.state.Choices()) {
		t.Errorf("%d choices became %d", len(before.state.Choices()), len(after.state.Choices()))
		return
	}
	for _, was := range before.state.Choices() {
		is := after.state.Choice(was.Index())
		if was.FinishReason() != is.FinishReason() && !was.Inferred() {
			t.Errorf("choice %d: finish %q became %q", was.Index(), was.FinishReason(), is.FinishReason())
		}
		old, now := values(was.Blocks()), values(is.Blocks())
		if len(old) != len(now) {
			t.Errorf("choice %d: %d blocks became %d", was.Index(), len(old), len(now))
			continue
		}
		ids := map[string]bool{}
		for i := range old {
			switch {
			case old[i].ID != "" && !ids[old[i].ID]:
			case old[i].Kind == llm.ToolCall && old[i].Type != legacyCall && (now[i].ID == "" || ids[now[i].ID]):
				t.Errorf("choice %d: call %d has the id %q, which is empty or not unique", was.Index(), i, now[i].ID)
			default:
				old[i].ID = now[i].ID
			}
			ids[now[i].ID] = true
			if !equal(old[i], now[i]) {
				t.Errorf("choice %d: block %d changed\n was %+v\n is  %+v", was.Index(), i, old[i], now[i])
			}
		}
	}
	wasUsage, _ := before.state.Usage()
	isUsage, _ := after.state.Usage()
	if wasUsage.Input != isUsage.Input || wasUsage.Output != isUsage.Output {
		t.Errorf("usage %d/%d became %d/%d", wasUsage.Input, wasUsage.Output, isUsage.Input, isUsage.Output)
	}
}

// values returns the blocks as values. Text without a byte is no block to a
// writer.
func values[B interface{ Value() llm.Block }](blocks []B) []llm.Block {
	var list []llm.Block
	for _, b := range blocks {
		if v := b.Value(); v.Kind != llm.Content || v.Text != "" {
			list = append(list, v)
		}
	}
	return list
}

// equal compares blocks. The provider's own type of thinking is not compared:
// what arrived as a part of the content leaves as reasoning_content.
func equal(a, b llm.Block) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Name == b.Name && a.Status == b.Status &&
		(a.Type == b.Type || a.Kind == llm.Thinking) &&
		a.Text == b.Text && a.Arguments == b.Arguments && a.Signature == b.Signature && a.ToolUseID == b.ToolUseID
}
