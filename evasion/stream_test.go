package evasion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// typed returns calls as the provider of a format names them.
func typed(format wire.Format, blocks []llm.Block) []llm.Block {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != llm.ToolCall {
			continue
		}
		switch {
		case b.Freeform() && format == wire.OpenAIChat:
			b.Type = "custom"
		case b.Freeform(), strings.HasSuffix(b.Type, "_call") && b.Type != "function_call":
		case format == wire.OpenAIResponses:
			b.Type = "function_call"
		case format == wire.Anthropic:
			b.Type = "tool_use"
		default:
			b.Type = "function"
		}
	}
	return blocks
}

// carries reports whether answers of a format can have the calls.
func carries(format wire.Format, how *chunking, c *evasion.Case, blocks []llm.Block) bool {
	if (c.Legacy || c.Choice > 0) && format != wire.OpenAIChat {
		return false
	}
	for _, b := range blocks {
		// A body has no place for arguments that are no JSON object, nor for a
		// patch without its deltas.
		if how.whole && (format == wire.Anthropic && json.Unmarshal([]byte(b.Arguments), &map[string]any{}) != nil || b.Type == "apply_patch_call") {
			return false
		}
		special := strings.HasSuffix(b.Type, "_call") && b.Type != "function_call" && b.Type != "custom_tool_call"
		if format != wire.OpenAIResponses && special || format == wire.Anthropic && b.Freeform() || c.Legacy && b.Freeform() {
			return false
		}
	}
	return true
}

// attempt is a case in one form, dialect and chunking.
type attempt struct {
	c      *evasion.Case
	form   []llm.Block // as the case has it
	format wire.Format
	how    *chunking
	sent   []byte
	blocks []llm.Block
	got    sluicetest.Delivered
}

func (a *attempt) String() string {
	return fmt.Sprintf("%s as %s in %s, %s: %s", a.c.Name, shapeOf(a.target()), a.format, a.how.name, describe(a.c))
}

// target is the call that is judged.
func (a *attempt) target() *llm.Block {
	for i := len(a.blocks) - 1; ; i-- {
		if !strings.HasPrefix(a.blocks[i].ID, "beside_") {
			return &a.blocks[i]
		}
	}
}

// run lets the policies judge the case on its whole way.
func (a *attempt) run(t *testing.T, set *policy.Set) {
	t.Helper()
	c, format, how := a.c, a.format, a.how
	a.blocks = typed(format, a.form)
	if how.spell != nil {
		for i := range a.blocks {
			if b := &a.blocks[i]; !b.Freeform() {
				b.Arguments = how.spell(b.Arguments)
			}
		}
	}
	if how.mix != nil && !c.Legacy {
		a.blocks = typed(format, how.mix(a.blocks))
	}
	choices := [][]llm.Block{a.blocks}
	for range c.Choice {
		choices = append([][]llm.Block{{{Kind: llm.Content, Text: "Or nothing."}}}, choices...)
	}
	a.sent = how.build(format, choices, c.Legacy)
	n := sluicetest.Enforcement{Set: set, Exchange: exchange(t, c, format, true)}
	if how.whole {
		a.got = n.Body(t.Context(), string(format), a.sent)
	} else {
		a.got = n.Stream(t.Context(), string(format), how.reader(a.sent))
	}
}

// tries calls check with the attempts that the cases are tried in, and with whether
// the case is blocked by itself. A long run tries each in every dialect and every
// chunking, others in one combination, in brief every fourth case. The client's form
// changes from attempt to attempt; another test judges every case in all forms.
func tries(t *testing.T, set *policy.Set, cases []evasion.Case, check func(a *attempt, blocked bool)) {
	t.Helper()
	for n := range cases {
		if brief() && n%4 != 0 {
			continue
		}
		c := &cases[n]
		forms, made := c.Forms(), 0
		attempted := func(k int, format wire.Format, how *chunking) bool {
			form := forms[k%len(forms)]
			if !carries(format, how, c, form) {
				return false
			}
			made++
			check(&attempt{c: c, form: form, format: format, how: how}, decideForm(t, set, exchange(t, c, format, true), form, true).blocked)
			return true
		}
		if !long() {
			// The three numbers have no common divisor.
			for k := n; made == 0 && k < n+3*len(forms)*len(chunkings); k++ {
				attempted(k, dialects[k%len(dialects)], &chunkings[k%len(chunkings)])
			}
			continue
		}
		if n%250 == 0 {
			t.Logf("%d of %d cases", n, len(cases))
		}
		for _, format := range dialects {
			for i := range chunkings {
				for k := range forms { // the first that this dialect can carry so
					if attempted(n+made+k, format, &chunkings[i]) {
						break
					}
				}
			}
		}
	}
}

func TestNothingOfAHostileCallLeaves(t *testing.T) {
	t.Parallel()
	set := recommended(t)
	cases := wanted(hostile(t))
	runs, passed := 0, 0
	var bad problems
	tries(t, set, cases, func(a *attempt, blocked bool) {
		if !blocked {
			passed++ // told by another test
			return
		}
		runs++
		a.run(t, set)
		if executes(&a.got, a.target()) {
			bad.addf("%s: passes on this way", a)
		} else if leak := leaked(a); leak != "" {
			bad.addf("%s: %q leaves", a, leak)
		}
		if a.got.Invalid != nil && a.got.Err == nil {
			bad.addf("%s: no legal answer: %v", a, a.got.Invalid)
		}
	})
	t.Logf("%d cases in %d ways; %d would pass on any and were left out", len(cases), runs, passed)
	bad.tell(t)
}

// window is how much of a call's arguments is taken for a leak.
const window = 20

// leaked returns a part of the arguments that is in the bytes that leave, or in
// what a client puts together from them.
func leaked(a *attempt) string {
	arguments := a.target().Arguments
	if len(arguments) < window {
		return ""
	}
	var said bytes.Buffer
	for _, choice := range a.got.Response.Choices {
		for _, b := range choice.Blocks {
			if !strings.HasPrefix(b.ID, "beside_") {
				said.WriteString(b.Text + "\n" + b.Arguments + "\n")
			}
		}
	}
	if strings.Count(a.c.Text, `"tool"`)+strings.Count(a.c.Text, `"shell"`) > 1 {
		return "" // other calls of the answer may pass and look like it
	}
	for i := 0; i+window <= len(arguments); i++ {
		part := arguments[i : i+window]
		if strings.Contains(companion(1).Arguments, part) {
			continue // the companions are in the same directory
		}
		if bytes.Contains(said.Bytes(), []byte(part)) || bytes.Contains(a.got.Bytes, []byte(part)) && !bytes.Contains(withoutIt(a), []byte(part)) {
			return part
		}
	}
	return ""
}

// withoutIt is an answer of the same make that has none of the case's calls.
func withoutIt(a *attempt) []byte {
	return a.how.build(a.format, [][]llm.Block{{companion(1), companion(2)}}, false)
}

func TestAHarmlessCallLeavesAsItCame(t *testing.T) {
	t.Parallel()
	set := recommended(t)
	cases := wanted(harmless(t))
	runs, left := 0, 0
	var bad problems
	tries(t, set, cases, func(a *attempt, blocked bool) {
		if blocked {
			left++ // told by another test
			return
		}
		runs++
		a.run(t, set)
		for _, b := range a.blocks {
			if b.Kind == llm.ToolCall && !slices.ContainsFunc(a.got.Report.Calls, func(c sluicetest.Call) bool { return same(c, &b) }) {
				bad.addf("%s: does not leave as it came: %v, %v", a, a.got.Err, a.got.Invalid)
				return
			}
		}
		if !a.how.other && !bytes.Equal(a.got.Bytes, a.sent) && !isAmbiguous(t, a) {
			bad.addf("%s: other bytes leave:\n%s", a, firstDifference(a.sent, a.got.Bytes))
		}
	})
	t.Logf("%d cases in %d ways; %d would be blocked on any and were left out", len(cases), runs, left)
	bad.tell(t)
}

// isAmbiguous reports whether some clients would read other calls in an answer than those that
// are judged: it is written anew, so that all read the same.
func isAmbiguous(t *testing.T, a *attempt) bool {
	t.Helper()
	found := false
	handler := stream.HandlerFunc(func(_ context.Context, c *stream.Chunk, _ *stream.State, _ *stream.Output) error {
		found = found || c.Ambiguous
		return nil
	})
	if _, err := stream.Process(t.Context(), sse.NewReader(bytes.NewReader(a.sent), sse.Options{}), a.format.NewDecoder(), handler, nil); err != nil {
		return false // not an event stream, or not a whole one
	}
	return found
}

// same compares arguments as a client sees them. Items whose arguments are JSON and
// not a text are rewritten by the client's reader, where those of a body are empty
// if there are none.
func same(got sluicetest.Call, want *llm.Block) bool {
	if got.Arguments == "" {
		got.Arguments = "{}"
	}
	if got.Name != want.Name || got.Arguments == want.Arguments {
		return got.Name == want.Name
	}
	var a, b any
	isText := want.Freeform() || want.Type == "function" || want.Type == "function_call"
	return !isText && json.Unmarshal([]byte(got.Arguments), &a) == nil && json.Unmarshal([]byte(want.Arguments), &b) == nil && reflect.DeepEqual(a, b)
}

// problems are what went wrong in many attempts; the first are reported.
type problems []string

func (p *problems) addf(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

func (p *problems) tell(t *testing.T) {
	t.Helper()
	if all := *p; len(all) > 0 {
		t.Errorf("%d attempts:\n%s", len(all), strings.Join(all[:min(len(all), 50)], "\n"))
	}
}

// firstDifference shows two texts where they begin to differ.
func firstDifference(a, b []byte) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	from := max(0, at-60)
	return fmt.Sprintf("\tsent %q\n\tleft %q", a[from:min(len(a), at+60)], b[from:min(len(b), at+60)])
}
