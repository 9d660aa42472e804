package shapetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/stream"
)

// Same feeds payloads to two new decoders and fails the test at the first difference.
// All payloads share one buffer, as they do in a gateway: what a decoder retains of the
// last one is overwritten.
func Same(tb testing.TB, shaped, inFull stream.Decoder, name string, payloads [][]byte) {
	tb.Helper()
	var a, b stream.Chunk
	var buf []byte
	for i, p := range payloads {
		buf = append(buf[:0], p...)
		a.Raw, a.Name, b.Raw, b.Name = buf, name, buf, name
		errA, errB := shaped.Decode(&a), inFull.Decode(&b)
		compare(tb, i, p, &a, &b, errA, errB)
		if errA != nil || tb.Failed() {
			return
		}
	}
	errA, errB := shaped.End(&a), inFull.End(&b)
	compare(tb, len(payloads), nil, &a, &b, errA, errB)
	if !reflect.DeepEqual(shaped.Deviations(), inFull.Deviations()) {
		tb.Errorf("deviations %v, read in full %v", shaped.Deviations(), inFull.Deviations())
	}
}

func compare(tb testing.TB, i int, payload []byte, a, b *stream.Chunk, errA, errB error) {
	tb.Helper()
	if fmt.Sprint(errA) != fmt.Sprint(errB) {
		tb.Errorf("payload %d, %s: error %v, read in full %v", i, payload, errA, errB)
	}
	if errA == nil && !reflect.DeepEqual(plain(a), plain(b)) {
		tb.Errorf("payload %d, %s:\n%+v, read in full\n%+v", i, payload, plain(a), plain(b))
	}
}

// plain returns a copy of a chunk in which nil and empty are the same.
func plain(c *stream.Chunk) *stream.Chunk {
	c = c.Clone()
	c.Repeats, c.Known = false, false // they say how the payload was parsed
	for i := range c.Events {
		if ev := &c.Events[i]; len(ev.Data) == 0 {
			ev.Data = nil
		}
	}
	if len(c.Events) == 0 {
		c.Events = nil
	}
	return c
}

// Vary returns the payloads of a stream with a few changes that a hostile or faulty
// provider could make: bytes replaced, inserted and removed, payloads repeated, swapped
// and truncated, values taken from other payloads.
func Vary(r *rand.Rand, payloads [][]byte) [][]byte {
	list := slices.Clone(payloads)
	for range 1 + r.IntN(4) {
		i, j := r.IntN(len(list)), r.IntN(len(list))
		p := slices.Clone(list[i])
		at := r.IntN(len(p) + 1)
		switch r.IntN(8) {
		case 0:
			if at < len(p) {
				p[at] = significant[r.IntN(len(significant))]
			}
		case 1:
			p = slices.Insert(p, at, significant[r.IntN(len(significant))])
		case 2:
			p = slices.Delete(p, at, min(len(p), at+1+r.IntN(3)))
		case 3:
			p = p[:at]
		case 4:
			list = slices.Insert(list, j, list[i])
			continue
		case 5:
			list[i], list[j] = list[j], list[i]
			continue
		case 6: // a member twice
			if from := bytes.IndexByte(p, ','); from > 0 {
				if to := bytes.IndexByte(p[from+1:], ','); to > 0 {
					p = slices.Concat(p[:from], p[from:from+1+to], p[from:])
				}
			}
		case 7: // the end of another payload
			p = append(p[:at:at], list[j][min(at, len(list[j])):]...)
		}
		list[i] = p
	}
	return list
}

// significant are bytes that change the meaning of a payload.
const significant = "\"\\{}[]:,0123456789-.e nutx \t\n\r\x00\xff\xed"
