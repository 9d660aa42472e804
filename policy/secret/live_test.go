package secret_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
)

// liveKeys are keys that were made up, in the forms of several vendors. They are split so
// that scanners find none in this file.
var liveKeys = []string{
	"ghp_" + "R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ", "sk_live_" + "51HK8mXv9LtZ4pWn8YcB1sHj6", "AKIA" + "4SXQ7RZLN2WKVT3M", "glpat-" + "R7kQ2mXv9LtZ4pWn8YcB",
	"npm_" + "R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ", "xoxb-" + "2384729384-2938472938472-R7kQ2mXv9LtZ4pWn8YcB1sHj",
}

func TestLiveKeys(t *testing.T) {
	t.Parallel()
	for _, key := range liveKeys {
		for text, want := range map[string]int{
			"token: " + key:                                     1,
			"const latestToken = '" + key + "'":                 1,
			"Run `TOKEN=" + key + " npm start`.":                1,
			"see the tests\nkey = " + key + "\n# an example\n":  1,
			key + "\n" + key:                                    2,
			"const fakeToken = '" + key + "'":                   0,
			"TEST_KEY=" + key:                                   0,
			"key: " + key + " # example":                        0,
			"export TOKEN=" + key[:4] + strings.Repeat("x", 40): 0,
		} {
			if got := len(secret.Live(text)); got != want {
				t.Errorf("%s: %d live keys, want %d", text, got, want)
			}
		}
	}
	for _, text := range []string{
		"sk_test_" + "51HK8mXv9LtZ4pWn8YcB1sHj6", "AKIAIOSFODNN7EXAMPLE", "apiKey: 'AIza" + "SyD4k9mXv2LtZ8pWn7YcB1sHj6Dg3EuA0oQ'",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJyb2xlIjoiYW5vbiIsImlhdCI6MTcwMDAwMDAwMH0." + "q7ZkV2mXr9TbN4wLc8HsD1fGq7ZkV2mXr9TbN4wLc8Hs", "password = hunter2-prod", "commit 3f786850e387550fdab836ed7e6dc881de23001b",
	} {
		if got := secret.Live(text); len(got) > 0 {
			t.Errorf("%s is called live: %v", text, got)
		}
	}
}

// Other text glued to a key hides it nowhere; text without keys stays as it is.
func TestKeysThatAreGluedToOtherText(t *testing.T) {
	t.Parallel()
	for _, key := range liveKeys {
		for _, before := range []string{"", "x", "k1", "a_", "?q="} {
			for _, behind := range []string{"", "-b", "/b", "&x=1"} {
				text := "https://x.example/" + before + key + behind
				if len(secret.Find(secret.Apart(text))) == 0 {
					t.Errorf("nothing is found in %s", secret.Apart(text))
				}
			}
		}
	}
	for _, text := range []string{"", "https://x.example/mynpm_config", "https://cdn.example/a/SG.png", "AKIA", "xAKIAx", strings.Repeat("ghp_", 100)} {
		if strings.ReplaceAll(secret.Apart(text), " ", "") != text || len(secret.Find(secret.Apart(text))) > 0 {
			t.Errorf("%q becomes %q", text, secret.Apart(text))
		}
	}
}
