package gateway

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
)

// hesitant returns nothing, without an error, between any two bytes.
type hesitant struct {
	from  io.Reader
	pause bool
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.pause = !h.pause; h.pause || len(p) == 0 {
		return 0, nil
	}
	return h.from.Read(p[:1])
}

// endless is a body without an end. It counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestAttackReadAll(t *testing.T) {
	const limit = 3000
	for _, size := range []int{0, 1, 2, 511, 512, 513, limit - 1, limit, limit + 1, 2 * limit} {
		text := strings.Repeat("x", size)
		for _, hint := range []int{-1, 0, 1, size - 1, size, size + 1, limit, limit + 1, math.MaxInt} {
			for name, r := range map[string]io.Reader{
				"at once":                    strings.NewReader(text),
				"byte by byte":               iotest.OneByteReader(strings.NewReader(text)),
				"the end with the last byte": iotest.DataErrReader(strings.NewReader(text)),
				"nothing in between":         &hesitant{from: strings.NewReader(text)},
			} {
				got, err := readAll(r, limit, hint)
				if size > limit {
					if !errors.Is(err, errTooLarge) {
						t.Errorf("%s: %d bytes, %d expected: %v", name, size, hint, err)
					}
				} else if err != nil || !bytes.Equal(got, []byte(text)) {
					t.Errorf("%s: %d bytes, %d expected: got %d, %v", name, size, hint, len(got), err)
				}
			}
		}
	}
	for _, hint := range []int{-1, 10, limit, 1 << 30} {
		body := &endless{}
		if _, err := readAll(body, limit, hint); !errors.Is(err, errTooLarge) || body.read > 1<<20+limit {
			t.Errorf("an endless body, %d expected: %v after %d bytes", hint, err, body.read)
		}
	}
	broken := errors.New("broken")
	if got, err := readAll(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), limit, 3); !errors.Is(err, broken) || got != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := readAll(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF)), limit, 3); !errors.Is(err, io.ErrUnexpectedEOF) || got != nil {
		t.Errorf("a body that was cut: got %q, %v", got, err)
	}
}
