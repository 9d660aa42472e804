package sse

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// looped repeats a body of whole events without end, in reads as large as the
// buffer allows.
type looped struct {
	body []byte
	off  int
}

func (l *looped) Read(p []byte) (int, error) {
	n := copy(p, l.body[l.off:])
	l.off = (l.off + n) % len(l.body)
	return n, nil
}

func chatBody(lineEnd string) []byte {
	const chunk = `{"id":"chatcmpl-0000000000000000000000000000","object":"chat.completion.chunk","created":1700000000,` +
		`"model":"some-model-2025-01-01","service_tier":"default","system_fingerprint":"fp_0000000000",` +
		`"choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null}],"usage":null}`
	return []byte(strings.Repeat("data: "+chunk+lineEnd+lineEnd, 200))
}

func BenchmarkNext(b *testing.B) {
	for _, c := range []struct {
		name string
		body []byte
	}{
		{"chat", chatBody("\n")},
		{"chat-crlf", chatBody("\r\n")},
		{"chat-cr", chatBody("\r")},
		{"named", bytes.ReplaceAll(chatBody("\n"), []byte("data: "), []byte("event: content_block_delta\ndata: "))},
		{"1MiB", []byte("data: " + strings.Repeat("x", 1<<20) + "\n\n")},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := NewReader(&looped{body: c.body}, Options{})
			b.ReportAllocs()
			events := bytes.Count(c.body, []byte("data: "))
			b.SetBytes(int64(len(c.body) / events))
			for b.Loop() {
				if _, err := r.Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBody(b *testing.B) {
	body := chatBody("\n")
	src := bytes.NewReader(body)
	r := NewReader(src, Options{})
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		src.Reset(body)
		r.Reset(src)
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	body := chatBody("\n")
	payload := body[len("data: "):bytes.IndexByte(body, '\n')]
	var dst []byte
	b.ReportAllocs()
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		dst = AppendEvent(dst[:0], "", payload)
	}
}
