package memory_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

func TestCloseMakesAHistoryThatIsAccepted(t *testing.T) {
	for name, c := range map[string]struct{ kept, closed string }{
		"nothing":                               {"", ""},
		"a conversation in order":               {"S U A U Ca Ta A", "S U A U Ca Ta A"},
		"parallel calls":                        {"U Cab Tab A", "U CaCb TaTb A"},
		"results in another order":              {"U Cab Tba A", "U CaCb TbTa A"},
		"results one by one":                    {"U Cab Ta Tb A", "U CaCb Ta Tb A"},
		"calls one by one":                      {"U Ca Cb Ta Tb A", "U Ca Cb Ta Tb A"},
		"results in a user's message":           {"U Cab Rab A", "U CaCb RaRb A"},
		"results with a question":               {"U Ca Ma A", "U Ca RaMa A"},
		"the same id in every turn":             {"U Ca Ta A U Ca Ta A", "U Ca Ta A U Ca Ta A"},
		"the same id twice":                     {"U Caa Taa A", "U CaCa TaTa A"},
		"a call without a result at the end":    {"U Ca", "U Ca ?a"},
		"a call without a result":               {"U Ca U A", "U Ca ?a U A"},
		"one of two results":                    {"U Cab Tb A", "U CaCb Tb ?a A"},
		"one of two results with a question":    {"U Cab Mb A", "U CaCb ?a RbMb A"},
		"a result without a call":               {"U Ta A", "U A"},
		"a result in front":                     {"Ta U A", "U A"},
		"a result for another call":             {"U Ca Tb A", "U Ca ?a A"},
		"a second result":                       {"U Ca Ta Ta A", "U Ca Ta A"},
		"a result after the next answer":        {"U Cab Ta A Tb", "U CaCb Ta ?b A"},
		"a result after the next question":      {"U Ca U Ta A", "U Ca ?a U A"},
		"a question with a result of nothing":   {"U A Ma A", "U A Ma A"},
		"the results were not stored":           {"U Ca A U Ca Cb A", "U Ca ?a A U Ca Cb ?a?b A"},
		"words between a call and its result":   {"U Ca A Ta A", "U Ca A Ta A"},
		"a message without content":             {"U 0 U A", "U U A"},
		"an instruction in the middle":          {"U A S U A", "S U A U A"},
		"instructions in front and in between":  {"S1 U S2 A", "S1 S2 U A"},
		"an instruction between call and reply": {"U Ca S Ta A", "S U Ca Ta A"},
	} {
		t.Run(name, func(t *testing.T) {
			given := talk(c.kept)
			closed := memory.Close(given)
			want(t, words(closed), c.closed)
			if err := accepted(closed); err != nil {
				t.Error(err)
			}
			if !reflect.DeepEqual(given, talk(c.kept)) {
				t.Error("what was given has changed")
			}
			if c.kept != "" && words(given) == c.closed && &closed[0] != &given[0] {
				t.Error("a history in order was copied")
			}
		})
	}
}

func TestCallsWithoutIDsAreAnsweredByNameOrInOrder(t *testing.T) {
	named := func(kind llm.Kind, name string) llm.Block { return llm.Block{Kind: kind, Name: name, Text: name} }
	history := func(results ...llm.Block) []llm.Message {
		return []llm.Message{
			says(llm.User, "U"),
			{Role: llm.Assistant, Blocks: []llm.Block{named(llm.ToolCall, "f"), named(llm.ToolCall, "g"), named(llm.ToolCall, "f")}},
			{Role: llm.ToolRole, Blocks: results},
		}
	}
	f, g, none := named(llm.ToolResult, "f"), named(llm.ToolResult, "g"), named(llm.ToolResult, "")
	for name, c := range map[string]struct {
		results []llm.Block
		missing []string
	}{
		"by name":        {[]llm.Block{g, f, f}, nil},
		"in order":       {[]llm.Block{none, none, none}, nil},
		"mixed":          {[]llm.Block{g, none, none}, nil},
		"one is missing": {[]llm.Block{g, f}, []string{"f"}},
		"two":            {[]llm.Block{none}, []string{"g", "f"}},
	} {
		closed := memory.Close(history(c.results...))
		if !reflect.DeepEqual(closed[2].Blocks, c.results) {
			t.Errorf("%s: results are %+v", name, closed[2].Blocks)
		}
		var missing []string
		for _, m := range closed[3:] {
			for _, b := range m.Blocks {
				missing = append(missing, b.Name)
			}
		}
		if !slices.Equal(missing, c.missing) {
			t.Errorf("%s: missing are %q, want %q", name, missing, c.missing)
		}
	}
	if closed := memory.Close(history(f, g, f, g)); len(closed[2].Blocks) != 3 {
		t.Errorf("a fourth result for three calls: %+v", closed[2].Blocks)
	}
}

// A result can have several parts, and a part that is no text.
func TestThePartsOfAResultStayTogether(t *testing.T) {
	image := llm.Block{Kind: llm.Opaque, Type: "image", ToolUseID: "a", Raw: json.RawMessage("{}")}
	second := result("a")
	second.Text = "more"
	given := []llm.Message{
		says(llm.User, "U"), {Role: llm.Assistant, Blocks: []llm.Block{call("a")}},
		{Role: llm.ToolRole, Blocks: []llm.Block{result("a"), image, second}},
	}
	if closed := memory.Close(given); !reflect.DeepEqual(closed, given) {
		t.Errorf("%+v", closed)
	}
	given = slices.Delete(given, 1, 2)
	if closed := memory.Close(given); len(closed) != 1 {
		t.Errorf("without the call: %+v", closed)
	}
}

func TestWhatTheProviderExecutedStaysAsItIs(t *testing.T) {
	given := []llm.Message{says(llm.User, "U"), {Role: llm.Assistant, Blocks: []llm.Block{
		{Kind: llm.ServerTool, ID: "s", Name: "web_search"}, {Kind: llm.ToolResult, ToolUseID: "s"}, {Kind: llm.Content, Text: "found"},
	}}}
	if closed := memory.Close(given); !reflect.DeepEqual(closed, given) {
		t.Errorf("%+v", closed)
	}
}

// Whatever is stored, what is loaded can be sent to every provider.
func TestAnyHistoryCanBeClosed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	vocabulary := []string{"S", "U", "U", "A", "A", "Ca", "Cb", "Cab", "Caa", "Ta", "Tb", "Tab", "Tba", "Ra", "Rb", "Ma", "Mab", "0"}
	for range 4000 {
		history := "U"
		for range r.IntN(12) {
			history += " " + vocabulary[r.IntN(len(vocabulary))]
		}
		closed := memory.Close(talk(history))
		if err := accepted(closed); err != nil {
			t.Fatalf("%s became %s: %v", history, words(closed), err)
		}
		if again := memory.Close(closed); words(again) != words(closed) {
			t.Fatalf("%s became %s and then %s", history, words(closed), words(again))
		}
		for _, format := range wire.Formats() {
			if _, err := format.AppendRequest(nil, &llm.Request{Model: "m", Messages: closed}); err != nil {
				t.Fatalf("%s became %s: %v", history, words(closed), err)
			}
		}
	}
}

// Each block is looked at once, also if somebody made a history to be slow.
func TestALongHistoryIsClosedInOneGo(t *testing.T) {
	const n = 50_000
	for name, id := range map[string]func(int) string{
		"without ids": func(int) string { return "" }, "one id": func(int) string { return "x" }, "many": strconv.Itoa,
	} {
		calls := make([]llm.Block, n)
		results := make([]llm.Block, n)
		for i := range n {
			calls[i], results[n-1-i] = call(id(i)), llm.Block{Kind: llm.ToolResult, ToolUseID: id(i), Name: strconv.Itoa(i)}
		}
		closed := memory.Close([]llm.Message{{Role: llm.Assistant, Blocks: calls}, {Role: llm.ToolRole, Blocks: results}})
		if len(closed) != 2 || len(closed[1].Blocks) != n {
			t.Errorf("%s: %d messages", name, len(closed))
		}
	}
}
