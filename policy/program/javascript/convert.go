package javascript

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/sluice-project/sluice/policy/program/decode"
)

func formatInt(n int64, base int) string { return strconv.FormatInt(n, base) }

func numberFrom(path string, args []value) value {
	if len(args) == 0 {
		return numberValue(0)
	}
	if strings.HasSuffix(path, "parseInt") || strings.HasSuffix(path, "parseFloat") {
		if args[0].kind == number && strings.HasSuffix(path, "parseInt") {
			return numberValue(math.Trunc(args[0].num))
		}
		base := 10
		if len(args) > 1 && args[1].kind == number {
			base = int(args[1].num)
		}
		if args[0].kind != text || args[0].partial || base < 2 || base > 36 {
			return value{}
		}
		s := strings.TrimSpace(args[0].text)
		if n, err := strconv.ParseInt(s, base, 64); err == nil {
			return numberValue(float64(n))
		}
		return value{}
	}
	if x, ok := toNumber(args[0]); ok {
		return numberValue(x)
	}
	return value{}
}

func (e *evaluator) fromCodes(args []value) value {
	codes := make([]uint16, 0, len(args))
	for _, a := range args {
		x, ok := toNumber(a)
		if !ok || !e.step(1) {
			return value{kind: text, text: Unknown, partial: true}
		}
		if x >= 0x10000 && x <= 0x10ffff {
			high, low := utf16.EncodeRune(rune(x))
			codes = append(codes, uint16(high), uint16(low))
			continue
		}
		codes = append(codes, uint16(toInt32(x)))
	}
	return textValue(string(utf16.Decode(codes)))
}

// buffer is a text in some encoding, or a list of bytes.
func (e *evaluator) buffer(args []value) value {
	if len(args) == 0 {
		return value{}
	}
	a := args[0]
	if a.kind == list && !a.items().open {
		b := make([]byte, 0, len(a.items().all))
		for _, x := range a.items().all {
			n, ok := toNumber(x)
			if !ok || !e.step(1) {
				return e.bytes(value{})
			}
			b = append(b, byte(toInt32(n)))
		}
		return e.bytes(textValue(string(b)))
	}
	encoding := ""
	if len(args) > 1 {
		encoding = e.toText(args[1]).text
	}
	if a.kind != text || a.partial || !e.room(len(a.text)) {
		if a.kind == record {
			return a
		}
		return e.bytes(value{kind: text, text: Unknown, partial: true})
	}
	out, ok := fromEncoding(a.text, encoding)
	if !ok {
		return e.bytes(value{})
	}
	return e.bytes(textValue(out))
}

// bytes is a Buffer: an object whose text comes from toString.
func (e *evaluator) bytes(v value) value {
	m := newMembers(e.branch)
	m.set("toString", value{kind: function, ref: &bound{method: "decoded", this: value{kind: record, ref: m}}})
	m.set("\x00bytes", v)
	return value{kind: record, ref: m}
}

// decoded is the text of a Buffer.
func (e *evaluator) decoded(m *members, args []value) value {
	v := m.by["\x00bytes"]
	if len(args) == 0 || !known(v) || v.kind != text {
		return v
	}
	switch strings.ToLower(e.toText(args[0]).text) {
	case "utf8", "utf-8", "ascii", "latin1", "binary":
		return v
	case "base64":
		return textValue(base64.StdEncoding.EncodeToString([]byte(v.text)))
	case "hex":
		return textValue(hex.EncodeToString([]byte(v.text)))
	}
	return value{}
}

// joinPath joins the parts of a path. With resolve, one that is absolute replaces
// what is before it.
func (e *evaluator) joinPath(parts value, resolve bool) value {
	v := textValue("")
	for i, a := range parts.items().all {
		t := e.toText(a)
		if resolve && known(t) && t.kind == text && strings.HasPrefix(t.text, "/") {
			v = t
			continue
		}
		if i > 0 {
			v = e.plus(v, textValue("/"))
		}
		v = e.plus(v, t)
	}
	return v
}

// fromEncoding reads a text in one of the encodings that a Buffer has.
func fromEncoding(s, encoding string) (string, bool) {
	switch strings.ToLower(encoding) {
	case "base64", "base64url":
		return decode.Base64(s)
	case "hex":
		return decode.Hex(s)
	case "", "utf8", "utf-8", "ascii":
		return s, true
	case "latin1", "binary":
		return s, isASCII(s)
	}
	return "", false
}
