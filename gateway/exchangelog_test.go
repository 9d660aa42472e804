package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// logLine returns the only line of the log with a message.
func logLine(t *testing.T, b *bench, message string) string {
	t.Helper()
	var found []string
	for line := range strings.Lines(b.log.String()) {
		if strings.Contains(line, " msg="+message+" ") || strings.Contains(line, ` msg="`+message+`" `) {
			found = append(found, line)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d lines say %q:\n%s", len(found), message, b.log.String())
	}
	return found[0]
}

func wants(t *testing.T, line string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(line, w) {
			t.Errorf("the line does not say %s: %s", w, line)
		}
	}
}

func TestEveryExchangeIsALineOfTheLog(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.Anthropic, true, said("On it.", "ls", harmful)))
	b.ask(wire.Anthropic, true, "User-Agent", "claude-cli/2", "X-Api-Key", "sk-ant-secret").story()
	line := logLine(t, b, "exchange")
	wants(t, line, "level=INFO", "client=claude-code", "model=m", "status=200", "took=", "blocks=3", `verdicts="2 allow, 1 block end_turn"`, "blocked=1", "exchange=ex_")
	if strings.Contains(line, "would_block") || strings.Contains(line, "error=") || strings.Contains(b.log.String(), "sk-ant-secret") {
		t.Errorf("the line says what was not: %s", line)
	}
	wants(t, logLine(t, b, "blocked"), "policy=destructive-files", "tool=Bash", `attempt="delete /, and everything in it"`)
}

func TestWhatAPolicyInShadowWouldBlockIsLoggedAndCounted(t *testing.T) {
	t.Parallel()
	shadow, err := recommended().Shadowed()
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(shadow) }, reply(wire.Anthropic, true, said("On it.", harmful)))
	end := b.ask(wire.Anthropic, true).story().end
	if end.WouldBlock != 1 || end.Blocked != 0 {
		t.Errorf("the end is %+v", end)
	}
	wants(t, logLine(t, b, "exchange"), "would_block=1", "blocked=0")
	if !strings.Contains(b.log.String(), `msg="would be blocked" policy=destructive-files tool=Bash attempt="delete /, and everything in it"`) {
		t.Errorf("the log does not name the call:\n%s", b.log.String())
	}
	metrics := string(b.do(http.MethodGet, "/metrics", nil, nil).body)
	if !strings.Contains(metrics, `sluice_would_block_total{policy="destructive-files"} 1`) || strings.Contains(metrics, "sluice_blocked_total{") || strings.Contains(metrics, "sluice_blocks_total") {
		t.Errorf("the metrics are\n%s", metrics)
	}
}

func TestErrorsOfUpstreamsAreWarnings(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reply sluicetest.Reply
		path  string
		words []string
	}{
		"a status":              {sluicetest.JSON(529, `{"type":"error","error":{"type":"overloaded_error","message":"later, ADA"}}`), "", []string{"status=529", "outcome=upstream_error", "upstream=anthropic"}},
		"a status, forwarded":   {sluicetest.JSON(404, `{"type":"error"}`), "/v1/models", []string{"status=404", "path=/v1/models", "method=GET"}},
		"an event":              {sluicetest.Events([]byte("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"later, ADA\"}}\n\n")), "", []string{"outcome=upstream_error", "api_error"}},
		"one that is cut":       {sluicetest.Events([]byte("event: ping\ndata: {\"type\":\"ping\"}\n\n")), "", []string{"outcome=upstream_cut"}},
		"one that says no word": {sluicetest.Reply{Raw: true, Body: []byte("nonsense\r\n\r\n")}, "", []string{"outcome=upstream_unreachable", "status=502", "cause="}},
	} {
		b := newBench(t, nil, tc.reply)
		if tc.path != "" {
			b.do(http.MethodGet, tc.path, headers("Anthropic-Version", "2023-06-01"), nil).story()
		} else {
			b.ask(wire.Anthropic, true).story()
		}
		line := logLine(t, b, "exchange")
		wants(t, line, append(tc.words, "level=WARN")...)
		if strings.Contains(b.log.String(), "ADA") {
			t.Errorf("%s: the log repeats what the upstream said: %s", name, line)
		}
	}
}

func TestACanaryIsMarkedInTheLog(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.ask(wire.Anthropic, false, "X-Sluice-Canary", "1").story()
	for line := range strings.Lines(b.log.String()) {
		wants(t, line, "canary=true")
	}
	logLine(t, b, "exchange")
}

// A policy that fails is a warning with the cause, and without what it says beyond it.
func TestAPolicyThatFailsIsAWarning(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		judge func(ctx context.Context, s *policy.Subject) policy.Verdict
		cause string
	}{
		"an error": {func(context.Context, *policy.Subject) policy.Verdict {
			return policy.Verdict{Cause: policy.CauseError, Err: errors.New("ADA said so")}
		}, "*errors.errorString"},
		"a panic":     {func(context.Context, *policy.Subject) policy.Verdict { panic("ADA said so") }, "it panicked"},
		"no decision": {func(context.Context, *policy.Subject) policy.Verdict { return policy.Verdict{} }, "cause="},
	} {
		set, err := policy.NewSet(policy.Definition{Name: "fails", Policy: &policy.Policy{Judge: tc.judge}})
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) }, reply(wire.Anthropic, true, said("ok", "ls")))
		b.ask(wire.Anthropic, true).story()
		wants(t, logLine(t, b, "a policy could not judge"), "level=WARN", "policy=fails", "tool=Bash", tc.cause, `counts_as=block`)
		if strings.Contains(b.log.String(), "ADA") {
			t.Errorf("%s: %s", name, b.log.String())
		}
	}
}

// However much is blocked and whatever tools are called, an exchange has a bounded
// number of lines, and none of them is two.
func TestTheLogOfAnExchangeIsBounded(t *testing.T) {
	t.Parallel()
	blocks := said("ok")
	for range 100 {
		blocks = append(blocks, llm.Block{Kind: llm.ToolCall, ID: "c" + string(rune('a'+len(blocks)%26)) + strings.Repeat("x", len(blocks)), Name: "Bash\nlevel=ERROR msg=made-up\x1b[2J", Arguments: `{"command":"rm -rf /"}`})
	}
	set, err := policy.NewSet(policy.Func("no", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.BlockEndTurn, Reason: "no"} }))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) }, reply(wire.Anthropic, true, blocks))
	if end := b.ask(wire.Anthropic, true).story().end; end.Blocked != 100 {
		t.Fatalf("%+v", end)
	}
	log := b.log.String()
	if n := strings.Count(log, "\n"); n != 32+2 || strings.Contains(log, "\x1b") || strings.Contains(log, "\nlevel=ERROR") {
		t.Errorf("%d lines:\n%.2000s", n, log)
	}
	wants(t, log, "blocks=68", "blocked=100")
}
