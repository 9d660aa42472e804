package stream_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// payloads are those of the answer that the examples use.
func payloads() []string {
	var all []string
	for event := range strings.SplitSeq(strings.TrimSpace(answer), "\n\n") {
		all = append(all, strings.TrimPrefix(event, "data: "))
	}
	return all
}

func feed(t *testing.T, p *stream.Processor, payloads []string) error {
	t.Helper()
	for _, payload := range payloads {
		if err := p.Feed(t.Context(), "", []byte(payload)); err != nil {
			return err
		}
	}
	return p.End(t.Context())
}

func TestProcessorReadsToTheEndAndPassesTheBytes(t *testing.T) {
	var client bytes.Buffer
	out := stream.NewOutput(openaichat.NewWriter(stream.WriterOptions{}), func(p []byte) error {
		_, err := client.Write(p)
		return err
	})
	p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, nil, out)
	if err := feed(t, p, payloads()); err != nil {
		t.Fatal(err)
	}
	if client.String() != answer {
		t.Errorf("the client got\n%s\nwant\n%s", client.String(), answer)
	}
	if !p.State().Complete() || len(p.State().Blocks()) != 3 {
		t.Error("the state is not that of the whole answer")
	}
	if err := p.Feed(t.Context(), "", []byte("{}")); !errors.Is(err, stream.ErrTerminated) {
		t.Errorf("feeding after the end gives %v", err)
	}
	if err := p.End(t.Context()); !errors.Is(err, stream.ErrTerminated) {
		t.Errorf("ending twice gives %v", err)
	}
}

func TestProcessorReportsHowAnAnswerEnds(t *testing.T) {
	all := payloads()
	t.Run("cut", func(t *testing.T) {
		p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, nil, nil)
		if err := feed(t, p, all[:4]); !errors.Is(err, stream.ErrIncomplete) {
			t.Errorf("ended with %v", err)
		}
		if last := p.State().Blocks()[1]; last.Status() != llm.Incomplete {
			t.Errorf("the call that was cut is %s", last.Status())
		}
	})
	t.Run("provider error", func(t *testing.T) {
		p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, nil, nil)
		err := feed(t, p, append(all[:4:4], `{"error":{"message":"busy","type":"server_error"}}`))
		if provider, ok := errors.AsType[*stream.ProviderError](err); !ok || provider.Message != "busy" {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("garbage", func(t *testing.T) {
		p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, nil, nil)
		err := feed(t, p, append(all[:4:4], `not json`))
		if protocol, ok := errors.AsType[*stream.ProtocolError](err); !ok || protocol.Seq != 4 {
			t.Errorf("ended with %v", err)
		}
		if last := p.State().Blocks()[1]; last.Status() != llm.Incomplete {
			t.Errorf("the call before the garbage is %s", last.Status())
		}
	})
	t.Run("over a limit", func(t *testing.T) {
		p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{Blocks: 2}, nil, nil)
		if _, ok := errors.AsType[*stream.LimitError](feed(t, p, all)); !ok {
			t.Error("three blocks pass a limit of two")
		}
	})
	t.Run("handler error", func(t *testing.T) {
		mine := errors.New("mine")
		p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, stream.HandlerFunc(
			func(context.Context, *stream.Chunk, *stream.State, *stream.Output) error { return mine }), nil)
		if err := feed(t, p, all); !errors.Is(err, mine) {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestTerminateStopsTheUpstreamOnce(t *testing.T) {
	stopped := 0
	out := stream.NewOutput(openaichat.NewWriter(stream.WriterOptions{}), func([]byte) error { return nil })
	out.OnTerminate(func() { stopped++ })
	p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, stream.HandlerFunc(
		func(_ context.Context, _ *stream.Chunk, _ *stream.State, out *stream.Output) error {
			return out.Terminate()
		}), out)
	if err := feed(t, p, payloads()); !errors.Is(err, stream.ErrTerminated) {
		t.Errorf("ended with %v", err)
	}
	for name, err := range map[string]error{
		"terminate": out.Terminate(), "text": out.SendText("x"), "chunk": out.Send(&stream.Chunk{}),
		"replace": out.Replace(p.State().Blocks()[0]),
	} {
		if !errors.Is(err, stream.ErrTerminated) {
			t.Errorf("%s after the end gives %v", name, err)
		}
	}
	if stopped != 1 {
		t.Errorf("the upstream was stopped %d times", stopped)
	}
}

func TestClientThatIsGoneEndsTheAnswer(t *testing.T) {
	gone := errors.New("connection reset")
	out := stream.NewOutput(openaichat.NewWriter(stream.WriterOptions{}), func([]byte) error { return gone })
	p := stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, nil, out)
	if err := feed(t, p, payloads()); !errors.Is(err, gone) {
		t.Errorf("ended with %v", err)
	}
}

func TestHooksTellEachThingOnceAndHold(t *testing.T) {
	var log []string
	held := 0
	hooks := &stream.Hooks{
		Delta: func(_ context.Context, b *stream.Block, delta []byte, _ *stream.Output) error {
			log = append(log, b.Kind().String()+":"+string(delta))
			return nil
		},
		Hint: func(_ context.Context, b *stream.Block, _ *stream.Output) error {
			log = append(log, "hint:"+b.Name())
			return nil
		},
		Hold: func(*stream.Chunk, *stream.State) bool {
			held++
			return true
		},
	}
	var client bytes.Buffer
	out := stream.NewOutput(openaichat.NewWriter(stream.WriterOptions{}), func(p []byte) error {
		_, err := client.Write(p)
		return err
	})
	if err := feed(t, stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, hooks, out), payloads()); err != nil {
		t.Fatal(err)
	}
	want := `content:Cleaning |content:up.|tool_call:{"path":"."}|hint:list|tool_call:{"path":"/"}`
	if got := strings.Join(log, "|"); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
	if client.Len() != 0 || held != len(payloads())+1 {
		t.Errorf("%d chunks were held and %d bytes left", held, client.Len())
	}
}

func TestHookThatFailsOrEndsStopsTheRest(t *testing.T) {
	mine := errors.New("mine")
	for name, hooks := range map[string]*stream.Hooks{
		"start":    {Start: func(context.Context, *stream.Block, *stream.Output) error { return mine }},
		"complete": {Complete: func(context.Context, *stream.Block, *stream.Output) error { return mine }},
		"finish":   {Finish: func(context.Context, *stream.Choice, *stream.Output) error { return mine }},
	} {
		if err := feed(t, stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, hooks, nil), payloads()); !errors.Is(err, mine) {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
	calls := 0
	hooks := &stream.Hooks{Complete: func(_ context.Context, _ *stream.Block, out *stream.Output) error {
		calls++
		return out.Terminate()
	}}
	if err := feed(t, stream.NewProcessor(openaichat.NewDecoder(), stream.Limits{}, hooks, nil), payloads()); !errors.Is(err, stream.ErrTerminated) || calls != 1 {
		t.Errorf("ended with %v after %d calls", err, calls)
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	for want, err := range map[string]error{
		"stream: the provider reported an error: {}":                     &stream.ProviderError{Raw: []byte("{}")},
		"stream: the provider reported an error: no":                     &stream.ProviderError{Message: "no"},
		"stream: the provider reported rate_limit":                       &stream.ProviderError{Code: "rate_limit"},
		"stream: the answer has more than 3 blocks":                      &stream.LimitError{What: "blocks", Limit: 3},
		`stream: payload 2: not JSON: unexpected EOF: "{"`:               stream.NewProtocolError(&stream.Chunk{Seq: 2, Raw: []byte("{")}, "not JSON", errors.New("unexpected EOF")),
		"stream: the answer was cut before its end: unexpected EOF":      stream.ErrIncomplete,
		"stream: the provider reported overloaded_error: try again soon": &stream.ProviderError{Type: "overloaded_error", Message: "try again soon"},
	} {
		if err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}
