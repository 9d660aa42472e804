package syntax

import (
	"math"
	"strconv"
	"strings"
)

// ParseNumber is the value of a number as it is written.
func ParseNumber(text string) (float64, bool) {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "_", ""), "n")
	if len(text) > 1 && text[0] == '0' { // in another base, unless it goes on as no such number does
		if v, err := strconv.ParseUint(text, 0, 64); err == nil {
			return float64(v), true
		}
	}
	if strings.ContainsAny(text, "xXpP") { // which only Go takes for a number
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// NumberText writes a number as JavaScript does.
func NumberText(n float64) string {
	switch {
	case n != n:
		return "NaN"
	case math.IsInf(n, 0):
		return strings.TrimPrefix(strconv.FormatFloat(n, 'f', -1, 64)+"inity", "+")
	case n == 0:
		return "0"
	case math.Abs(n) >= 1e21 || math.Abs(n) < 1e-6:
		return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(strconv.FormatFloat(n, 'e', -1, 64))
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// IsDigit reports whether a byte is a digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsNameByte reports whether a byte can stand in a name.
func IsNameByte(c byte) bool {
	return c == '_' || c == '$' || IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}
