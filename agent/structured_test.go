package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// forecast is what the tests ask for.
type forecast struct {
	City    string   `json:"city"            jsonschema:"the name of the city"`
	Degrees int8     `json:"degrees"`
	Notes   []string `json:"notes,omitempty"`
}

const sunny = `{"city":"Paris","degrees":21}`

// structured builds an agent that answers with a forecast.
func structured(t *testing.T, cfg agent.Config, s agent.StructuredConfig, rounds ...scripted.Round) *rig {
	t.Helper()
	advisor, err := agent.NewStructured[forecast](s)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Advisors = append(cfg.Advisors, advisor)
	return newRig(t, cfg, rounds...)
}

func says(texts ...string) []scripted.Round {
	rounds := make([]scripted.Round, len(texts))
	for i, text := range texts {
		rounds[i] = scripted.Round{scripted.Text(text), scripted.Usage(10, 1)}
	}
	return rounds
}

// systemOf is the system text of a request.
func systemOf(r *llm.Request) string {
	var text string
	for _, b := range r.System {
		text += b.Text
	}
	return text
}

func TestStructuredAnswers(t *testing.T) {
	tests := map[string]struct {
		answers []string
		problem string // that the model is told last
	}{
		"right at once":          {[]string{sunny}, ""},
		"in a fence":             {[]string{"```json\n" + sunny + "\n```"}, ""},
		"with white space":       {[]string{"\n\t" + sunny + "\r\n"}, ""},
		"of a wrong type first":  {[]string{`{"city":"Paris","degrees":"warm"}`, sunny}, `degrees: want integer, got string "warm"`},
		"without a property":     {[]string{`{"city":"Paris"}`, sunny}, `the answer: the property "degrees", a integer, is missing`},
		"with one too many":      {[]string{`{"city":"Paris","degrees":1,"x":2}`, sunny}, `there is no property "x"`},
		"that the type excludes": {[]string{`{"city":"Paris","degrees":300}`, sunny}, "degrees"},
		"with a key twice":       {[]string{`{"city":"Paris","degrees":1,"degrees":2}`, sunny}, "an object in it has a duplicate key"},
		"cut":                    {[]string{`{"city":"Par`, sunny}, "it stops in the middle of the JSON"},
		"in prose":               {[]string{"Here you are: " + sunny, sunny}, "it is not one JSON object"},
		"twice":                  {[]string{sunny + sunny, sunny}, "it is not one JSON object"},
		"that are no object":     {[]string{`["Paris"]`, sunny}, "it is JSON, but not an object"},
		"that are null":          {[]string{`null`, sunny}, "it is JSON, but not an object"},
		"of white space":         {[]string{"  ", sunny}, "it is empty"},
		"wrong twice":            {[]string{"Paris", `{}`, sunny}, `the property "city", a string, is missing`},
	}
	for name, tt := range tests {
		for _, mode := range modes() {
			t.Run(name+"/"+mode.String(), func(t *testing.T) {
				r := structured(t, agent.Config{Loop: agent.LoopConfig{Stream: mode}}, agent.StructuredConfig{}, says(tt.answers...)...)
				events, result := r.watch("How is it in Paris?")
				r.wants(len(tt.answers), "")
				good := tt.answers[len(tt.answers)-1]
				if spell(events) != "text round_end final" || spoken(events) != good || result.Text() != good {
					t.Errorf("%s: %q, result %q", spell(events), spoken(events), result.Text())
				}
				if value, err := agent.Decode[forecast](result); err != nil || value.City != "Paris" || value.Degrees != 21 {
					t.Errorf("%+v, %v", value, err)
				}
				if n := len(tt.answers); len(result.Rounds) != n || result.Usage.Input != int64(10*n) || result.Answer.Round != n || events[0].Round != n {
					t.Errorf("%d rounds, usage %+v", len(result.Rounds), result.Usage)
				}
				if len(result.Messages) != 1 || result.Reason != agent.Done {
					t.Errorf("the result has %d messages: %s", len(result.Messages), result.Reason)
				}
				for i, req := range r.model.Requests() {
					if !strings.Contains(systemOf(req), `"the name of the city"`) {
						t.Errorf("request %d does not tell the schema", i)
					}
					if err := sluicetest.ValidateHistories(req.Messages); err != nil {
						t.Errorf("request %d: %v", i, err)
					}
				}
				requests := r.model.Requests()
				last := requests[len(requests)-1].Messages
				if text := last[len(last)-1].Blocks[0].Text; tt.problem != "" && !strings.Contains(text, tt.problem) {
					t.Errorf("the model was told %q", text)
				}
			})
		}
	}
}

func TestStructuredGivesUp(t *testing.T) {
	cut := scripted.Round{scripted.Text(`{"city":"Paris","degrees":2}`), scripted.Finish(llm.FinishLength)}
	tests := map[string]struct {
		cfg     agent.StructuredConfig
		rounds  []scripted.Round
		asked   int
		problem string
	}{
		"after two repairs":              {rounds: says("a", "b", "c", sunny), asked: 3, problem: "it is not one JSON object"},
		"after as many as it is told":    {cfg: agent.StructuredConfig{Repairs: 4}, rounds: says("a", "b", "c", "d", "e", sunny), asked: 5, problem: "it is not one JSON object"},
		"at once if it is told":          {cfg: agent.StructuredConfig{Repairs: -1}, rounds: says("a", sunny), asked: 1, problem: "it is not one JSON object"},
		"when the answer was cut":        {rounds: append([]scripted.Round{cut}, says(sunny)...), asked: 1, problem: "the provider cut it"},
		"when the answer was filtered":   {rounds: []scripted.Round{{scripted.Text(sunny), scripted.Finish(llm.FinishFiltered)}}, asked: 1, problem: "refused to answer"},
		"when the provider gave up":      {rounds: []scripted.Round{{scripted.Text(sunny), scripted.Finish(llm.FinishFailed)}}, asked: 1, problem: "before its natural end"},
		"when the model refused":         {rounds: []scripted.Round{{scripted.Refusal("I must not.")}}, asked: 1, problem: "the model refused"},
		"when a repair was cut":          {rounds: append(says("a"), cut), asked: 2, problem: "the provider cut it"},
		"when the answers have no words": {rounds: []scripted.Round{{}, {}, {}}, asked: 3, problem: "it is empty"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			kept := newMemory(t)
			r := structured(t, agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: agent.All}}, tt.cfg, tt.rounds...)
			run := r.Run(t.Context(), &agent.Request{Text: "hi", Conversation: "c"})
			events, err := eventsOf(run)
			failed, ok := errors.AsType[*agent.StructuredError](err)
			if !ok || failed.Attempts != tt.asked || len(failed.Problems) != tt.asked {
				t.Fatalf("error %v", err)
			}
			wantError(t, err, tt.problem)
			r.wants(tt.asked, "")
			if spoken(events) != "" {
				t.Errorf("seen: %s", spoken(events))
			}
			if res := run.Result(); res.Reason != agent.Failed || len(res.Rounds) != tt.asked {
				t.Errorf("result %+v", res)
			}
			if got := storedIn(t, kept); got != "" {
				t.Errorf("stored: %s", got)
			}
		})
	}
}

func TestStructuredUsesToolsBeforeAndBetween(t *testing.T) {
	for _, inside := range []bool{false, true} {
		for _, noHistory := range []bool{false, true} {
			if noHistory && !inside {
				continue
			}
			for _, mode := range modes() {
				t.Run(fmt.Sprintf("inside %v, no history %v, %s", inside, noHistory, mode), func(t *testing.T) {
					kept := newMemory(t)
					cfg := agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: mode, NoHistory: noHistory}}
					if inside {
						cfg.Remember.Order = agent.InsideLoop
					}
					call := scripted.Round{scripted.Text("Let me look."), scripted.Call("look", `{}`)}
					rounds := []scripted.Round{call, {scripted.Text("wrong")}, call, {scripted.Text("wrong again")}, {scripted.Text(sunny)}}
					r := structured(t, cfg, agent.StructuredConfig{}, rounds...)
					events, result := r.watch("hi")
					r.wants(5, "look{} look{}")
					if result.Text() != sunny || len(result.Rounds) != 5 || letters(result.Messages) != storedIn(t, kept)[1:] {
						t.Errorf("result %s, stored %s", letters(result.Messages), storedIn(t, kept))
					}
					if result.Kept != 1+len(result.Messages) {
						t.Errorf("kept %d of %d", result.Kept, 1+len(result.Messages))
					}
					if strings.Contains(spoken(events), "wrong") || !strings.HasSuffix(spoken(events), sunny) {
						t.Errorf("seen: %s", spoken(events))
					}
					if mode == agent.All && spoken(events) != "Let me look.Let me look."+sunny {
						t.Errorf("seen: %s", spoken(events))
					}
					for i, req := range r.model.Requests() {
						if err := sluicetest.ValidateHistories(req.Messages); err != nil {
							t.Errorf("request %d: %v", i, err)
						}
					}
					conversation, err := kept.Get(t.Context(), "c")
					if err != nil {
						t.Fatal(err)
					}
					if err := sluicetest.ValidateHistories(conversation.Messages); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// The repairs of a run are counted over its rounds, and each run has its own.
func TestStructuredCountsRepairsOverRounds(t *testing.T) {
	call := scripted.Round{scripted.Call("look", `{}`)}
	rounds := []scripted.Round{{scripted.Text("1")}, call, {scripted.Text("2")}, call, {scripted.Text("3")}}
	r := structured(t, agent.Config{}, agent.StructuredConfig{}, append(append([]scripted.Round{}, rounds...), rounds...)...)
	for range 2 {
		_, err := r.Call(t.Context(), &agent.Request{Text: "hi"})
		failed, ok := errors.AsType[*agent.StructuredError](err)
		if !ok || failed.Attempts != 3 || failed.Text != "3" {
			t.Fatalf("error %v", err)
		}
	}
}

func TestStructuredServesManyRuns(t *testing.T) {
	always := scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Text("wrong")}
	r := structured(t, agent.Config{}, agent.StructuredConfig{}, always)
	var runs sync.WaitGroup
	for range 50 {
		runs.Go(func() {
			_, err := r.Call(t.Context(), &agent.Request{Text: "hi"})
			if failed, ok := errors.AsType[*agent.StructuredError](err); !ok || failed.Attempts != 3 {
				t.Errorf("error %v", err)
			}
		})
	}
	runs.Wait()
}

func TestStructuredMemoryHoldsOnlyTheGoodAnswer(t *testing.T) {
	for _, order := range []int{0, agent.InsideLoop} {
		kept := newMemory(t)
		r := structured(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: order}}, agent.StructuredConfig{}, says("wrong", sunny, "wrong", sunny)...)
		r.ask("first")
		r.ask("second")
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range c.Messages {
			texts = append(texts, m.Blocks[0].Text)
		}
		if !equalStrings(texts, "first", sunny, "second", sunny) {
			t.Errorf("stored: %q", texts)
		}
	}
}

func TestStructuredLetsOtherEndsPass(t *testing.T) {
	tests := map[string]struct {
		cfg   agent.Config
		round scripted.Round
		want  agent.Reason
	}{
		"a tool that returns directly": {agent.Config{}, scripted.Round{scripted.Text("see:"), scripted.Call("show", "{}")}, agent.ReturnedDirectly},
		"calls for the caller":         {agent.Config{NoLoop: true}, scripted.Round{scripted.Text("see:"), scripted.Call("show", "{}")}, agent.CallsLeft},
		"a limit":                      {agent.Config{Loop: agent.LoopConfig{Limits: agent.Limits{Rounds: 1}}}, scripted.Round{scripted.Call("look", "{}")}, agent.LimitRounds},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := structured(t, tt.cfg, agent.StructuredConfig{}, tt.round)
			result := r.ask("hi")
			if result.Reason != tt.want {
				t.Errorf("ended with %s", result.Reason)
			}
			_, err := agent.Decode[forecast](result)
			if _, ok := errors.AsType[*agent.StructuredError](err); !ok {
				t.Errorf("decoded: %v", err)
			}
		})
	}
}

func TestStructuredWorksWithoutALoop(t *testing.T) {
	r := structured(t, agent.Config{NoLoop: true}, agent.StructuredConfig{}, says("wrong", sunny)...)
	events, result := r.watch("hi")
	if spoken(events) != sunny || len(result.Rounds) != 2 || len(result.Messages) != 1 || result.Usage.Input != 20 {
		t.Errorf("%s: %+v", spoken(events), result)
	}
}

func TestStructuredShowsThinkingAndQuestionsAtOnce(t *testing.T) {
	asks := agent.AdvisorFunc("asks", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			question := agent.NewAsk(llm.Block{}, "p", "r")
			if !yield(agent.Event{Type: agent.EventAsk, Ask: question}, nil) {
				return
			}
			if _, err := question.Wait(ctx); err != nil {
				yield(agent.Event{}, err)
				return
			}
			for ev, err := range next(ctx, req) {
				if !yield(ev, err) {
					return
				}
			}
		}
	})
	r := structured(t, agent.Config{Advisors: []agent.Advisor{asks}, Loop: agent.LoopConfig{Stream: agent.All}}, agent.StructuredConfig{},
		scripted.Round{scripted.Text("wr"), scripted.Thinking("hmm"), scripted.Text("ong")}, scripted.Round{scripted.Text(sunny)})
	var seen []agent.Event
	for ev, err := range r.Run(t.Context(), &agent.Request{Text: "hi"}).Events() {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Type == agent.EventAsk {
			ev.Ask.Approve("me")
		}
		seen = append(seen, ev)
	}
	if got := spell(seen); got != "ask thinking ask text round_end final" {
		t.Errorf("events: %s", got)
	}
}

// What an advisor further in made of the answer is what counts.
func TestStructuredChecksWhatAdvisorsMadeOfTheAnswer(t *testing.T) {
	fix := agent.AdvisorFunc("fix", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for ev, err := range next(ctx, req) {
				if ev.Type == agent.EventRoundEnd {
					ev.Answer.Blocks[0].Text = sunny
				}
				if !yield(ev, err) {
					return
				}
			}
		}
	})
	r := structured(t, agent.Config{Advisors: []agent.Advisor{fix}}, agent.StructuredConfig{}, says("wrong")...)
	if events, result := r.watch("hi"); spoken(events) != sunny || result.Text() != sunny {
		t.Errorf("%s, %s", spoken(events), result.Text())
	}
}

func TestStructuredCanBeLeftAtEveryEvent(t *testing.T) {
	rounds := func() []scripted.Round {
		return []scripted.Round{
			{scripted.Text("Let me look."), scripted.Call("look", `{"a":1}`)},
			{scripted.Thinking("hmm"), scripted.Text("wrong")},
			{scripted.Text(sunny)},
		}
	}
	whole := structured(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.All}}, agent.StructuredConfig{}, rounds()...)
	all, _ := whole.watch("hi")
	for n := range all {
		kept := newMemory(t)
		r := structured(t, agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: agent.All}}, agent.StructuredConfig{}, rounds()...)
		run := r.Run(t.Context(), &agent.Request{Text: "hi", Conversation: "c"})
		seen := 0
		for ev, err := range run.Events() {
			if err != nil {
				t.Fatal(err)
			}
			if ev.Type != all[seen].Type {
				t.Fatalf("event %d is %s, was %s", seen, ev.Type, all[seen].Type)
			}
			if seen++; seen > n {
				break
			}
		}
		if run.Result() == nil {
			t.Fatal("no result")
		}
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.ValidateHistories(c.Messages); err != nil {
			t.Errorf("left at %d: %v", n, err)
		}
	}
}

func TestStructuredStopsWhenCancelled(t *testing.T) {
	cause := errors.New("the user has gone")
	tests := map[string]struct {
		stop func(cancel context.CancelCauseFunc, run *agent.Run)
		want error
	}{
		"by the context":  {func(cancel context.CancelCauseFunc, _ *agent.Run) { cancel(cause) }, cause},
		"now":             {func(_ context.CancelCauseFunc, run *agent.Run) { run.Cancel(agent.Now) }, agent.ErrCancelled},
		"after the model": {func(_ context.CancelCauseFunc, run *agent.Run) { run.Cancel(agent.AfterModel) }, agent.ErrCancelled},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			r := structured(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.All}}, agent.StructuredConfig{},
				scripted.Round{scripted.Thinking("hmm"), scripted.Text("wrong")}, scripted.Round{scripted.Text(sunny)})
			run := r.Run(ctx, &agent.Request{Text: "hi"})
			var failed error
			for ev, err := range run.Events() {
				failed = err
				if ev.Type == agent.EventThinking {
					tt.stop(cancel, run)
				}
			}
			if !errors.Is(failed, tt.want) {
				t.Errorf("error %v", failed)
			}
			r.wants(1, "")
		})
	}
}

func TestStructuredTakesLongAnswers(t *testing.T) {
	long, err := json.Marshal(forecast{City: "Paris", Degrees: 1, Notes: []string{strings.Repeat("sunny ", 180_000)}})
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(long), `"degrees":1`, `"degrees":"x"`, 1)
	r := structured(t, agent.Config{}, agent.StructuredConfig{}, says(wrong, string(long))...)
	result := r.ask("hi")
	if len(result.Text()) != len(long) || len(long) < 1<<20 {
		t.Errorf("%d bytes", len(result.Text()))
	}
	requests := r.model.Requests()
	if told := requests[1].Messages[2].Blocks[0].Text; len(told) > 1000 {
		t.Errorf("told %d bytes", len(told))
	}
}

func TestStructuredErrorsAreBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), `{"city":{"` + strings.Repeat("x", 1<<20) + `":1},"degrees":1}`,
		`{"` + strings.Repeat("x", 1<<20) + `":1,"city":"","degrees":1}`, `{"city":"","degrees":` + strings.Repeat("9", 1<<20) + "}",
	} {
		r := structured(t, agent.Config{}, agent.StructuredConfig{Repairs: -1}, says(text)...)
		_, err := r.Call(t.Context(), &agent.Request{Text: "hi"})
		failed, ok := errors.AsType[*agent.StructuredError](err)
		if !ok || failed.Text != text || len(err.Error()) > 1000 {
			t.Errorf("%.100s: error of %d bytes: %.300v", text, len(err.Error()), err)
		}
	}
}

func TestStructuredRefusesTypesThatAModelCannotBeAskedFor(t *testing.T) {
	type loop struct{ Next *loop }
	for name, build := range map[string]func() (*agent.Structured, error){
		"a list":    func() (*agent.Structured, error) { return agent.NewStructured[[]string](agent.StructuredConfig{}) },
		"a string":  func() (*agent.Structured, error) { return agent.NewStructured[string](agent.StructuredConfig{}) },
		"a pointer": func() (*agent.Structured, error) { return agent.NewStructured[*forecast](agent.StructuredConfig{}) },
		"anything":  func() (*agent.Structured, error) { return agent.NewStructured[any](agent.StructuredConfig{}) },
		"a function": func() (*agent.Structured, error) {
			return agent.NewStructured[struct{ F func() }](agent.StructuredConfig{})
		},
		"itself": func() (*agent.Structured, error) { return agent.NewStructured[loop](agent.StructuredConfig{}) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := build()
			wantError(t, err, "agent: a model can")
		})
	}
}

func TestStructuredTakesOtherWords(t *testing.T) {
	r := structured(t, agent.Config{System: "Be brief."}, agent.StructuredConfig{Instruction: "Réponds en JSON :"}, says(sunny)...)
	r.ask("hi")
	if got := systemOf(r.model.Requests()[0]); !strings.HasPrefix(got, "Be brief.\n\nRéponds en JSON :\n{") {
		t.Errorf("system: %s", got)
	}
}

func TestDecode(t *testing.T) {
	result := func(reason agent.Reason, text string) *agent.Result {
		return &agent.Result{Reason: reason, Answer: &agent.Answer{Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}}
	}
	tests := map[string]struct {
		result *agent.Result
		ok     bool
	}{
		"an answer":              {result(agent.Done, sunny), true},
		"in a fence":             {result(agent.Done, "~~~\n"+sunny+"~~~"), true},
		"what a tool returned":   {&agent.Result{Reason: agent.ReturnedDirectly, Direct: []llm.Block{{Kind: llm.ToolResult, Text: sunny}}}, true},
		"an answer that was cut": {result(agent.Truncated, sunny), false},
		"a run that failed":      {result(agent.Failed, sunny), false},
		"a run that was left":    {result(agent.Cancelled, sunny), false},
		"a wrong answer":         {result(agent.Done, "{}"), false},
		"no answer":              {&agent.Result{Reason: agent.Done}, false},
		"no result":              {nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			value, err := agent.Decode[forecast](tt.result)
			if tt.ok && (err != nil || value.City != "Paris") {
				t.Errorf("%+v, %v", value, err)
			}
			if _, is := errors.AsType[*agent.StructuredError](err); !tt.ok && (!is || value.City != "") {
				t.Errorf("%+v, %v", value, err)
			}
		})
	}
	if _, err := agent.Decode[string](result(agent.Done, `"x"`)); err == nil {
		t.Error("a string was decoded")
	}
	if value, err := agent.Decode[map[string]any](result(agent.Done, `{"n":9007199254740993}`)); err != nil || fmt.Sprint(value["n"]) != "9007199254740993" {
		t.Errorf("%v, %v", value, err)
	}
}

func ExampleNewStructured() {
	type city struct {
		Name   string `json:"name"`
		People int    `json:"people" jsonschema:"how many live there"`
	}
	structured, err := agent.NewStructured[city](agent.StructuredConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := agent.New(agent.Config{
		Model: scripted.New(
			scripted.Round{scripted.Text(`{"name":"Paris","people":"two million"}`)},
			scripted.Round{scripted.Text(`{"name":"Paris","people":2048472}`)},
		),
		Advisors: []agent.Advisor{structured},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := client.Call(context.Background(), &agent.Request{Text: "Tell me about Paris."})
	if err != nil {
		fmt.Println(err)
		return
	}
	paris, err := agent.Decode[city](result)
	fmt.Println(paris.People, err, "in", len(result.Rounds), "rounds")
	// Output: 2048472 <nil> in 2 rounds
}

func FuzzDecodeReadsOneWay(f *testing.F) {
	for _, seed := range []string{sunny, "```json\n" + sunny + "\n```", "```", "``````", "~~~\n~~~", "```\n```\n{}\n```\n```", `{"city":1}`, `{"city":"a","city":"b","degrees":1}`, "\xff", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &agent.Result{Reason: agent.Done, Answer: &agent.Answer{Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}}
		value, err := agent.Decode[forecast](r)
		if err != nil {
			if len(err.Error()) > 2000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		// What was read is what a strict reader finds between the braces, and
		// there is nothing but a fence around them.
		from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
		if from < 0 || to < from {
			t.Fatalf("%q has no object", text)
		}
		var strict forecast
		if err := json.Unmarshal([]byte(text[from:to+1]), &strict); err != nil || strict.City != value.City || strict.Degrees != value.Degrees {
			t.Errorf("%q: %v, %+v", text, err, value)
		}
		if rest := strings.TrimSpace(text[to+1:]); strings.Trim(rest, "`") != "" && strings.Trim(rest, "~") != "" {
			t.Errorf("%q follows the object", rest)
		}
	})
}
