package model_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// A conversation that began with one vendor goes on with another: what was said,
// called and answered arrives; thinking and its signatures stay behind.
func TestConversationsCrossDialects(t *testing.T) {
	for _, from := range wire.Formats() {
		for _, to := range wire.Formats() {
			if from == to {
				continue
			}
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				for seed := range uint64(100) {
					req := randomRequest(rand.New(rand.NewPCG(seed, 3)), from)
					req.Extra = nil
					body, err := from.AppendRequest(nil, req)
					if err != nil {
						t.Fatal(err)
					}
					sent, err := from.ReadRequest(body)
					if err != nil {
						t.Fatal(err)
					}
					sent.Extra = nil // belongs to the dialect
					crossed, err := to.AppendRequest(nil, sent)
					if err != nil {
						t.Fatalf("%v\n%s", err, body)
					}
					arrived, err := to.ReadRequest(crossed)
					if err != nil {
						t.Fatalf("%v\n%s", err, crossed)
					}
					if want, got := withoutThinking(req), withoutThinking(arrived); !reflect.DeepEqual(want, got) {
						t.Fatalf("want %+v\ngot  %+v\n%s\n%s", want, got, body, crossed)
					}
					for _, f := range facts(arrived) {
						if f.signature != "" || f.kind == llm.Thinking {
							t.Fatalf("%+v crossed\n%s", f, crossed)
						}
					}
					if len(arrived.Tools) != len(req.Tools) {
						t.Fatalf("%d tools of %d\n%s", len(arrived.Tools), len(req.Tools), crossed)
					}
					for i := range req.Tools {
						if string(arrived.Tools[i].Schema) != string(req.Tools[i].Schema) {
							t.Fatalf("schema %s\n%s", arrived.Tools[i].Schema, crossed)
						}
					}
				}
			})
		}
	}
}

func withoutThinking(req *llm.Request) []fact {
	return slices.DeleteFunc(facts(req), func(f fact) bool { return f.kind == llm.Thinking })
}
