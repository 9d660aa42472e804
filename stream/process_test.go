package stream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// failing is a source that gives some payloads and then fails.
type failing struct {
	lines
	err error
}

func (f *failing) NextPayload() (name, data []byte, err error) {
	if name, data, err = f.lines.NextPayload(); errors.Is(err, io.EOF) {
		return nil, nil, f.err
	}
	return name, data, err
}

func received(client *bytes.Buffer) *stream.Output {
	return stream.NewOutput(openaichat.NewWriter(stream.WriterOptions{}), func(p []byte) error {
		_, err := client.Write(p)
		return err
	})
}

func TestProcessReadsWhatASourceHas(t *testing.T) {
	var asLines []byte
	for _, p := range payloads()[:len(payloads())-1] { // without [DONE], which is no JSON
		asLines = append(append(asLines, p...), '\n')
	}
	recorded, err := recording.NewSource(bytes.NewReader(asLines), 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]stream.Source{
		"events":   sse.NewReader(strings.NewReader(answer), sse.Options{}),
		"comments": sse.NewReader(strings.NewReader(": hello\n\n"+answer), sse.Options{Comments: true}),
		"values":   recorded,
	} {
		var client bytes.Buffer
		state, err := stream.Process(t.Context(), source, openaichat.NewDecoder(), nil, received(&client))
		if err != nil || state.Text() != "Cleaning up." || len(state.Calls()) != 2 || !strings.HasPrefix(answer, client.String()) || client.Len() == 0 {
			t.Errorf("%s: %v, %q", name, err, state.Text())
		}
	}
}

// However the answer fails, the state has what arrived, the error says why, and the
// client is told.
func TestProcessTellsTheClientOfAFailure(t *testing.T) {
	mine := errors.New("mine")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(mine)
	some := payloads()[:4]
	for name, c := range map[string]struct {
		ctx     context.Context //nolint:containedctx // it is what differs
		source  stream.Source
		handler stream.Handler
		want    error
	}{
		"the source fails":  {t.Context(), &failing{lines{rest: some}, mine}, nil, stream.ErrIncomplete},
		"the source is cut": {t.Context(), &failing{lines{rest: some}, io.ErrUnexpectedEOF}, nil, stream.ErrIncomplete},
		"the answer is cut": {t.Context(), &lines{rest: some}, nil, stream.ErrIncomplete},
		"cancelled":         {cancelled, &lines{rest: some}, nil, mine},
		"the handler fails": {t.Context(), &lines{rest: payloads()}, stream.HandlerFunc(func(_ context.Context, c *stream.Chunk, s *stream.State, out *stream.Output) error {
			if len(s.Calls()) > 0 {
				return mine
			}
			return out.Send(c)
		}), mine},
	} {
		var client bytes.Buffer
		state, err := stream.Process(c.ctx, c.source, openaichat.NewDecoder(), c.handler, received(&client))
		if !errors.Is(err, c.want) || state.Complete() {
			t.Errorf("%s: ended with %v", name, err)
		}
		for _, b := range state.Blocks() {
			if !b.Ended() {
				t.Errorf("%s: %s is open", name, b.Key())
			}
		}
		_, seen := stream.Process(t.Context(), sse.NewReader(&client, sse.Options{}), openaichat.NewDecoder(), nil, nil)
		if _, told := errors.AsType[*stream.ProviderError](seen); !told {
			t.Errorf("%s: the client sees %v", name, seen)
		}
	}
}

func TestProcessLeavesAnAnswerThatTheHandlerEndedAsItIs(t *testing.T) {
	var client bytes.Buffer
	_, err := stream.Process(t.Context(), &lines{rest: payloads()}, openaichat.NewDecoder(), stream.HandlerFunc(
		func(_ context.Context, _ *stream.Chunk, _ *stream.State, out *stream.Output) error {
			return errors.Join(out.SendText("No."), out.Terminate())
		}), received(&client))
	if !errors.Is(err, stream.ErrTerminated) {
		t.Errorf("ended with %v", err)
	}
	state, err := stream.Process(t.Context(), sse.NewReader(&client, sse.Options{}), openaichat.NewDecoder(), nil, nil)
	if err != nil || state.Text() != "No." || state.FinishReason() != "stop" {
		t.Errorf("the client sees %v, %q, %q", err, state.Text(), state.FinishReason())
	}
}

// A chunk made by hand cannot be written in full, so nothing of it is, and the
// caller gets an error. Chunks of the answer and their clones are sent.
func TestSendRefusesAChunkThatWasMadeByHand(t *testing.T) {
	for _, format := range wire.Formats() {
		made := map[string]*stream.Chunk{
			"nothing": {},
			"bytes":   {Raw: []byte(`{"choices":[{"index":0,"delta":{"content":"no"},"finish_reason":"stop"}]}`)},
			"events": {Events: []stream.Event{
				{Type: stream.EventStart, Kind: llm.Content}, {Type: stream.EventDelta, Kind: llm.Content, Data: []byte("no")},
				{Type: stream.EventFinish, Block: -1, Data: []byte("stop"), Reason: llm.FinishStop},
			}},
		}
		for name, mine := range made {
			var client bytes.Buffer
			out := stream.NewOutput(format.NewWriter(stream.WriterOptions{}), func(p []byte) error {
				_, err := client.Write(p)
				return err
			})
			c := sections(t, "testdata/patterns/"+map[wire.Format]string{
				wire.OpenAIChat: "content-then-calls", wire.Anthropic: "anthropic-text-then-call",
				wire.OpenAIResponses: "responses-text-then-call", wire.Gemini: "gemini-text-then-call",
			}[format]+".txtar")
			source := &lines{rest: strings.Split(strings.TrimSpace(c["payloads"]), "\n")}
			_, err := stream.Process(t.Context(), source, format.NewDecoder(), stream.HandlerFunc(
				func(_ context.Context, chunk *stream.Chunk, _ *stream.State, out *stream.Output) error {
					before := out.Sent()
					if err := out.Send(mine); !errors.Is(err, stream.ErrNotOfAnswer) || out.Sent() != before {
						t.Errorf("%s, %s: %v", format, name, err)
					}
					if err := out.Send(mine.Clone()); !errors.Is(err, stream.ErrNotOfAnswer) {
						t.Errorf("%s, a clone of %s: %v", format, name, err)
					}
					if chunk.Seq%2 == 0 {
						chunk = chunk.Clone()
					}
					return out.Send(chunk)
				}), out)
			if err != nil {
				t.Errorf("%s, %s: ended with %v", format, name, err)
			}
			state, err := stream.Process(t.Context(), sse.NewReader(&client, sse.Options{}), format.NewDecoder(), nil, nil)
			if err != nil || len(state.Calls()) == 0 {
				t.Errorf("%s, %s: the client sees %v", format, name, err)
			}
		}
	}
}
