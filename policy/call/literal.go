package call

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal reads a JavaScript string at the cursor. It is not whole if it has no
// end or holds ${ }.
func (p *script) literal() (text string, whole bool) {
	quote := p.src[p.pos]
	p.pos++
	start := p.pos
	if n := strings.IndexAny(p.src[start:], "\\\n$"+string(rune(quote))); n >= 0 && p.src[start+n] == quote {
		p.pos = start + n + 1
		return p.src[start : start+n], true
	}
	whole = true
	var b []byte
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == quote:
			p.pos++
			return string(b), whole
		case c == '\\' && p.pos+1 < len(p.src):
			p.pos++
			b = p.escape(b)
			continue
		case c == '\n' && quote != '`':
			return string(b), false
		case quote == '`' && strings.HasPrefix(p.src[p.pos:], "${"):
			whole = false
		}
		b = append(b, c)
		p.pos++
	}
	return string(b), false
}

// escape reads an escape after its backslash.
func (p *script) escape(b []byte) []byte {
	c := p.src[p.pos]
	p.pos++
	if i := strings.IndexByte("bfnrtv0", c); i >= 0 {
		return append(b, "\b\f\n\r\t\v\x00"[i])
	}
	var digits int
	switch c {
	case '\n':
		return b
	case 'x':
		digits = 2
	case 'u':
		if strings.HasPrefix(p.src[p.pos:], "{") {
			if end := strings.IndexByte(p.src[p.pos:min(p.pos+10, len(p.src))], '}'); end > 0 {
				v, err := strconv.ParseUint(p.src[p.pos+1:p.pos+end], 16, 32)
				p.pos += end + 1
				if err == nil {
					return utf8.AppendRune(b, rune(v))
				}
			}
			return b
		}
		digits = 4
	default:
		return append(b, c)
	}
	if p.pos+digits > len(p.src) {
		return b
	}
	v, err := strconv.ParseUint(p.src[p.pos:p.pos+digits], 16, 32)
	if err != nil {
		return b
	}
	p.pos += digits
	r := rune(v)
	// The second half of a surrogate pair follows in an escape of its own.
	if 0xd800 <= r && r < 0xdc00 && strings.HasPrefix(p.src[p.pos:], `\u`) && p.pos+6 <= len(p.src) {
		if low, err := strconv.ParseUint(p.src[p.pos+2:p.pos+6], 16, 32); err == nil && 0xdc00 <= low && low < 0xe000 {
			p.pos += 6
			r = (r-0xd800)<<10 + rune(low) - 0xdc00 + 0x10000
		}
	}
	return utf8.AppendRune(b, r)
}

// word reads a name, empty if there is none.
func (p *script) word() string {
	start := p.pos
	for p.pos < len(p.src) && isWordByte(p.src[p.pos]) {
		p.pos++
	}
	return p.src[start:p.pos]
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// accept consumes a byte after blanks if it is there.
func (p *script) accept(c byte) bool {
	p.blanks()
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *script) blanks() {
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0 {
		p.pos++
	}
}

// skipLine moves past the end of the line, for which JavaScript has four signs.
func (p *script) skipLine() {
	if n := strings.IndexAny(p.src[p.pos:], "\n\r\u2028\u2029"); n >= 0 {
		p.pos += n + 1
		return
	}
	p.pos = len(p.src)
}

// skipPast moves past the next end, or to the end of the text.
func (p *script) skipPast(end string) {
	if n := strings.Index(p.src[p.pos:], end); n >= 0 {
		p.pos += n + len(end)
		return
	}
	p.pos = len(p.src)
}
