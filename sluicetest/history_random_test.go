package sluicetest_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// TestTheJudgeOfHistoriesSurvivesEverything: however a good history is
// mutilated, the validators return, leave it as it was and say the same twice.
func TestTheJudgeOfHistoriesSurvivesEverything(t *testing.T) {
	t.Parallel()
	good := goodHistories()
	names := make([]string, 0, len(good))
	for name := range good {
		names = append(names, name)
	}
	slices.Sort(names)
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	refused := 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		history := goodHistories()[names[r.IntN(len(names))]]
		for range 1 + r.IntN(4) {
			history = mutilated(r, history, good[names[r.IntN(len(names))]])
		}
		before := copied(history)
		first, second := sluicetest.ValidateHistories(history), sluicetest.ValidateHistories(history)
		if (first == nil) != (second == nil) || first != nil && first.Error() != second.Error() {
			t.Fatalf("seed %d: %v, then %v", seed, first, second)
		}
		if !reflect.DeepEqual(before, history) {
			t.Fatalf("seed %d: the history was changed", seed)
		}
		if first != nil {
			refused++
		}
	}
	if refused < rounds/3 || refused == rounds {
		t.Errorf("%d of %d refused: the mutilations prove little", refused, rounds)
	}
}

func copied(history []llm.Message) []llm.Message {
	out := slices.Clone(history)
	for i := range out {
		out[i].Blocks = slices.Clone(out[i].Blocks)
	}
	return out
}

// mutilated returns a history with something wrong, or not.
func mutilated(r *rand.Rand, history, other []llm.Message) []llm.Message {
	if len(history) == 0 {
		return append(history, copied(other)...)
	}
	i, j := r.IntN(len(history)), r.IntN(len(history))
	m := &history[i]
	switch r.IntN(9) {
	case 0:
		return slices.Delete(history, i, i+1)
	case 1:
		return slices.Insert(history, i, copied(history[j:j+1])...)
	case 2:
		history[i], history[j] = history[j], history[i]
	case 3:
		m.Role = []llm.Role{llm.System, llm.User, llm.Assistant, llm.ToolRole, "critic", ""}[r.IntN(6)]
	case 4:
		m.Blocks = append(m.Blocks, history[j].Blocks...)
	case 5:
		return append(history, copied(other)...)
	case 6:
		if len(m.Blocks) > 0 {
			n := r.IntN(len(m.Blocks))
			m.Blocks = slices.Delete(m.Blocks, n, n+1)
		}
	default:
		if len(m.Blocks) > 0 {
			mutilate(r, &m.Blocks[r.IntN(len(m.Blocks))])
		}
	}
	return history
}

// mutilate changes one block.
func mutilate(r *rand.Rand, b *llm.Block) {
	texts := []string{"", " ", "a", "\x00", "\xff", `{"a":`, `[]`, `{}`, "tool_use", "reasoning", "functionCall", "_call", "custom", "text"}
	text := texts[r.IntN(len(texts))]
	switch r.IntN(11) {
	case 0:
		b.Kind = llm.Kind(r.IntN(9))
	case 1:
		b.ID = text
	case 2:
		b.Name = text
	case 3:
		b.Text = text
	case 4:
		b.Arguments = text
	case 5:
		b.Signature = text
	case 6:
		b.ToolUseID = text
	case 7:
		b.Type = text
	case 8:
		b.Status = llm.Status(r.IntN(5))
	case 9:
		b.Span = llm.Span{Start: r.IntN(3), End: r.IntN(5)}
	default:
		raws := []string{
			``, `{`, `null`, `[1]`, `{"type":null}`, `{"type":"tool_use","id":1,"input":[]}`, `{"type":"text","text":"x"}`,
			`{"functionCall":{"name":1},"thoughtSignature":2}`, `{"functionCall":null}`, `{"text":1,"thought":true}`,
			`{"type":"reasoning","summary":1,"id":{}}`, `{"type":"function_call","call_id":[]}`, `{"type":"thinking","thinking":1,"signature":{}}`,
		}
		b.Raw = json.RawMessage(raws[r.IntN(len(raws))])
		if r.IntN(2) == 0 {
			b.Kind, b.Type = llm.Opaque, []string{"tool_use", "reasoning", "function_call", "functionCall", "text", "unknown"}[r.IntN(6)]
		}
	}
}
