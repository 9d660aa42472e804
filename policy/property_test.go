package policy_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// The same answer gives the same verdicts and delivers the same blocks, however
// it was cut, and whether it streams or not.
func TestStreamAndBodyAreJudgedAlike(t *testing.T) {
	for _, format := range sluicetest.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			for seed := range cases(20 * seeds()) {
				r := rand.New(rand.NewPCG(seed, 3))
				l := lottery{seed: seed, waits: seed%2 == 1, content: seed%8 >= 6, rewrite: seed%4 >= 2, texts: seed%8 >= 4}
				blocks := sluicetest.RandomBlocks(r, format)
				if format == sluicetest.OpenAIChat {
					blocks = firstTexts(blocks)
				}
				checkForms(t, format, l, blocks, r)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// firstTexts leaves one text of each kind: a whole Chat message has no more,
// and has its refusal after everything else.
func firstTexts(blocks []llm.Block) (kept []llm.Block) {
	seen := map[llm.Kind]bool{}
	for _, b := range blocks {
		if b.Kind == llm.ToolCall || b.Kind != llm.Refusal && !seen[b.Kind] {
			kept = append(kept, b)
		}
		seen[b.Kind] = true
	}
	slices.SortStableFunc(kept, func(a, b llm.Block) int { return rank(a) - rank(b) })
	return kept
}

func rank(b llm.Block) int {
	return slices.Index([]llm.Kind{llm.Thinking, llm.Content, llm.Refusal, llm.ToolCall}, b.Kind)
}

func checkForms(t *testing.T, format string, l lottery, blocks []llm.Block, r *rand.Rand) {
	ctx := context.Background()
	n := sluicetest.Enforcement{Set: l.set(t)}
	choices := [][]llm.Block{blocks}
	forms := map[string]sluicetest.Delivered{
		"body": n.Body(ctx, format, []byte(sluicetest.BuildBody(format, choices, sluicetest.BuildOptions{}))),
	}
	for i := range 3 {
		opts := sluicetest.BuildOptions{Rand: r, MaxPiece: 1 + r.IntN(30), Usage: i == 1}
		if i == 2 {
			opts.Quirks = sluicetest.Quirks(r.Uint32())
		}
		events := sluicetest.SSE(format, sluicetest.Build(format, choices, opts))
		forms[fmt.Sprint("stream ", i)] = n.Stream(ctx, format, sluicetest.Chopped(events, r))
	}
	var verdicts, delivered []string
	for name, d := range forms {
		if d.Err != nil || d.Invalid != nil || d.Cut != nil {
			t.Errorf("%s: %v, %v, %v\n%s", name, d.Err, d.Invalid, d.Cut, d.Bytes)
			continue
		}
		now, blocks := drawn(withoutResults(d.Records)), deliveredIn(d.Response)
		if verdicts == nil {
			verdicts, delivered = now, blocks
			continue
		}
		if !slices.Equal(verdicts, now) {
			t.Errorf("%s: other verdicts\n%s\nthan\n%s", name, strings.Join(now, "\n"), strings.Join(verdicts, "\n"))
		}
		if !slices.Equal(delivered, blocks) {
			t.Errorf("%s: other blocks\n%s\nthan\n%s", name, strings.Join(blocks, "\n"), strings.Join(delivered, "\n"))
		}
	}
}

func deliveredIn(r llm.Response) (list []string) {
	for _, c := range r.Choices {
		for _, b := range c.Blocks {
			args := b.Arguments
			if b.Kind == llm.ToolResult {
				b.Text = "" // the JSON of it, which a body spells in its own way
			}
			if b.Kind == llm.ToolCall {
				args = orEmpty(args)
			}
			list = append(list, fmt.Sprintf("%d %s %s %q %q %q", c.Index, b.Kind, b.Name, b.Text, args, b.Signature))
		}
		list = append(list, fmt.Sprintf("%d finish %s", c.Index, c.FinishReason))
	}
	return list
}

// Two choices are judged apart, and one that is held does not hold the other.
func TestChoicesAreJudgedApart(t *testing.T) {
	n := sluicetest.Enforcement{Set: set(t, blockNamed("bad"))}
	for _, format := range []string{sluicetest.OpenAIChat, sluicetest.Gemini} {
		for seed := range 10 * seeds() {
			r := rand.New(rand.NewPCG(seed, 9))
			choices := [][]llm.Block{
				{says("one"), call("bad", `{"secret":"X9ZZY"}`), call("good", `{"n":1}`)},
				{says("two"), call("good", `{"n":2}`)},
				{says("three"), call("bad", `{"secret":"X9ZZY"}`)},
			}
			events := sluicetest.SSE(format, sluicetest.Build(format, choices, sluicetest.BuildOptions{
				Rand: r, MaxPiece: 1 + r.IntN(8), Quirks: sluicetest.Quirks(r.Uint32()),
			}))
			d := n.Stream(context.Background(), format, bytes.NewReader(events))
			if d.Err != nil || d.Invalid != nil {
				t.Fatalf("%s, seed %d: %v, %v\n%s", format, seed, d.Err, d.Invalid, d.Bytes)
			}
			got := callsOf(d.Response)
			slices.Sort(got)
			if want := []string{`0 good {"n":1}`, `1 good {"n":2}`}; !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: got %q\n%s", format, seed, got, d.Bytes)
			}
			if bytes.Contains(d.Bytes, []byte("X9ZZY")) {
				t.Errorf("%s, seed %d: a blocked call left", format, seed)
			}
		}
	}
}

func withoutResults(records []policy.Record) []policy.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r policy.Record) bool { return r.Kind == llm.ToolResult })
}
