package sluicetest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing/iotest"
)

// Chopped returns a reader that returns the data in pieces of random sizes, so that
// characters, lines and line ends are split anywhere, and sometimes returns nothing at
// all or the last bytes together with io.EOF. It is not safe for concurrent use, like
// r.
func Chopped(data []byte, r *rand.Rand) io.Reader {
	return &chopped{data: data, rand: r}
}

type chopped struct {
	data []byte
	rand *rand.Rand
}

func (c *chopped) Read(p []byte) (int, error) {
	switch {
	case len(c.data) == 0:
		return 0, io.EOF
	case len(p) == 0, c.rand.IntN(16) == 0:
		return 0, nil
	}
	limit := 8
	if c.rand.IntN(4) == 0 {
		limit = 512
	}
	n := copy(p, c.data[:min(1+c.rand.IntN(limit), len(c.data))])
	c.data = c.data[n:]
	if len(c.data) == 0 && c.rand.IntN(2) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// CutAt returns a reader that returns the first n bytes of the data and then err, like
// a connection that breaks. If err is nil it is io.ErrUnexpectedEOF; use io.EOF for a
// body that just stops. An n beyond the data returns all of it.
func CutAt(data []byte, n int, err error) io.Reader {
	if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return io.MultiReader(bytes.NewReader(data[:max(0, min(n, len(data)))]), iotest.ErrReader(err))
}

// OneByte returns a reader that returns one byte at a time.
func OneByte(data []byte) io.Reader {
	return iotest.OneByteReader(bytes.NewReader(data))
}
