package javascript

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf16"

	"github.com/sluice-project/sluice/policy/program/decode"
)

func (e *evaluator) fromCodes(_ string, args []value) value {
	codes := make([]rune, 0, len(args))
	for _, a := range args {
		x, ok := toNumber(a)
		if !ok || !e.step(1) {
			return someText()
		}
		if x < 0x10000 || x > 0x10ffff {
			x = float64(uint16(toInt32(x)))
		}
		codes = append(codes, rune(x))
	}
	return textValue(string(utf16.Decode(utf16.Encode(codes))))
}

// buffer is a text in some encoding, or a list of bytes.
func (e *evaluator) buffer(args []value) value {
	a := arg(args, 0)
	s, known := a.whole()
	switch {
	case len(args) == 0:
		return value{}
	case a.kind == list && !a.items().open:
		b := make([]byte, 0, len(a.items().all))
		for _, x := range a.items().all {
			n, ok := toNumber(x)
			if !ok || !e.step(1) {
				return e.bytes(value{})
			}
			b = append(b, byte(toInt32(n)))
		}
		return e.bytes(textValue(string(b)))
	case a.kind == record:
		return a
	case !known || !e.room(len(s)):
		return e.bytes(someText())
	}
	encoding := ""
	if len(args) > 1 {
		encoding = e.toText(args[1]).text
	}
	if out, ok := fromEncoding(s, encoding); ok {
		return e.bytes(textValue(out))
	}
	return e.bytes(value{})
}

// bytes is a Buffer: an object whose text comes from toString.
func (e *evaluator) bytes(v value) value {
	m := newMembers(e.branch)
	m.set("toString", value{kind: function, ref: &bound{method: "decoded", this: value{kind: record, ref: m}}})
	m.set("\x00bytes", v)
	return value{kind: record, ref: m}
}

// isBytes reports whether an object is a Buffer, or a URL.
func isBytes(v value) bool {
	_, is := v.members().find("\x00bytes")
	return is
}

// decoded is the text of a Buffer.
func (e *evaluator) decoded(m *members, args []value) value {
	v := m.get("\x00bytes")
	s, known := v.whole()
	if len(args) == 0 || !known {
		return v
	}
	switch strings.ToLower(e.toText(args[0]).text) {
	case "utf8", "utf-8", "ascii", "latin1", "binary":
		return v
	case "base64":
		return textValue(base64.StdEncoding.EncodeToString([]byte(s)))
	case "hex":
		return textValue(hex.EncodeToString([]byte(s)))
	}
	return value{}
}

// joinPath joins the parts of a path. With resolve, one that is absolute replaces
// what is before it.
func (e *evaluator) joinPath(parts value, resolve bool) value {
	v := textValue("")
	for i, a := range parts.items().all {
		t := e.toText(a)
		switch s, known := t.whole(); {
		case resolve && known && strings.HasPrefix(s, "/"):
			v = t
		case i > 0:
			v = e.plus(e.plus(v, textValue("/")), t)
		default:
			v = e.plus(v, t)
		}
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
