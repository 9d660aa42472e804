package recording_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// payloads reads a source to its end.
func payloads(r io.Reader, limit int) (container recording.Container, all []string, err error) {
	source, err := recording.NewSource(r, limit)
	if err != nil {
		return 0, nil, err
	}
	for {
		p, err := source.Next()
		if err != nil {
			return source.Container(), all, err
		}
		all = append(all, string(p.Data))
	}
}

func TestContainersAreFoundOut(t *testing.T) {
	cases := []struct {
		name, input string
		container   recording.Container
		want        string
		end         error
	}{
		{"event stream", "data: {\"a\":1}\n\ndata: [DONE]\n\n", recording.EventStream, `{"a":1} [DONE]`, io.EOF},
		{"event stream that begins with a comment", ": hi\n\ndata: {}\n\n", recording.EventStream, `{}`, io.EOF},
		{"event stream that begins with a name", "event: x\ndata: {}\n\n", recording.EventStream, `{}`, io.EOF},
		{"byte order mark", "\xef\xbb\xbfdata: {}\n\n", recording.EventStream, `{}`, io.EOF},
		{"one payload per line", "{\"a\":\"}\"}\n{\"b\":\"\\\"{\"}\n[DONE]\n", recording.JSONValues, `{"a":"}"} {"b":"\"{"} [DONE]`, io.EOF},
		{"values without line ends", `{"a":1}{"b":2}`, recording.JSONValues, `{"a":1} {"b":2}`, io.EOF},
		{"one value over several lines", "{\n \"a\": [1,\n2]\n}\n", recording.JSONValues, "{\n \"a\": [1,\n2]\n}", io.EOF},
		{"array", " [ {\"a\":1} ,\r\n{\"b\":[2]}\n]\n", recording.JSONArray, `{"a":1} {"b":[2]}`, io.EOF},
		{"empty array", "[]", recording.JSONArray, ``, io.EOF},
		{"done marker first", "[DONE]\n", recording.JSONValues, `[DONE]`, io.EOF},
		{"cut inside a value", "{\"a\":1}\n{\"b\":", recording.JSONValues, `{"a":1}`, io.ErrUnexpectedEOF},
		{"cut inside an array", `[{"a":1},`, recording.JSONArray, `{"a":1}`, io.ErrUnexpectedEOF},
		{"cut inside an event", "data: {}\n\ndata: {\"a\"", recording.EventStream, `{}`, io.ErrUnexpectedEOF},
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for name, in := range map[string]io.Reader{
				"at once":       strings.NewReader(c.input),
				"byte by byte":  iotest.OneByteReader(strings.NewReader(c.input)),
				"data with EOF": iotest.DataErrReader(strings.NewReader(c.input)),
				"chopped":       sluicetest.Chopped([]byte(c.input), r),
			} {
				container, all, err := payloads(in, 0)
				if container != c.container || strings.Join(all, " ") != c.want || !errors.Is(err, c.end) {
					t.Errorf("%s: %s with %q, then %v; want %s with %q, then %v", name, container, all, err, c.container, c.want, c.end)
				}
			}
		})
	}
}

func TestInputThatIsNoRecordingIsRefusedWithWhatWasExpected(t *testing.T) {
	for name, input := range map[string]string{
		"nothing":     "",
		"blanks":      " \n\t ",
		"prose":       "this is not a stream",
		"html":        "<!doctype html>",
		"binary":      "\x00\x01\x02\x03",
		"white space": strings.Repeat(" ", 70<<10) + "{}",
	} {
		var unreadable *recording.UnreadableError
		if _, _, err := payloads(strings.NewReader(input), 0); !errors.As(err, &unreadable) {
			t.Errorf("%s: error %v, want one that says what was expected", name, err)
		}
	}
	_, all, err := payloads(strings.NewReader("{}\nprose"), 0)
	var unreadable *recording.UnreadableError
	if len(all) != 1 || !errors.As(err, &unreadable) {
		t.Errorf("prose after a payload gives %q and %v", all, err)
	}
}

func TestPayloadLimitHoldsAtTheLimit(t *testing.T) {
	value := `{"a":"` + strings.Repeat("x", 92) + `"}`
	for name, input := range map[string]string{
		"lines": value + "\n" + value, "array": "[" + value + "," + value + "]",
	} {
		if _, all, err := payloads(strings.NewReader(input), 100); !errors.Is(err, io.EOF) || len(all) != 2 {
			t.Errorf("%s: %d payloads of exactly the limit, then %v", name, len(all), err)
		}
		if _, _, err := payloads(strings.NewReader(input), 99); !errors.Is(err, sse.ErrTooLong) {
			t.Errorf("%s: error %v one byte over the limit, want ErrTooLong", name, err)
		}
	}
}

// endless is a line that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	if e.read == 0 {
		copy(p, `{"a":"`)
	}
	e.read += len(p)
	return len(p), nil
}

func TestEndlessValueIsGivenUpAtTheLimit(t *testing.T) {
	in := &endless{}
	if _, _, err := payloads(in, 1<<20); !errors.Is(err, sse.ErrTooLong) {
		t.Errorf("error %v, want ErrTooLong", err)
	}
	if in.read > 4<<20 {
		t.Errorf("%d bytes were read of a value with a limit of 1 MiB", in.read)
	}
}

func TestReaderErrorIsNotAnEnd(t *testing.T) {
	broken := errors.New("broken")
	for _, input := range []string{"{}\n", "[{}", "data: {}\n\n"} {
		in := io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken))
		if _, all, err := payloads(in, 0); !errors.Is(err, broken) || len(all) != 1 {
			t.Errorf("%q gives %q and %v", input, all, err)
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, seed := range []string{"data: {}\n\n", "{}\n{}", "[{},{}]", "[DONE]", "{\"a\":\"\\", "\xef\xbb\xbf[", ": x"} {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		_, whole, err := payloads(bytes.NewReader(data), 1<<16)
		_, chopped, err2 := payloads(sluicetest.Chopped(data, rand.New(rand.NewPCG(seed, 1))), 1<<16)
		if strings.Join(whole, "\x00") != strings.Join(chopped, "\x00") || (err == nil) != (err2 == nil) {
			t.Errorf("%q then %v, but chopped %q then %v", whole, err, chopped, err2)
		}
	})
}
