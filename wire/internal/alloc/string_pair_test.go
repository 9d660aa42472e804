package alloc_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire/internal/alloc"
)

func TestStringPairReturnsBothStrings(t *testing.T) {
	words := []string{"", "a", "call_0123456789abcdef", strings.Repeat("long", 100)}
	for _, a := range words {
		for _, b := range words {
			first, second := []byte(a), []byte(b)
			gotA, gotB := alloc.StringPair(first, second)
			clear(first) // the input is not retained
			clear(second)
			if gotA != a || gotB != b {
				t.Errorf("got %q and %q, want %q and %q", gotA, gotB, a, b)
			}
		}
	}
}

func TestStringPairAllocatesOnce(t *testing.T) {
	a, b := []byte("call_0123456789abcdef01234567"), []byte("Bash")
	if n := testing.AllocsPerRun(100, func() {
		if first, second := alloc.StringPair(a, b); len(first)+len(second) != len(a)+len(b) {
			t.Error("wrong strings")
		}
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
