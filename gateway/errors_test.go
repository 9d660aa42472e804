package gateway_test

import (
	"bytes"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// SDKs decide by status, headers and body of an error whether to try again.
func TestErrorsOfTheUpstreamPassAsTheyAre(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		b := newBench(t, nil)
		for _, status := range []int{400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 499, 500, 502, 503, 504, 529, 599} {
			for _, body := range []string{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded","n":12345678901234567890}} `, "<html>bad gateway</html>", "", "data: x\n\n"} {
				answer := sluicetest.JSON(status, body)
				answer.Header.Set("Content-Type", "application/problem+json")
				maps.Copy(answer.Header, passedBack)
				b.up.Script(answer)
				got := b.ask(format, stream)
				if got.status != status || string(got.body) != body {
					t.Errorf("status %d and %q, want %d and %q", got.status, got.body, status, body)
				}
				for name, values := range answer.Header {
					if !slices.Equal(got.header[name], values) {
						t.Errorf("%d: %s is %q, want %q", status, name, got.header[name], values)
					}
				}
				if s := got.story(); s.end.Outcome != gateway.UpstreamError || s.end.Status != status || s.end.AnswerBytes != int64(len(body)) {
					t.Errorf("the end is %+v", s.end)
				}
			}
		}
		if len(b.up.Requests()) != 17*4 {
			t.Errorf("%d requests: the client decides whether to try again", len(b.up.Requests()))
		}
	})
}

// Nobody reads an error, so it stays compressed if it came so.
func TestErrorsStayCompressed(t *testing.T) {
	t.Parallel()
	for _, encoding := range encodings {
		answer := sluicetest.JSON(529, `{"type":"error"}`).Encoded(encoding)
		got := newBench(t, nil, answer).ask(wire.Anthropic, true, "Accept-Encoding", "gzip, br, zstd, deflate")
		if got.status != 529 || !bytes.Equal(got.body, answer.Body) || got.header.Get("Content-Encoding") != answer.Header.Get("Content-Encoding") {
			t.Errorf("%s: status %d, %v, %q", encoding, got.status, got.header, got.body)
		}
	}
}

// Behind a redirect nobody judges.
func TestRedirectsAreRefused(t *testing.T) {
	t.Parallel()
	elsewhere := sluicetest.NewUpstream(t)
	for _, status := range []int{300, 301, 302, 303, 307, 308} {
		for _, path := range []string{"/v1/messages", "/v1/messages/count_tokens"} {
			b := newBench(t, nil, sluicetest.Reply{Status: status, Header: http.Header{"Location": {elsewhere.URL + "/secret"}}})
			got := b.do(http.MethodPost, path, nil, question(wire.Anthropic, true))
			message, _ := errorIn(t, wire.Anthropic, got.body)
			if got.status != http.StatusBadGateway || !strings.Contains(message, "--upstream-anthropic") || got.header.Get("Location") != "" {
				t.Errorf("%d: status %d %s", status, got.status, got.body)
			}
			if strings.Contains(message, "secret") {
				t.Errorf("the message tells where it leads: %s", message)
			}
		}
	}
	if n := len(elsewhere.Requests()); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// Nothing that cannot be read, and nothing that ends early, becomes a good answer.
func TestAnswersThatCannotBeReadAreErrors(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		whole := reply(format, stream, said("hello", "ls"))
		half := whole
		half.Body = half.Body[:len(half.Body)*2/3]
		for name, answer := range map[string]sluicetest.Reply{
			"empty":                     {},
			"empty stream":              sluicetest.Events(nil),
			"white space":               sluicetest.JSON(200, "  \n\n "),
			"much white space":          sluicetest.JSON(200, strings.Repeat("\n", 1<<16)),
			"a page":                    sluicetest.JSON(200, "<html><body>Sign in</body></html>"),
			"null":                      sluicetest.JSON(200, "null"),
			"an empty object":           sluicetest.JSON(200, "{}"),
			"an array":                  sluicetest.JSON(200, "[]"),
			"half":                      half,
			"comments alone":            sluicetest.Events([]byte(": hi\n\n: hi\n\n")),
			"an event that is not JSON": sluicetest.Events([]byte("data: {\n\n")),
			"wrong encoding":            {Header: headers("Content-Encoding", "gzip"), Body: []byte("hello")},
			"unknown encoding":          {Header: headers("Content-Encoding", "compress"), Body: whole.Body},
			"too many encodings":        whole.Encoded("gzip").Encoded("gzip").Encoded("gzip"),
			"a list of numbers":         sluicetest.JSON(200, "[7]"),
		} {
			b := newBench(t, nil, answer)
			got := b.ask(format, stream)
			inspect := sluicetest.Inspect
			if got.status != http.StatusOK {
				inspect = sluicetest.InspectBody
				if got.status != http.StatusBadGateway {
					t.Errorf("%s: status %d", name, got.status)
				}
				errorIn(t, format, got.body)
			}
			if report, _ := inspect(string(format), got.body); report.Ended || len(report.Calls) > 0 {
				t.Errorf("%s: the client understood %+v\n%s", name, report, got.body)
			} else if !report.Failed {
				t.Errorf("%s: the client was not told: status %d\n%s", name, got.status, got.body)
			}
			if s := got.story(); s.end.Outcome != gateway.Cut {
				t.Errorf("%s: the outcome is %s (%s)", name, s.end.Outcome, s.end.Error)
			}
		}
	})
}

// Gemini streams without alt=sse as a list of answers. If one arrives it is
// judged.
func TestListsOfAnswersAreJudged(t *testing.T) {
	t.Parallel()
	list := func(command string) string {
		first := sluicetest.BuildBody(sluicetest.Gemini, [][]llm.Block{said("ok")}, sluicetest.BuildOptions{Finish: "FINISH_REASON_UNSPECIFIED"})
		return "[" + first + "\n,\n" + sluicetest.BuildBody(sluicetest.Gemini, [][]llm.Block{said("ok", command)}, sluicetest.BuildOptions{}) + "]"
	}
	for _, stream := range []bool{true, false} {
		b := newBench(t, nil, sluicetest.JSON(http.StatusOK, list("ls")), sluicetest.JSON(http.StatusOK, list(harmful)))
		if got := b.ask(wire.Gemini, stream); string(got.body) != list("ls") {
			t.Errorf("status %d %s", got.status, got.body)
		}
		if got := b.ask(wire.Gemini, stream); strings.Contains(string(got.body), "no-preserve-root") || got.story().end.Blocked != 1 {
			t.Errorf("status %d %s", got.status, got.body)
		}
	}
}

func TestUpstreamsThatCannotBeReached(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + listener.Addr().String()
	listener.Close()
	for _, format := range wire.Formats() {
		b := newBench(t, func(c *gateway.Config) {
			up := gateway.Upstream{URL: nobody}
			c.Upstreams = gateway.Upstreams{Anthropic: up, OpenAI: up, Gemini: up, ChatGPT: up}
		})
		for _, stream := range []bool{true, false} {
			got := b.ask(format, stream, "Authorization", "Bearer sk-secret")
			message, _ := errorIn(t, format, got.body)
			if got.status != http.StatusBadGateway || !strings.Contains(message, "refused") || !strings.Contains(message, "--upstream-") {
				t.Errorf("status %d: %s", got.status, message)
			}
			if s := got.story(); s.end.Outcome != gateway.Unreachable {
				t.Errorf("the outcome is %s", s.end.Outcome)
			}
		}
	}
}

// A policy that aborts ends the answer with an error of its own status as long
// as nothing has left, and with one of the dialect afterwards.
func TestAbortedAnswersAreErrors(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		b := newBench(t, func(c *gateway.Config) {
			c.Policies = policies(t, "policies:\n  - {name: stop, when: 'call.name == \"Bash\"', then: abort, reason: no shell here}\n")
		}, reply(format, stream, said("hello", "ls")))
		got := b.ask(format, stream)
		if stream && got.status == http.StatusOK {
			if report, err := sluicetest.Inspect(string(format), got.body); err != nil || !report.Failed || len(report.Calls) > 0 {
				t.Errorf("the client understood %+v, %v", report, err)
			}
		} else if message, _ := errorIn(t, format, got.body); got.status != http.StatusForbidden || !strings.Contains(message, "no shell here") {
			t.Errorf("status %d: %s", got.status, got.body)
		}
		if s := got.story(); s.end.Outcome != gateway.Aborted {
			t.Errorf("the outcome is %s", s.end.Outcome)
		}
		if !strings.Contains(string(got.body), "no shell here") {
			t.Errorf("the client is not told why: %s", got.body)
		}
	})
}

// A gateway that cannot write its records refuses requests, if it is
// configured so.
func TestWithoutStorage(t *testing.T) {
	t.Parallel()
	for _, refuse := range []bool{true, false} {
		b := newBench(t, func(c *gateway.Config) {
			c.Storage = func() error { return net.ErrClosed }
			c.Failure.RefuseWithoutStorage = refuse
		}, reply(wire.Anthropic, false, said("ok")))
		got := b.ask(wire.Anthropic, false)
		if want := map[bool]int{true: http.StatusServiceUnavailable, false: http.StatusOK}[refuse]; got.status != want {
			t.Errorf("refuse %t: status %d %s", refuse, got.status, got.body)
		}
		if ready := b.do(http.MethodGet, "/readyz", nil, nil); ready.status != http.StatusServiceUnavailable {
			t.Errorf("it says that it is ready: %d", ready.status)
		}
	}
}
