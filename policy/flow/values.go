package flow

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// How many values of what is private are remembered, and how much is read for
// them: of all results, and of one.
const (
	MaxValues     = 2000
	MaxValueBytes = 256 << 10
	maxOfResult   = 64 << 10
)

// MaxLeakBytes is how much of a text is searched for values.
const MaxLeakBytes = 4 << 20

// values are what private reads brought that can be told from other text: keys,
// passwords, numbers of accounts.
type values struct {
	// begin are the needles by their first bytes; filter keeps most places away
	// from it.
	begin  map[uint64][]needle
	filter [1 << 12]uint64
	have   map[string]bool
	from   []Source
	said   []bool // by the user, who may pass them on
}

// needle is a form of a value, folded.
type needle struct {
	text  string
	of    int
	alone bool // only where it is no part of a longer word
}

// key is how many bytes a needle is found by.
const key = 8

// newValues collects the values of private results, the latest first, without
// those that the user said.
func newValues(private []passage, said []string) *values {
	v := &values{begin: map[uint64][]needle{}, have: map[string]bool{}}
	left := MaxValueBytes
	for i := len(private) - 1; i >= 0 && left > 0; i-- {
		p := &private[i]
		text := p.text[:min(len(p.text), maxOfResult, left)]
		left -= len(text)
		c := collector{text: text, env: p.env, take: func(value string) { v.add(value, p.from) }}
		c.named()
		c.tokens()
	}
	if len(v.from) == 0 {
		return v
	}
	v.said = make([]bool, len(v.from))
	left = maxUser
	for i := len(said) - 1; i >= 0 && left > 0; i-- {
		text := said[i][:min(len(said[i]), left)]
		left -= len(text)
		v.each(folded(text), func(of int) bool { v.said[of] = true; return false })
	}
	return v
}

// add adds a value in all its forms.
func (v *values) add(value string, from Source) {
	text := folded(value)
	if len(v.from) >= MaxValues || len(text) < key || v.have[text] {
		return
	}
	v.have[text] = true
	of := len(v.from)
	v.from = append(v.from, from)
	v.put(needle{text, of, !strings.ContainsAny(value, "0123456789")})
	if tail := value[strings.LastIndexAny(value, "_-")+1:]; len(tail) >= leastTail && len(tail) < len(value) && isToken(tail) { // without the vendor's prefix it is the secret still
		v.put(needle{folded(tail), of, false})
	}
	// In base64 a value looks different at each of three places in what is
	// encoded. Of its first and last bytes, which its neighbours share a sign
	// with, nothing is taken.
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString([]byte("\x00\x00"[:shift] + value))
		encoded = encoded[min(4*((shift+2)/3), len(encoded)) : (shift+len(value))/3*4]
		v.put(needle{folded(encoded[:min(len(encoded), 16)]), of, false})
	}
	v.put(needle{fmt.Sprintf("%x", value[:min(len(value), 16)]), of, false})
}

// leastTail is how long the end of a value is that tells as much as all of it.
const leastTail = 16

// isToken reports whether a text is letters and digits, with some of both.
func isToken(text string) bool {
	letters, digits := false, false
	for i := range len(text) {
		switch c := text[i] | 0x20; {
		case 'a' <= c && c <= 'z':
			letters = true
		case '0' <= text[i] && text[i] <= '9':
			digits = true
		default:
			return false
		}
	}
	return letters && digits
}

func (v *values) put(n needle) {
	if len(n.text) < key {
		return
	}
	k := keyOf(n.text)
	v.begin[k] = append(v.begin[k], n)
	v.filter[spot(k)>>6] |= 1 << (spot(k) & 63)
}

func keyOf(s string) uint64 {
	_ = s[key-1]
	return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 | uint64(s[4])<<24 | uint64(s[5])<<16 | uint64(s[6])<<8 | uint64(s[7])
}

// spot is where a key stands in the filter.
func spot(k uint64) uint64 { return k * factor >> 46 }

// each calls for the values in a folded text until one is wanted, and reports
// whether one was. Comparing takes at most a fixed number of steps for each byte:
// who makes thousands of values that begin alike is answered as if one was found.
func (v *values) each(text string, wanted func(of int) bool) bool {
	steps := 64*len(text) + 1<<16
	k := uint64(0)
	for i := range len(text) {
		k = k<<8 | uint64(text[i])
		if i < key-1 || v.filter[spot(k)>>6]&(1<<(spot(k)&63)) == 0 {
			continue
		}
		start := i - (key - 1)
		for _, n := range v.begin[k] {
			if steps -= len(n.text); steps < 0 {
				return wanted(n.of)
			}
			if !strings.HasPrefix(text[start:], n.text) {
				continue
			}
			if end := start + len(n.text); n.alone && (start > 0 && isWord(text[start-1]) || end < len(text) && isWord(text[end])) {
				continue
			}
			if wanted(n.of) {
				return true
			}
		}
	}
	return false
}

// leaks reports whether a text holds a value, also in base64, in hexadecimal,
// percent-encoded, or as several labels of a host's name.
func (v *values) leaks(text string) (Source, bool) {
	from := Source{Message: -1}
	if len(v.from) == 0 {
		return from, false
	}
	wanted := func(of int) bool {
		if v.said[of] {
			return false
		}
		from = v.from[of]
		return true
	}
	text = text[:min(len(text), MaxLeakBytes)]
	if v.each(folded(text), wanted) {
		return from, true
	}
	if strings.IndexByte(text, '%') >= 0 && v.each(folded(unescaped(text)), wanted) {
		return from, true
	}
	if strings.IndexByte(text, '.') >= 0 && v.each(folded(strings.ReplaceAll(text, ".", "")), wanted) { // labels of a host
		return from, true
	}
	return from, false
}

// folded is a text without case, and with one spelling of the two that base64
// has: names of hosts have no case, and addresses have their own base64.
func folded(text string) string {
	b := []byte(text)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] = c | 0x20
		case c == '-':
			b[i] = '+'
		case c == '_':
			b[i] = '/'
		}
	}
	return string(b)
}

// unescaped is a text with the bytes that stand in it as %41.
func unescaped(text string) string {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if c, ok := hex(text[i+1 : i+3]); ok {
				b = append(b, byte(c))
				i += 2
				continue
			}
		}
		b = append(b, text[i])
	}
	return string(b)
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}
