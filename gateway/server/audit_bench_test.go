package server

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// What the audit log costs a stream per verdict.
func BenchmarkAuditOfAVerdict(b *testing.B) {
	arguments := `{"command":"` + strings.Repeat("x", 500) + `"}`
	e := gateway.Event{
		Exchange: &gateway.Exchange{ID: "ex_1", Model: "claude", Format: "anthropic", Session: "s", Client: "claude-code"},
		Record: &policy.Record{
			Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", In: arguments, Out: arguments, Delivered: true,
			Verdict: policy.Verdict{Action: policy.Allow},
		},
	}
	a := &auditLog{
		log: slog.New(slog.DiscardHandler), queue: make(chan []byte, queueLines), reopen: make(chan chan error),
		stop: make(chan struct{}), done: make(chan struct{}), file: &auditFile{out: io.Discard}, retry: retryEvery,
	}
	go a.run()
	b.ReportAllocs()
	for b.Loop() {
		a.observe(e)
	}
	b.StopTimer()
	close(a.stop)
	<-a.done
}
