package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// journal is a log that a test reads.
type journal struct{ bytes.Buffer }

func (j *journal) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: level}))
}

// lines are the lines so far.
func (j *journal) lines(t *testing.T) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for line := range strings.Lines(j.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, fields)
	}
	return lines
}

// heads are the levels and messages of the lines.
func (j *journal) heads(t *testing.T) string {
	t.Helper()
	var heads []string
	for _, line := range j.lines(t) {
		heads = append(heads, fmt.Sprint(line["level"], " ", line["msg"]))
	}
	return strings.Join(heads, "; ")
}

// has wants fields of a line.
func has(t *testing.T, line, want map[string]any) {
	t.Helper()
	for key, value := range want {
		if fmt.Sprint(line[key]) != fmt.Sprint(value) {
			t.Errorf("%s is %v, want %v, in %v", key, line[key], value, line)
		}
	}
}

func TestLoggingInsideTheLoopTellsEveryRound(t *testing.T) {
	var j journal
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{agent.NewLogging(agent.LoggingConfig{Logger: j.logger(slog.LevelDebug)})}},
		scripted.Round{scripted.Text("secret words"), scripted.Call("look", `{"at":"secret"}`), scripted.Usage(10, 20)},
		scripted.Round{scripted.Text("secret answer"), scripted.Usage(30, 40)})
	if _, err := r.Call(t.Context(), &agent.Request{Text: "secret question", Model: "m1"}); err != nil {
		t.Fatal(err)
	}
	want := "DEBUG agent: round begins; INFO agent: round ended; DEBUG agent: round begins; INFO agent: round ended"
	if got := j.heads(t); got != want {
		t.Fatalf("got %s", got)
	}
	lines := j.lines(t)
	has(t, lines[0], map[string]any{"round": 1, "model": "m1", "messages": 1, "tools": 2})
	has(t, lines[1], map[string]any{"round": 1, "model": "m1", "finish": "tool_calls", "calls": 1, "input": 10, "output": 20, "reason": "calls_left"})
	has(t, lines[2], map[string]any{"round": 2, "messages": 3})
	has(t, lines[3], map[string]any{"round": 2, "finish": "stop", "calls": 0, "input": 30, "output": 40, "cache_read": 0, "cache_write": 0, "reasoning": 0, "reason": "done"})
	if lines[3]["duration"] == nil {
		t.Error("no duration")
	}
	if strings.Contains(j.String(), "secret") {
		t.Errorf("what was said is in the log: %s", j.String())
	}
}

func TestLoggingOutsideOfTheLoopTellsTheTurn(t *testing.T) {
	for _, mode := range modes() {
		var j journal
		logging := agent.NewLogging(agent.LoggingConfig{Logger: j.logger(slog.LevelDebug), Order: agent.OutsideLoop - 1})
		r := newRig(t, agent.Config{Memory: newMemory(t), Advisors: []agent.Advisor{logging}, Loop: agent.LoopConfig{Stream: mode}},
			scripted.Round{scripted.Call("look", `{}`), scripted.Call("look", `{}`), scripted.Usage(10, 20)},
			scripted.Round{scripted.Text("yes"), scripted.Usage(30, 40)})
		r.ask("hi")
		if got := j.heads(t); got != "DEBUG agent: turn begins; INFO agent: turn ended" {
			t.Fatalf("got %s", got)
		}
		has(t, j.lines(t)[1], map[string]any{"rounds": 2, "calls": 2, "input": 40, "output": 60, "finish": "stop", "reason": "done"})
	}
}

func TestLoggingTellsCacheTokens(t *testing.T) {
	var j journal
	logging := agent.NewLogging(agent.LoggingConfig{Logger: j.logger(slog.LevelInfo)})
	answer := &agent.Answer{Round: 1, Finish: llm.FinishStop, Usage: llm.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 5}}
	next := func(context.Context, *agent.Request) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			_ = yield(agent.Event{Type: agent.EventRoundEnd, Answer: answer}, nil) &&
				yield(agent.Event{Type: agent.EventFinal, Final: &agent.Result{Reason: agent.Done}}, nil)
		}
	}
	for range logging.Advise(t.Context(), &agent.Request{}, next) {
	}
	has(t, j.lines(t)[0], map[string]any{"rounds": 1, "input": 1, "output": 2, "cache_read": 3, "cache_write": 4, "reasoning": 5})
}

func TestLoggingTellsEveryEndOnce(t *testing.T) {
	tests := map[string]struct {
		round scripted.Round
		use   func(run *agent.Run)
		want  string
		field string
		value string
	}{
		"an error": {
			scripted.Round{scripted.Text("a"), scripted.Fail(errors.New("out of\npaper\x1b[2J"))}, func(run *agent.Run) { eventsOf(run) },
			"WARN agent: turn failed", "error", "out of paper?[2J",
		},
		"a break": {
			scripted.Round{scripted.Text("a")}, func(run *agent.Run) {
				for range run.Events() {
					break
				}
			},
			"INFO agent: turn left", "calls", "0",
		},
		"a break at the end": {
			scripted.Round{scripted.Text("a")}, func(run *agent.Run) {
				for ev := range run.Events() {
					if ev.Type == agent.EventFinal {
						break
					}
				}
			},
			"INFO agent: turn ended", "reason", "done",
		},
		"a panic": {
			scripted.Round{scripted.Text("a")}, func(run *agent.Run) {
				defer func() { _ = recover() }()
				for range run.Events() {
					panic("on\tfire")
				}
			},
			"ERROR agent: turn panicked", "panic", "on fire",
		},
		"the end of the goroutine": {
			scripted.Round{scripted.Text("a")}, func(run *agent.Run) {
				done := make(chan struct{})
				go func() {
					defer close(done)
					for range run.Events() {
						runtime.Goexit()
					}
				}()
				<-done
			},
			"INFO agent: turn left", "calls", "0",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var j journal
			logging := agent.NewLogging(agent.LoggingConfig{Logger: j.logger(slog.LevelInfo), Order: agent.Outermost})
			r := newRig(t, agent.Config{Advisors: []agent.Advisor{logging}, Loop: agent.LoopConfig{Stream: agent.All}}, tt.round)
			tt.use(r.Run(t.Context(), &agent.Request{Text: "hi"}))
			if got := j.heads(t); got != tt.want {
				t.Fatalf("got %s", got)
			}
			has(t, j.lines(t)[0], map[string]any{tt.field: tt.value})
		})
	}
}

func TestLoggingLetsAPanicGoOn(t *testing.T) {
	var j journal
	logging := agent.NewLogging(agent.LoggingConfig{Logger: j.logger(slog.LevelInfo)})
	defer func() {
		if recover() != io.EOF {
			t.Error("the panic is lost")
		}
	}()
	for range logging.Advise(t.Context(), &agent.Request{}, func(context.Context, *agent.Request) agent.Events {
		return func(func(agent.Event, error) bool) { panic(io.EOF) }
	}) {
		t.Error("there was no event")
	}
}

func TestLoggingTellsOfAnAdvisorWithoutAnEnd(t *testing.T) {
	var j journal
	logging := agent.NewLogging(agent.LoggingConfig{Logger: j.logger(slog.LevelInfo)})
	for range logging.Advise(t.Context(), &agent.Request{}, func(context.Context, *agent.Request) agent.Events {
		return func(func(agent.Event, error) bool) {}
	}) {
		t.Error("there was no event")
	}
	if got := j.heads(t); got != "WARN agent: turn failed" {
		t.Errorf("got %s", got)
	}
}

func TestLoggingTellsContentOnlyIfAsked(t *testing.T) {
	hostile := "\x1b]0;title\x07\r\n\u202egnp.exe\u2028\u0085\xff " + strings.Repeat("é", 1<<16)
	var j journal
	logging := agent.NewLogging(agent.LoggingConfig{Logger: slog.New(slog.NewTextHandler(&j, &slog.HandlerOptions{Level: slog.LevelDebug})), Content: true})
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{logging}},
		scripted.Round{scripted.Text("Let me see."), scripted.Thinking("secret"), scripted.Call("look", `{"at":"Paris"}`)},
		scripted.Round{scripted.Text(hostile)})
	r.ask(hostile)
	for line := range strings.Lines(j.String()) {
		if len(line) > 1500 {
			t.Errorf("a line of %d bytes", len(line))
		}
		for _, c := range strings.TrimSuffix(line, "\n") {
			if unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Fatalf("%q in %q", c, line)
			}
		}
	}
	for _, want := range []string{"gnp.exe", `Let me see. look({\"at\":\"Paris\"})`, `asked=sunny`} {
		if !strings.Contains(j.String(), want) {
			t.Errorf("no %s in %s", want, j.String())
		}
	}
	if strings.Contains(j.String(), "secret") {
		t.Error("thinking was logged")
	}
}

func TestLoggingUsesTheDefaultLogger(t *testing.T) {
	var j journal
	was := slog.Default()
	t.Cleanup(func() { slog.SetDefault(was) })
	logging := agent.NewLogging(agent.LoggingConfig{})
	slog.SetDefault(j.logger(slog.LevelInfo))
	newRig(t, agent.Config{Advisors: []agent.Advisor{logging}}, scripted.Round{scripted.Text("yes")}).ask("hi")
	if got := j.heads(t); got != "INFO agent: round ended" {
		t.Errorf("got %s", got)
	}
}

func TestLoggingCostsNothingWhenItIsOff(t *testing.T) {
	off := slog.New(slog.DiscardHandler)
	logging := agent.NewLogging(agent.LoggingConfig{Logger: off, Content: true})
	events := agent.Events(func(func(agent.Event, error) bool) {})
	next := func(context.Context, *agent.Request) agent.Events { return events }
	ctx, req := t.Context(), &agent.Request{Text: "hi"}
	var got agent.Events
	if n := testing.AllocsPerRun(100, func() { got = logging.Advise(ctx, req, next) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if fmt.Sprintf("%p", got) != fmt.Sprintf("%p", events) {
		t.Error("it stands in the way")
	}
}
