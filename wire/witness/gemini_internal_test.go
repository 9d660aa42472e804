package witness

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// Checking only what changed of a call in parts finds what checking all of it finds.
func TestPartsGoOnAsTheyBegan(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	passed, stopped := 0, 0
	for range 5000 {
		w := New(wire.Gemini, false)
		allow := func() {
			w.allowed.add("f", fmt.Sprintf(`{"a":%q,"b":%s,"c":[%q]}`, one("x", "y")+one("x", "y")+one("", "x"), one("1", "12", `"1"`, `"xy"`), one("x", `"x"`)))
		}
		allow()
		for range random.IntN(5) {
			allow()
		}
		var all []string
		for range 6 {
			value := one(`"jsonPath":"$.a","stringValue":"x"`, `"jsonPath":"$.a","stringValue":"y"`, `"jsonPath":"$.b","numberValue":1`,
				`"jsonPath":"$.b","stringValue":"1"`, `"jsonPath":"$.b","stringValue":"2"`, `"jsonPath":"$.c[0]","stringValue":"x"`, `"jsonPath":"$.c[0]","stringValue":"\"x\""`)
			all = append(all, value)
			fresh := &partial{name: "f"}
			for _, v := range all {
				n, _ := parse([]byte(`{` + v + `}`))
				fresh.grow(n)
			}
			again := texts{sorted: slices.Clone(w.allowed.names["f"].sorted)}
			call := `{"willContinue":true,"partialArgs":[{` + value + `}]}`
			if len(all) == 1 {
				call = `{"name":"f",` + call[1:]
			}
			n, _ := parse([]byte(call))
			got, want := w.partialCall(n, 0) == nil, fresh.find(&again)
			if got != want {
				t.Fatalf("%q of %q: got %v", all, again.sorted, got)
			}
			if !want {
				stopped++
				break
			}
			passed++
			if random.IntN(4) == 0 {
				allow()
			}
		}
	}
	if passed < 1000 || stopped < 1000 {
		t.Errorf("%d checks passed, %d did not", passed, stopped)
	}
}
