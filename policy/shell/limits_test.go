package shell

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// Whatever lies beyond a limit names its reason, and what lies before it is read.
func TestLimitsAreNamed(t *testing.T) {
	times := strings.Repeat
	functions := func(n int) string {
		text := "f0() { rm x; };"
		for i := range n {
			text += fmt.Sprintf("f%d() { f%d; };", i+1, i)
		}
		return text + fmt.Sprintf("f%d", n)
	}
	cases := []struct {
		name, text, reason string
		over               bool
	}{
		{"as long as allowed", "ls " + times("x", invocation.MaxText-3), invocation.Long, false},
		{"too long", "ls " + times("x", invocation.MaxText-2), invocation.Long, true},
		{"as many words as allowed", times(times("a ", 999)+"a\n", invocation.MaxUnits/1000), invocation.Long, false},
		{"too many words", times(times("a ", 999)+"a\n", invocation.MaxUnits/1000) + "a ", invocation.Long, true},
		{"as many commands as allowed", times("a;", invocation.MaxCommands), invocation.Many, false},
		{"too many commands", times("a;", invocation.MaxCommands+1), invocation.Many, true},
		{"as many brackets in one another as allowed", times("(", invocation.MaxOpen) + "a" + times(")", invocation.MaxOpen), invocation.Long, false},
		{"too many brackets in one another", times("(", invocation.MaxOpen+1) + "a" + times(")", invocation.MaxOpen+1), invocation.Long, true},
		{"as many brackets as anybody likes beside one another", times("a[1] ", 2*invocation.MaxOpen), invocation.Long, false},
		{"many brackets in one another as deep as allowed", times(times("(", invocation.MaxNested)+"a"+times(")", invocation.MaxNested)+";", invocation.MaxOpen/invocation.MaxNested+1), invocation.Long, false},
		{"as many arguments as are read", "echo" + times(" a", invocation.MaxArguments-1), invocation.Long, false},
		{"one more", "echo" + times(" a", invocation.MaxArguments), invocation.Long, true},
		{"scripts in scripts as deep as allowed", times("eval ", invocation.MaxDepth-1) + "rm x", invocation.Nesting, false},
		{"scripts in scripts too deep", times("eval ", invocation.MaxDepth) + "rm x", invocation.Nesting, true},
		{"functions of functions as deep as allowed", functions(invocation.MaxDepth - 1), invocation.Nesting, false},
		{"functions of functions too deep", functions(invocation.MaxDepth), invocation.Nesting, true},
		{"as many readings of a variable as allowed", "for x in " + times("a ", invocation.MostTexts) + "; do ls $x; done", invocation.Variable, false},
		{"too many readings of a variable", "for x in " + times("a ", invocation.MostTexts+1) + "; do ls $x; done", invocation.Variable, true},
		{"as many words of braces as allowed", fmt.Sprintf("ls {1..%d}", follow.MostBraces), invocation.Glob, false},
		{"too many words of braces", fmt.Sprintf("ls {1..%d}", follow.MostBraces+1), invocation.Glob, true},
		{"an array as long as allowed", "a=(" + times("b ", invocation.MostNames) + ")", invocation.Many, false},
		{"too long an array", "a=(" + times("b ", invocation.MostNames+1) + ")", invocation.Many, true},
		{"as many functions as allowed", manyFunctions(invocation.MostNames), invocation.Many, false},
		{"too many functions", manyFunctions(invocation.MostNames + 1), invocation.Many, true},
		{"a search in as many directories as allowed", "find " + times("a ", output.MostRoots) + "-delete", invocation.Many, false},
		{"a search in too many directories", "find " + times("a ", output.MostRoots+1) + "-delete", invocation.Many, true},
		{"as many steps as it has", "a=" + times("x", 60_000) + times(";ls $a", 4), invocation.Nesting, false},
		{"more steps than it has", "a=" + times("x", 60_000) + times(";ls $a", 20), invocation.Nesting, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := Read(c.text, place)
			if slices.Contains(r.Unknown, c.reason) != c.over {
				t.Errorf("%d commands, unknown for %q", len(r.Commands), r.Unknown)
			}
		})
	}
}

// manyFunctions have empty bodies, so that none of the other limits is met.
func manyFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d() { true; };", i)
	}
	return b.String()
}

func TestEffectsAreNotMoreThanAllowed(t *testing.T) {
	remove := func(n int) invocation.Reading {
		var b strings.Builder
		for i := range n {
			if i%50 == 0 {
				b.WriteString("\nrm")
			}
			fmt.Fprintf(&b, " f%d", i)
		}
		return Read(b.String(), place)
	}
	if r := remove(invocation.MaxEffects); len(r.Effects) != invocation.MaxEffects || slices.Contains(r.Unknown, invocation.Many) {
		t.Errorf("%d effects, unknown for %q", len(r.Effects), r.Unknown)
	}
	if r := remove(invocation.MaxEffects + 1); len(r.Effects) != invocation.MaxEffects || !slices.Contains(r.Unknown, invocation.Many) {
		t.Errorf("%d effects, unknown for %q", len(r.Effects), r.Unknown)
	}
}

func TestArgumentsAreNotLongerThanAllowed(t *testing.T) {
	if r := ReadArgs([]string{"ls", strings.Repeat("x", invocation.MaxText)}, place); !slices.Contains(r.Unknown, invocation.Long) {
		t.Errorf("unknown for %q", r.Unknown)
	}
}

func TestDirectoriesDoNotGrowWithoutEnd(t *testing.T) {
	r := Read(strings.Repeat("cd "+strings.Repeat("x", 1000)+";", 8)+"a; cd /; b", place)
	a, b := r.Commands[8], r.Commands[10]
	if len(a.Dir) > effect.MaxPlace || !a.DirUnknown || b.Dir != "/" || b.DirUnknown {
		t.Errorf("a in %d bytes (%v), b in %q (%v)", len(a.Dir), a.DirUnknown, b.Dir, b.DirUnknown)
	}
}

// Memory shows what no counter sees: eight times the text may take eight times
// the memory, not sixty-four times.
func TestMemoryIsLinear(t *testing.T) {
	allocated := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Read(text, place)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, h := range hostile {
		small, large := allocated(h.make(16<<10)), allocated(h.make(128<<10))
		if large > 12*small+32<<20 {
			t.Errorf("%s: %d bytes, then %d", h.name, small, large)
		}
	}
}

// written is a reading as a text, without the addresses of the files that it wrote.
func written(text string) string {
	r := Read(text, place)
	wrote := map[string]invocation.File{}
	for path, f := range r.Wrote {
		wrote[path] = *f
	}
	r.Wrote = nil
	return fmt.Sprint(r, wrote)
}

// Readers go from one goroutine to the next by their parsers alone.
func TestReadingsAreTheirOwn(t *testing.T) {
	want := make([]string, len(everyday))
	for i, e := range everyday {
		want[i] = written(e.text)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				for i, e := range everyday {
					if got := written(e.text); got != want[i] {
						t.Errorf("%s: %s, want %s", e.name, got, want[i])
					}
				}
			}
		})
	}
	all.Wait()
}

// Variables that name each other many times over cost no more than others.
func TestArithmeticOfManyNamesEnds(t *testing.T) {
	names := strings.Repeat("a b c d ", 400)
	r := Read("a='"+names+"'; b=$a; c=$a; d=$a; ((a))", invocation.Setting{})
	if len(r.Commands) > invocation.MaxCommands {
		t.Fatalf("%d commands", len(r.Commands))
	}
}
