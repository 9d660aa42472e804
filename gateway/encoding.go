package gateway

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// errEncoding is a content encoding that cannot be decoded, so that the body
// could not be judged.
var errEncoding = errors.New("content encoding that cannot be read")

// maxEncodings is how often a body may be encoded.
const maxEncodings = 2

// maxWindow bounds the memory of a zstd or brotli decoder.
const maxWindow = 8 << 20

// encodingOf returns the content encoding of a message. Several header lines are
// one list.
func encodingOf(h http.Header) string { return strings.Join(h["Content-Encoding"], ",") }

// decoded returns a reader that decodes a body. Closing it releases the decoder,
// not the body. An empty encoding is none.
func decoded(body io.Reader, encoding string) (io.ReadCloser, error) {
	var layers []string
	for name := range strings.SplitSeq(encoding, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
			layers = append(layers, name)
		}
	}
	if len(layers) > maxEncodings {
		return nil, fmt.Errorf("%w: %q has more than %d layers", errEncoding, encoding, maxEncodings)
	}
	out := io.NopCloser(body)
	for _, layer := range slices.Backward(layers) {
		next, err := decoder(out, layer)
		if err != nil {
			_ = out.Close()
			return nil, err
		}
		out = next
	}
	return out, nil
}

func decoder(from io.ReadCloser, encoding string) (io.ReadCloser, error) {
	switch encoding {
	case "gzip", "x-gzip":
		return &lazyDecoder{from: from, open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}, nil
	case "deflate":
		return &lazyDecoder{from: from, open: inflate}, nil
	case "br":
		return &lazyDecoder{from: from, open: func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }}, nil
	case "zstd":
		return &lazyDecoder{from: from, open: func(r io.Reader) (io.Reader, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
			if err != nil {
				return nil, err
			}
			return zstdReader{d}, nil
		}}, nil
	default:
		return nil, fmt.Errorf("%w: %q", errEncoding, encoding)
	}
}

// lazyDecoder opens its decoder at the first read: opening reads, and a stream
// may not have sent anything yet.
type lazyDecoder struct {
	from io.ReadCloser
	open func(io.Reader) (io.Reader, error)
	r    io.Reader
	err  error
	said int // bytes since the watcher was woken: a few encoded bytes can decode to many
}

// Read decodes.
func (d *lazyDecoder) Read(p []byte) (int, error) {
	if d.r == nil && d.err == nil {
		r, err := d.open(d.from)
		if err == nil {
			d.r = r
		}
		if d.err = err; errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			d.err = io.EOF // an empty body, encoded as nothing
		}
	}
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.r.Read(p)
	if d.said += n; d.said > mostQuick {
		d.said = 0
		wakeWatcher()
	}
	return n, err
}

// Close releases the decoder.
func (d *lazyDecoder) Close() error {
	if c, ok := d.r.(io.Closer); ok {
		_ = c.Close()
	}
	return d.from.Close()
}

type zstdReader struct{ *zstd.Decoder }

// Close releases the decoder's memory.
func (z zstdReader) Close() error {
	z.Decoder.Close()
	return nil
}

// inflate reads "deflate", which servers send with and without zlib's header.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}
