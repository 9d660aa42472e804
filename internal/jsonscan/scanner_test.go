package jsonscan

import (
	"errors"
	"strings"
	"testing"
)

func reset(text string) *Scanner {
	s := new(Scanner)
	s.Reset([]byte(text))
	return s
}

func TestWalkTakesMembersOfAChunk(t *testing.T) {
	for name, text := range map[string]string{"compact": chatChunk, "spaced": spacedChunk} {
		t.Run(name, func(t *testing.T) {
			var s Scanner
			var c chunk
			if err := walk(&s, []byte(text), &c); err != nil {
				t.Fatal(err)
			}
			if string(c.model) != "gpt-4o-2024-08-06" || string(c.content) != " streaming" || string(c.usage) != "null" {
				t.Errorf("got %q %q %q", c.model, c.content, c.usage)
			}
		})
	}
}

func TestWalkDoesNotAllocate(t *testing.T) {
	for _, text := range []string{chatChunk, escapedChunk, spacedChunk} {
		data := []byte(text)
		var s Scanner
		var c chunk
		if n := testing.AllocsPerRun(100, func() {
			if err := walk(&s, data, &c); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = Valid([]byte(nil)) == nil }); n > 1 {
		t.Errorf("an error costs %v allocations", n)
	}
}

func TestWrongKindConsumesNothing(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `"s"`, `1`, `1.5`, `true`, `false`, `null`} {
		s := reset(" " + text)
		kind := s.Kind()
		calls := map[Kind]func() bool{
			Object: s.Object,
			Array:  s.Array,
			String: func() bool { _, ok := s.Str(nil); return ok },
			True:   func() bool { _, ok := s.Bool(); return ok },
			Null:   s.Null,
			Number: func() bool { _, ok := s.Int(); return ok },
		}
		for k, call := range calls {
			if k == kind || k == True && kind == False || text == "1" && k == Number {
				continue
			}
			if call() || s.Pos() != 1 || s.Err() != nil {
				t.Errorf("%s: %v consumed or failed: pos %d, %v", text, k, s.Pos(), s.Err())
			}
		}
		if s.Skip(); s.End() != nil {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
}

func TestPosGivesExactSpans(t *testing.T) {
	s := reset(" { \"a\" : [ 1 , \"x\" ] , \"b\":tru }")
	if s.Pos() != 1 || !s.Object() || s.Pos() != 2 {
		t.Fatal("object", s.Pos())
	}
	if key, ok := s.Key(); !ok || string(key) != "a" || s.Pos() != 9 {
		t.Fatal("key", s.Pos())
	}
	if !s.Array() || !s.Elem() || s.Pos() != 11 {
		t.Fatal("elem", s.Pos())
	}
	if v, ok := s.Int(); !ok || v != 1 || s.Pos() != 12 {
		t.Fatal("int", s.Pos())
	}
	if !s.Elem() || s.Pos() != 15 || string(s.Raw()) != `"x"` || s.Pos() != 18 {
		t.Fatal("raw", s.Pos())
	}
	if s.Elem() || s.Pos() != 20 {
		t.Fatal("end of array", s.Pos())
	}
	if _, ok := s.Key(); !ok || s.Pos() != 27 {
		t.Fatal("second key", s.Pos())
	}
	if raw := s.Raw(); raw != nil || s.Pos() != 27 {
		t.Fatal("after an error", s.Pos())
	}
	var e *SyntaxError
	if !errors.As(s.Err(), &e) || e.Offset != 30 {
		t.Fatal(s.Err())
	}
}

func TestFirstErrorIsSticky(t *testing.T) {
	s := reset(`{"a":1,}`)
	s.Object()
	s.Key()
	s.Skip()
	s.Key()
	first := s.Err()
	if first == nil {
		t.Fatal("no error")
	}
	pos := s.Pos()
	s.Skip()
	_, isInt := s.Int()
	_, isKey := s.Key()
	_, isBool := s.Bool()
	_, isStr := s.Str(nil)
	if isInt || isKey || isBool || isStr || s.Object() || s.Array() || s.Elem() || s.Null() || s.Raw() != nil || s.Kind() != Invalid {
		t.Error("something worked after an error")
	}
	if s.Pos() != pos || s.Err() != first || s.End() != first {
		t.Error("the error or the cursor changed")
	}
	if s.Reset([]byte("1")); s.Err() != nil || s.Kind() != Number {
		t.Error("Reset keeps the error")
	}
}

func TestMisuseIsAnErrorNotAPanic(t *testing.T) {
	for name, use := range map[string]func(*Scanner){
		"key before object":     func(s *Scanner) { s.Key() },
		"elem in object":        func(s *Scanner) { s.Object(); s.Elem() },
		"key with value unread": func(s *Scanner) { s.Object(); s.Key(); s.Key() },
		"skip without key":      func(s *Scanner) { s.Object(); s.Skip() },
		"skip twice":            func(s *Scanner) { s.Skip(); s.Skip() },
		"end before the value":  func(s *Scanner) { _ = s.End() },
		"end inside the value":  func(s *Scanner) { s.Object(); _ = s.End() },
		"elem with element unread": func(s *Scanner) {
			s.Object()
			s.Key()
			s.Array()
			s.Elem()
			s.Elem()
		},
	} {
		s := reset(`{"a":[1,2],"b":{}}`)
		if use(s); s.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var zero Scanner
	if zero.Skip(); zero.Err() == nil {
		t.Error("the zero Scanner has a value")
	}
}

func TestKeyWithEscapeIsUnescaped(t *testing.T) {
	s := reset(`{"\u0061\n":1,"b":2}`)
	s.Object()
	if key, _ := s.Key(); string(key) != "a\n" {
		t.Errorf("got %q", key)
	}
	s.Skip()
	if key, _ := s.Key(); string(key) != "b" {
		t.Errorf("got %q", key)
	}
}

func TestStrKeepsEarlierResults(t *testing.T) {
	s := reset(`["plain","\u0041","","` + strings.Repeat(`\n`, 5000) + `","\t"]`)
	var buf []byte
	var got [][]byte
	for s.Array(); s.Elem(); {
		b, ok := s.Str(&buf)
		if !ok || b == nil {
			t.Fatal("not a string")
		}
		got = append(got, b)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	_ = append(got[0], "clobber"...)
	_ = append(got[1], "clobber"...)
	for i, want := range []string{"plain", "A", "", strings.Repeat("\n", 5000), "\t"} {
		if string(got[i]) != want {
			t.Errorf("string %d: got %q", i, got[i])
		}
	}
	if b, ok := reset(`"\n"`).Str(nil); !ok || string(b) != "\n" {
		t.Error("nil buffer")
	}
}

func TestIntTakesIntegralNumbersOnly(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "12": 12, "-7": -7, "1.0": 1, "1e2": 100, "1.5e1": 15, "1200e-2": 12, "1E+0": 1,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "9223372036854775807.000": 1<<63 - 1,
		"0e999999999999999999999": 0, "0.0": 0, "0." + strings.Repeat("0", 50) + "1e51": 1,
		"1" + strings.Repeat("0", 50) + "e-50": 1, "922337203685477580.7e1": 1<<63 - 1,
	} {
		s := reset(text)
		if v, ok := s.Int(); !ok || v != want || s.End() != nil {
			t.Errorf("%s: got %d, %v", text, v, ok)
		}
	}
	for _, text := range []string{
		"9223372036854775808", "-9223372036854775809", "1.5", "1e-1", "1e19", "1e99999999999999999999",
		"1e-99999999999999999999", "12345678901234567890", "0.00000000000000000001", "18446744073709551617",
		"10000000000000000000000001e-1",
	} {
		s := reset(text)
		if v, ok := s.Int(); ok || v != 0 || s.Pos() != 0 || s.Err() != nil {
			t.Errorf("%s: got %d, %v", text, v, ok)
		}
		if s.Skip(); s.End() != nil {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
}

func TestIndexTakesOneNotationOnly(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7": 7, "12": 12, "-3": -3, "9223372036854775807": 1<<63 - 1} {
		s := reset(text)
		if v, ok := s.Index(); !ok || v != want || s.End() != nil {
			t.Errorf("%s: got %d, %v", text, v, ok)
		}
	}
	for _, text := range []string{"-0", "0.0", "1.0", "1e0", "0E+1", "10e-1", "-0.0", "1.5", "9223372036854775808", `"0"`, "true", "null", "[0]"} {
		s := reset(text)
		if v, ok := s.Index(); ok || v != 0 || s.Pos() != 0 || s.Err() != nil {
			t.Errorf("%s: got %d, %v", text, v, ok)
		}
		if s.Skip(); s.End() != nil {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
}

func TestBoolAndNull(t *testing.T) {
	s := reset(`[true,false,null]`)
	s.Array()
	s.Elem()
	if v, ok := s.Bool(); !v || !ok {
		t.Error("true")
	}
	s.Elem()
	if v, ok := s.Bool(); v || !ok {
		t.Error("false")
	}
	s.Elem()
	if !s.Null() || s.Elem() || s.End() != nil {
		t.Error("null", s.Err())
	}
	s = reset(`trux`)
	if v, ok := s.Bool(); v || ok || s.Err() == nil {
		t.Error("malformed true accepted")
	}
}
