package stream

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLineEndsAreEscapedInWhatIsWrittenLast(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "\u2028", "a\u2028b\u2029\u2029c\u0085", "é\u2027\u202a\u00c2\u0084", strings.Repeat("x\u2029", 5000)} {
		before := `"` + text + `"`
		after := string(escapeLineEnds([]byte(before+before), len(before)))
		kept, ok := strings.CutPrefix(after, before)
		if !ok {
			t.Fatalf("%q: what was written before has changed", text)
		}
		var read string
		if err := json.Unmarshal([]byte(kept), &read); err != nil || read != text {
			t.Errorf("%q is read as %q, %v", text, read, err)
		}
		if HasLineEnds([]byte(kept)) {
			t.Errorf("%q: a line may end in %q", text, kept)
		}
	}
}
