package sluicetest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Encoded returns the reply with Body compressed, and says so in the header,
// after encodings that it already has. With Stream the compressor is
// flushed after each event, and what it writes last is an event more. Forever is
// left as it is.
//
// Encodings are gzip, deflate (in the zlib format, as the standard says),
// raw-deflate (announced as deflate, without zlib, as some servers do), br and
// zstd. It panics for another one.
func (r Reply) Encoded(encoding string) Reply {
	var out bytes.Buffer
	compressor, name := newCompressor(encoding, &out)
	must := func(err error) {
		if err != nil { // a buffer takes everything
			panic(fmt.Sprintf("sluicetest: compress with %s: %v", encoding, err))
		}
	}
	var ends []int
	for piece := range cutBefore(r.Body, r.ends()) {
		_, err := compressor.Write(piece)
		must(err)
		if r.Stream {
			must(compressor.Flush())
			ends = append(ends, out.Len())
		}
	}
	must(compressor.Close())
	ends = append(ends, out.Len())
	r.Body, r.events = out.Bytes(), ends
	r.Header = r.Header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if before := r.Header.Get("Content-Encoding"); before != "" {
		name = before + ", " + name
	}
	r.Header.Set("Content-Encoding", name)
	return r
}

// compressor is what the four compressors have in common.
type compressor interface {
	io.WriteCloser
	Flush() error
}

// newCompressor returns the compressor for an encoding and its name in HTTP.
func newCompressor(encoding string, out io.Writer) (compressor, string) {
	switch encoding {
	case "gzip":
		return gzip.NewWriter(out), encoding
	case "deflate":
		return zlib.NewWriter(out), encoding
	case "raw-deflate":
		if w, err := flate.NewWriter(out, flate.DefaultCompression); err == nil {
			return w, "deflate"
		}
	case "br":
		return brotli.NewWriter(out), encoding
	case "zstd":
		if w, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1)); err == nil {
			return w, encoding
		}
	}
	panic(fmt.Sprintf("sluicetest: no such encoding: %q", encoding))
}
