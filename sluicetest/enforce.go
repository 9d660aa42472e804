package sluicetest

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// Enforcement lets policies judge recorded or built answers as a host would, and
// returns what a client gets.
type Enforcement struct {
	Set      *policy.Set
	Exchange *policy.Exchange
	// Options are the engine's; Format and Record are set by Enforcement.
	Options policy.Options
	Run     policy.RunOptions
}

// Delivered is what a client gets of an answer.
type Delivered struct {
	// Bytes are what was sent, Report what a strict client understood of it.
	Bytes  []byte
	Report Report
	// Invalid is the rule that the bytes break, nil if they are valid.
	Invalid error
	// Response is what Sluice's own decoder reads in them, and Cut its error, nil if
	// the answer is whole.
	Response llm.Response
	Cut      error
	// Records are the verdicts, in order.
	Records []policy.Record
	// Err is the error of the host's loop.
	Err error
}

// Stream lets the policies judge an event stream.
func (n Enforcement) Stream(ctx context.Context, format string, events io.Reader) Delivered {
	return n.run(ctx, wire.Format(format), &eventSource{reader: sse.NewReader(events, sse.Options{})}, false)
}

// Body lets the policies judge a non-streaming response.
func (n Enforcement) Body(ctx context.Context, format string, body []byte) Delivered {
	return n.run(ctx, wire.Format(format), &bodySource{body: body}, true)
}

func (n Enforcement) run(ctx context.Context, format wire.Format, src policy.Source, whole bool) Delivered {
	var d Delivered
	opts := n.Options
	opts.Format, opts.Whole = format, whole
	opts.Record = func(r *policy.Record) { d.Records = append(d.Records, *r) }
	engine := policy.NewEngine(n.Set, n.Exchange, opts)
	out := stream.NewOutput(format.NewWriter(engine.WriterOptions()), func(p []byte) error {
		d.Bytes = append(d.Bytes, p...)
		return nil
	})
	d.Err = engine.Run(ctx, src, out, n.Run)
	if whole {
		d.Report, d.Invalid = InspectBody(string(format), d.Bytes)
		d.Response, d.Cut = readBack(ctx, format, &bodySource{body: d.Bytes})
		return d
	}
	d.Report, d.Invalid = Inspect(string(format), d.Bytes)
	d.Response, d.Cut = readBack(ctx, format, &eventSource{reader: sse.NewReader(bytes.NewReader(d.Bytes), sse.Options{})})
	return d
}

// readBack reads an answer with Sluice's own decoder.
func readBack(ctx context.Context, format wire.Format, src policy.Source) (llm.Response, error) {
	p := stream.NewProcessor(format.NewDecoder(), stream.Limits{}, nil, nil)
	for {
		name, payload, err := src.Next()
		if errors.Is(err, io.EOF) {
			err = p.End(ctx)
			return p.State().Response(), err
		}
		if err == nil {
			err = p.Feed(ctx, name, payload)
		}
		if err != nil {
			return p.State().Response(), err
		}
	}
}

// eventSource reads payloads from an event stream.
type eventSource struct{ reader *sse.Reader }

// Next returns the next payload.
func (s *eventSource) Next() (string, []byte, error) {
	ev, err := s.reader.Next()
	if err != nil {
		return "", nil, err
	}
	return string(ev.Name), ev.Data, nil
}

// bodySource returns a whole body as one payload.
type bodySource struct {
	body []byte
	read bool
}

// Next returns the body, once.
func (s *bodySource) Next() (string, []byte, error) {
	if s.read || len(s.body) == 0 {
		return "", nil, io.EOF
	}
	s.read = true
	return "", s.body, nil
}

// EachForm calls check with an answer in every dialect that can carry it, as a stream
// split in several ways and as a body, after the policies judged it. name identifies
// the form.
func (n Enforcement) EachForm(ctx context.Context, blocks []llm.Block, check func(name, format string, d Delivered)) {
	for _, format := range Formats() {
		choices := [][]llm.Block{blocks}
		for _, cut := range []struct {
			name  string
			piece int
		}{{"whole deltas", 0}, {"small deltas", 3}, {"single characters", 1}} {
			events := SSE(format, Build(format, choices, BuildOptions{MaxPiece: cut.piece}))
			check(format+", "+cut.name, format, n.Stream(ctx, format, bytes.NewReader(events)))
			check(format+", "+cut.name+", byte by byte", format, n.Stream(ctx, format, OneByte(events)))
		}
		check(format+", body", format, n.Body(ctx, format, []byte(BuildBody(format, choices, BuildOptions{}))))
	}
}
