package openairesponses

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// The strings of a value are found in one pass: nothing in it is skipped over to be
// read again, however deep it is.
func TestEachStringReadsOnce(t *testing.T) {
	for _, depth := range []int{0, 1, 200} {
		raw := strings.Repeat(`{"k":["a\n",`, depth) + `"b"` + strings.Repeat(`,1,"c"]}`, depth)
		var s jsonscan.Scanner
		s.Reset([]byte(raw))
		var got []string
		eachString(&s, new([]byte), func(text []byte) { got = append(got, string(text)) })
		want := strings.Repeat("a\n", depth) + "b" + strings.Repeat("c", depth)
		if strings.Join(got, "") != want || s.End() != nil || s.Passed() != 0 {
			t.Errorf("%d levels: got %q, %d values skipped, %v", depth, got, s.Passed(), s.End())
		}
	}
}
