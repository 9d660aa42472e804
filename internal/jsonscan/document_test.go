package jsonscan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestValidIsStrict(t *testing.T) {
	valid := []string{
		`{}`, `[]`, `""`, `0`, `-0`, `1.5e+10`, `true`, ` [ 1 , { "a" : null } ] `, "\"\xff\x80\"", `"\ud800"`, `"\/\b\f\n\r\t\"\\"`,
		`[[],{}]`, "\t\r\n 1",
	}
	invalid := []string{
		``, ` `, `{`, `[1,]`, `{"a":1,}`, `{,}`, `[,]`, `{"a"}`, `{a:1}`, `{"a":1 "b":2}`, `[1 2]`, `01`, `+1`, `1.`, `.5`, `1e`, `-`,
		`-a`, `tru`, `truex`, `nul`, `True`, `NaN`, `"`, `"\x"`, `"\u12g4"`, `"\u12`, "\"\n\"", "\"\x1f\"", "\"12345678\x00\"", `'a'`, `1 2`, `{}{}`, `[}`, `{]`,
		`{"a":}`, "\ufeff1", "/**/1", "1//", "\v1", "\x001", `{"a":1]`, `{1:2}`, `{"a"::1}`, `[1,,2]`, `]`, `}`, `,`, `:`,
	}
	for _, text := range valid {
		if err := Valid([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range invalid {
		var e *SyntaxError
		if err := Valid([]byte(text)); !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestStringFaultsAreFoundAtEveryOffset(t *testing.T) {
	for n := range 40 {
		for _, bad := range []string{"\x00", "\x1f", "\n", `\x`, `\u00g0`} {
			text := `"` + strings.Repeat("é "[:2], n/2) + strings.Repeat("x", n%2) + bad + strings.Repeat("y", 20) + `"`
			if Valid([]byte(text)) == nil {
				t.Errorf("%q accepted", text)
			}
		}
		for c := 0x20; c < 0x100; c++ {
			if c == '"' || c == '\\' {
				continue
			}
			body := strings.Repeat("a", n) + string([]byte{byte(c)}) + "zzz"
			if got, ok := Unquote(nil, []byte(`"`+body+`"`)); !ok || string(got) != body {
				t.Fatalf("byte %#x at %d: got %q", c, n, got)
			}
		}
	}
}

func TestDepthLimit(t *testing.T) {
	nest := func(n int) string {
		return strings.Repeat(`[{"a":`, n/2) + strings.Repeat(`[`, n%2) + strings.Repeat(`]`, n%2) + strings.Repeat(`}]`, n/2)
	}
	fill := func(n int) string { return strings.Replace(nest(n), `:}`, `:0}`, 1) }
	enter := func(text string) error {
		s := reset(text)
		for s.Array() && s.Elem() || s.Object() {
			if s.state == stObjFirst {
				s.Key()
			}
		}
		return s.Err()
	}
	if err := Valid([]byte(fill(MaxDepth))); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if err := Valid([]byte(fill(MaxDepth + 1))); !errors.Is(err, ErrDepth) {
		t.Errorf("over the limit: %v", err)
	}
	if err := enter(strings.Repeat("[", MaxDepth) + "1"); err != nil {
		t.Errorf("entered at the limit: %v", err)
	}
	for _, open := range []string{"[", `{"a":`} {
		if err := enter(strings.Repeat(open, MaxDepth+1)); !errors.Is(err, ErrDepth) {
			t.Errorf("entered over the limit: %v", err)
		}
	}
	s := reset("[" + fill(MaxDepth) + "]")
	s.Array()
	s.Elem()
	if s.Skip(); !errors.Is(s.Err(), ErrDepth) {
		t.Errorf("skipped inside a container: %v", s.Err())
	}
	if Classify([]byte(strings.Repeat("[", MaxDepth))) != ShapeTruncated || Classify([]byte(strings.Repeat("[", MaxDepth+1))) != ShapeInvalid {
		t.Error("Classify ignores the limit")
	}
}

func TestEarlyEndIsTold(t *testing.T) {
	if err := Valid([]byte(`{"a":[1,`)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if err := Valid([]byte(`{"a":[1;`)); errors.Is(err, io.ErrUnexpectedEOF) || err == nil {
		t.Errorf("got %v", err)
	}
}

func TestCompact(t *testing.T) {
	raw := []byte(" { \"a b\" : [ 1.0 , 2e5,\t\"\\u0041 \\\" x\" ] ,\n\"c\":{ } } ")
	want := `{"a b":[1.0,2e5,"\u0041 \" x"],"c":{}}`
	got, err := Compact([]byte("x"), raw)
	if err != nil || string(got) != "x"+want {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err = Compact(raw[:0], raw); err != nil || string(got) != want {
		t.Errorf("in place: got %s, %v", got, err)
	}
	if got, err = Compact([]byte("x"), []byte(`[1,`)); err == nil || string(got) != "x" {
		t.Errorf("invalid: got %s, %v", got, err)
	}
}

func TestGet(t *testing.T) {
	data := []byte(` {"a": {"x": 1}, "a": 2, "\u0062": [ 1 ], "c": {"d": {"e": "v"}}} trailing`)
	for path, want := range map[string]string{"a": `{"x": 1}`, "a.x": "1", "b": "[ 1 ]", "c.d.e": `"v"`} {
		raw, span, ok := Get(data, strings.Split(path, ".")...)
		if !ok || string(raw) != want || string(data[span[0]:span[1]]) != want {
			t.Errorf("%s: got %s %v %v", path, raw, span, ok)
		}
	}
	for _, path := range []string{"z", "a.y", "b.0", "c.d.e.f", ""} {
		if raw, span, ok := Get(data, strings.Split(path, ".")...); ok || raw != nil || span != [2]int{} {
			t.Errorf("%s: got %s", path, raw)
		}
	}
	if raw, span, ok := Get([]byte(" 12 ")); !ok || string(raw) != "12" || span != [2]int{1, 3} {
		t.Errorf("empty path: got %s", raw)
	}
	if _, _, ok := Get([]byte(`{"a":01,"b":1}`), "b"); ok {
		t.Error("found behind a fault")
	}
}

func TestClassify(t *testing.T) {
	wide := `"k0":0`
	for i := 1; i < 40; i++ {
		wide += fmt.Sprintf(`,"k%d":%d`, i, i)
	}
	for text, want := range map[string]Shape{
		``: ShapeObject, " \n": ShapeObject, `{}`: ShapeObject, `{"a":{"a":1},"b":[{"a":1},{"a":2}]}`: ShapeObject,
		`[]`: ShapeOther, `1`: ShapeOther, `null`: ShapeOther, `"{}"`: ShapeOther, `[{"a":1},{"a":1}]`: ShapeOther,
		`{"a":1,"a":2}`: ShapeDuplicate, `{"a":1,"\u0061":2}`: ShapeDuplicate, `{"b":[{"a":1,"a":2}]}`: ShapeDuplicate,
		`[{"a":1,"a":2}]`: ShapeDuplicate, `{"":1,"":2}`: ShapeDuplicate, `{"a":{"b":1},"c":0,"a":1}`: ShapeDuplicate,
		"{\"\xed\xa0\x80\":1,\"\\ud800\":2}": ShapeDuplicate,
		`{` + wide + `}`:                     ShapeObject, `{` + wide + `,"k3":1}`: ShapeDuplicate, `{` + wide + `,"\u006b39":1}`: ShapeDuplicate,
		`{` + wide + `,"n":{` + wide + `}}`: ShapeObject, `[{` + wide + `},{` + wide + `}]`: ShapeOther,
		`{`: ShapeTruncated, `{"a`: ShapeTruncated, `{"a\`: ShapeTruncated, `{"a":"\u12`: ShapeTruncated, `{"a":tr`: ShapeTruncated, `-`: ShapeTruncated,
		`{"a":1.`: ShapeTruncated, `{"a":1e+`: ShapeTruncated, `{"a":1`: ShapeTruncated, `{"a":1,`: ShapeTruncated, `{"a":1,"a":2`: ShapeTruncated, `[1`: ShapeTruncated,
		`}`: ShapeInvalid, `{"a":1}}`: ShapeInvalid, `{} x`: ShapeInvalid, `{"a":trx`: ShapeInvalid, `{"a":1,}`: ShapeInvalid, `{a`: ShapeInvalid,
		`{"a":"\u12x`: ShapeInvalid, `{"a":01`: ShapeInvalid, "{\"a\n": ShapeInvalid, `{"a":1,"a":2]`: ShapeInvalid, "\ufeff{}": ShapeInvalid,
	} {
		if got := Classify([]byte(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestIsObjectIsClassifyWithoutDuplicates(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \n": true, "{}": true, ` {"a":1} `: true, `{"a":1,"a":2}`: true,
		`{"a":`: false, `{}}`: false, `[]`: false, `[{"a":1}]`: false, `"x"`: false, `null`: false, "x": false,
	} {
		if got := IsObject(text); got != want {
			t.Errorf("IsObject(%q) = %v", text, got)
		}
		if shape := Classify([]byte(text)); want != (shape == ShapeObject || shape == ShapeDuplicate) {
			t.Errorf("%q is an %s to Classify", text, shape)
		}
	}
}

func TestClassifyTellsEveryPrefixTruncated(t *testing.T) {
	for _, text := range []string{chatChunk, escapedChunk, spacedChunk} {
		for n := 1; n < len(text); n++ {
			if got := Classify([]byte(text[:n])); got != ShapeTruncated {
				t.Fatalf("%q: got %v", text[:n], got)
			}
		}
	}
}

func TestClassifyHoldsAMillionKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"x":0`)
	for i := range 1_000_000 {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	begin := time.Now()
	if got := Classify([]byte(b.String() + "}")); got != ShapeObject {
		t.Errorf("got %v", got)
	}
	if got := Classify([]byte(b.String() + `,"999999":0}`)); got != ShapeDuplicate {
		t.Errorf("got %v", got)
	}
	// A square of a million takes hours.
	if d := time.Since(begin); d > 5*time.Minute {
		t.Errorf("took %v", d)
	}
}

func TestValidAgreesWithEncodingJSONOnMutatedChunks(t *testing.T) {
	for _, text := range []string{chatChunk, escapedChunk, spacedChunk} {
		for i := range text {
			for _, c := range []byte("{}[]\",:\\ 0-.eEtu\x00\x1f\n\xff") {
				data := []byte(text)
				data[i] = c
				if (Valid(data) == nil) != json.Valid(data) {
					t.Fatalf("%q: got %v", data, Valid(data))
				}
			}
		}
	}
}
