package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sluice-project/sluice/wire/recording"
)

// chatLines is an answer of five payloads, one per line.
func chatLines() []string {
	line := func(delta, finish string) string {
		return fmt.Sprintf(`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, delta, finish)
	}
	return []string{
		line(`{"role":"assistant","content":"a"}`, "null"), line(`{"content":"b"}`, "null"), line(`{"content":"c"}`, "null"),
		line(`{}`, `"stop"`), "[DONE]",
	}
}

// A line of a recording that is not JSON is left out and named, however it is
// broken and wherever it stands between others, and the answer is not complete.
func TestABrokenLineIsLeftOutAndNamed(t *testing.T) {
	breaks := map[string]func(string) string{
		"no closing quote":    func(s string) string { return strings.Replace(s, `"b"`, `"b`, 1) },
		"no closing brackets": func(s string) string { return strings.TrimRight(s, "}]") },
		"cut in a key":        func(s string) string { return s[:20] },
		"cut after a comma":   func(s string) string { return s[:strings.Index(s, ",")+1] },
		"wrong brackets":      func(s string) string { return strings.Replace(s, "}]}", "]}}", 1) },
		"no value":            func(string) string { return `{"id":}` },
		"a word":              func(string) string { return "INFO: connected" },
		"a closing bracket":   func(s string) string { return s + "}" },
		"garbage in brackets": func(string) string { return "{{{[[[" },
	}
	for name, broken := range breaks {
		t.Run(name, func(t *testing.T) {
			lines := chatLines()
			lines[1] = broken(lines[1])
			input := strings.Join(lines, "\n") + "\n"
			for _, opts := range []recording.Options{{SkipBroken: true}, {SkipBroken: true, Format: "openai-chat"}} {
				report, err := recording.Inspect(iotest.OneByteReader(strings.NewReader(input)), opts)
				if err != nil {
					t.Fatal(err)
				}
				var left *recording.BrokenLinesError
				if !errors.As(report.Failure, &left) || !slices.Equal(left.Lines, []int{2}) || report.Complete {
					t.Errorf("complete: %t, failure: %v", report.Complete, report.Failure)
				}
				if !slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.HasPrefix(w, "line 2 of the recording is not valid JSON") }) {
					t.Errorf("the warnings are %q", report.Warnings)
				}
				// What is good of a line may be read; what others say is never lost.
				if text := report.Choices[0].Blocks[0].Text; text != "ac" && text != "abc" || report.Choices[0].FinishReason == nil {
					t.Errorf("the text is %q, the finish %v", text, report.Choices[0].FinishReason)
				}
			}
			if _, err := recording.Inspect(strings.NewReader(input), recording.Options{}); err == nil {
				report, _ := recording.Inspect(strings.NewReader(input), recording.Options{})
				if report.Failure == nil {
					t.Error("without being asked to, it leaves something out")
				}
			}
		})
	}
}

func TestSeveralBrokenLinesAreNamed(t *testing.T) {
	lines := chatLines()
	lines = slices.Insert(lines, 2, "{", `{"a":`)
	lines = slices.Insert(lines, 5, "}")
	report, err := recording.Inspect(strings.NewReader(strings.Join(lines, "\r\n")), recording.Options{SkipBroken: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(report.Failure); !strings.HasPrefix(got, "lines 3, 4, 6 of") || report.Choices[0].Blocks[0].Text != "abc" {
		t.Errorf("%s; the text is %q", got, report.Choices[0].Blocks[0].Text)
	}
}

// What is no recording with one payload per line is not taken apart.
func TestOtherRecordingsAreReadAsBefore(t *testing.T) {
	pretty := "{\n  \"id\": \"x\",\n  \"object\": \"chat.completion\",\n  \"choices\": [\n    {\"index\": 0, \"message\": {\"role\": \"assistant\", \"content\": \"hi\"}, \"finish_reason\": \"stop\"}\n  ]\n}\n"
	for name, input := range map[string]string{
		"a response over several lines":      pretty,
		"a response that was cut":            pretty[:len(pretty)-10],
		"a last line that was cut":           strings.Join(chatLines()[:2], "\n") + "\n" + chatLines()[2][:40],
		"all is well":                        strings.Join(chatLines(), "\n"),
		"events":                             "data: " + strings.Join(chatLines(), "\n\ndata: ") + "\n\n",
		"more broken lines than can be left": strings.Repeat("{\n", 99) + strings.Repeat("x\n", 10),
	} {
		strict, strictErr := recording.Inspect(strings.NewReader(input), recording.Options{})
		got, err := recording.Inspect(strings.NewReader(input), recording.Options{SkipBroken: true})
		if fmt.Sprint(strictErr) != fmt.Sprint(err) || err == nil && (fmt.Sprint(strict.Failure) != fmt.Sprint(got.Failure) || strict.Payloads != got.Payloads) {
			t.Errorf("%s: %v and %v, want %v and %v", name, got, err, strict, strictErr)
		}
	}
}

func TestWhatIsLeftOutIsBounded(t *testing.T) {
	lines := chatLines()
	for range 100 {
		lines = slices.Insert(lines, 1, "{")
	}
	inspect := func() *recording.Report {
		t.Helper()
		report, err := recording.Inspect(strings.NewReader(strings.Join(lines, "\n")), recording.Options{SkipBroken: true})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := inspect(); report.Choices[0].Blocks[0].Text != "abc" {
		t.Errorf("100 broken lines: %v", report.Failure)
	}
	lines = slices.Insert(lines, 102, "{")
	if report := inspect(); report.Choices[0].Blocks[0].Text != "ab" || report.Complete {
		t.Errorf("101 broken lines: %q, %v", report.Choices[0].Blocks[0].Text, report.Failure)
	}
}

func TestRecodeFindsTheFormatOut(t *testing.T) {
	var out bytes.Buffer
	err := recording.Recode(&out, strings.NewReader(strings.Join(chatLines(), "\n")), recording.RecodeOptions{})
	if err != nil || strings.Count(out.String(), "data: ") != 5 {
		t.Errorf("%v\n%s", err, out.String())
	}
}
