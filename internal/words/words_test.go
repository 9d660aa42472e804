package words_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/words"
)

func TestSuggestFindsWhatWasMeant(t *testing.T) {
	t.Parallel()
	known := []string{"listen", "policies", "keepalive"}
	for word, want := range map[string]string{
		"lisetn": "did you mean listen?", "Policys": "did you mean policies?", "keepalive_": "did you mean keepalive?",
		"zzz": "use listen, policies or keepalive", strings.Repeat("x", 1000): "use listen, policies or keepalive", "": "use listen, policies or keepalive",
	} {
		if got := words.Suggest(word, known); got != want {
			t.Errorf("%.20q: %q, want %q", word, got, want)
		}
	}
	if got := words.Suggest("x", nil); got != "" {
		t.Errorf("of no words: %q", got)
	}
}
