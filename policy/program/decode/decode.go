package decode

import (
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Base64 reads both alphabets, with or without padding, over any number of lines.
func Base64(s string) (string, bool) {
	s = strings.Map(func(c rune) rune {
		switch c {
		case ' ', '\n', '\r', '\t', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return c
	}, s)
	out, err := base64.RawStdEncoding.DecodeString(s)
	return string(out), err == nil
}

// Base32 reads the standard alphabet.
func Base32(s string) (string, bool) {
	out, err := base32.StdEncoding.DecodeString(s)
	return string(out), err == nil
}

// Hex reads hexadecimal digits, with blanks between them or not.
func Hex(s string) (string, bool) {
	out, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	return string(out), err == nil
}

// Rot13 moves letters by half of the alphabet.
func Rot13(s string) (string, bool) {
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z':
			return 'a' + (c-'a'+13)%26
		case 'A' <= c && c <= 'Z':
			return 'A' + (c-'A'+13)%26
		}
		return c
	}, s), true
}

// Percent reads %xx, and the %uxxxx of JavaScript's unescape.
func Percent(s string) (string, bool) {
	if !strings.Contains(s, "%u") {
		out, err := url.PathUnescape(s)
		return out, err == nil
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		digits, size := i+1, 2
		if strings.HasPrefix(s[i:], "%u") {
			digits, size = i+2, 4
		}
		if s[i] == '%' && digits+size <= len(s) {
			if n, err := strconv.ParseUint(s[digits:digits+size], 16, 16); err == nil {
				b = utf8.AppendRune(b, rune(n))
				i = digits + size - 1
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b), true
}

// Inflate reads what zlib, gzip or plain deflate made, up to a number of bytes.
func Inflate(s string, most int64) (string, bool) {
	var from io.Reader
	if z, err := zlib.NewReader(strings.NewReader(s)); err == nil {
		from = z
	} else if g, err := gzip.NewReader(strings.NewReader(s)); err == nil {
		from = g
	} else {
		from = flate.NewReader(strings.NewReader(s))
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(from, most+1))
	return out.String(), n > 0 && n <= most && (err == nil || errors.Is(err, io.ErrUnexpectedEOF))
}

// UTF16 reads bytes as little-endian UTF-16.
func UTF16(raw string) string {
	if len(raw) < 2 {
		return raw
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i])|uint16(raw[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

// Cut is the part of a text from a place on, as long as said or up to the end. Numbers
// below zero count from the end.
func Cut(s, from, size string) (string, bool) {
	at, err := strconv.Atoi(cmp.Or(from, "0"))
	if err != nil {
		return "", false
	}
	if at < 0 {
		at = max(0, len(s)+at)
	}
	rest := s[min(at, len(s)):]
	if size == "" {
		return rest, true
	}
	n, err := strconv.Atoi(size)
	if n < 0 {
		n = max(0, len(rest)+n)
	}
	return rest[:min(n, len(rest))], err == nil
}
