package sluicetest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// streamCase is a stream of one payload per line. An empty rule means legal.
type streamCase struct {
	name    string
	rule    string
	payload int // that breaks the rule
	opts    sluicetest.Options
	stream  string
}

// check runs the cases of a format.
func check(t *testing.T, format string, cases []streamCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lines := strings.Split(strings.TrimSpace(c.stream), "\n")
			for i := range lines {
				lines[i] = strings.TrimSpace(lines[i])
			}
			sameRule(t, c.opts.Validate(format, sluicetest.SSE(format, lines)), c.rule, c.payload)
		})
	}
}

func sameRule(t *testing.T, err error, rule string, payload int) {
	t.Helper()
	var v *sluicetest.Violation
	switch {
	case rule == "" && err != nil:
		t.Errorf("refused: %v", err)
	case rule == "":
	case !errors.As(err, &v):
		t.Errorf("accepted, want a violation of %s", rule)
	case v.Rule != rule || v.Payload != payload:
		t.Errorf("got %v, want %s at payload %d", err, rule, payload)
	}
}

func TestFraming(t *testing.T) {
	t.Parallel()
	const first = `{"candidates":[{"content":{"parts":[{"text":"hi"}],"role":"model"}}]}`
	const last = `{"candidates":[{"finishReason":"STOP"}]}`
	for _, c := range []struct{ name, rule, stream string }{
		{"LF", "", "data: " + first + "\n\ndata: " + last + "\n\n"},
		{"CRLF and CR", "", "data: " + first + "\r\n\r\ndata: " + last + "\r\r"},
		{"no space after the colon", "", "data:" + first + "\n\ndata:" + last + "\n\n"},
		{"a byte order mark, comments, ids and empty lines", "", "\xef\xbb\xbf: hello\n\n\nid: 1\nretry: 5\ndata: " + first + "\n\n: keepalive\n\ndata: " + last + "\n\n"},
		{"several data lines are joined", "", "data: " + first + "\n\ndata: {\"candidates\":\ndata: [{\"finishReason\":\"STOP\"}]}\n\n"},
		{"the last empty line is missing", "sse", "data: " + first + "\n\ndata: " + last + "\n"},
		{"the last line has no end", "sse", "data: " + first + "\n\ndata: " + last},
		{"text between events", "sse", "data: " + first + "\n\nhello\n\ndata: " + last + "\n\n"},
		{"an event without data", "sse", "event: ping\n\ndata: " + first + "\n\n"},
		{"not UTF-8", "sse", "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\xff\"}],\"role\":\"model\"}}]}\n\n"},
		{"nothing at all", "end-missing", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sameRule(t, sluicetest.ValidateGemini([]byte(c.stream)), c.rule, -1)
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, format := range sluicetest.Formats() {
		for name, payload := range map[string]string{
			"not JSON":           `{"a":`,
			"two values":         `{} {}`,
			"an array":           `[]`,
			"a string":           `"x"`,
			"null":               `null`,
			"a member twice":     `{"a":1,"a":1}`,
			"twice by an escape": `{"x":{"a":1,"\u0061":1}}`,
			"an empty payload":   ``,
			"too deep":           strings.Repeat("[", 20000),
		} {
			t.Run(format+" "+name, func(t *testing.T) {
				t.Parallel()
				sameRule(t, sluicetest.Validate(format, []byte("data: "+payload+"\n\n")), "json", 0)
				if format != sluicetest.Gemini || name != "an array" {
					sameRule(t, sluicetest.ValidateBody(format, []byte(payload)), "json", -1)
				}
			})
		}
	}
}

func TestAViolationSaysWhereAndWhy(t *testing.T) {
	t.Parallel()
	err := sluicetest.ValidateAnthropic(sluicetest.SSE(sluicetest.Anthropic, []string{`{"type":"ping"}`, `{"type":"message_stop"}`}))
	want := `anthropic: payload 1: message-start: message_stop comes before message_start in "{\"type\":\"message_stop\"}"`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestInspectAcceptsAStreamThatStops(t *testing.T) {
	t.Parallel()
	stream := sluicetest.SSE(sluicetest.OpenAIChat, []string{`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"half"}}]}`})
	report, err := sluicetest.Inspect(sluicetest.OpenAIChat, stream)
	if err != nil || report.Ended || report.Failed || len(report.Texts) != 1 || report.Texts[0] != "half" {
		t.Errorf("report %+v, error %v", report, err)
	}
	sameRule(t, sluicetest.ValidateOpenAIChat(stream), "end-missing", -1)
}

func FuzzValidate(f *testing.F) {
	for _, format := range sluicetest.Formats() {
		stream := sluicetest.SSE(format, sluicetest.Build(format, nil, sluicetest.BuildOptions{}))
		f.Add(stream)
		f.Add([]byte(sluicetest.BuildBody(format, nil, sluicetest.BuildOptions{})))
	}
	f.Add([]byte("event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\"}}\n\nevent: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"id\":\"i\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{}]}}\n\n"))
	f.Add([]byte(`data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f"}}]}}]}` + "\n\n"))
	f.Add([]byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}` + "\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range sluicetest.Formats() {
			report, err := sluicetest.Inspect(format, data)
			if err == nil && report.Ended && report.Failed {
				t.Errorf("%s: ended and failed", format)
			}
			if (sluicetest.Validate(format, data) == nil) != (err == nil && (report.Ended || report.Failed)) {
				t.Errorf("%s: Validate and Inspect disagree", format)
			}
			if report, err := sluicetest.InspectBody(format, data); err == nil && report.Ended == report.Failed && format != sluicetest.Gemini {
				t.Errorf("%s: a legal body must end well or fail", format)
			}
		}
	})
}
