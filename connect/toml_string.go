package connect

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// quoted reads a string in any of the four forms.
func (r *tomlReader) quoted() (string, error) {
	quote := r.text[r.at : r.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(r.rest(), triple) {
		r.at += 3
		body, err := r.until(triple, quote == `"`)
		if err != nil {
			return "", err
		}
		extra := 0 // up to two quotes may stand before the closing ones
		for extra < 2 && r.peek() == quote[0] {
			extra++
			r.at++
		}
		body += strings.Repeat(quote, extra)
		body = strings.TrimPrefix(strings.TrimPrefix(body, "\r"), "\n")
		if quote == `"` {
			return unescape(body)
		}
		return body, nil
	}
	r.at++
	body, err := r.until(quote, quote == `"`)
	if err != nil {
		return "", err
	}
	if strings.Contains(body, "\n") {
		return "", errors.New("a string does not end on its line")
	}
	if quote == `"` {
		return unescape(body)
	}
	return body, nil
}

// until reads up to a closing mark and skips it.
func (r *tomlReader) until(mark string, escapes bool) (string, error) {
	start := r.at
	for ; !r.done(); r.at++ {
		if escapes && r.text[r.at] == '\\' {
			r.at++
			continue
		}
		if strings.HasPrefix(r.rest(), mark) {
			body := r.text[start:r.at]
			r.at += len(mark)
			return body, nil
		}
	}
	return "", errors.New("a string does not end")
}

// unescape resolves the escapes of a basic string.
func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if width := map[byte]int{'u': 4, 'U': 8, 'x': 2}[s[i]]; width > 0 {
			if i+width >= len(s) {
				return "", errors.New("a string ends inside an escape")
			}
			code, err := strconv.ParseUint(s[i+1:i+1+width], 16, 32)
			if err != nil {
				return "", fmt.Errorf("\\%s is no escape", s[i:i+1+width])
			}
			b.WriteRune(rune(code)) // U+FFFD for what is no character
			i += width
			continue
		}
		if short, ok := map[byte]byte{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', 'e': 0x1b, '"': '"', '\\': '\\'}[s[i]]; ok {
			b.WriteByte(short)
			continue
		}
		if strings.ContainsRune(" \t\r\n", rune(s[i])) { // a line end that is no part of the text
			for i+1 < len(s) && strings.ContainsRune(" \t\r\n", rune(s[i+1])) {
				i++
			}
			continue
		}
		return "", fmt.Errorf("\\%c is no escape", s[i])
	}
	return b.String(), nil
}
