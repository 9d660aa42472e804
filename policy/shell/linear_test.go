package shell

import (
	"runtime"
	"strings"
	"testing"
)

// pieces are repeated to make hostile texts.
var pieces = []string{
	"(", "((", "$(", "$((", "${", "`", "`\\`", "a=(", "bash -c \"$(", `sh -c "`, "eval ", "<<E\n", "<(", "'", `"`, "{ ", "case x in ",
	"find -exec ", "find . -exec a \\; ", "sudo ", "env A=1 ", "ssh h ", "a|", "[[ ", "x() ", "((a) ", "$(cat <<'E'\n", "\\\n", "# ", "alias a=b ",
	"a[=", "a\\=", "$a", "x=$y", "<<E ", "if ", "for x in ", ">a ", "A=1 ", "-c ", "a\\\n",
}

// What is read is counted, not timed: twice the text must not cost more than
// the budget says, whatever nests in it.
func TestReadingIsLinear(t *testing.T) {
	for _, piece := range pieces {
		for _, n := range []int{1000, 100_000} {
			text := strings.Repeat(piece, n/len(piece))
			s := splitter{budget: 8*len(text) + 4096}
			s.text(text, 0, origin{})
			if s.read > 9*len(text)+4096 || len(s.commands) > MaxCommands {
				t.Errorf("%q x %d: %d bytes read, %d commands", piece, n, s.read, len(s.commands))
			}
		}
	}
}

// Memory shows what no counter sees: four times the text may take four times
// the memory, not sixteen times.
func TestMemoryIsLinear(t *testing.T) {
	allocated := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Split(text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, piece := range pieces {
		small := allocated(strings.Repeat(piece, 20_000/len(piece)))
		large := allocated(strings.Repeat(piece, 80_000/len(piece)))
		if large > 8*small+1<<20 {
			t.Errorf("%q: %d bytes, then %d", piece, small, large)
		}
	}
}
