package sse

import (
	"errors"
	"io"
	"testing"
)

func FuzzReader(f *testing.F) {
	for i, c := range readerCases {
		f.Add([]byte(c.body), c.opts.MaxEvent, c.opts.Comments, i%5 == 0, uint64(i))
	}
	broken := errors.New("connection broken")
	f.Fuzz(func(t *testing.T, body []byte, limit int, comments, fails bool, seed uint64) {
		if limit <= 0 {
			limit = DefaultMaxEvent
		}
		opts := Options{MaxEvent: limit, Comments: comments}
		end := io.EOF
		if fails {
			end = broken
		}
		want, wantErr := reference(string(body), opts, end)
		r := NewReader(newSplitReader(string(body), end, seed), opts)
		got, err := readAll(t, r)
		compare(t, "first body", got, err, want, wantErr)

		// A used reader is as good as a new one.
		r.Reset(newSplitReader(string(body), end, seed+1))
		got, err = readAll(t, r)
		compare(t, "second body", got, err, want, wantErr)
	})
}
