package wire

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// The pools of decoders and writers, for the formats that a busy host uses most.
// Everything in them was reset when it was released.
var (
	chatDecoders      sync.Pool
	chatWriters       sync.Pool
	anthropicDecoders sync.Pool
	anthropicWriters  sync.Pool
)

// ReleaseDecoder returns a decoder obtained from NewDecoder to its pool, for another
// answer. Neither the decoder nor a chunk that it filled may be used afterwards; if in
// doubt, leave it to the garbage collector. It is reset at once, so that nothing of one
// answer leaks into another.
func ReleaseDecoder(d stream.Decoder) {
	switch d := d.(type) {
	case *openaichat.Decoder:
		d.Reset()
		chatDecoders.Put(d)
	case *anthropic.Decoder:
		d.Reset()
		anthropicDecoders.Put(d)
	}
}

// ReleaseWriter returns a writer obtained from NewWriter to its pool. The rules of
// ReleaseDecoder apply.
func ReleaseWriter(w stream.Writer) {
	switch w := w.(type) {
	case *openaichat.Writer:
		w.Reset(stream.WriterOptions{})
		chatWriters.Put(w)
	case *anthropic.Writer:
		w.Reset(stream.WriterOptions{})
		anthropicWriters.Put(w)
	}
}

func chatDecoder() stream.Decoder {
	if d, ok := chatDecoders.Get().(*openaichat.Decoder); ok {
		return d
	}
	return openaichat.NewDecoder()
}

func anthropicDecoder() stream.Decoder {
	if d, ok := anthropicDecoders.Get().(*anthropic.Decoder); ok {
		return d
	}
	return anthropic.NewDecoder()
}

func chatWriter(opts stream.WriterOptions) stream.Writer {
	w, ok := chatWriters.Get().(*openaichat.Writer)
	if !ok {
		return openaichat.NewWriter(opts)
	}
	w.Reset(opts)
	return w
}

func anthropicWriter(opts stream.WriterOptions) stream.Writer {
	w, ok := anthropicWriters.Get().(*anthropic.Writer)
	if !ok {
		return anthropic.NewWriter(opts)
	}
	w.Reset(opts)
	return w
}
