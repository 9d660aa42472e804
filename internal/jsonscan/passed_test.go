package jsonscan_test

import (
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

func TestPassedCountsTheValuesOfContainers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`"a"`: 0, `7`: 0, `[]`: 1, `{}`: 1, `[1,2]`: 3, `{"a":1}`: 2, `[{},{"a":[0,"b"]},null]`: 7, `["{,[:,"]`: 2,
	} {
		var s jsonscan.Scanner
		for range 2 { // Reset forgets
			s.Reset([]byte(text))
			s.Skip()
			if got := s.Passed(); got != want {
				t.Errorf("%s: %d values, want %d", text, got, want)
			}
		}
	}
	var s jsonscan.Scanner
	s.Reset([]byte(`{"a":[1,2],"b":{"c":[]}}`))
	s.Object()
	for _, ok := s.Key(); ok; _, ok = s.Key() {
		s.Skip()
	}
	if got := s.Passed(); got != 5 {
		t.Errorf("%d values in the members, want 5", got)
	}
}
