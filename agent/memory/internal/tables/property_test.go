package tables_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/llm"
)

// Whatever is appended and replaced, the tables hold what a list would hold, and
// a message that stays keeps its row.
func TestAnySequenceOfWrites(t *testing.T) {
	repo := onSQLite(t)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		id := string(rune('a' + seed))
		var list []llm.Message
		var v int64
		for range 25 {
			if random.IntN(3) == 0 {
				added := some(random, 6)
				v = repo.append(t, id, v, added...)
				list = append(list, added...)
			} else {
				// A piece is cut out, others are put in.
				from := random.IntN(len(list) + 1)
				to := from + random.IntN(len(list)-from+1)
				list = slices.Concat(list[:from], some(random, 8), list[to:])
				v = repo.replace(t, id, v, list...)
			}
			repo.holds(t, id, list...)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// some returns messages that are often the same.
func some(random *rand.Rand, most int) (messages []llm.Message) {
	for range random.IntN(most) {
		messages = append(messages, user("%d", random.IntN(3)))
	}
	return messages
}
