package schema

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// canonical returns a text that is equal for two JSON values if and only if they are
// equal by JSON schema: 1 equals 1.0, and the order of members is irrelevant.
func canonical(value any) string {
	var b strings.Builder
	writeCanonical(&b, value)
	return b.String()
}

func writeCanonical(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case json.Number:
		b.WriteString(canonicalNumber(v.String()))
	case string:
		b.Write(jsonscan.AppendString(nil, v))
	case []any:
		for i, item := range v {
			b.WriteByte("[,"[min(i, 1)])
			writeCanonical(b, item)
		}
		if len(v) == 0 {
			b.WriteByte('[')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.Write(jsonscan.AppendString(nil, key))
			b.WriteByte(':')
			writeCanonical(b, v[key])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	}
}

// canonicalNumber keeps every digit of an integer literal; other numbers have the
// precision of a float64.
func canonicalNumber(text string) string {
	if text == "-0" {
		return "0"
	}
	if !strings.ContainsAny(text, ".eE") {
		return text
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// isInteger reports whether a number has no fractional part, in any notation.
func isInteger(text string) bool {
	if !strings.ContainsAny(text, ".eE") {
		return true
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f == math.Trunc(f)
}
