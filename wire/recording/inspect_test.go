package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

var blocks = []llm.Block{
	{Kind: llm.Content, Text: "hello"},
	{Kind: llm.ToolCall, ID: "call_1", Name: "f", Arguments: `{"a":1}`},
}

func build(format wire.Format, opts sluicetest.BuildOptions) []string {
	return sluicetest.Build(string(format), [][]llm.Block{blocks}, opts)
}

func inspect(t *testing.T, input string) *recording.Report {
	t.Helper()
	report, err := recording.Inspect(strings.NewReader(input), recording.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// summary is what must not depend on how a recording is kept.
func summary(r *recording.Report) string {
	text := fmt.Sprintf("%s complete=%v", r.Format, r.Complete)
	for _, c := range r.Choices {
		for _, b := range c.Blocks {
			text += fmt.Sprintf(" [%s %s %q %q %q]", b.Kind, b.Status, b.Name, b.Text, b.Arguments)
		}
	}
	return text
}

func TestReportDoesNotDependOnTheContainer(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			payloads := build(format, sluicetest.BuildOptions{MaxPiece: 2})
			var objects []string
			for _, p := range payloads {
				if p != "[DONE]" {
					objects = append(objects, p)
				}
			}
			want := fmt.Sprintf("%s complete=true [content complete \"\" \"hello\" \"\"] [tool_call complete \"f\" \"\" \"{\\\"a\\\":1}\"]", format)
			for name, input := range map[string]string{
				"events": string(sluicetest.SSE(string(format), payloads)),
				"lines":  strings.Join(payloads, "\n"),
				"array":  "[" + strings.Join(objects, ",\n") + "]",
				"whole":  sluicetest.BuildBody(string(format), [][]llm.Block{blocks}, sluicetest.BuildOptions{}),
			} {
				if got := summary(inspect(t, input)); got != want {
					t.Errorf("%s gives\n%s\nwant\n%s", name, got, want)
				}
			}
		})
	}
}

func TestCutAndFailedRecordingsSaySo(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			payloads := build(format, sluicetest.BuildOptions{MaxPiece: 2})
			cut := inspect(t, strings.Join(payloads[:len(payloads)/2], "\n"))
			if cut.Complete || !errors.Is(cut.Failure, stream.ErrIncomplete) || cut.Error != nil || len(cut.Warnings) == 0 {
				t.Errorf("cut: %+v", cut)
			}
			failed := inspect(t, strings.Join(build(format, sluicetest.BuildOptions{Error: "busy"}), "\n"))
			if _, ok := errors.AsType[*stream.ProviderError](failed.Failure); !ok || failed.Complete || !bytes.Contains(failed.Error, []byte("busy")) {
				t.Errorf("failed: %+v", failed)
			}
			garbage := inspect(t, payloads[0]+"\n"+payloads[1]+"\n{\"a\":}")
			if _, ok := errors.AsType[*stream.ProtocolError](garbage.Failure); !ok || garbage.Complete {
				t.Errorf("garbage: %+v", garbage)
			}
		})
	}
}

func TestWhatIsNoRecordingIsUnreadable(t *testing.T) {
	for name, input := range map[string]string{
		"unknown payloads": "{\"hello\":\"world\"}\n{}",
		"only a ping":      `{"type":"ping"}`,
		"broken first":     `{"choices":[}`,
		"cut first":        `{"choices":[`,
		"done only":        `[DONE]`,
		"empty array":      `[]`,
	} {
		_, err := recording.Inspect(strings.NewReader(input), recording.Options{})
		if !recording.IsUnreadable(err) {
			t.Errorf("%s: error %v, want one that says it cannot be read", name, err)
		}
	}
	broken := errors.New("broken pipe")
	in := io.MultiReader(strings.NewReader(build(wire.OpenAIChat, sluicetest.BuildOptions{})[0]+"\n"), iotest.ErrReader(broken))
	report, err := recording.Inspect(in, recording.Options{})
	if err != nil || report.Complete || !errors.Is(report.Failure, broken) {
		t.Errorf("a reader that breaks gives %+v, %v", report, err)
	}
}

func TestLimitsReachTheReader(t *testing.T) {
	input := strings.Join(build(wire.Anthropic, sluicetest.BuildOptions{}), "\n")
	report, err := recording.Inspect(strings.NewReader(input), recording.Options{Limits: stream.Limits{Blocks: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*stream.LimitError](report.Failure); !ok {
		t.Errorf("failure %v", report.Failure)
	}
	_, err = recording.Inspect(strings.NewReader(input), recording.Options{MaxPayload: 10})
	if !errors.Is(err, sse.ErrTooLong) {
		t.Errorf("error %v", err)
	}
}

func TestLiveRecordingHasTimes(t *testing.T) {
	input := strings.Join(build(wire.OpenAIChat, sluicetest.BuildOptions{MaxPiece: 1}), "\n")
	report, err := recording.Inspect(strings.NewReader(input), recording.Options{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	b := report.Choices[0].Blocks[1]
	if report.Took <= 0 || b.Ended < b.Began || b.Ended > report.Took {
		t.Errorf("took %v, block from %v to %v", report.Took, b.Began, b.Ended)
	}
	if stored := inspect(t, input); stored.Took != 0 || stored.Choices[0].Blocks[1].Ended != 0 {
		t.Error("a recording from a file tells times")
	}
}

type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestRecodeStopsWhenNobodyReads(t *testing.T) {
	input := strings.Join(build(wire.OpenAIChat, sluicetest.BuildOptions{MaxPiece: 1}), "\n")
	err := recording.Recode(&brokenWriter{left: 200}, strings.NewReader(input), recording.RecodeOptions{To: wire.OpenAIChat})
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

func TestRecodeWritesWholeResponsesAsTheyAre(t *testing.T) {
	for _, format := range []wire.Format{wire.OpenAIChat, wire.Anthropic, wire.OpenAIResponses} {
		body := sluicetest.BuildBody(string(format), [][]llm.Block{blocks}, sluicetest.BuildOptions{})
		var out bytes.Buffer
		err := recording.Recode(&out, strings.NewReader(body), recording.RecodeOptions{To: format})
		if err != nil || out.String() != body {
			t.Errorf("%s: %v\n%s\nwant\n%s", format, err, out.String(), body)
		}
	}
}

func Example() {
	answer := `data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}

`
	report, err := recording.Inspect(strings.NewReader(answer), recording.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Format, report.Complete)
	fmt.Println(report.Choices[0].Blocks[0].Text, report.Choices[0].Blocks[0].Status)
	fmt.Println(report.Failure)
	// Output:
	// anthropic false
	// hi incomplete
	// stream: the answer was cut before its end: unexpected EOF
}
