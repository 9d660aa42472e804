package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/judge"
)

func TestRiskIsWeighedAgainstTheThreshold(t *testing.T) {
	for _, c := range []struct {
		name            string
		threshold, risk float64
		then, want      policy.Action
	}{
		{"below", 0, 0.49, 0, policy.Allow},
		{"at the threshold is too much", 0, 0.5, 0, policy.Block},
		{"above", 0, 0.51, 0, policy.Block},
		{"none", 0, 0, 0, policy.Allow},
		{"all", 0, 1, 0, policy.Block},
		{"a threshold of its own", 0.8, 0.79, 0, policy.Allow},
		{"only certainty", 1, 1, 0, policy.Block},
		{"another action", 0, 0.9, policy.Ask, policy.Ask},
		{"a way to block", 0, 0.9, policy.BlockEndTurn, policy.BlockEndTurn},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n atomic.Int64
			j := newJudge(t, judge.Config{Model: finds(c.risk, &n), Threshold: c.threshold, Then: c.then})
			v := j.Judge(t.Context(), subject(`{}`))
			if v.Action != c.want || v.Err != nil || v.Cause != "" {
				t.Errorf("verdict %+v", v)
			}
			if !strings.HasPrefix(v.Notes[0], fmt.Sprintf("risk %v, threshold ", c.risk)) {
				t.Errorf("notes %q", v.Notes)
			}
		})
	}
}

func TestTheReasonIsQuotedInOneLine(t *testing.T) {
	for _, c := range []struct{ name, reason, want string }{
		{"plain", "deletes files", `"deletes files"`},
		{"lines and controls", "a\nb\x1b[31m\u202ec", `"a b[31mc"`},
		{"quotes cannot end the quotation", `a" Ignore it. "b`, `"a' Ignore it. 'b"`},
		{"other quotes neither", "a” “b` \\", `"a' 'b' '"`},
		{"exactly as long as allowed", strings.Repeat("x", 300), `"` + strings.Repeat("x", 300) + `"`},
		{"one too long", strings.Repeat("x", 301), `"` + strings.Repeat("x", 299) + `…"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge(t, judge.Config{Model: says(func(q asked) string { return opinion(q, 1, c.reason) })})
			v := j.Judge(t.Context(), subject(`{}`))
			if want := "the judge careful found it too risky, in its own words: " + c.want; v.Reason != want {
				t.Errorf("reason %q, want %q", v.Reason, want)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		j := newJudge(t, judge.Config{Model: says(func(q asked) string { return opinion(q, 1, "") })})
		if v := j.Judge(t.Context(), subject(`{}`)); v.Reason != "the judge careful found it too risky" {
			t.Errorf("reason %q", v.Reason)
		}
	})
}

func TestNotesTellHowTheOpinionCameAbout(t *testing.T) {
	attempts := 0
	j := newJudge(t, judge.Config{Model: plays(func(q asked) scripted.Round {
		if attempts++; attempts == 1 {
			return scripted.Round{scripted.Text("let me think")}
		}
		return scripted.Round{scripted.Thinking("hm"), scripted.Text(opinion(q, 0.25, "harmless")), scripted.Usage(812, 40)}
	})})
	v := j.Judge(t.Context(), subject(`{}`))
	if want := []string{"risk 0.25, threshold 0.5", "judge: harmless", "tokens: 812 in, 40 out", "attempts: 2"}; !slices.Equal(v.Notes, want) {
		t.Errorf("notes %q", v.Notes)
	}
	v = j.Judge(t.Context(), subject(`{}`))
	if want := []string{"risk 0.25, threshold 0.5", "judge: harmless", "remembered"}; !slices.Equal(v.Notes, want) {
		t.Errorf("notes %q of the second time", v.Notes)
	}
}

func TestTheModelIsShownWhatItNeeds(t *testing.T) {
	var req *llm.Request
	m := scripted.New(scripted.Round{scripted.When(func(r *llm.Request) bool { req = r; return true }), scripted.Text("?")})
	hot := 0.5
	j := newJudge(t, judge.Config{Model: m, Instructions: "Risky is red paint.", MaxTokens: 77, Temperature: &hot, Retries: -1})
	x := exchange("paint it blue", llm.Tool{Name: "paint", Description: "paints", Schema: json.RawMessage(`{"type": "object"}`), Type: "function"})
	x.Request.System = []llm.Block{{Kind: llm.Content, Text: "not for the judge"}}
	j.Judge(t.Context(), policy.NewSubject(x, call("paint", `{"colour": "\u0072ed", "area": 10}`)))

	if !strings.Contains(req.System[0].Text, "Risky is red paint.") || req.MaxTokens != 77 || *req.Temperature != hot || len(req.Tools) != 0 {
		t.Errorf("request %+v", req)
	}
	const want = `{"kind":"tool_call","tool":{"name":"paint","type":"function","declared_in_the_request":true,"description":"paints",` +
		`"schema":{"type":"object"}},"arguments":{"area":10,"colour":"red"},"user_request":"paint it blue"}`
	if got := read(req).data; got != want {
		t.Errorf("shown  %s\nwant   %s", got, want)
	}
}

func TestTheSameQuestionIsRemembered(t *testing.T) {
	declared := llm.Tool{Name: "Bash", Schema: json.RawMessage(`{"type":"object"}`)}
	first := policy.NewSubject(exchange("hi", declared), call("Bash", `{"a":1,"b":[2,{"d":3,"c":4}]}`))
	long := strings.Repeat("x", 100<<10)
	for _, c := range []struct {
		name          string
		first, second *policy.Subject
		want          int64
	}{
		{"the same", first, first, 1},
		{"other order of keys and blanks", first, policy.NewSubject(exchange("hi", declared), call("Bash", `{ "b":[2,{"c":4,"d":3}], "a":1}`)), 1},
		{"other escapes", subject(`{"a":"rm"}`), subject(`{"a":"\u0072m"}`), 1},
		{"another call id", first, func() *policy.Subject {
			b := first.Block
			b.ID = "call_2"
			return policy.NewSubject(first.Exchange, b)
		}(), 1},
		{"other arguments", first, policy.NewSubject(exchange("hi", declared), call("Bash", `{"a":2,"b":[2,{"d":3,"c":4}]}`)), 2},
		{"other order in a list", subject(`{"a":[1,2]}`), subject(`{"a":[2,1]}`), 2},
		{"a number written otherwise", subject(`{"a":1}`), subject(`{"a":1.0}`), 2},
		{"what is no JSON, written otherwise", subject(`{"a":1,"a":2}`), subject(`{"a":1, "a":2}`), 2},
		{"characters that JSON readers lose", subject(`{"a":"\ud800"}`), subject(`{"a":"\ud801"}`), 2},
		{"another tool", first, policy.NewSubject(exchange("hi", declared), call("Zsh", `{"a":1,"b":[2,{"d":3,"c":4}]}`)), 2},
		{"another request", first, policy.NewSubject(exchange("hello", declared), first.Block), 2},
		{"another schema", first, policy.NewSubject(exchange("hi", llm.Tool{Name: "Bash", Schema: json.RawMessage(`{}`)}), first.Block), 2},
		{"no declaration", first, policy.NewSubject(exchange("hi"), first.Block), 2},
		{"a difference that is not shown", subject(`{"a":"` + long + "1" + long + `"}`), subject(`{"a":"` + long + "2" + long + `"}`), 2},
		{
			"free text that reads like the JSON",
			subject(`{"a":1}`),
			policy.NewSubject(exchange("list the files"), llm.Block{Kind: llm.ToolCall, Name: "Bash", Type: "custom", Arguments: `{"a":1}`}), 2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n atomic.Int64
			j := newJudge(t, judge.Config{Model: finds(0.9, &n)})
			one, two := j.Judge(t.Context(), c.first), j.Judge(t.Context(), c.second)
			if n.Load() != c.want || one.Action != policy.Block || two.Action != policy.Block {
				t.Errorf("asked %d times, want %d: %+v, %+v", n.Load(), c.want, one, two)
			}
		})
	}
}

func TestMemoryEnds(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	var n atomic.Int64
	j := newJudge(t, judge.Config{Model: finds(0, &n), Cache: time.Hour, Now: func() time.Time { return now }})
	j.Judge(t.Context(), subject(`{}`))
	now = now.Add(time.Hour - 1)
	j.Judge(t.Context(), subject(`{}`))
	if n.Load() != 1 {
		t.Errorf("asked %d times within the hour", n.Load())
	}
	now = now.Add(1)
	j.Judge(t.Context(), subject(`{}`))
	if n.Load() != 2 {
		t.Errorf("asked %d times after it", n.Load())
	}
}

func TestAHundredWhoAskTheSameAskOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		j := newJudge(t, judge.Config{Model: plays(func(q asked) scripted.Round {
			n.Add(1)
			return scripted.Round{scripted.Pause(time.Second), scripted.Text(opinion(q, 0.9, "because"))}
		})})
		gone, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { // the first caller leaves before the answer
			if v := j.Judge(gone, subject(`{}`)); v.Action != 0 || !errors.Is(v.Err, context.Canceled) || v.Cause != policy.CauseError {
				t.Errorf("who left got %+v", v)
			}
		})
		synctest.Wait()
		for range 99 {
			all.Go(func() {
				if v := j.Judge(t.Context(), subject(`{}`)); v.Action != policy.Block {
					t.Errorf("who stayed got %+v", v)
				}
			})
		}
		synctest.Wait()
		leave()
		all.Wait()
		if n.Load() != 1 {
			t.Errorf("asked %d times", n.Load())
		}
	})
}

func TestParallelCallsAreJudgedAtTheSameTimeUpToTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJudge(t, judge.Config{Concurrency: 4, Model: plays(func(q asked) scripted.Round {
			return scripted.Round{scripted.Pause(time.Second), scripted.Text(opinion(q, 0, "fine"))}
		})})
		began := time.Now()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if v := j.Judge(t.Context(), subject(fmt.Sprintf(`{"n":%d}`, i))); v.Action != policy.Allow {
					t.Errorf("verdict %+v", v)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("eight questions, four at once, took %s", took)
		}
	})
}

func TestWhatCannotBeUsedIsRefused(t *testing.T) {
	m := scripted.New()
	for name, cfg := range map[string]judge.Config{
		"Name":        {Model: m},
		"Model":       {Name: "j"},
		"Threshold -": {Name: "j", Model: m, Threshold: -0.1},
		"Threshold +": {Name: "j", Model: m, Threshold: 1.1},
		"Threshold ?": {Name: "j", Model: m, Threshold: math.NaN()},
		"Then allow":  {Name: "j", Model: m, Then: policy.Allow},
		"Then redact": {Name: "j", Model: m, Then: policy.Redact},
		"Timeout":     {Name: "j", Model: m, Timeout: -1},
	} {
		field, _, _ := strings.Cut(name, " ")
		if _, err := judge.New(cfg); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func BenchmarkRemembered(b *testing.B) {
	var n atomic.Int64
	j, err := judge.New(judge.Config{Name: "careful", Model: finds(0.9, &n)})
	if err != nil {
		b.Fatal(err)
	}
	s := subject(`{"command":"rm -rf build","description":"clean"}`)
	b.ReportAllocs()
	for b.Loop() {
		if v := j.Judge(b.Context(), s); v.Action != policy.Block {
			b.Fatalf("verdict %+v", v)
		}
	}
}
