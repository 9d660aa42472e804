package stream_test

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Of a text that is not kept, its length and its hash are those of the text that
// would have been kept, however it comes in pieces, split characters included.
func TestATextThatIsNotKeptIsKnown(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "some words", "\xed\xa0\xbd", "\xed\xb8\x80", "é", ""}
	for range 500 {
		kind := []llm.Kind{llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall}[random.IntN(4)]
		limit := 1 + random.IntN(40)
		whole, short := stream.NewState(stream.Limits{}), stream.NewState(stream.Limits{Texts: limit})
		apply := func(ev stream.Event) {
			for _, s := range []*stream.State{whole, short} {
				if err := s.Apply(&stream.Chunk{Events: []stream.Event{ev}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		apply(stream.Event{Type: stream.EventStart, Kind: kind, Name: "x"})
		size := 0
		for range random.IntN(30) {
			piece := pieces[random.IntN(len(pieces))]
			size += len(piece)
			apply(stream.Event{Type: stream.EventDelta, Kind: kind, Field: stream.Body, Data: []byte(piece)})
		}
		apply(stream.Event{Type: stream.EventEnd, Kind: kind, Status: llm.Complete})
		want, got := whole.Choice(0).Blocks()[0], short.Choice(0).Blocks()[0]
		if kept := size <= limit || kind == llm.ToolCall; got.Kept() != kept {
			t.Fatalf("%v of %d bytes with the limit %d: kept is %v", kind, size, limit, got.Kept())
		}
		if got.Len() != want.Len() || got.Sum() != sha256.Sum256([]byte(want.Text())) || want.Sum() != got.Sum() {
			t.Fatalf("%d bytes, want %d; the hash is another", got.Len(), want.Len())
		}
		if !got.Kept() && got.Text() != "" || got.Kept() && got.Text() != want.Text() {
			t.Fatalf("the text is %q", got.Text())
		}
	}
}

// A final word that says what the pieces said is no second version, one that says
// something else is, whether the text was kept or not.
func TestTheFinalWordOfATextThatIsNotKept(t *testing.T) {
	t.Parallel()
	for _, final := range []string{"some words and more", "some words and mere", "some"} {
		for _, limit := range []int{0, 4} {
			s := stream.NewState(stream.Limits{Texts: limit})
			for _, ev := range []stream.Event{
				{Type: stream.EventStart, Kind: llm.Content},
				{Type: stream.EventDelta, Kind: llm.Content, Field: stream.Body, Data: []byte("some words")},
				{Type: stream.EventDelta, Kind: llm.Content, Field: stream.Body, Data: []byte(" and more")},
				{Type: stream.EventWhole, Kind: llm.Content, Field: stream.Body, Data: []byte(final)},
			} {
				if err := s.Apply(&stream.Chunk{Events: []stream.Event{ev}}); err != nil {
					t.Fatal(err)
				}
			}
			if _, two := s.Choice(0).Blocks()[0].Other(); two != (final != "some words and more") {
				t.Errorf("the final word %q with the limit %d: two versions are %v", final, limit, two)
			}
		}
	}
}
