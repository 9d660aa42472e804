package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func addSeeds(f *testing.F) {
	for _, text := range []string{
		chatChunk, escapedChunk, spacedChunk, `{"a":[1,2.5e-3,{"b":null}],"c":"\ud83d\ude00\n"}`, `[true,false]`, `-0.1E+2`, `{"a":1,"\u0061":2}`,
		strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), "\"\xff\"", `"\ud800"`, `{"a":`, ` `,
	} {
		f.Add([]byte(text))
	}
}

// FuzzDocument holds Valid and the functions built on it to encoding/json.
func FuzzDocument(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		kept := bytes.Clone(data)
		err := Valid(data)
		if !errors.Is(err, ErrDepth) && (err == nil) != json.Valid(data) {
			t.Fatalf("Valid: %v", err)
		}
		compacted, cerr := Compact(nil, data)
		if (cerr == nil) != (err == nil) {
			t.Fatalf("Compact: %v, Valid: %v", cerr, err)
		}
		if err == nil {
			var want bytes.Buffer
			if json.Compact(&want, data) != nil || !bytes.Equal(want.Bytes(), compacted) {
				t.Fatalf("Compact: got %q, want %q", compacted, want.Bytes())
			}
		}
		shape, blank := Classify(data), skipSpace(data, 0) == len(data)
		if !blank && (shape <= ShapeDuplicate) != (err == nil) {
			t.Fatalf("Classify: %v, Valid: %v", shape, err)
		}
		if !blank && (shape == ShapeTruncated) != errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("Classify: %v, Valid: %v", shape, err)
		}
		if raw, span, ok := Get(data, "a"); ok && (!bytes.Equal(raw, data[span[0]:span[1]]) || Valid(raw) != nil) {
			t.Fatalf("Get: %q", raw)
		}
		if !bytes.Equal(kept, data) {
			t.Fatal("the input was modified")
		}
	})
}

// FuzzStrings holds Unquote to encoding/json and AppendString to Unquote.
func FuzzStrings(f *testing.F) {
	addSeeds(f)
	f.Add([]byte("\xed\xa0\xbd\xed\xb8\x80"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var want string
		got, ok := Unquote(nil, data)
		trimmed := len(data) > 0 && data[0] == '"' && data[len(data)-1] == '"'
		if wok := trimmed && json.Unmarshal(data, &want) == nil; wok != ok {
			t.Fatalf("Unquote: %v", ok)
		}
		// encoding/json replaces what Unquote keeps: bad UTF-8, lone surrogates.
		if ok && utf8.Valid(data) && utf8.Valid(got) && string(got) != want {
			t.Fatalf("Unquote: got %q, want %q", got, want)
		}

		quoted := AppendStringBytes(nil, data)
		if !bytes.Equal(quoted, AppendString(nil, string(data))) || !json.Valid(quoted) || !utf8.Valid(quoted) {
			t.Fatalf("AppendString: %q", quoted)
		}
		back, ok := Unquote(nil, quoted)
		if !ok || string(back) != normal(data) {
			t.Fatalf("round trip: got %q, want %q", back, normal(data))
		}
	})
}

// normal is what survives a round trip: well-formed WTF-8 as it is, pairs of
// surrogates joined, other bytes replaced.
func normal(data []byte) string {
	var out []byte
	for len(data) > 0 {
		if r, ok := JoinSurrogates(data[:min(3, len(data))], data[min(3, len(data)):]); ok {
			out, data = utf8.AppendRune(out, r), data[6:]
		} else if _, ok := surrogateAt(data); ok {
			out, data = append(out, data[:3]...), data[3:]
		} else {
			r, n := utf8.DecodeRune(data)
			out, data = utf8.AppendRune(out, r), data[n:]
		}
	}
	return string(out)
}

// FuzzMethods calls methods in any order: none may panic, move backwards or
// work after an error, and a loop over them terminates.
func FuzzMethods(f *testing.F) {
	f.Add([]byte(chatChunk), []byte{1, 2, 5, 2, 7, 2, 6, 2, 5})
	f.Add([]byte(`{"a":[1,{"b":"\n"}],"c":true}`), []byte{1, 2, 3, 4, 8, 4, 1, 2, 7, 2, 4, 2, 9, 2, 11})
	f.Fuzz(func(t *testing.T, data, calls []byte) {
		var s Scanner
		var buf []byte
		s.Reset(data)
		for _, c := range calls {
			pos, err := s.Pos(), s.Err()
			worked := false
			switch c % 12 {
			case 0:
				s.Kind()
			case 1:
				worked = s.Object()
			case 2:
				_, worked = s.Key()
			case 3:
				worked = s.Array()
			case 4:
				worked = s.Elem()
			case 5:
				s.Skip()
			case 6:
				raw := s.Raw()
				if worked = raw != nil; worked && Valid(raw) != nil {
					t.Fatalf("Raw: %q", raw)
				}
			case 7:
				_, worked = s.Str(&buf)
			case 8:
				_, worked = s.Int()
			case 9:
				_, worked = s.Bool()
			case 10:
				worked = s.Null()
			case 11:
				if s.End() == nil && !json.Valid(data) {
					t.Fatal("an invalid document was read to its end")
				}
			}
			if s.Pos() < pos || s.Pos() > len(data) || err != nil && (worked || s.Pos() != pos || s.Err() != err) {
				t.Fatalf("call %d: pos %d to %d, error %v to %v", c%12, pos, s.Pos(), err, s.Err())
			}
		}
		steps := 0
		for s.Err() == nil && s.state != stDone {
			if steps++; steps > 2*len(data)+2 {
				t.Fatal("does not terminate")
			}
			switch s.state {
			case stValue:
				s.Skip()
			case stObjFirst, stObjNext:
				s.Key()
			default:
				s.Elem()
			}
		}
		if (s.End() == nil) != (Valid(data) == nil) && s.err.Reason != reasonUnread && !strings.HasSuffix(s.err.Reason, "(API misuse)") {
			t.Fatalf("walked: %v, Valid: %v", s.Err(), Valid(data))
		}
	})
}
