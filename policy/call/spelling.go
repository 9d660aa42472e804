package call

import (
	"strings"
	"unicode"
)

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
