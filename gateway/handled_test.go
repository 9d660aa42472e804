package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// handlers makes a gateway with a handler before its policies.
func handlers(h func() stream.Handler) func(c *gateway.Config) {
	return func(c *gateway.Config) { c.Handler = func(gateway.Exchange) stream.Handler { return h() } }
}

// A handler that passes everything on changes no byte, and what it passes is judged.
func TestAHandlerThatPassesOnIsNotSeen(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		for _, streams := range []bool{true, false} {
			good := reply(format, streams, said("Hello.", "ls"))
			b := newBench(t, handlers(func() stream.Handler { return stream.PassThrough }), good)
			got := b.ask(format, streams)
			if streams {
				samePayloads(t, got.body, good.Body)
			} else if !bytes.Equal(got.body, good.Body) {
				t.Errorf("%s: %s, want %s", format, got.body, good.Body)
			}
			if end := got.story().end; end.Outcome != gateway.Complete || end.Blocks != 2 {
				t.Errorf("%s: %+v", format, end)
			}
			b = newBench(t, handlers(func() stream.Handler { return stream.PassThrough }), reply(format, streams, said("Hello.", harmful)))
			if got := b.ask(format, streams); leaks(got) || got.story().end.Blocked != 1 {
				t.Errorf("%s: %s", format, got.body)
			}
		}
	}
}

// What a handler sends of its own is judged as if the upstream had sent it.
func TestWhatAHandlerSendsIsJudged(t *testing.T) {
	t.Parallel()
	adds := func() stream.Handler {
		done := false
		return stream.HandlerFunc(func(_ context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) error {
			if !done && len(st.Completed()) > 0 {
				done = true
				if err := out.Insert(0, llm.Block{Kind: llm.ToolCall, ID: "made_up", Name: "Bash", Arguments: `{"command":"` + harmful + `"}`}); err != nil {
					return err
				}
			}
			return out.Send(c)
		})
	}
	for _, format := range wire.Formats() {
		b := newBench(t, handlers(adds), reply(format, true, said("Hello.", "ls")))
		got := b.ask(format, true)
		if end := got.story().end; leaks(got) || end.Blocked != 1 {
			t.Errorf("%s: %+v\n%s", format, end, got.body)
		}
	}
}

// A handler can end an answer: the client gets a whole one, and the rest is never read.
func TestAHandlerEndsAnAnswer(t *testing.T) {
	t.Parallel()
	ends := func() stream.Handler {
		return stream.HandlerFunc(func(_ context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) error {
			for _, b := range st.Completed() {
				if b.Kind() == llm.Content {
					return errors.Join(out.Send(c), out.SendText("That is enough."), out.Terminate())
				}
			}
			return out.Send(c)
		})
	}
	// It proves the end of a text before a call begins.
	b := newBench(t, handlers(ends), reply(wire.Anthropic, true, said("Hello.", "ls")))
	got := b.ask(wire.Anthropic, true)
	err := sluicetest.Validate(string(wire.Anthropic), got.body)
	if end := got.story().end; err != nil || end.Outcome != gateway.Complete || strings.Contains(string(got.body), "Bash") || !strings.Contains(string(got.body), "That is enough.") {
		t.Errorf("%v %+v\n%s", err, end, got.body)
	}
}

// A handler that fails ends the answer in an error that does not say why.
func TestAHandlerThatFailsEndsTheAnswer(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]stream.HandlerFunc{
		"an error": func(context.Context, *stream.Chunk, *stream.State, *stream.Output) error {
			return errors.New("ADA did it")
		},
		"a panic": func(context.Context, *stream.Chunk, *stream.State, *stream.Output) error { panic("ADA did it") },
	} {
		b := newBench(t, handlers(func() stream.Handler { return h }), reply(wire.Anthropic, true, said("Hello.")))
		got := b.ask(wire.Anthropic, true)
		if end := got.story().end; got.status != http.StatusBadGateway || end.Outcome != gateway.Failed || strings.Contains(string(got.body), "ADA") || !strings.Contains(b.log.String(), "ADA did it") {
			t.Errorf("%s: %d %+v %s\n%s", name, got.status, end, got.body, b.log.String())
		}
	}
}
