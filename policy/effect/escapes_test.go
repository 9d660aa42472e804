package effect_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

func TestUnescapedLettersOfJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":1}`:                   `{"a":1}`,
		`{"\u0061\u0062":"\u00e9"}`: `{"ab":"\u00e9"}`,
		`\u0022 \u005c \u000a`:      `\u0022 \u005c \u000a`,
		`\u006`:                     `\u006`,
		`\u00zz\u0041`:              `\u00zzA`,
	} {
		if got := effect.Unescaped(text); got != want {
			t.Errorf("Unescaped(%q) = %q, want %q", text, got, want)
		}
	}
}
