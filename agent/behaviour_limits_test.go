package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// manyCalls are calls of tools, one for each name, all with arguments of their own.
func manyCalls(names ...string) scripted.Round {
	var round scripted.Round
	for i, name := range names {
		round = append(round, scripted.Call(name, fmt.Sprintf(`{"n":%d}`, i)))
	}
	return round
}

// times repeats a name.
func times(n int, name string) []string {
	return strings.Fields(strings.Repeat(name+" ", n))
}

// limitedTools are two tools and an agent with limits on them.
func limitedTools(t *testing.T, limits agent.Limits, rounds ...scripted.Round) *rig {
	t.Helper()
	var l ledger
	r := newRig(t, agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny"), l.tool("ask", "yes")}, Loop: agent.LoopConfig{Limits: limits}}, rounds...)
	return r
}

// A tool that is called too often ends the run with a typed reason that names it and its limit, and with the results of
// earlier calls.
func TestBehaviour126AToolHasALimit(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		r := limitedTools(t, agent.Limits{PerTool: 2}, manyCalls("look", "ask", "look"), manyCalls("ask", "look", "ask"))
		result, err := ask(r.Client, &agent.Request{Text: "?"})
		if err != nil {
			t.Fatal(err)
		}
		if limit := result.Limit; result.Reason != agent.LimitToolCalls || limit == nil || limit.Tool != "look" || limit.Max != 2 || limit.Reason != agent.LimitToolCalls {
			t.Errorf("ended with %q and %+v", result.Reason, limit)
		}
		want := []string{"sunny", "yes", "sunny", "yes", "not run: the limit of 2 calls of look is reached", "not run: the limit of 2 calls of ask is reached"}
		if got := resultTexts(result.Messages); !equalStrings(got, want...) {
			t.Errorf("the results are %q, want %q", got, want)
		}
		if result.Rounds[1].Calls != 3 || result.Rounds[1].Ran != 1 || r.asked() != 2 {
			t.Errorf("the rounds are %+v", result.Rounds)
		}
		if err := sluicetest.ValidateHistories(append([]llm.Message{spokenBy(llm.User, "?")}, result.Messages...)); err != nil {
			t.Error(err)
		}
	})
}

// With TellModel a call over the limit is not run, the model is told so and answers; the limit of rounds ends a model that
// keeps calling.
func TestBehaviour126TheModelCanBeToldOfALimit(t *testing.T) {
	t.Parallel()
	r := limitedTools(t, agent.Limits{PerTool: 1, TellModel: true}, manyCalls("look", "look"), scripted.Round{scripted.Text("Fine.")})
	result := r.ask("?")
	if result.Reason != agent.Done || result.Text() != "Fine." || result.Limit != nil || result.Rounds[0].Ran != 1 {
		t.Errorf("ended with %q, %q, %v, %+v", result.Reason, result.Text(), result.Limit, result.Rounds)
	}
	if got := r.lastResults(); got[0].Text != "sunny" || got[1].Text != "not run: the limit of 1 calls of look is reached" || !got[1].Failed {
		t.Errorf("the model is told %+v", got)
	}
	stubborn := scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Call("look", "{}")}
	r = limitedTools(t, agent.Limits{Calls: 1, Rounds: 5, TellModel: true}, stubborn)
	result = r.ask("?")
	if result.Reason != agent.LimitRounds || result.Limit.Max != 5 || r.asked() != 5 || result.Rounds[0].Ran+result.Rounds[1].Ran != 1 {
		t.Errorf("a stubborn model ended with %q after %d requests: %+v", result.Reason, r.asked(), result.Rounds)
	}
}

// A tool can have its own limit, a negative one means none, and its calls still count towards the total.
func TestBehaviour126SingleToolsCanBeExcluded(t *testing.T) {
	t.Parallel()
	r := limitedTools(t, agent.Limits{PerTool: 1, Tools: map[string]int{"look": -1}}, manyCalls(append(times(60, "look"), "ask")...), scripted.Round{scripted.Text("Fine.")})
	if result := r.ask("?"); result.Reason != agent.Done || result.Rounds[0].Ran != 61 {
		t.Errorf("ended with %q, %v, %d ran", result.Reason, result.Limit, result.Rounds[0].Ran)
	}
	r = limitedTools(t, agent.Limits{PerTool: 1, Tools: map[string]int{"look": 3}}, manyCalls(times(4, "look")...))
	if result := r.ask("?"); result.Reason != agent.LimitToolCalls || result.Limit.Max != 3 || result.Rounds[0].Ran != 3 {
		t.Errorf("ended with %q, %v, %d ran", result.Reason, result.Limit, result.Rounds[0].Ran)
	}
	r = limitedTools(t, agent.Limits{Calls: 5, Tools: map[string]int{"look": -1}}, manyCalls(append(times(5, "look"), "ask")...))
	if result := r.ask("?"); result.Reason != agent.LimitCalls || result.Limit.Tool != "" || result.Limit.Max != 5 || result.Rounds[0].Ran != 5 {
		t.Errorf("ended with %q, %+v, %d ran", result.Reason, result.Limit, result.Rounds[0].Ran)
	}
}

// By default a tool is run at most 40 times and all tools together at most 150 times.
func TestBehaviour126TheDefaultsAre40And150(t *testing.T) {
	t.Parallel()
	for calls, reason := range map[int]agent.Reason{40: agent.Done, 41: agent.LimitToolCalls} {
		r := limitedTools(t, agent.Limits{}, manyCalls(times(calls, "look")...), scripted.Round{scripted.Text("Fine.")})
		if result := r.ask("?"); result.Reason != reason || result.Rounds[0].Ran != 40 || reason != agent.Done && (result.Limit.Max != 40 || result.Limit.Tool != "look") {
			t.Errorf("%d calls of a tool ended with %q, %+v, %d ran", calls, result.Reason, result.Limit, result.Rounds[0].Ran)
		}
	}
	for calls, reason := range map[int]agent.Reason{150: agent.Done, 151: agent.LimitCalls} {
		var l ledger
		var tools []*agent.Tool
		var names []string
		for i := range calls {
			if name := fmt.Sprintf("t%d", i%5); i < 5 {
				tools = append(tools, l.tool(name, "yes"))
				names = append(names, name)
			} else {
				names = append(names, name)
			}
		}
		r := newRig(t, agent.Config{Tools: tools}, manyCalls(names...), scripted.Round{scripted.Text("Fine.")})
		if result := r.ask("?"); result.Reason != reason || result.Rounds[0].Ran != 150 || reason != agent.Done && (result.Limit.Max != 150 || result.Limit.Tool != "") {
			t.Errorf("%d calls in all ended with %q, %+v, %d ran", calls, result.Reason, result.Limit, result.Rounds[0].Ran)
		}
	}
}

// Negative limits mean no limit: for each tool, for all of them, for identical calls and for rounds.
func TestBehaviour126NegativeMeansUnlimited(t *testing.T) {
	t.Parallel()
	rounds := []scripted.Round{manyCalls(times(200, "look")...)}
	for range 60 {
		rounds = append(rounds, scripted.Round{scripted.Call("ask", "{}")})
	}
	r := limitedTools(t, agent.Limits{PerTool: -1, Calls: -1, Identical: -1, Rounds: -1}, append(rounds, scripted.Round{scripted.Text("Fine.")})...)
	result := r.ask("?")
	ran := 0
	for _, round := range result.Rounds {
		ran += round.Ran
	}
	if result.Reason != agent.Done || ran != 260 || len(result.Rounds) != 62 {
		t.Errorf("ended with %q, %v after %d rounds, %d ran", result.Reason, result.Limit, len(result.Rounds), ran)
	}
}

// Calls of earlier turns do not count, for a tool or in total, while those of all rounds of the turn do, even if a hook
// adds a user message in between.
func TestBehaviour126OnlyTheCurrentTurnCounts(t *testing.T) {
	t.Parallel()
	for reason, limits := range map[agent.Reason]agent.Limits{
		agent.LimitToolCalls: {PerTool: 2}, agent.LimitCalls: {Calls: 2}, agent.LimitIdentical: {Identical: 2},
	} {
		for _, order := range []int{agent.OutsideLoop, agent.InsideLoop} {
			look := scripted.Call("look", "{}")
			r := newRig(t, agent.Config{
				Memory: newMemory(t), Remember: agent.MemoryConfig{Order: order},
				Loop: agent.LoopConfig{Limits: limits, NextInstructions: func(_ context.Context, _ *agent.Request, messages []llm.Message) ([]llm.Message, error) {
					return append(messages, spokenBy(llm.User, "Go on.")), nil
				}},
			},
				scripted.Round{look}, scripted.Round{look}, scripted.Round{scripted.Text("Fine.")},
				scripted.Round{look}, scripted.Round{look}, scripted.Round{look})
			if result := r.ask("one"); result.Reason != agent.Done || result.Text() != "Fine." {
				t.Errorf("%s: the first turn ended with %q, %v", reason, result.Reason, result.Limit)
			}
			result := r.ask("two")
			if result.Reason != reason || result.Limit.Max != 2 || len(result.Rounds) != 3 || result.Rounds[2].Ran != 0 {
				t.Errorf("%s: the second turn ended with %q, %+v, %+v", reason, result.Reason, result.Limit, result.Rounds)
			}
			r.wants(6, "look{} look{} look{} look{}")
		}
	}
}

// A tool that may be called 0 times is never run.
func TestBehaviour126ALimitOfZeroIsNever(t *testing.T) {
	t.Parallel()
	r := limitedTools(t, agent.Limits{Tools: map[string]int{"look": 0}}, manyCalls("look"))
	if result := r.ask("?"); result.Reason != agent.LimitToolCalls || result.Rounds[0].Ran != 0 {
		t.Errorf("ended with %q, %+v", result.Reason, result.Rounds)
	}
}

type weatherError struct{ city string }

func (e *weatherError) Error() string { return "no weather in " + e.city }

// A failed call is reported with the message of its error, or with a text that names the tool if the message is blank or
// calling Error panics.
func TestBehaviour129ErrorsAreToldWithAText(t *testing.T) {
	t.Parallel()
	var nothing *weatherError
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"a message":       {errors.New("closed"), "closed"},
		"a typed error":   {fmt.Errorf("sorry: %w", &weatherError{"Rome"}), "sorry: no weather in Rome"},
		"no message":      {errors.New(""), "look"},
		"a blank message": {errors.New(" \n\t"), "look"},
		"a nil pointer":   {nothing, "look"},
		"a blank cause":   {fmt.Errorf("%w", errors.New("")), "look"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if problem := recover(); problem != nil {
					t.Errorf("the run panicked: %v", problem)
				}
			}()
			r := newRig(t, agent.Config{Tools: []*agent.Tool{failing("look", tc.err)}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Sorry.")})
			if result := r.ask("?"); result.Text() != "Sorry." {
				t.Errorf("answered %q", result.Text())
			}
			if got := r.lastResults()[0]; !got.Failed || !strings.Contains(got.Text, tc.want) {
				t.Errorf("told %+v, want %q", got, tc.want)
			}
		})
	}
}

// A tool stops the run with Fatal, and a program stops it with Around for all errors or for those that it lists, wrapped
// ones included.
func TestBehaviour129ListedErrorsStopTheRun(t *testing.T) {
	t.Parallel()
	every := func(error) bool { return true }
	listed := func(err error) bool {
		var w *weatherError
		return errors.As(err, &w)
	}
	for name, tc := range map[string]struct {
		err   error
		stops func(error) bool
		fatal bool
	}{
		"fatal":                 {agent.Fatal(&weatherError{"Rome"}), nil, true},
		"fatal inside":          {fmt.Errorf("sorry: %w", agent.Fatal(errors.New("disk full"))), nil, true},
		"fatal without a cause": {agent.Fatal(nil), nil, true},
		"not fatal":             {&weatherError{"Rome"}, nil, false},
		"all stop":              {errors.New("closed"), every, true},
		"listed":                {&weatherError{"Rome"}, listed, true},
		"listed and wrapped":    {fmt.Errorf("sorry: %w", &weatherError{"Rome"}), listed, true},
		"not listed":            {errors.New("closed"), listed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept := newMemory(t)
			cfg := agent.Config{Tools: []*agent.Tool{failing("look", tc.err)}, Memory: kept}
			if tc.stops != nil {
				cfg.Loop.Around = func(ctx context.Context, _ *agent.Tool, call agent.Call, run func(context.Context, agent.Call) (agent.Output, error)) (agent.Output, error) {
					out, err := run(ctx, call)
					if err != nil && tc.stops(err) {
						err = agent.Fatal(err)
					}
					return out, err
				}
			}
			r := newRig(t, cfg, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Sorry.")})
			run := r.Run(t.Context(), &agent.Request{Text: "?", Conversation: "c"})
			_, err := eventsOf(run)
			if !tc.fatal {
				if err != nil || run.Result().Text() != "Sorry." {
					t.Errorf("ended with %q: %v", run.Result().Reason, err)
				}
				return
			}
			var fatal *agent.FatalError
			if !errors.As(err, &fatal) || fatal.Tool != "look" || run.Result().Reason != agent.Failed || r.asked() != 1 {
				t.Errorf("ended with %q after %d requests: %v", run.Result().Reason, r.asked(), err)
			}
			// What the tool did has happened: the round is kept, and can be sent.
			if got := keptIn(t, kept, "c"); strings.Count(got, "look{} tool:") != 1 {
				t.Errorf("stored %s", got)
			}
		})
	}
}

// A panic and the end of a tool's goroutine are reported to the model like errors, where Spring AI ends the turn for most
// exceptions: one bad tool does not take a program down.
func TestDifferent129APanicIsTold(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		panics any
		want   string
	}{
		"a text":         {"oh", "failed: look panicked: oh"},
		"an error":       {&weatherError{"Rome"}, "failed: look panicked: no weather in Rome"},
		"a fatal error":  {agent.Fatal(errors.New("disk full")), "failed: look panicked: agent: disk full"},
		"something else": {[]int{1}, "failed: look panicked: [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			look := running("look", func(context.Context, agent.Call) (agent.Output, error) { panic(tc.panics) })
			var l ledger
			r := newRig(t, agent.Config{Tools: []*agent.Tool{look, l.tool("ask", "yes")}}, manyCalls("look", "ask"), scripted.Round{scripted.Text("Sorry.")})
			if result := r.ask("?"); result.Text() != "Sorry." || result.Rounds[0].Ran != 2 {
				t.Errorf("ended with %q, %+v", result.Text(), result.Rounds)
			}
			if got := r.lastResults(); !got[0].Failed || got[0].Text != tc.want || got[1].Text != "yes" || got[1].Failed {
				t.Errorf("told %+v, want %q", got, tc.want)
			}
		})
	}
}
