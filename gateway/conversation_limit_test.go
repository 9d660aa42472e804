package gateway

import (
	"strconv"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func turnOf(id string, size int) *turn {
	return &turn{ids: []string{id}, format: wire.OpenAIResponses, said: []llm.Block{{Kind: llm.Content, Text: string(make([]byte, size))}}}
}

func (c *conversations) has(id string, now time.Time) bool {
	turns, _ := c.before(id, now)
	return len(turns) > 0
}

func (c *conversations) consistent(t *testing.T) {
	t.Helper()
	bytes := 0
	for e := c.order.Front(); e != nil; e = e.Next() {
		if turn, ok := e.Value.(*turn); ok {
			bytes += turn.size
		}
	}
	if bytes != c.bytes || len(c.turns) > c.order.Len() || c.bytes > mostTurnBytes {
		t.Errorf("%d bytes in %d turns under %d ids, counted %d", bytes, c.order.Len(), len(c.turns), c.bytes)
	}
}

func TestOnlyTheLatestTurnsAreRemembered(t *testing.T) {
	t.Parallel()
	var c conversations
	for id := range mostTurns {
		c.add(turnOf(strconv.Itoa(id), 1), "", noon)
	}
	if !c.has("0", noon) {
		t.Fatal("a turn within the limit is forgotten")
	}
	c.add(turnOf("next", 1), "0", noon) // so that 0 is younger than 1
	if !c.has("0", noon) || c.has("1", noon) || !c.has("2", noon) {
		t.Error("one turn beyond the limit does not push out the one that was used longest ago, and only that")
	}
	c.consistent(t)
}

func TestTheBytesOfTurnsAreBounded(t *testing.T) {
	t.Parallel()
	var c conversations
	const each = mostOfATurn - turnCost - blockCost
	for id := range mostTurnBytes / mostOfATurn {
		c.add(turnOf(strconv.Itoa(id), each), "", noon)
	}
	if !c.has("0", noon) {
		t.Fatal("a turn within the limit is forgotten")
	}
	c.add(turnOf("large", each+1), "", noon)
	if c.has("large", noon) || !c.has("0", noon) {
		t.Error("a turn beyond its limit is remembered")
	}
	c.add(turnOf("small", 0), "", noon)
	if c.has("0", noon) || !c.has("1", noon) || !c.has("small", noon) {
		t.Error("a turn beyond the limit of all does not push out the oldest, and only that")
	}
	c.consistent(t)
}

func TestTurnsAreForgottenInTime(t *testing.T) {
	t.Parallel()
	var c conversations
	c.add(turnOf("a", 1), "", noon)
	late := noon.Add(turnsLast)
	if !c.has("a", late) || c.has("a", late.Add(1)) {
		t.Error("a turn is not remembered as long as it should be")
	}
	c.add(turnOf("b", 1), "a", late)
	if turns, known := c.before("b", late.Add(turnsLast)); len(turns) != 2 || !known {
		t.Error("a conversation that goes on is not remembered from its beginning")
	}
	c.add(turnOf("c", 1), "", late.Add(turnsLast+1))
	if c.order.Len() != 1 {
		t.Errorf("%d turns are kept", c.order.Len())
	}
	c.consistent(t)
}

// A conversation whose beginning is forgotten is not known.
func TestALostBeginningIsSaid(t *testing.T) {
	t.Parallel()
	var c conversations
	from := ""
	for id := range longestChain + 1 {
		if turns, known := c.before(from, noon); known != (len(turns) > 0) || len(turns) != id {
			t.Fatalf("%d turns before turn %d, known %t", len(turns), id, known)
		}
		c.add(turnOf(strconv.Itoa(id), 1), from, noon)
		from = strconv.Itoa(id)
	}
	if turns, known := c.before(from, noon); known || len(turns) != longestChain {
		t.Errorf("%d turns, known %t", len(turns), known)
	}
	c.forget(c.turns["500"])
	if turns, known := c.before("600", noon); known || len(turns) != 100 {
		t.Errorf("%d turns, known %t", len(turns), known)
	}
	// An upstream may give the same id again, also that of the answer that the
	// request goes on from.
	c.add(turnOf("600", 1), "600", noon)
	if turns, known := c.before("600", noon); known || len(turns) != 101 {
		t.Errorf("%d turns, known %t", len(turns), known)
	}
	c.consistent(t)
}
