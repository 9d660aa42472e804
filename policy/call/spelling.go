package call

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean removes invisible characters from a name and replaces look-alikes of
// Latin letters, so that a name has one spelling.
func clean(name string) string {
	ascii := true
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f {
			ascii = false
			break
		}
	}
	if ascii {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7f:
			b.WriteRune(r)
		case hidden(r):
		default:
			b.WriteRune(latin(r))
		}
	}
	return strings.TrimFunc(b.String(), unicode.IsSpace)
}

// SameName reports whether two names of tools, or of servers, are one but for their
// spelling: capitals, underscores, hyphens and spaces do not count, nor do characters that
// cannot be seen or look like others. So transfer_money, transfer-money and TransferMoney
// are one name. A name that has nothing else in it is only itself.
func SameName(a, b string) bool {
	if a == b {
		return true
	}
	a, b = Tight(a), Tight(b)
	return a == b && a != ""
}

// Tight is a name in its only spelling for SameName.
func Tight(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, clean(strings.Map(Folded, name)))
}

// Folded maps letters that differ only in case to the same one.
func Folded(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return unicode.ToLower(least)
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// hidden reports whether a character cannot be seen, or only changes the one
// before it.
func hidden(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Variation_Selector)
}

// latin returns the Latin letter that looks like r, or r.
func latin(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e: // full width
		return r - 0xff01 + '!'
	case r >= 0x1d400 && r < 0x1d6a4: // mathematical alphabets
		return rune(alphabet[(r-0x1d400)%52])
	case r >= 0x1d7ce && r <= 0x1d7ff: // mathematical digits
		return '0' + (r-0x1d7ce)%10
	case r >= 0x24b6 && r <= 0x24e9: // in circles
		return rune(alphabet[r-0x24b6])
	case r >= 0x249c && r <= 0x24b5: // in parentheses
		return 'a' + r - 0x249c
	case r >= 0x1f110 && r <= 0x1f129, r >= 0x1f130 && r <= 0x1f149, r >= 0x1f150 && r <= 0x1f169, r >= 0x1f170 && r <= 0x1f189:
		return 'A' + (r-0x1f110)%32 // in parentheses, squares and black circles
	case r >= 0x1f1e6 && r <= 0x1f1ff: // of flags
		return 'A' + r - 0x1f1e6
	}
	if letter, ok := tables().letters[r]; ok {
		return letter
	}
	return r
}
