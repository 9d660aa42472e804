package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Options configure how a recording is read. The zero value detects everything.
type Options struct {
	// Format is the wire format; empty means that it is detected.
	Format wire.Format
	// MaxPayload is the maximum size of one payload in bytes, 0 for the default.
	MaxPayload int
	// Limits bound the answer.
	Limits stream.Limits
	// Live is set when the input arrives as the provider sends it, so that times are
	// meaningful.
	Live bool
	// SkipBroken skips lines that are not JSON in a recording with one payload per
	// line. The answer is then not complete, and a *BrokenLinesError says why.
	SkipBroken bool
}

// Inspect reads a recording and reports its content. The error is an *UnreadableError
// when the input is not a recording, or that of the reader; an answer that was
// truncated or failed is not an error but a Report that says so.
func Inspect(r io.Reader, opts Options) (*Report, error) {
	p, err := open(r, opts)
	if err != nil {
		return nil, err
	}
	report := &Report{Format: p.format, Container: p.source.Container(), Warnings: []string{}}
	var clock clock
	if opts.Live {
		clock.now = time.Now
	}
	state := stream.NewState(opts.Limits)
	err = p.each(func(c *stream.Chunk) error {
		if err := state.Apply(c); err != nil {
			return err
		}
		clock.tick(c, state)
		return nil
	})
	report.Payloads, report.Bytes = p.payloads, p.bytes
	if err != nil {
		if unreadable := p.unreadable(err); unreadable != nil {
			return nil, unreadable
		}
		state.Cut()
		report.Failure = err
	} else if providerErr := state.Err(); providerErr != nil {
		report.Failure = providerErr
	}
	report.Skipped = p.source.Broken()
	if report.Failure == nil {
		report.Failure = report.Skipped
	} else if report.Skipped != nil {
		report.Warnings = append(report.Warnings, report.Skipped.Error())
	}
	report.warn(p.decoder.Deviations())
	report.Took = clock.last
	report.fill(state, &clock)
	if report.Failure != nil && report.Error == nil {
		report.Warnings = append(report.Warnings, report.Failure.Error())
	}
	return report, nil
}

// player feeds the payloads of a recording to a decoder.
type player struct {
	source   *Source
	format   wire.Format
	decoder  stream.Decoder
	early    []Payload // read while detecting the format
	readErr  error     // how that ended, if it did
	payloads int
	bytes    int
	decoded  int
}

// detectWithin is the number of payloads used to detect the format.
const detectWithin = 64

func open(r io.Reader, opts Options) (*player, error) {
	source, err := NewSource(r, opts.MaxPayload)
	if err != nil {
		return nil, err
	}
	if opts.SkipBroken {
		source.SkipBrokenLines()
	}
	p := &player{source: source, format: opts.Format}
	if p.format == "" {
		if err := p.detect(); err != nil {
			return nil, err
		}
	}
	p.decoder = p.format.NewDecoder()
	return p, nil
}

// detect tries payloads one after the other until one reveals the format, and keeps
// those it has read.
func (p *player) detect() error {
	for len(p.early) < detectWithin && p.readErr == nil {
		payload, err := p.source.Next()
		if err != nil {
			p.readErr = err
			break
		}
		payload = Payload{Name: bytes.Clone(payload.Name), Data: bytes.Clone(payload.Data)}
		p.early = append(p.early, payload)
		if f, ok := wire.Detect(payload.Data); ok {
			p.format = f
			return nil
		}
	}
	for _, payload := range p.early {
		if f, ok := wire.Guess(payload.Data); ok {
			p.format = f
			return nil
		}
	}
	if p.readErr != nil && !errors.Is(p.readErr, io.EOF) && len(p.early) == 0 {
		if _, ok := errors.AsType[*UnreadableError](p.readErr); ok {
			return p.readErr
		}
		return &UnreadableError{Reason: "no payload could be read", Err: p.readErr}
	}
	if len(p.early) == 0 {
		return &UnreadableError{Reason: "the input has no payload: expected an answer in one of " + wire.Names()}
	}
	return &UnreadableError{Reason: fmt.Sprintf("no payload looks like one of %s; say which with --format; the first payload is %q",
		wire.Names(), p.early[0].Data[:min(len(p.early[0].Data), 60)])}
}

func (p *player) next() (Payload, error) {
	if len(p.early) > 0 {
		payload := p.early[0]
		p.early = p.early[1:]
		return payload, nil
	}
	if p.readErr != nil {
		return Payload{}, p.readErr
	}
	return p.source.Next()
}

// each calls take for every chunk, including the one at the end of the input. The error
// is nil if the answer ended normally or the provider reported an error in it.
func (p *player) each(take func(*stream.Chunk) error) error {
	var c stream.Chunk
	for {
		payload, err := p.next()
		if err == io.EOF { //nolint:errorlint // only io.EOF itself is the end; an error that wraps it is an error
			break
		}
		if err != nil {
			return err
		}
		p.payloads++
		p.bytes += len(payload.Data)
		c.Raw, c.Name = payload.Data, wire.EventName(payload.Name)
		if err := p.decoder.Decode(&c); err != nil {
			return err
		}
		p.decoded++
		if err := take(&c); err != nil {
			return err
		}
	}
	c.Raw, c.Name = nil, ""
	cut := p.decoder.End(&c)
	if err := take(&c); err != nil {
		return err
	}
	return cut
}

// unreadable returns the error for a recording of which nothing could be read, else
// nil.
func (p *player) unreadable(err error) error {
	if p.decoded > 0 || errors.Is(err, stream.ErrIncomplete) {
		return nil
	}
	return &UnreadableError{
		Reason: fmt.Sprintf("the input is not a recording of %s", p.format),
		Err:    err,
	}
}

// clock records when blocks started and ended, if the input is live.
type clock struct {
	now         func() time.Time
	first       time.Time
	last        time.Duration
	began, ends map[*stream.Block]time.Duration
}

func (k *clock) tick(c *stream.Chunk, s *stream.State) {
	if k.now == nil {
		return
	}
	if k.first.IsZero() {
		k.first = k.now()
		k.began, k.ends = map[*stream.Block]time.Duration{}, map[*stream.Block]time.Duration{}
	}
	k.last = k.now().Sub(k.first)
	if slices.ContainsFunc(c.Events, func(ev stream.Event) bool { return ev.Type == stream.EventStart }) {
		for _, choice := range s.Choices() {
			for _, b := range slices.Backward(choice.Blocks()) {
				if _, known := k.began[b]; known {
					break
				}
				k.began[b] = k.last
			}
		}
	}
	for _, b := range s.Completed() {
		if b.Status() != llm.Open {
			k.ends[b] = k.last
		}
	}
}

func (k *clock) of(b *stream.Block) (began, ended time.Duration) { return k.began[b], k.ends[b] }
