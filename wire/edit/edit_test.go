package edit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// span finds the only place of text in body.
func span(tb testing.TB, body, text string) llm.Span {
	tb.Helper()
	i := strings.Index(body, text)
	if i < 0 || strings.Count(body, text) != 1 {
		tb.Fatalf("%q does not stand once in %q", text, body)
	}
	return llm.Span{Start: i, End: i + len(text)}
}

func TestEdits(t *testing.T) {
	type do func(e *edit.Edits, body []byte, at func(string) llm.Span)
	remove := func(text string) do {
		return func(e *edit.Edits, _ []byte, at func(string) llm.Span) { e.Remove(at(text)) }
	}
	before := func(text, raw string) do {
		return func(e *edit.Edits, _ []byte, at func(string) llm.Span) { e.InsertBefore(at(text), []byte(raw)) }
	}
	after := func(text, raw string) do {
		return func(e *edit.Edits, _ []byte, at func(string) llm.Span) { e.InsertAfter(at(text), []byte(raw)) }
	}
	first := func(container, raw string) do {
		return func(e *edit.Edits, body []byte, at func(string) llm.Span) {
			e.InsertFirst(body, at(container), []byte(raw))
		}
	}
	last := func(container, raw string) do {
		return func(e *edit.Edits, body []byte, at func(string) llm.Span) {
			e.InsertLast(body, at(container), []byte(raw))
		}
	}
	replace := func(text, raw string) do {
		return func(e *edit.Edits, _ []byte, at func(string) llm.Span) { e.Replace(at(text), []byte(raw)) }
	}
	for _, tc := range []struct {
		name, body string
		do         []do
		want       string
	}{
		{"nothing to do", ` [1] `, nil, ` [1] `},
		{"a value is replaced", `{"a": 1 }`, []do{replace("1", "22")}, `{"a": 22 }`},
		{
			"a string is replaced and escaped", `{"a":"x"}`,
			[]do{func(e *edit.Edits, _ []byte, at func(string) llm.Span) { e.ReplaceString(at(`"x"`), "é\"\n") }},
			`{"a":"é\"\n"}`,
		},
		{
			"a number is replaced", `{"index":10}`,
			[]do{func(e *edit.Edits, _ []byte, at func(string) llm.Span) { e.ReplaceInt(at(`10`), -3) }},
			`{"index":-3}`,
		},
		{"the first element goes with the comma after it", `[ 1 , 2 ]`, []do{remove("1")}, `[ 2 ]`},
		{"the last element goes with the comma before it", `[ 1 , 2 ]`, []do{remove("2")}, `[ 1  ]`},
		{"one in the middle", `[1,2, 3]`, []do{remove("2")}, `[1, 3]`},
		{"the only element", `[ 1 ]`, []do{remove("1")}, `[  ]`},
		{"all elements", "[1,\n2,3]", []do{remove("1"), remove("2"), remove("3")}, "[]"},
		{"neighbours at the start", `[1,2,3]`, []do{remove("2"), remove("1")}, `[3]`},
		{"neighbours at the end", `[1,2,3]`, []do{remove("3"), remove("2")}, `[1]`},
		{"both ends", `[1,2,3]`, []do{remove("3"), remove("1")}, `[2]`},
		{"a member", `{"a":1, "b":[2], "c":3}`, []do{remove(`"b":[2]`)}, `{"a":1, "c":3}`},
		{"insertions keep their order", `[5]`, []do{before("5", "1"), before("5", "2"), after("5", "6"), after("5", "7")}, `[1,2,5,6,7]`},
		{"first and last of what is not empty", `[ 5 ]`, []do{last("[ 5 ]", "6"), first("[ 5 ]", "1")}, `[ 1,5,6 ]`},
		{"first and last of what is empty", `{"a":[ ]}`, []do{first("[ ]", "1"), last("[ ]", "2"), last("[ ]", "3")}, `{"a":[1,2,3 ]}`},
		{"into an empty object", `{}`, []do{last("{}", `"a":1`), last("{}", `"b":2`)}, `{"a":1,"b":2}`},
		{"before one that is removed", `[1,2]`, []do{before("2", "9"), remove("2")}, `[1,9]`},
		{"before the only one, removed", `[2]`, []do{before("2", "9"), remove("2")}, `[9]`},
		{"after the only one, removed", `[2]`, []do{remove("2"), after("2", "9")}, `[9]`},
		{"after the first, removed", `[1, 2]`, []do{after("1", "9"), remove("1")}, `[9, 2]`},
		{"last, and all others removed", `[1, 2]`, []do{last("[1, 2]", "9"), remove("1"), remove("2")}, `[9]`},
		{"first, and all others removed", `[1, 2]`, []do{first("[1, 2]", "9"), remove("1"), remove("2")}, `[9]`},
		{"between two that are removed", `[0,1,2,3]`, []do{after("1", "8"), before("2", "9"), remove("1"), remove("2")}, `[0,8,9,3]`},
		{"before one that stays, after one that goes", `[1,2]`, []do{remove("1"), before("2", "9")}, `[9,2]`},
		{"after one that stays, before one that goes", `[1,2]`, []do{after("1", "9"), remove("2")}, `[1,9]`},
		{"around one that is replaced", `[1]`, []do{before("1", "0"), replace("1", "x"), after("1", "2")}, `[0,x,2]`},
		{"member removed, member inserted last", `{"a":1,"b":2}`, []do{remove(`"b":2`), last(`{"a":1,"b":2}`, `"c":3`)}, `{"a":1,"c":3}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var e edit.Edits
			for _, do := range tc.do {
				do(&e, []byte(tc.body), func(text string) llm.Span { return span(t, tc.body, text) })
			}
			for range 2 { // a list can be applied again
				got, err := e.Apply([]byte("x"), []byte(tc.body))
				if err != nil || string(got) != "x"+tc.want {
					t.Fatalf("got %s, %v; want x%s", got, err, tc.want)
				}
			}
			if e.Empty() != (len(tc.do) == 0) {
				t.Errorf("Empty is %v", e.Empty())
			}
			e.Reset()
			if got, err := e.Apply(nil, []byte(tc.body)); err != nil || string(got) != tc.body || !e.Empty() {
				t.Errorf("after Reset: %s, %v", got, err)
			}
		})
	}
}

func TestApplyRefusesWhatOverlapsOrIsElsewhere(t *testing.T) {
	const body = `{"a":[1,2],"b":3}`
	for _, tc := range []struct {
		name string
		do   func(e *edit.Edits)
	}{
		{"the same twice", func(e *edit.Edits) { e.Remove(llm.Span{Start: 6, End: 7}); e.Remove(llm.Span{Start: 6, End: 7}) }},
		{"one inside another", func(e *edit.Edits) {
			e.Replace(llm.Span{Start: 5, End: 10}, nil)
			e.Remove(llm.Span{Start: 6, End: 7})
		}},
		{"an insertion inside what is removed", func(e *edit.Edits) {
			e.Remove(llm.Span{Start: 1, End: 10})
			e.InsertBefore(llm.Span{Start: 6, End: 7}, []byte("0"))
		}},
		{"half of another", func(e *edit.Edits) {
			e.Replace(llm.Span{Start: 1, End: 6}, nil)
			e.Replace(llm.Span{Start: 5, End: 8}, nil)
		}},
		{"behind the end", func(e *edit.Edits) { e.Remove(llm.Span{Start: 10, End: 99}) }},
		{"before the start", func(e *edit.Edits) { e.Remove(llm.Span{Start: -4, End: 2}) }},
		{"backwards", func(e *edit.Edits) { e.Replace(llm.Span{Start: 4, End: 2}, nil) }},
		{"into no container", func(e *edit.Edits) { e.InsertFirst([]byte(body), llm.Span{Start: 50, End: 60}, nil) }},
		{"into half a container", func(e *edit.Edits) { e.InsertLast([]byte(body), llm.Span{Start: 17, End: 18}, nil) }},
		{"into the zero span", func(e *edit.Edits) { e.InsertLast([]byte(body), llm.Span{Start: -1, End: 0}, nil) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var e edit.Edits
			tc.do(&e)
			got, err := e.Apply([]byte("kept"), []byte(body))
			if err == nil || string(got) != "kept" {
				t.Errorf("got %q, %v; want an error and nothing written", got, err)
			}
		})
	}
}

// container is a random array or object and the places of its elements.
type container struct {
	body   []byte
	whole  llm.Span
	object bool
	elems  []llm.Span
}

func blank(r *rand.Rand) string {
	return strings.Repeat(string(" \t\r\n"[r.IntN(4)]), r.IntN(3))
}

func randomContainer(r *rand.Rand) container {
	var b bytes.Buffer
	c := container{object: r.IntN(2) == 0}
	b.WriteString(blank(r) + `{"before":[1,2],"it":` + blank(r))
	c.whole.Start = b.Len()
	b.WriteByte("[{"[btoi(c.object)])
	b.WriteString(blank(r))
	for i := range r.IntN(7) {
		if i > 0 {
			b.WriteString("," + blank(r))
		}
		at := llm.Span{Start: b.Len()}
		b.WriteString(element(r, c.object, fmt.Sprint(i)))
		at.End = b.Len()
		c.elems = append(c.elems, at)
		b.WriteString(blank(r))
	}
	b.WriteByte("]}"[btoi(c.object)])
	c.whole.End = b.Len()
	b.WriteString(blank(r) + `,"after":{}}` + blank(r))
	c.body = b.Bytes()
	return c
}

// element is an element of an array, or a member of an object, named name.
func element(r *rand.Rand, member bool, name string) string {
	value := []string{`1`, `"a,]}b\""`, `[ ]`, `{ "x" : [1 , 2] }`, `null`, `-1.5e3`, `"` + name + `"`}[r.IntN(7)]
	if member {
		return fmt.Sprintf(`%q%s:%s%s`, name, blank(r), blank(r), value)
	}
	return value
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Whatever is removed, replaced and inserted, the result is what taking the
// container apart and putting it together again gives, and the bytes of what was
// not touched stay.
func checkRandomEdits(t *testing.T, r *rand.Rand) {
	t.Helper()
	c := randomContainer(r)
	var (
		e     edit.Edits
		want  []string // the elements, as bytes
		fresh int
	)
	raw := func() string {
		fresh++
		return element(r, c.object, fmt.Sprintf("new%d", fresh))
	}
	type op func()
	var ops []op
	for range r.IntN(3) {
		x := raw()
		want = append(want, x)
		ops = append(ops, func() { e.InsertFirst(c.body, c.whole, []byte(x)) })
	}
	for _, at := range c.elems {
		for range r.IntN(8) / 6 {
			x := raw()
			want = append(want, x)
			ops = append(ops, func() { e.InsertBefore(at, []byte(x)) })
		}
		switch r.IntN(3) {
		case 0:
			ops = append(ops, func() { e.Remove(at) })
		case 1:
			x := raw()
			want = append(want, x)
			ops = append(ops, func() { e.Replace(at, []byte(x)) })
		default:
			want = append(want, string(at.In(c.body)))
		}
		for range r.IntN(8) / 6 {
			x := raw()
			want = append(want, x)
			ops = append(ops, func() { e.InsertAfter(at, []byte(x)) })
		}
	}
	for range r.IntN(3) {
		x := raw()
		want = append(want, x)
		ops = append(ops, func() { e.InsertLast(c.body, c.whole, []byte(x)) })
	}
	// Only insertions at one place depend on the order in which they are asked for.
	for _, do := range ops {
		do()
	}
	original := bytes.Clone(c.body)
	got, err := e.Apply(nil, c.body)
	if err != nil {
		t.Fatalf("%s: %v", c.body, err)
	}
	if !bytes.Equal(original, c.body) {
		t.Fatal("Apply changed the body itself")
	}
	if !json.Valid(got) {
		t.Fatalf("%s\nbecame\n%s\nwhich is not JSON", c.body, got)
	}
	if !bytes.HasPrefix(got, c.body[:c.whole.Start+1]) || !bytes.HasSuffix(got, c.body[c.whole.End-1:]) {
		t.Fatalf("%s\nbecame\n%s\nwhich changes bytes outside the container", c.body, got)
	}
	if have := elements(t, got); !slices.Equal(have, want) {
		t.Fatalf("%s\nbecame\n%s\nwith %q, want %q", c.body, got, have, want)
	}
}

// elements returns the bytes of the elements or members of "it".
func elements(t *testing.T, body []byte) []string {
	t.Helper()
	var (
		s    jsonscan.Scanner
		list []string
	)
	inside, at, ok := jsonscan.Get(body, "it")
	if !ok {
		t.Fatalf("%s has no container", body)
	}
	s.Reset(inside)
	if s.Array() {
		for s.Elem() {
			list = append(list, string(s.Raw()))
		}
		return list
	}
	s.Object()
	for {
		from := s.Pos()
		if _, ok := s.Key(); !ok {
			return list
		}
		s.Skip()
		start := at[0] + from + bytes.IndexByte(inside[from:], '"')
		list = append(list, string(body[start:at[0]+s.Pos()]))
	}
}

func TestRandomEditsGiveWhatTheySay(t *testing.T) {
	for seed := range uint64(5000) {
		checkRandomEdits(t, rand.New(rand.NewPCG(seed, 1)))
	}
}

// Removing only: what stays between two neighbours that stay is not touched.
func TestRemovalsLeaveEveryOtherByte(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := randomContainer(r)
		var e edit.Edits
		keep := make([]bool, len(c.elems))
		for i, at := range c.elems {
			if keep[i] = r.IntN(2) == 0; !keep[i] {
				e.Remove(at)
			}
		}
		got, err := e.Apply(nil, c.body)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(c.elems); i++ {
			from := i
			for i < len(c.elems) && keep[i] {
				i++
			}
			if from == i {
				continue
			}
			if run := c.body[c.elems[from].Start:c.elems[i-1].End]; !bytes.Contains(got, run) {
				t.Fatalf("%s\nbecame\n%s\nwithout the bytes %s", c.body, got, run)
			}
		}
	}
}

func FuzzEdits(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkRandomEdits(t, rand.New(rand.NewPCG(a, b))) })
}

// Spans from anywhere must never do more than be refused.
func FuzzSpans(f *testing.F) {
	f.Add([]byte(`{"a":[1,2]}`), []byte{0, 5, 10, 1, 6, 7, 2, 8, 9})
	f.Fuzz(func(t *testing.T, body, script []byte) {
		var e edit.Edits
		for ; len(script) >= 3; script = script[3:] {
			at := llm.Span{Start: int(int8(script[1])), End: int(int8(script[2]))}
			switch script[0] % 6 {
			case 0:
				e.Replace(at, []byte("0"))
			case 1:
				e.Remove(at)
			case 2:
				e.InsertBefore(at, []byte("0"))
			case 3:
				e.InsertAfter(at, []byte("0"))
			case 4:
				e.InsertFirst(body, at, []byte("0"))
			case 5:
				e.InsertLast(body, at, []byte("0"))
			}
		}
		got, err := e.Apply([]byte("kept"), body)
		if !bytes.HasPrefix(got, []byte("kept")) || err != nil && len(got) != 4 {
			t.Fatalf("got %q, %v", got, err)
		}
	})
}
