package wire

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// What was given back, of the formats of which a busy host makes the most. All of
// it is empty: it was made as new when it came back.
var (
	chatDecoders      sync.Pool
	chatWriters       sync.Pool
	anthropicDecoders sync.Pool
	anthropicWriters  sync.Pool
)

// ReleaseDecoder gives back a decoder that NewDecoder returned, for another
// answer. Nobody may use it any more, nor a chunk that it filled: whoever cannot
// be sure of that leaves it to the garbage collector, which is always right. It
// is made as new at once, so that nothing of one answer is left for another.
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

// ReleaseWriter gives back a writer that NewWriter returned. What is said of
// ReleaseDecoder holds for it too.
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
