package shape_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/shape"
)

// holes finds the values of the members t, p and n of an object.
func holes(tb testing.TB, raw string) shape.Holes {
	tb.Helper()
	at := func(name string) llm.Span {
		_, span, ok := jsonscan.Get([]byte(raw), name)
		if !ok {
			return llm.Span{}
		}
		return llm.Span{Start: span[0], End: span[1]}
	}
	return shape.Holes{Text: at("t"), Padding: at("p"), Number: at("n")}
}

func TestMatch(t *testing.T) {
	const learned = `{"n":7,"t":"abc","x":1,"p":"pad"}`
	for _, tc := range []struct {
		name, learned, raw string
		loose              bool
		text               string // of what matches
		number             int64
	}{
		{"the same again", learned, learned, false, "abc", 7},
		{"other values", learned, `{"n":18,"t":"de fg","x":1,"p":""}`, false, "de fg", 18},
		{"an escaped text", learned, `{"n":18,"t":"a\n\u00e9\ud83d\ude00","x":1,"p":"\""}`, false, "a\né😀", 18},
		{"zero", learned, `{"n":0,"t":"a","x":1,"p":""}`, false, "a", 0},
		{"eighteen digits", learned, `{"n":999999999999999999,"t":"a","x":1,"p":""}`, false, "a", 999999999999999999},
		{"holes in another order", `{"p":"","t":"a","n":1}`, `{"p":"xyz","t":"b","n":22}`, false, "b", 22},
		{"only a text", `{"t":"a"}`, `{"t":"b"}`, false, "b", 0},

		{"an empty text", learned, `{"n":8,"t":"","x":1,"p":""}`, false, "", 0},
		{"another value outside the holes", learned, `{"n":8,"t":"a","x":2,"p":""}`, false, "", 0},
		{"another member", learned, `{"n":8,"t":"a","x":1,"p":"","y":1}`, false, "", 0},
		{"a member in a hole", learned, `{"n":8,"t":"a","t":"b","x":1,"p":""}`, false, "", 0},
		{"a text that is no string", learned, `{"n":8,"t":null,"x":1,"p":""}`, false, "", 0},
		{"padding that is no string", learned, `{"n":8,"t":"a","x":1,"p":{}}`, false, "", 0},
		{"a control character", learned, "{\"n\":8,\"t\":\"a\nb\",\"x\":1,\"p\":\"\"}", false, "", 0},
		{"a bad escape", learned, `{"n":8,"t":"a\q","x":1,"p":""}`, false, "", 0},
		{"a bad escape in the padding", learned, `{"n":8,"t":"a","x":1,"p":"\u00"}`, false, "", 0},
		{"a string without its end", learned, `{"n":8,"t":"a`, false, "", 0},
		{"nothing after the text", learned, `{"n":8,"t":"a"`, false, "", 0},
		{"no number", learned, `{"n":,"t":"a","x":1,"p":""}`, false, "", 0},
		{"a negative number", learned, `{"n":-1,"t":"a","x":1,"p":""}`, false, "", 0},
		{"a fraction", learned, `{"n":1.5,"t":"a","x":1,"p":""}`, false, "", 0},
		{"an exponent", learned, `{"n":1e5,"t":"a","x":1,"p":""}`, false, "", 0},
		{"a leading zero", learned, `{"n":01,"t":"a","x":1,"p":""}`, false, "", 0},
		{"too many digits", learned, `{"n":1000000000000000000,"t":"a","x":1,"p":""}`, false, "", 0},
		{"nothing at all", learned, ``, false, "", 0},

		{"other white space at the end", `{"d":1,"t":"a"  }`, `{"d":1,"t":"b" }`, true, "b", 0},
		{"white space at the end that counts", `{"t":"a"  }`, `{"t":"b" }`, false, "", 0},
		{"more brackets", `{"t":"a" }`, `{"t":"b"}}`, true, "", 0},
		{"fewer brackets", `{"t":"a" }`, `{"t":"b" `, true, "", 0},
		{"something between the brackets", `{"t":"a" }`, `{"t":"b" ,"t":"c"}`, true, "", 0},
		{"white space before what is no bracket", `{"t":"a","x":1}`, `{"t":"b" ,"x":1}`, true, "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := shape.Shape{LooseEnd: tc.loose}
			s.Learn([]byte(tc.learned), holes(t, tc.learned))
			var m shape.Match
			got := s.Match([]byte(tc.raw), &m)
			if got != (tc.text != "") {
				t.Fatalf("match: %v", got)
			}
			if !got {
				return
			}
			buf := []byte("kept")
			if data := m.Data([]byte(tc.raw), &buf); string(data) != tc.text || m.Number != tc.number {
				t.Errorf("got %q and %d", data, m.Number)
			}
			if !strings.HasPrefix(string(buf), "kept") {
				t.Errorf("the buffer is now %q", buf)
			}
		})
	}
}

func TestWhatIsForgottenMatchesNothing(t *testing.T) {
	raw := []byte(`{"t":"a"}`)
	var s shape.Shape
	var m shape.Match
	if s.Match(raw, &m) || s.Match(nil, &m) {
		t.Error("a shape that learned nothing matches")
	}
	s.Learn(raw, holes(t, string(raw)))
	if !s.Match(raw, &m) {
		t.Error("no match")
	}
	s.Forget()
	if s.Match(raw, &m) {
		t.Error("match after Forget")
	}
	s.Learn(raw, shape.Holes{})
	if s.Match(raw, &m) {
		t.Error("match without a text")
	}
}

func TestLargePayloadsAreNotKept(t *testing.T) {
	raw := `{"t":"a","x":"` + strings.Repeat("x", 1<<20) + `"}`
	var s shape.Shape
	s.Learn([]byte(raw), holes(t, raw))
	var m shape.Match
	if s.Match([]byte(raw), &m) {
		t.Error("a payload of a megabyte was kept")
	}
	// A large text is no reason: only what is around it is kept.
	raw = `{"t":"` + strings.Repeat("x", 1<<20) + `"}`
	s.Learn([]byte(raw), holes(t, raw))
	if !s.Match([]byte(`{"t":"b"}`), &m) {
		t.Error("no match")
	}
}

// A new field of an event must not keep what the last event had.
func TestDeltaClearsEveryField(t *testing.T) {
	fields := reflect.TypeFor[stream.Event]().NumField()
	for i := range fields {
		c := stream.Chunk{Events: make([]stream.Event, 2)}
		f := reflect.ValueOf(&c.Events[0]).Elem().Field(i)
		switch f.Kind() {
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Struct:
			f.Set(reflect.ValueOf(llm.Span{Start: 1, End: 2}))
		case reflect.Int:
			f.SetInt(9)
		default:
			f.SetUint(9)
		}
		data := []byte("d")
		shape.Delta(&c, data, llm.Span{End: 5})
		want := []stream.Event{{Type: stream.EventDelta, Data: data, Span: llm.Span{End: 5}}}
		if !reflect.DeepEqual(c.Events, want) {
			t.Errorf("field %d: got %+v", i, c.Events)
		}
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	raw := []byte(`{"n":7,"t":"abc","p":"pad"}`)
	var s shape.Shape
	s.Learn(raw, holes(t, string(raw)))
	var m shape.Match
	if n := testing.AllocsPerRun(100, func() {
		s.Learn(raw, shape.Holes{Text: llm.Span{Start: 11, End: 16}})
		s.Match(raw, &m)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzMatch: what matches is valid JSON that differs from what was learned in
// the holes only.
func FuzzMatch(f *testing.F) {
	f.Add(`{"n":7,"t":"abc","p":"pad"}`, `{"n":8,"t":"d\n","p":""}`, true)
	f.Add(`{"t":"a","x":[{"y":1}] }`, `{"t":"b","x":[{"y":1}]}`, true)
	f.Add(`{"x":{"t":1},"t":"a"  }`, `{"x":{"t":1},"t":"a"}`, false)
	f.Fuzz(func(t *testing.T, learned, raw string, loose bool) {
		if jsonscan.Valid([]byte(learned)) != nil {
			return
		}
		at := holes(t, learned)
		if !isString(at.Text, learned) || !at.Padding.IsZero() && !isString(at.Padding, learned) {
			return
		}
		if n := at.Number; !n.IsZero() && (learned[n.Start] < '0' || learned[n.Start] > '9') {
			return
		}
		s := shape.Shape{LooseEnd: loose}
		s.Learn([]byte(learned), at)
		var m shape.Match
		if !s.Match([]byte(raw), &m) {
			return
		}
		if err := jsonscan.Valid([]byte(raw)); err != nil {
			t.Fatalf("%q matches %q: %v", raw, learned, err)
		}
		got := holes(t, raw)
		if got.Text != m.Text {
			t.Fatalf("the text of %q is at %v, not %v", raw, got.Text, m.Text)
		}
		var buf []byte
		want, _ := jsonscan.Unquote(nil, got.Text.In([]byte(raw)))
		if data := m.Data([]byte(raw), &buf); !bytes.Equal(data, want) || len(data) == 0 {
			t.Fatalf("the text of %q is %q, not %q", raw, want, data)
		}
		if a, b := blank(t, learned, at), blank(t, raw, got); a != b {
			t.Fatalf("%q matches %q", b, a)
		}
	})
}

func isString(at llm.Span, raw string) bool { return !at.IsZero() && raw[at.Start] == '"' }

// blank returns a document with fixed values in its holes and no white space.
func blank(t *testing.T, raw string, at shape.Holes) string {
	t.Helper()
	b := []byte(raw)
	for range 3 {
		last := &at.Text
		for _, h := range []*llm.Span{&at.Padding, &at.Number} {
			if h.Start > last.Start {
				last = h
			}
		}
		if !last.IsZero() {
			b = append(b[:last.Start:last.Start], append([]byte("0"), b[last.End:]...)...)
		}
		*last = llm.Span{Start: -1, End: -1}
	}
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return out.String()
}
