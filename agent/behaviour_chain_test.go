package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model/scripted"
)

// Nil advisors are refused when the chain is built, with their position; a chain without advisors is valid.
func TestBehaviour066NilAdvisorsAreRefused(t *testing.T) {
	t.Parallel()
	m := scripted.New(scripted.Round{scripted.Text("Fine.")})
	_, err := agent.NewClient(m, &spy{name: "a"}, nil)
	wantError(t, err, "advisor 2 is nil")
	_, err = agent.New(agent.Config{Model: m, Advisors: []agent.Advisor{nil}})
	wantError(t, err, "is nil")
	client, err := agent.NewClient(m)
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Call(t.Context(), &agent.Request{Text: "How is it?"})
	if err != nil || result.Text() != "Fine." {
		t.Errorf("answered %q, %v", result.Text(), err)
	}
}

// A request without values gets empty ones, so that advisors and tools need not check for nil.
func TestBehaviour067NoValuesMeanEmptyOnes(t *testing.T) {
	t.Parallel()
	outside := &spy{name: "outside", order: agent.Outermost}
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{outside}}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	values := outside.seen[0].Values
	if values == nil || len(values.All()) != 0 || values.Get("x") != nil {
		t.Fatalf("the values are %v", values)
	}
	values.Set("x", 1)
	if values.Get("x") != 1 {
		t.Error("they cannot be set")
	}
}

// chain is a client of advisors a to d and the loop's place left out, and their notes.
func chain(t *testing.T, rounds ...scripted.Round) (*agent.Client, []*spy, *scripted.Model) {
	t.Helper()
	spies := []*spy{{name: "a", order: 1}, {name: "b", order: 2}, {name: "c", order: 3}, {name: "d", order: 4}}
	m := scripted.New(rounds...)
	client, err := agent.NewClient(m, spies[2], spies[0], spies[3], spies[1])
	if err != nil {
		t.Fatal(err)
	}
	return client, spies, m
}

// asked lists the advisors that were asked, with how often.
func askedOf(spies []*spy) string {
	var said strings.Builder
	for _, s := range spies {
		said.WriteString(strings.Repeat(s.name, len(s.seen)))
	}
	return said.String()
}

func namesOf(advisors []agent.Advisor) string {
	var said strings.Builder
	for _, a := range advisors {
		said.WriteString(a.Name())
	}
	return said.String()
}

// The list of advisors is the same before, during and after a run, and nobody can change it.
func TestBehaviour068TheListOfAdvisorsIsStable(t *testing.T) {
	t.Parallel()
	var client *agent.Client
	var during string
	looks := orderedFunc{agent.AdvisorFunc("x", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		during = namesOf(client.Advisors())
		return next(ctx, req)
	}), 5}
	var err error
	client, err = agent.NewClient(scripted.New(scripted.Round{scripted.Text("Fine.")}), &spy{name: "b", order: 9}, looks, &spy{name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	client.Advisors()[0] = nil
	slices.Reverse(client.Advisors())
	if _, err := client.Call(t.Context(), &agent.Request{Text: "How is it?"}); err != nil {
		t.Fatal(err)
	}
	if during != "axb" || namesOf(client.Advisors()) != "axb" {
		t.Errorf("the advisors are %s, and were %s", namesOf(client.Advisors()), during)
	}
}

// Asking for the chain behind a nil advisor is an error.
func TestBehaviour069NothingStandsBehindNobody(t *testing.T) {
	t.Parallel()
	client, _, _ := chain(t)
	next, err := client.After(nil)
	wantError(t, err, "the advisor is nil")
	if next != nil {
		t.Error("there is a chain all the same")
	}
}

// Asking for the chain behind an advisor that is not in it is an error that names the advisor.
func TestBehaviour070AStrangerIsNamed(t *testing.T) {
	t.Parallel()
	client, _, _ := chain(t)
	_, err := client.After(&spy{name: "stranger"})
	wantError(t, err, `"stranger" is not in this chain`)
}

// enter asks the chain behind an advisor.
func enter(t *testing.T, client *agent.Client, after agent.Advisor, req *agent.Request) []agent.Event {
	t.Helper()
	next, err := client.After(after)
	if err != nil {
		t.Fatal(err)
	}
	var events []agent.Event
	for ev, err := range next(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, ev)
	}
	return events
}

func question() *agent.Request {
	return &agent.Request{Messages: userMessages("How is it?")}
}

// Behind the last advisor there is only the model.
func TestBehaviour071BehindTheLastIsTheModel(t *testing.T) {
	t.Parallel()
	client, spies, m := chain(t, scripted.Round{scripted.Text("Fine.")})
	events := enter(t, client, spies[3], question())
	if askedOf(spies) != "" || len(m.Requests()) != 1 || spell(events) != "text round_end final" || spoken(events) != "Fine." {
		t.Errorf("asked %q, then %d times the model: %s", askedOf(spies), len(m.Requests()), spell(events))
	}
}

// Behind the first advisor are all others in order.
func TestBehaviour072BehindTheFirstIsTheRest(t *testing.T) {
	t.Parallel()
	client, spies, m := chain(t, scripted.Round{scripted.Text("Fine.")})
	enter(t, client, spies[0], question())
	if askedOf(spies) != "bcd" || len(m.Requests()) != 1 {
		t.Errorf("asked %q, then %d times the model", askedOf(spies), len(m.Requests()))
	}
}

// Behind one in the middle are those further in.
func TestBehaviour073BehindTheMiddleIsTheTail(t *testing.T) {
	t.Parallel()
	client, spies, m := chain(t, scripted.Round{scripted.Text("Fine.")})
	enter(t, client, spies[1], question())
	if askedOf(spies) != "cd" || len(m.Requests()) != 1 {
		t.Errorf("asked %q, then %d times the model", askedOf(spies), len(m.Requests()))
	}
}

// Entering a chain behind an advisor, any number of times, leaves the chain as it was.
func TestBehaviour074TheChainStaysAsItWas(t *testing.T) {
	t.Parallel()
	round := scripted.Round{scripted.Text("Fine.")}
	client, spies, m := chain(t, round, round, round)
	enter(t, client, spies[2], question())
	enter(t, client, spies[2], question())
	if _, err := client.Call(t.Context(), &agent.Request{Text: "How is it?"}); err != nil {
		t.Fatal(err)
	}
	if askedOf(spies) != "abcddd" || namesOf(client.Advisors()) != "abcd" || len(m.Requests()) != 3 {
		t.Errorf("asked %q, the advisors are %s", askedOf(spies), namesOf(client.Advisors()))
	}
}

// A context that enters a chain in the middle reaches the advisors and the model behind it.
func TestBehaviour075TheContextIsKept(t *testing.T) {
	t.Parallel()
	var got []any
	notes := orderedFunc{agent.AdvisorFunc("notes", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		got = append(got, ctx.Value(spanKey{}))
		return next(ctx, req)
	}), 2}
	first := &spy{name: "first", order: 1}
	client, err := agent.NewClient(scripted.New(scripted.Round{scripted.Text("Fine.")}), first, notes)
	if err != nil {
		t.Fatal(err)
	}
	next, err := client.After(first)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range next(context.WithValue(t.Context(), spanKey{}, "kept"), question()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 1 || got[0] != "kept" {
		t.Errorf("the context has %v", got)
	}
}

// Values that enter a chain in the middle reach its tools, and without any, tools get empty ones.
func TestBehaviour076ValuesAreKept(t *testing.T) {
	t.Parallel()
	for _, values := range []*agent.Values{agent.NewValues(map[string]any{"x": 1}), nil} {
		first := &spy{name: "first", order: agent.Outermost}
		var got *agent.Values
		tool := &agent.Tool{Name: "look", Run: func(ctx context.Context, _ agent.Call) (agent.Output, error) {
			got = agent.ValuesOf(ctx)
			return agent.Output{}, nil
		}}
		r := newRig(t, agent.Config{Tools: []*agent.Tool{tool}, Advisors: []agent.Advisor{first}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
		req := question()
		req.Values, req.Tools = values, []*agent.Tool{tool}
		enter(t, r.Client, first, req)
		switch {
		case values != nil && got != values:
			t.Errorf("the tool got %v", got)
		case values == nil && (got == nil || len(got.All()) != 0):
			t.Errorf("the tool got %v, want empty values", got)
		}
	}
}

// A client is not changed by a builder made from it: it never changes, and another one is built from its list of
// advisors.
func TestDifferent077AnotherClientIsBuiltOfTheList(t *testing.T) {
	t.Parallel()
	client, spies, _ := chain(t, scripted.Round{scripted.Text("Fine.")})
	m := scripted.New(scripted.Round{scripted.Text("Better.")})
	other, err := agent.NewClient(m, append(client.Advisors(), &spy{name: "e", order: 5})...)
	if err != nil {
		t.Fatal(err)
	}
	result, err := other.Call(t.Context(), &agent.Request{Text: "How is it?"})
	if err != nil || result.Text() != "Better." {
		t.Errorf("answered %q, %v", result.Text(), err)
	}
	if namesOf(client.Advisors()) != "abcd" || namesOf(other.Advisors()) != "abcde" || askedOf(spies) != "abcd" {
		t.Errorf("the advisors are %s and %s, asked were %s", namesOf(client.Advisors()), namesOf(other.Advisors()), askedOf(spies))
	}
}

// around is an advisor that notes what passes it inwards and outwards, with the values it finds.
func around(name string, order int, notes *[]string) agent.Advisor {
	return orderedFunc{agent.AdvisorFunc(name, func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			user, _ := req.Values.Get("user").(string)
			*notes = append(*notes, "before "+name+" "+user)
			for ev, err := range next(ctx, req) {
				if ev.Type == agent.EventText {
					*notes = append(*notes, ev.Text+" "+name)
				}
				if ev.Type == agent.EventFinal {
					*notes = append(*notes, "after "+name+" "+user)
				}
				if !yield(ev, err) {
					return
				}
			}
		}
	}), order}
}

// Values of the request reach every advisor; requests pass them from the outside in, and every piece of the answer from the
// inside out.
func TestBehaviour078ValuesAndTheOrderOfAdvisors(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		var notes []string
		m := scripted.NewWithOptions(scripted.Options{ChunkSize: 4}, scripted.Round{scripted.Text("one two ")})
		client, err := agent.NewClient(m, around("inner", 2, &notes), around("outer", 1, &notes))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ask(client, &agent.Request{Text: "How is it?", Values: agent.NewValues(map[string]any{"user": "ann"})}); err != nil {
			t.Fatal(err)
		}
		if !equalStrings(notes, "before outer ann", "before inner ann", "one  inner", "one  outer", "two  inner", "two  outer", "after inner ann", "after outer ann") {
			t.Errorf("noted %q", notes)
		}
	})
}
