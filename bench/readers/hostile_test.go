package readers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// TestSDKReadersSurviveCutStreams: wherever a stream is cut after an event, the
// reader says so or hands out no more than was there, and goes on with the next
// answer.
func TestSDKReadersSurviveCutStreams(t *testing.T) {
	eachReader(t, func(t *testing.T, r Reader) {
		for _, dialect := range r.Dialects() {
			whole := written(t, dialect, true)
			var answers []Answer
			for i := range whole.Body {
				if bytes.HasPrefix(whole.Body[i:], []byte("\n\n")) {
					cut := whole
					cut.Body = whole.Body[:i+2]
					answers = append(answers, cut)
				}
			}
			answers = append(answers, whole)
			readings, err := r.Read(t.Context(), answers)
			if err != nil {
				t.Fatal(err)
			}
			for i, reading := range readings {
				for _, call := range reading.Calls {
					if !partOfTheCalls(call) {
						t.Errorf("%s, cut after %d events: nobody sent %+v", dialect, i+1, call)
					}
				}
			}
			if last := readings[len(readings)-1]; last.Error != "" || len(last.Calls) == 0 {
				t.Errorf("%s: after the cut streams, the whole one is read as %+v", dialect, last)
			}
		}
	})
}

// partOfTheCalls reports whether a call is one of the test data as far as it
// came; a library that parses incomplete arguments makes whole JSON of them.
func partOfTheCalls(call Call) bool {
	for _, want := range theCalls {
		if call.Name != want.Name {
			continue
		}
		arguments := strings.TrimRight(compact(call.Arguments), `"}`)
		return strings.HasPrefix(want.Arguments, arguments)
	}
	return false
}

// TestSDKReadersTellErrors: an error in the middle of a stream, and one instead
// of an answer, are errors of the reading, and the call that came before still
// counts where the library handed it out.
func TestSDKReadersTellErrors(t *testing.T) {
	events := map[wire.Format]string{
		wire.OpenAIChat:      `data: {"error":{"message":"overloaded","type":"server_error","code":"overloaded"}}`,
		wire.OpenAIResponses: "event: error\ndata: " + `{"type":"error","code":"server_error","message":"overloaded","param":null,"sequence_number":99}`,
		wire.Anthropic:       "event: error\ndata: " + `{"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}`,
		wire.Gemini:          `data: {"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`,
	}
	eachReader(t, func(t *testing.T, r Reader) {
		for _, dialect := range r.Dialects() {
			broken := written(t, dialect, true)
			at := bytes.LastIndex(broken.Body, []byte("two.txt"))
			for _, copied := range []string{"function_call_arguments.done", "output_item.added"} { // Responses tell it often
				if i := bytes.Index(broken.Body, []byte(`"type":"response.`+copied+`","output_index":2`)); i >= 0 {
					at = i
				}
			}
			at = bytes.LastIndex(broken.Body[:at], []byte("\n\n")) + 2
			broken.Body = append(bytes.Clone(broken.Body[:at]), events[dialect]+"\n\n"...)
			reading := read(t, r, broken)
			if reading.Error == "" {
				t.Errorf("%s: an error event is no error to it: %+v", dialect, reading)
			}
			for _, call := range reading.Calls {
				if strings.Contains(call.Arguments, "two.txt") {
					t.Errorf("%s: nobody sent %+v", dialect, call)
				}
			}
			_, body, _ := strings.Cut(events[dialect], "data: ")
			refused := Answer{Dialect: dialect, Status: 503, Body: []byte(body)}
			if reading := read(t, r, refused); reading.Error == "" || len(reading.Calls) > 0 {
				t.Errorf("%s: the status 503 is read as %+v", dialect, reading)
			}
		}
	})
}

// TestSDKReadersKeepAnswersApart: of many answers in one batch each gets its own
// reading.
func TestSDKReadersKeepAnswersApart(t *testing.T) {
	eachReader(t, func(t *testing.T, r Reader) {
		var answers []Answer
		for i := range 40 {
			answer := written(t, r.Dialects()[i%len(r.Dialects())], i%3 != 0)
			answer.Body = bytes.ReplaceAll(answer.Body, []byte("two.txt"), fmt.Appendf(nil, "file-%d.", i))
			answers = append(answers, answer)
		}
		readings, err := r.Read(t.Context(), answers)
		if err != nil {
			t.Fatal(err)
		}
		for i, reading := range readings {
			own := 0
			for _, call := range reading.Calls {
				if call.Name != "Read" {
					continue
				}
				own++
				if !strings.Contains(call.Arguments, fmt.Sprintf("file-%d.", i)) {
					t.Errorf("the answer %d is read as %+v", i, call)
				}
			}
			if own == 0 {
				t.Errorf("the answer %d is read without its call: %+v", i, reading)
			}
		}
	})
}

// TestSDKReadersReadAnyBytes: no body ends a reader.
func TestSDKReadersReadAnyBytes(t *testing.T) {
	bodies := []string{
		"", "\n\n", "null", "[]", "{}", "data: null\n\n", "data: []\n\n", "data: 7\n\ndata: {}\n\n", "\xff\xfe\x00", "data: {\"type\":\n\n",
		"event: \x00\ndata: \"\\ud800\"\n\n", strings.Repeat("data: [", 5000) + "\n\n", "data: " + strings.Repeat(`{"choices":[`, 2000) + "\n\n",
		`{"choices":7,"output":7,"content":7,"candidates":7}`, `{"choices":[null],"output":[null],"content":[null],"candidates":[null]}`,
		`data: {"choices":[null],"type":"response.output_item.done","item":null,"candidates":[null]}` + "\n\n",
		`data: {"__proto__":{"type":"function_call"},"constructor":null,"toString":1}` + "\n\n",
	}
	eachReader(t, func(t *testing.T, r Reader) {
		var answers []Answer
		for _, dialect := range r.Dialects() {
			for _, body := range bodies {
				answers = append(answers,
					Answer{Dialect: dialect, Stream: true, Body: []byte(body)}, Answer{Dialect: dialect, Body: []byte(body)})
			}
			answers = append(answers, written(t, dialect, true))
		}
		answers = append(answers, Answer{Dialect: "no such dialect"})
		readings, err := r.Read(t.Context(), answers)
		if err != nil {
			t.Fatal(err)
		}
		for i, reading := range readings {
			if found := len(reading.Calls) > 0; found != bytes.Contains(answers[i].Body, []byte("two.txt")) {
				t.Errorf("%q is read as %+v", answers[i].Body, reading)
			}
		}
		if last := readings[len(readings)-1]; last.Error == "" {
			t.Error("a dialect that there is not is no error")
		}
	})
}
