package policy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/sluicetest"
)

// sized returns arguments of exactly n bytes.
func sized(n int) string { return `{"a":"` + strings.Repeat("x", n-8) + `"}` }

func TestABlockAtTheLimitPassesAndOneByteMoreIsBlocked(t *testing.T) {
	const limit = 512
	for _, over := range []int{0, 1} {
		n := sluicetest.Enforcement{Set: set(t, blockNamed("never")), Options: policy.Options{Limits: policy.Limits{Block: limit}}}
		n.EachForm(context.Background(), []llm.Block{call("big", sized(limit+over)), call("small", `{}`)}, func(name, _ string, d sluicetest.Delivered) {
			if d.Err != nil || d.Invalid != nil {
				t.Errorf("%d over, %s: %v, %v", over, name, d.Err, d.Invalid)
				return
			}
			if got, want := len(d.Report.Calls), 2-over; got != want {
				t.Errorf("%d over, %s: %d calls, want %d", over, name, got, want)
			}
			if over == 1 && d.Records[0].Verdict.Cause != policy.CauseLimit {
				t.Errorf("%s: recorded %+v", name, d.Records[0].Verdict)
			}
		})
	}
}

func TestTheExchangeLimitBlocksTheBlockThatGoesOver(t *testing.T) {
	for _, over := range []int{0, 1} {
		n := sluicetest.Enforcement{Set: set(t, blockNamed("never")), Options: policy.Options{Limits: policy.Limits{Block: 200, Exchange: 400}}}
		blocks := []llm.Block{call("one", sized(200)), call("two", sized(100)), call("three", sized(100+over)), call("four", `{}`)}
		if over == 0 {
			blocks = blocks[:3]
		}
		n.EachForm(context.Background(), blocks, func(name, _ string, d sluicetest.Delivered) {
			if d.Err != nil || d.Invalid != nil {
				t.Errorf("%d over, %s: %v, %v", over, name, d.Err, d.Invalid)
				return
			}
			var got []string
			for _, c := range d.Report.Calls {
				got = append(got, c.Name)
			}
			want := "[one two three]"
			if over == 1 {
				want = "[one two four]" // what is small still fits
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%d over, %s: got %v, want %s", over, name, got, want)
			}
		})
	}
}

func TestPayloadsThatWaitAreBounded(t *testing.T) {
	for _, size := range []int{200, 20_000} {
		payloads := sluicetest.Build(sluicetest.OpenAIChat, [][]llm.Block{{call("x", sized(size))}}, sluicetest.BuildOptions{MaxPiece: 1})
		events := sluicetest.SSE(sluicetest.OpenAIChat, payloads)
		d := sluicetest.Enforcement{
			Set: set(t, blockNamed("never")), Options: policy.Options{Limits: policy.Limits{Queue: 1 << 20}},
		}.Stream(context.Background(), sluicetest.OpenAIChat, bytes.NewReader(events))
		var abort *policy.AbortError
		var limit *policy.LimitError
		switch {
		case size == 200 && d.Err != nil:
			t.Errorf("small: %v", d.Err)
		case size == 20_000 && (!errors.As(d.Err, &abort) || !errors.As(d.Err, &limit) || !d.Report.Failed || d.Invalid != nil):
			t.Errorf("large: %v, %+v, %v", d.Err, d.Report, d.Invalid)
		}
	}
}

// Text that may still be a match is held back up to a limit, and then withheld.
func TestTextThatNeverEndsToMatchIsWithheld(t *testing.T) {
	const limit = 300
	def := policy.Definition{
		Name: "run", Applies: policy.KindsOf(llm.Content),
		Text: []text.Rule{{Name: "run", Patterns: []string{`a+b`}, Replacement: "[run]", Literal: true}},
	}
	for _, over := range []int{0, 1} {
		said := "start " + strings.Repeat("a", limit+over-1) + "b end"
		n := sluicetest.Enforcement{Set: set(t, def), Options: policy.Options{Limits: policy.Limits{Block: limit}}}
		var first string
		n.EachForm(context.Background(), []llm.Block{says(said)}, func(name, _ string, d sluicetest.Delivered) {
			got := strings.Join(d.Report.Texts, "|")
			if d.Err != nil || d.Invalid != nil {
				t.Errorf("%s: %v, %v", name, d.Err, d.Invalid)
			}
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%d over, %s: got %q, elsewhere %q", over, name, got, first)
			}
			if strings.Contains(got, "aaa") {
				t.Errorf("%d over, %s: text left that may have matched: %q", over, name, got)
			}
			if over == 0 && got != "start [run] end" {
				t.Errorf("%s: got %q", name, got)
			}
		})
	}
}
