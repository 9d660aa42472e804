package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// What is compared does the same: everybody comes to the answer of the script, and
// runs the tool for each of its calls, with the arguments that were written.
func TestEverybodyRunsTheSameRounds(t *testing.T) {
	for _, s := range scripts() {
		for _, c := range contenders() {
			for _, p := range paths() {
				t.Run(fmt.Sprintf("%s/%s/%s", s.name, c.name, p), func(t *testing.T) {
					var seen noted
					l, err := c.prepare(t.Context(), s, seen.note)
					if err != nil {
						t.Fatal(err)
					}
					// Nothing is left of the first run in the second.
					for range 2 {
						seen.list = nil
						text, want := ask(t, l, p), s.final()
						if p == pathStream && c.shows {
							want = s.all()
						}
						if text != want {
							t.Errorf("the text is\n%q, not\n%q", text, want)
						}
						seen.check(t, s)
					}
				})
			}
		}
	}
}

// The model and the tools alone are as many answers and calls.
func TestBareRoundsCallTheToolAsOften(t *testing.T) {
	for _, s := range scripts() {
		for _, c := range contenders() {
			var seen noted
			l, err := c.prepare(t.Context(), s, seen.note)
			if err != nil {
				t.Fatal(err)
			}
			for _, bare := range []func() error{l.bareCall, l.bareStream} {
				seen.list = nil
				if err := bare(); err != nil {
					t.Fatal(err)
				}
				seen.check(t, s)
			}
		}
	}
}

func TestTheCommandRunsAndSaysWhatItMeasured(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-quick", "-script", "1x1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, c := range contenders() {
		if strings.Count(out.String(), c.name) < 2 {
			t.Errorf("%s is not in\n%s", c.name, out.String())
		}
	}
}

func TestTargetsAreJudgedByTheWorstRow(t *testing.T) {
	rows := []row{
		{Contender: nameSluice, Script: "1x1", Added: cost{Allocs: 10}},
		{Contender: nameSluice, Script: "3x1", Added: cost{Allocs: addedAllocs}},
		{Contender: nameEino, Script: "1x1", Ratio: ratio{NS: 2, CPU: 2, Allocs: 2}, AddedRatio: ratio{NS: 2, CPU: 2, Allocs: 2}},
		{Contender: nameEino, Script: "3x1", Ratio: ratio{NS: 0.9, CPU: 2, Allocs: 2}, AddedRatio: ratio{NS: 2, CPU: 2, Allocs: 1.5}},
	}
	var got []string
	for _, p := range judge(rows) {
		got = append(got, fmt.Sprint(p.Measured, " ", p.Met))
	}
	want := []string{"true true", "true true", "true false", "true false", "true true", "true true", "false false", "false false", "false false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func ask(t *testing.T, l loop, p path) string {
	t.Helper()
	var text strings.Builder
	put := func(s string, err error) error { text.WriteString(s); return err }
	var err error
	switch p {
	case pathCall:
		err = put(l.call())
	case pathCollect:
		err = put(l.collect())
	case pathStream:
		err = l.stream(func(piece string) { text.WriteString(piece) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// noted are the arguments of all calls.
type noted struct {
	mu   sync.Mutex
	list []any
}

func (n *noted) note(arguments any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, arguments)
}

// check compares with what the script calls. Calls of one round come in any order.
func (n *noted) check(t *testing.T, s *script) {
	t.Helper()
	var want, got []string
	for i := range s.said {
		for _, c := range s.said[i].calls {
			want = append(want, fmt.Sprint(c.decoded))
		}
	}
	for _, arguments := range n.list {
		decoded, ok := arguments.(map[string]any)
		if raw, is := arguments.(string); is {
			ok = json.Unmarshal([]byte(raw), &decoded) == nil
		}
		if !ok {
			t.Fatalf("the arguments are %v, of %v", arguments, reflect.TypeOf(arguments))
		}
		got = append(got, fmt.Sprint(decoded))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the tool ran %d times with %q, not %d times with %q", len(got), got, len(want), want)
	}
}
