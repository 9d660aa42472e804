package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// recommended is the set that a gateway enforces by default.
var recommended = sync.OnceValue(func() *policy.Set {
	loaded, err := file.Load(file.Options{}, "preset:recommended")
	must(err)
	return loaded.Set
})

// preparePlain is a host without an engine: a processor whose handler passes
// on every chunk. It is the baseline for the engine.
func preparePlain(format wire.Format) func([]byte) int {
	return prepareHost(format, func() stream.Handler { return stream.PassThrough })
}

// prepareNoPolicies adds an engine that has nothing to enforce.
func prepareNoPolicies(format wire.Format) func([]byte) int {
	return prepareHost(format, engineOf(format, nil))
}

// prepareRecommended enforces what a gateway enforces by default.
func prepareRecommended(format wire.Format) func([]byte) int {
	return prepareHost(format, engineOf(format, recommended()))
}

// engineOf makes an engine for each answer. Like a gateway it takes the record
// of every verdict.
func engineOf(format wire.Format, set *policy.Set) func() stream.Handler {
	record := func(*policy.Record) {}
	return func() stream.Handler {
		return policy.NewEngine(set, nil, policy.Options{Format: format, Record: record})
	}
}

// prepareHost is a host's loop without a network: what it keeps between answers
// is the reader and the place where the client's bytes go.
func prepareHost(format wire.Format, handler func() stream.Handler) func([]byte) int {
	ctx := context.Background()
	var src bytes.Reader
	reader := sse.NewReader(&src, sse.Options{})
	sent := 0
	sink := func(p []byte) error { //nolint:unparam // what an output sends to may fail
		sent += len(p)
		return nil
	}
	return func(body []byte) int {
		src.Reset(body)
		reader.Reset(&src)
		out := stream.NewOutput(format.NewWriter(stream.WriterOptions{Settle: true}), sink)
		p := stream.NewProcessor(format.NewDecoder(), stream.Limits{}, handler(), out)
		name := ""
		for {
			ev, err := reader.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			must(err)
			if string(ev.Name) != name {
				name = wire.EventName(ev.Name)
			}
			must(p.Feed(ctx, name, ev.Data))
		}
		must(p.End(ctx))
		return found(p.State())
	}
}
