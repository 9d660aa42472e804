package memory_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

func fit(t *testing.T, w memory.Window, history string) string {
	t.Helper()
	given := talk(history)
	left, err := w.Fit(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(given, talk(history)) {
		t.Errorf("%s was changed", history)
	}
	return words(left)
}

func TestWindowsForgetWholeTurns(t *testing.T) {
	const history = "S U1 A1 U2 Cab Tab Cc Rc A2 U3 Cd Td A3"
	for _, c := range []struct {
		limit int
		left  string
	}{
		{14, "S U1 A1 U2 CaCb TaTb Cc Rc A2 U3 Cd Td A3"},
		{13, "S U1 A1 U2 CaCb TaTb Cc Rc A2 U3 Cd Td A3"},
		{12, "S U2 CaCb TaTb Cc Rc A2 U3 Cd Td A3"},
		{11, "S U2 CaCb TaTb Cc Rc A2 U3 Cd Td A3"},
		{10, "S U3 Cd Td A3"},
		{5, "S U3 Cd Td A3"},
		{4, "S U3 Cd Td A3"},
		{1, "S U3 Cd Td A3"},
	} {
		want(t, fit(t, memory.Messages(c.limit), history), c.left)
		same := func(llm.Message) int { return 7 }
		want(t, fit(t, memory.Tokens(7*c.limit, same), history), c.left)
		want(t, fit(t, memory.Tokens(7*c.limit+6, same), history), c.left)
	}
	want(t, fit(t, memory.All(), "U A Ta 0 S"), "U A Ta  S")
	want(t, fit(t, memory.Messages(1), ""), "")
}

func TestTheCurrentTurnIsNeverForgotten(t *testing.T) {
	const long = "U2 Ca Ta Cb Tb Cc Tc Cd"
	want(t, fit(t, memory.Messages(2), "U1 A1 "+long), "U2 Ca Ta Cb Tb Cc Tc Cd")
	want(t, fit(t, memory.Messages(2), long), "U2 Ca Ta Cb Tb Cc Tc Cd")
	want(t, fit(t, memory.Tokens(1, nil), "S1 U1 "+long), "S1 U2 Ca Ta Cb Tb Cc Tc Cd")
	// A call at the end may still get its result.
	want(t, fit(t, memory.Messages(3), "U1 A1 U2 Ca"), "U2 Ca")
}

func TestWhatStandsBeforeTheFirstQuestionIsATurn(t *testing.T) {
	want(t, fit(t, memory.Messages(3), "A0 A0 U1 A1"), "U1 A1")
	want(t, fit(t, memory.Messages(1), "A0 A0"), "A0 A0")
}

func TestResultsWithAQuestionGoWithTheirCalls(t *testing.T) {
	want(t, fit(t, memory.Messages(4), "U1 Ca Ma A U2"), "Ma A U2")
	want(t, fit(t, memory.Messages(5), "U1 Ca Ma A U2"), "U1 Ca RaMa A U2")
}

func TestSystemMessagesMoveToTheFrontWhenSomethingGoes(t *testing.T) {
	want(t, fit(t, memory.Messages(4), "U1 A1 S1 U2 A2 S2"), "S1 S2 U2 A2")
	want(t, fit(t, memory.Messages(6), "U1 A1 S1 U2 A2 S2"), "U1 A1 S1 U2 A2 S2")
}

func TestAWindowOfTokensCountsWithoutOverflow(t *testing.T) {
	for _, weight := range []int{math.MaxInt, math.MaxInt/2 + 1} {
		want(t, fit(t, memory.Tokens(math.MaxInt-1, func(llm.Message) int { return weight }), "U1 U2 U3"), "U3")
	}
	want(t, fit(t, memory.Tokens(1, func(llm.Message) int { return math.MinInt }), "U1 U2 U3"), "U1 U2 U3")
}

func TestTheEstimateGrowsWithTheBytes(t *testing.T) {
	for _, c := range []struct {
		message llm.Message
		tokens  int
	}{
		{llm.Message{}, 4},
		{says(llm.User, ""), 8},
		{says(llm.User, "a"), 9},
		{says(llm.User, strings.Repeat("a", 400)), 108},
		{llm.Message{Blocks: []llm.Block{{Kind: llm.ToolCall, Name: "1234", Arguments: "1234", Raw: []byte(strings.Repeat("x", 40))}, call("")}}, 4 + 14 + 5},
	} {
		if got := memory.EstimateTokens(c.message); got != c.tokens {
			t.Errorf("%d, want %d", got, c.tokens)
		}
	}
	// At the limit and one over it.
	want(t, fit(t, memory.Tokens(18, nil), "U1 U2"), "U1 U2")
	want(t, fit(t, memory.Tokens(17, nil), "U1 U2"), "U2")
}

func TestAWindowThatKeepsNothingIsRefused(t *testing.T) {
	for _, w := range []memory.Window{
		memory.Messages(0), memory.Messages(-1), memory.Messages(math.MinInt), memory.Tokens(0, nil), memory.Tokens(-5, memory.EstimateTokens),
	} {
		if _, err := memory.New(memory.NewInMemory(), memory.Options{Window: w}); err == nil || !strings.Contains(err.Error(), "keeps nothing") {
			t.Errorf("%v", err)
		}
		if _, err := w.Fit(t.Context(), talk("U A")); err == nil {
			t.Error("it can be used nevertheless")
		}
	}
}

// Of a history in order, whatever the limit: what is left is in order, a suffix
// of whole turns behind the system messages, within the limit unless one turn is
// left, and no smaller than it has to be.
func TestWindowsKeepTheirPromisesForAnyHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	middles := []string{"A", "Ca Ta A", "Cab Tab A", "Cab Ta Tb Cc Rc A", "A A", "Ca Ta", ""}
	for range 5000 {
		var systems, turns []string
		for range r.IntN(3) {
			systems = append(systems, "S")
		}
		for range 1 + r.IntN(6) {
			turns = append(turns, strings.TrimSpace("U "+middles[r.IntN(len(middles))]))
		}
		history := strings.Join(append(slices.Clone(systems), turns...), " ")
		limit := 1 + r.IntN(20)
		left, err := memory.Messages(limit).Fit(t.Context(), talk(history))
		if err != nil {
			t.Fatal(err)
		}
		if err := accepted(left); err != nil {
			t.Fatalf("%s in %d: %s: %v", history, limit, words(left), err)
		}
		matched := -1
		for i := range turns {
			if words(left) == words(talk(strings.Join(append(slices.Clone(systems), turns[i:]...), " "))) {
				matched = i
				break
			}
		}
		if matched < 0 || len(left) > limit && matched != len(turns)-1 {
			t.Fatalf("%s in %d: %s", history, limit, words(left))
		}
		if matched > 0 && len(left)+len(strings.Fields(turns[matched-1])) <= limit {
			t.Fatalf("%s in %d: %s, though one more turn fits", history, limit, words(left))
		}
	}
}

// However a conversation with windows is written, message by message or turn by
// turn, no result is without its call.
func TestNoResultIsEverWithoutItsCall(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		m := remember(t, memory.Messages(1+r.IntN(6)))
		var at int64
		for range 30 {
			parts := []string{"U", "A", "Ca", "Ta", "Ca Ta", "Cab Tab", "Cab Rb Ma", "S", "S2 U"}
			part := parts[r.IntN(len(parts))]
			next, err := m.Add(t.Context(), "a", at, talk(part)...)
			if err != nil {
				t.Fatal(err)
			}
			at = next
			c, err := m.Get(t.Context(), "a")
			if err != nil || c.Version != at {
				t.Fatal(err, c.Version, at)
			}
			if err := accepted(c.Messages); err != nil {
				t.Fatalf("%s: %v", words(c.Messages), err)
			}
		}
	}
}

func TestAWindowThatFailsKeepsEverything(t *testing.T) {
	failed := errors.New("no")
	fails := false
	m := remember(t, windowFunc(func(messages []llm.Message) ([]llm.Message, error) {
		if fails {
			return nil, failed
		}
		return messages, nil
	}))
	want(t, add(t, m, "U1 A1"), "U1 A1")
	c, _ := m.Get(t.Context(), "a")
	fails = true
	if _, err := m.Add(t.Context(), "a", c.Version, talk("U2")...); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
	if now, err := m.Get(t.Context(), "a"); err != nil || !reflect.DeepEqual(now, c) {
		t.Errorf("%+v, %v", now, err)
	}
}
