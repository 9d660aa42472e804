package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/stream"
)

// A comparison means something only if all contenders find the same.
func TestContendersFindTheSameText(t *testing.T) {
	for _, l := range generatedLoads() {
		if l.chunks > 1000 {
			continue
		}
		want := 0
		for _, c := range contenders() {
			if !c.reads(l.format) || c.role == bound {
				continue
			}
			got := c.prepare(l.format)(l.bodies[0])
			if c.role == ours {
				want = got
			}
			if got != want || got == 0 {
				t.Errorf("%s on %s finds %d bytes, sluice %d", c.name, l.name, got, want)
			}
		}
	}
}

func TestGeneratedStreamsHaveTheirLength(t *testing.T) {
	for _, l := range generatedLoads() {
		if l.length > 0 && (l.chunks < l.length || l.chunks > l.length+12) {
			t.Errorf("%s has %d chunks", l.name, l.chunks)
		}
		if n := bytes.Count(l.bodies[0], []byte("\n\n")); n != l.chunks {
			t.Errorf("%s has %d events, not %d", l.name, n, l.chunks)
		}
	}
}

func TestRunPrintsTableAndTargets(t *testing.T) {
	t.Setenv("SLUICE_CORPUS", "")
	var out, errs strings.Builder
	args := []string{"-stream", "anthropic/turn", "-rounds", "2", "-atleast", "1us"}
	if err := run(args, &out, &errs); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"anthropic/turn", "anthropic-sdk-go", "gjson, ForEach", "at most 1.25x of bare gjson", "not measured"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table does not mention %q:\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := run(append(args, "-json"), &out, &errs); err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(out.String())) {
		t.Errorf("-json prints no JSON: %s", out.String())
	}
}

func TestRunRefusesWhatItCannotDo(t *testing.T) {
	for name, args := range map[string][]string{
		"no rounds":         {"-rounds", "0"},
		"no such stream":    {"-stream", "none of these"},
		"no such contender": {"-contender", "none of these"},
		"no such flag":      {"-fast"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			if run(args, &out, &errs) == nil {
				t.Error("no error")
			}
		})
	}
}

func TestClientsAreJudgedOverAllRecordedStreams(t *testing.T) {
	row := func(stream, contender string, ratio float64) row {
		return row{Stream: stream, Format: "anthropic", Chunks: 300, Contender: contender, Ratio: ratio}
	}
	all := allName("anthropic")
	rs := results{
		row("a", nameDecide, 0.8), row("a", nameAnthropic, 10),
		row(all, nameDecide, 0.8), row(all, nameAnthropic, 24),
	}
	got := slowestClient(rs, nameAnthropic, "anthropic")
	want := "30.0x on " + all + " (24.0x with the writing); of single streams the least is 12.5x (10.0x) on a"
	if !got.Met || got.Said != want {
		t.Errorf("got %+v, want %s", got, want)
	}
}

// The judgement is about figures, not about this machine.
func TestTargetsAreJudgedByTheWorstStream(t *testing.T) {
	rows := func(official, gjson, growthNS, bytes float64) results {
		cost := func(ns, bytes, allocs float64) summary {
			return summary{CPU: spread{Min: ns}, Bytes: bytes, Allocs: allocs}
		}
		return results{
			{Stream: "a", Format: "openai-chat", Chunks: 300, Contender: nameSluice, role: ours, Ratio: 1, family: "f", length: 300, Cost: cost(100, 20, 0.1)},
			{Stream: "a", Format: "openai-chat", Chunks: 300, Contender: nameDecide, role: part, Ratio: 0.5},
			{Stream: "a", Format: "openai-chat", Chunks: 300, Contender: nameOpenAI, role: client, Ratio: official / 2},
			{Stream: "a", Format: "openai-chat", Chunks: 300, Contender: "slow gjson", role: field, Ratio: 9},
			{Stream: "a", Format: "openai-chat", Chunks: 300, Contender: "fast gjson", role: field, Ratio: gjson},
			{Stream: "b", Format: "openai-chat", Chunks: 30000, Contender: nameSluice, role: ours, Ratio: 1, family: "f", length: 30000, Cost: cost(100*growthNS, bytes, 0.001)},
			{Stream: "b", Format: "openai-chat", Chunks: 30000, Contender: nameDecide, role: part, Ratio: 0.5},
			{Stream: "b", Format: "openai-chat", Chunks: 30000, Contender: nameOpenAI, role: client, Ratio: 99},
			{Stream: "c", Format: "openai-chat", Chunks: 20, Contender: nameDecide, role: part, Ratio: 0.5},
			{Stream: "c", Format: "openai-chat", Chunks: 20, Contender: nameOpenAI, role: client, Ratio: 2},
		}
	}
	met := func(rs results, fs []figureRow) string {
		var b strings.Builder
		for _, target := range judge(rs, fs) {
			switch {
			case !target.Measured:
				b.WriteByte('-')
			case target.Met:
				b.WriteByte('y')
			default:
				b.WriteByte('n')
			}
		}
		return b.String()
	}
	hosts := func(none, recommended float64) results {
		return results{
			{Stream: allName("gemini"), Format: "gemini", Chunks: 300, Contender: nameNoPolicies, Host: none},
			{Stream: allName("gemini"), Format: "gemini", Chunks: 300, Contender: nameRecommended, Host: recommended},
			{Stream: "a", Format: "gemini", Chunks: 300, Contender: nameRecommended, Host: 9},
		}
	}
	alone := func(decision, mbs, twice float64) []figureRow {
		return []figureRow{
			{Name: figureDecision + "quick", CPU: spread{Median: 1}},
			{Name: figureDecision + "slow", CPU: spread{Median: decision * 1e3}},
			{Name: figureText, CPU: spread{Median: 1}, MBs: mbs, Twice: twice},
		}
	}
	// openai-go, anthropic-sdk-go, gjson, allocations, growth; an engine without
	// and with policies; decision, patterns, twice the text
	for name, c := range map[string]struct {
		rs   results
		fs   []figureRow
		want string
	}{
		"all met":                 {rows(25, 0.8, 1.3, 26), alone(99, 200, 2.3), "y-yyy--yyy"},
		"client too fast":         {rows(24.9, 0.8, 1, 20), nil, "n-yyy-----"},
		"gjson too fast":          {rows(30, 0.79, 1, 20), nil, "y-nyy-----"},
		"time grows":              {rows(30, 1, 1.4, 20), nil, "y-yyn-----"},
		"memory grows":            {rows(30, 1, 1, 30), nil, "y-yyn-----"},
		"engine costs little":     {hosts(1.1, 1.2), nil, "-----yy---"},
		"engine costs much":       {hosts(1.11, 1.2), nil, "-----ny---"},
		"policies cost much":      {hosts(1.1, 1.21), nil, "-----yn---"},
		"a decision takes long":   {nil, alone(100, 200, 2), "-------nyy"},
		"patterns take long":      {nil, alone(9, 199, 2), "-------yny"},
		"patterns are not linear": {nil, alone(9, 200, 2.4), "-------yyn"},
		"nothing was measured":    {nil, nil, "----------"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := met(c.rs, c.fs); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// What the engine is measured with must be what a gateway would do: no policy
// of the recommended set waits for anybody, and none ends an answer.
func TestRecommendedPoliciesLetTheGeneratedStreamsPass(t *testing.T) {
	for _, l := range generatedLoads() {
		if l.chunks > 1000 {
			continue
		}
		plain := prepareHost(l.format, func() stream.Handler { return stream.PassThrough })(l.bodies[0])
		e := policy.NewEngine(recommended(), nil, policy.Options{Format: l.format, Record: func(r *policy.Record) {
			if !r.Delivered {
				t.Errorf("%s: %s is blocked: %s", l.name, r.Name, r.Verdict.Reason)
			}
		}})
		if got := prepareHost(l.format, func() stream.Handler { return e })(l.bodies[0]); got != plain || e.Pending() > 0 {
			t.Errorf("%s: found %d bytes, want %d; %d questions are open", l.name, got, plain, e.Pending())
		}
	}
}

func TestPatternsFindNothingInCleanText(t *testing.T) {
	chain, err := text.Compile(text.Rule{Patterns: patterns(), Replacement: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(patterns()); n != 50 {
		t.Errorf("%d patterns", n)
	}
	if hits := chain.Find(filler(spoken, 10_000)); len(hits) > 0 {
		t.Errorf("found %v", hits)
	}
	if hits := chain.Find(`abc_live_` + filler("0aZ", 90) + ` password = "hunter22hunter22"`); len(hits) == 0 {
		t.Error("the patterns find nothing at all")
	}
}
