package sse

import (
	"bytes"
	"strings"
)

// AppendEvent appends one event to dst and returns the extended slice. The
// event line is left out if name is empty. A payload without line breaks
// becomes exactly one data line; otherwise there is one data line for each of
// its lines, and a reader gets the payload back with every line break (LF,
// CRLF or CR) as an LF.
//
// A name cannot inject fields: it ends at its first byte that is not printable ASCII,
// because some clients also break lines at U+0085, U+2028 and other characters. The
// data must not overlap the free capacity of dst.
func AppendEvent(dst []byte, name string, data []byte) []byte {
	if name = plainName(name); name != "" {
		dst = append(dst, "event: "...)
		dst = append(dst, name...)
		dst = append(dst, '\n')
	}
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') < 0 {
		dst = append(dst, "data: "...)
		dst = append(dst, data...)
		return append(dst, "\n\n"...)
	}
	// As in the reader, each of the two searches passes over the data once: cr and lf
	// stay valid until the data before them is consumed.
	lf, cr := bytes.IndexByte(data, '\n'), bytes.IndexByte(data, '\r')
	for lf >= 0 || cr >= 0 {
		end, next := lf, lf+1
		if cr >= 0 && (lf < 0 || cr < lf) {
			end, next = cr, cr+1
			if lf == next {
				next++
			}
		}
		dst = appendData(dst, data[:end])
		data = data[next:]
		lf, cr = advance(data, lf, next, '\n'), advance(data, cr, next, '\r')
	}
	dst = appendData(dst, data)
	return append(dst, '\n')
}

// advance returns the index of the first c in data after n bytes were cut off its
// front. at was that index before the cut, negative if there was no c.
func advance(data []byte, at, n int, c byte) int {
	switch {
	case at < 0:
		return -1
	case at >= n:
		return at - n
	}
	return bytes.IndexByte(data, c)
}

// appendData appends one data line. The space is always written, so that a value with a
// leading space keeps it.
func appendData(dst, value []byte) []byte {
	dst = append(dst, "data: "...)
	dst = append(dst, value...)
	return append(dst, '\n')
}

// AppendComment appends a comment line and an empty line to dst and returns the
// extended slice. Readers ignore comments, so they serve as keepalives of an idle
// stream.
//
// A text cannot inject fields: it ends at its first line break. Do not write a comment
// between the parts of one event; its empty line would dispatch them.
func AppendComment(dst []byte, text string) []byte {
	dst = append(dst, ": "...)
	dst = append(dst, firstLine(text)...)
	return append(dst, "\n\n"...)
}

// plainName returns s up to its first byte that is not printable ASCII.
func plainName(s string) string {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	// Eight bytes at a time: one that is not ASCII has its high bit set, one
	// below the space gets it by the subtraction, and DEL by the addition.
	for ; i+8 <= len(s); i += 8 {
		x := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		if (x|(x-ones*' ')|(x+ones))&highs != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return s[:i]
		}
	}
	return s
}

// firstLine returns s up to its first line break.
func firstLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if i := strings.IndexByte(s, '\r'); i >= 0 {
		s = s[:i]
	}
	return s
}
