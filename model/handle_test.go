package model_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

type onChunk = func(chunk *stream.Chunk, state *stream.State, out *stream.Output) error

// handled is a model that answers with a text and two calls, behind a handler.
func handled(t *testing.T, f onChunk, steps ...scripted.Step) (*llm.Response, error) {
	t.Helper()
	if steps == nil {
		steps = []scripted.Step{scripted.Text("Cleaning up."), scripted.Call("list", `{"path":"."}`), scripted.Call("delete", `{"path":"/"}`)}
	}
	m := scripted.NewWithOptions(scripted.Options{ChunkSize: 3}, scripted.Round(steps))
	return model.Collect(t.Context(), model.Handle(m, func() stream.Handler {
		return stream.HandlerFunc(func(_ context.Context, c *stream.Chunk, s *stream.State, out *stream.Output) error {
			return f(c, s, out)
		})
	}), ask())
}

// inOneLine is a response in one line.
func inOneLine(r *llm.Response) string {
	var all []string
	for i := range r.Choices {
		for _, b := range r.Choices[i].Blocks {
			all = append(all, strings.TrimSpace(fmt.Sprint(b.Kind, " ", b.Status, " ", b.Name, b.Text, b.Arguments)))
		}
		all = append(all, r.Choices[i].FinishReason)
	}
	return strings.Join(all, "; ")
}

func TestAHandlerThatPassesEverythingChangesNothing(t *testing.T) {
	steps := []scripted.Step{
		scripted.SignedThinking("hm", "S"), scripted.Text("Hello"), scripted.CallID("c1", "f", `{"a":1}`), scripted.Text("and"),
		scripted.CallID("c2", "g", `{}`), scripted.Usage(3, 4),
	}
	for _, held := range []bool{false, true} {
		plain, err := model.Collect(t.Context(), scripted.NewWithOptions(scripted.Options{ChunkSize: 3}, scripted.Round(steps)), ask())
		if err != nil {
			t.Fatal(err)
		}
		var kept []*stream.Chunk
		got, err := handled(t, func(c *stream.Chunk, s *stream.State, out *stream.Output) error {
			if held && !s.Finished() {
				kept = append(kept, c.Clone())
				return nil
			}
			for _, k := range kept {
				if err := out.Send(k); err != nil {
					return err
				}
			}
			kept = nil
			return out.Send(c)
		}, steps...)
		if err != nil || !reflect.DeepEqual(got, plain) {
			t.Errorf("held %v: %v\n%+v\nwant\n%+v", held, err, got, plain)
		}
	}
}

func TestAHandlerDecidesWhatIsSeen(t *testing.T) {
	for name, c := range map[string]struct {
		f    onChunk
		want string
	}{
		"a text and the end": {func(_ *stream.Chunk, _ *stream.State, out *stream.Output) error {
			return errors.Join(out.SendText("No."), out.Terminate())
		}, "content complete No.; stop"},
		"calls replaced by a text": {func(c *stream.Chunk, s *stream.State, out *stream.Output) error {
			if b := s.Current(); c.Seq > 0 && b != nil && b.Kind() == llm.ToolCall && len(c.Events) > 0 && c.Events[0].Type == stream.EventStart {
				if err := out.Replace(b, llm.Block{Kind: llm.Content, Text: b.Name() + " is not for you."}); err != nil {
					return err
				}
			}
			return out.Send(c)
		}, "content complete Cleaning up.; content complete list is not for you.; content complete delete is not for you.; stop"},
		"a block left out": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			if len(c.Events) > 0 && c.Events[0].Block == 1 {
				return nil
			}
			return out.Send(c)
		}, `content complete Cleaning up.; tool_call complete delete{"path":"/"}; tool_calls`},
		"pieces of a text left out": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			if len(c.Events) > 0 && string(c.Events[0].Data) == "ani" {
				return nil
			}
			return out.Send(c)
		}, `content complete Cleng up.; tool_call complete list{"path":"."}; tool_call complete delete{"path":"/"}; tool_calls`},
		"a text before the rest": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			if c.Seq == 0 {
				if err := out.SendText("Note."); err != nil {
					return err
				}
			}
			return out.Send(c)
		}, `content complete Note.; content complete Cleaning up.; tool_call complete list{"path":"."}; tool_call complete delete{"path":"/"}; tool_calls`},
	} {
		got, err := handled(t, c.f)
		if err != nil || inOneLine(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, inOneLine(got), c.want)
		}
	}
}

// What a handler does wrong fails the answer, and no call of it is whole.
func TestAHandlerCannotMakeAnAnswerThatIsNone(t *testing.T) {
	mine := errors.New("mine")
	for name, c := range map[string]struct {
		f    onChunk
		want string
	}{
		"a piece of a call left out": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			if len(c.Events) > 0 && c.Events[0].Type == stream.EventDelta && c.Events[0].Block == 1 && c.Events[0].Offset == 3 {
				return nil
			}
			return out.Send(c)
		}, "missing"},
		"the beginning of a call left out": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			if len(c.Events) > 0 && c.Events[0].Type == stream.EventStart && c.Events[0].Block == 1 {
				return nil
			}
			return out.Send(c)
		}, "missing"},
		"a chunk sent twice": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			return errors.Join(out.Send(c), out.Send(c))
		}, "already"},
		"everything left out": {func(*stream.Chunk, *stream.State, *stream.Output) error { return nil }, "was cut"},
		"ended inside a call": {func(c *stream.Chunk, s *stream.State, out *stream.Output) error {
			if err := out.Send(c); err != nil || len(s.Calls()) == 0 {
				return err
			}
			return out.Terminate()
		}, "inside a tool call"},
		"the finish left out": {func(c *stream.Chunk, _ *stream.State, out *stream.Output) error {
			if len(c.Events) > 0 && c.Events[0].Type == stream.EventFinish {
				return nil
			}
			return out.Send(c)
		}, "finish"},
		"replaced too late": {func(c *stream.Chunk, s *stream.State, out *stream.Output) error {
			if err := out.Send(c); err != nil || s.Current() == nil {
				return err
			}
			return out.Replace(s.Current())
		}, "already"},
		"thinking of its own": {func(_ *stream.Chunk, _ *stream.State, out *stream.Output) error {
			return out.Insert(0, llm.Block{Kind: llm.Thinking, Text: "x"})
		}, "cannot express"},
		"its own error": {func(_ *stream.Chunk, _ *stream.State, out *stream.Output) error { return out.Fail(mine) }, "mine"},
		"an error":      {func(*stream.Chunk, *stream.State, *stream.Output) error { return mine }, "mine"},
	} {
		got, err := handled(t, c.f)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q; %s", name, err, c.want, inOneLine(got))
		}
		for _, call := range got.Calls() {
			if call.Status == llm.Complete && call.Arguments != `{"path":"."}` && call.Arguments != `{"path":"/"}` {
				t.Errorf("%s: a call that nobody made: %+v", name, call)
			}
		}
	}
	_, err := handled(t, func(_ *stream.Chunk, _ *stream.State, out *stream.Output) error {
		return out.Send(&stream.Chunk{Events: []stream.Event{{Type: stream.EventFinish, Block: -1, Reason: llm.FinishStop}}})
	})
	if !errors.Is(err, stream.ErrNotOfAnswer) {
		t.Errorf("a chunk made by hand: %v", err)
	}
}

func TestTheModelIsNotReadOnAfterAHandlerEndedItsAnswer(t *testing.T) {
	read := 0
	inner := scripted.NewWithOptions(scripted.Options{ChunkSize: 1}, scripted.Round{scripted.Text(strings.Repeat("x", 100))})
	counted := model.Func(func(ctx context.Context, req *llm.Request) eventSeq {
		return func(yield func(stream.Event, error) bool) {
			for ev, err := range inner.Stream(ctx, req) {
				if read++; !yield(ev, err) {
					return
				}
			}
		}
	})
	m := model.Handle(counted, func() stream.Handler {
		return stream.HandlerFunc(func(_ context.Context, c *stream.Chunk, s *stream.State, out *stream.Output) error {
			if len(s.Text()) < 5 {
				return out.Send(c)
			}
			return out.Terminate()
		})
	})
	r, err := model.Collect(t.Context(), m, ask())
	if err != nil || r.Text() != "xxxx" || read > 20 {
		t.Errorf("%v, %q, %d events read", err, r.Text(), read)
	}
}

func TestLeavingAHandledAnswerAtAnyEvent(t *testing.T) {
	for stop := 1; ; stop++ {
		m := model.Handle(scripted.NewWithOptions(scripted.Options{ChunkSize: 3}, scripted.Round{scripted.Text("hello"), scripted.Call("f", `{"a":1}`)}),
			func() stream.Handler { return stream.PassThrough })
		seen, done := 0, false
		for ev, err := range m.Stream(t.Context(), ask()) {
			if err != nil {
				t.Fatal(err)
			}
			done = ev.Type == stream.EventDone
			if seen++; seen == stop {
				break
			}
		}
		if done {
			return
		}
		if seen != stop {
			t.Fatalf("%d events of %d", seen, stop)
		}
	}
}

func TestAnErrorOfTheModelPassesTheHandler(t *testing.T) {
	r, err := handled(t, func(c *stream.Chunk, _ *stream.State, out *stream.Output) error { return out.Send(c) },
		scripted.Text("half"), scripted.Call("f", `{"a":"bcdef"}`), scripted.Cut())
	if !errors.Is(err, stream.ErrIncomplete) || r.Calls()[0].Status != llm.Incomplete {
		t.Errorf("%v, %s", err, inOneLine(r))
	}
}

type eventSeq = iter.Seq2[stream.Event, error]
