package sluicetest_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/sluice-project/sluice/sluicetest"
)

func TestReplyFindsEvents(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body string
		want []int
	}{
		"line feeds":            {"data: a\n\n: c\n\ndata: b\n\n", []int{0, 9, 14, 23, 23}},
		"carriage returns":      {"a\r\rb\r\r", []int{0, 3, 6, 6}},
		"both":                  {"a\r\n\r\nb\r\nc\r\n\r\n", []int{0, 5, 13, 13}},
		"more blank lines":      {"\n\na\n\n\n\nb\n\n", []int{0, 5, 10, 10}},
		"the end of an event":   {"a\n\nb\n", []int{0, 3, 3}},
		"nothing":               {"", []int{0, 0}},
		"no event":              {`{"a":1}`, []int{0, 0}},
		"several lines in each": {"event: x\ndata: 1\n\ndata: 2\n\n", []int{0, 18, 27}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply := sluicetest.Events([]byte(tc.body))
			var got []int
			for n := range tc.want {
				got = append(got, reply.Event(n))
			}
			if !slices.Equal(got, tc.want) || reply.Event(-1) != 0 {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// decoders read what the encodings write.
var decoders = map[string]func(io.Reader) (io.Reader, error){
	"gzip":        func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate":     func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
	"raw-deflate": func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil },
	"br":          func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	"zstd":        func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
}

func TestReplyIsCompressed(t *testing.T) {
	t.Parallel()
	for encoding, decoder := range decoders {
		decode := func(t *testing.T, data []byte) (string, error) {
			t.Helper()
			in, err := decoder(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			out, err := io.ReadAll(in)
			return string(out), err
		}
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			plain := sluicetest.JSON(200, `{"a":1}`)
			events := sluicetest.Events([]byte(twoEvents))
			up := sluicetest.NewUpstream(t, plain.Encoded(encoding), events.Encoded(encoding))
			up.Client().Transport.(*http.Transport).DisableCompression = true // or the client unpacks gzip
			for _, want := range []string{`{"a":1}`, twoEvents} {
				answer := fetch(up)
				if answer.err != nil {
					t.Fatal(answer.err)
				}
				if got := answer.header.Get("Content-Encoding"); got != strings.TrimPrefix(encoding, "raw-") {
					t.Errorf("announced as %q", got)
				}
				if got, err := decode(t, []byte(answer.body)); got != want || err != nil {
					t.Errorf("got %q, %v, want %q", got, err, want)
				}
			}
			if plain.Header.Get("Content-Encoding") != "" || string(events.Body) != twoEvents {
				t.Error("the reply that was encoded is changed")
			}

			// Every event is flushed, and then there is the end of the compression.
			packed := events.Encoded(encoding)
			for n, want := range map[int]string{1: twoEvents[:9], 2: twoEvents} {
				if got, _ := decode(t, packed.Body[:packed.Event(n)]); got != want {
					t.Errorf("the bytes up to event %d hold %q, want %q", n, got, want)
				}
			}
			if packed.Event(3) != len(packed.Body) {
				t.Errorf("the last piece ends at %d of %d", packed.Event(3), len(packed.Body))
			}
		})
	}
}

func TestReplyIsCompressedTwice(t *testing.T) {
	t.Parallel()
	reply := sluicetest.Events([]byte(twoEvents)).Encoded("br").Encoded("gzip")
	if got := reply.Header.Get("Content-Encoding"); got != "br, gzip" {
		t.Errorf("announced as %q", got)
	}
	outer, err := gzip.NewReader(bytes.NewReader(reply.Body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(brotli.NewReader(outer)); string(got) != twoEvents || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown encoding is a bug of the test")
		}
	}()
	reply.Encoded("lzma")
}
