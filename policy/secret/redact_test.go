package secret_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
)

var key = []byte("a key for tests")

// mixture joins texts with and without secrets, and parts of them.
func mixture(r *rand.Rand) string {
	with, without := secrets(), clean()
	var b strings.Builder
	for range 1 + r.IntN(6) {
		var s string
		if r.IntN(2) == 0 {
			tc := with[r.IntN(len(with))]
			s = strings.Replace(tc.text, "@", tc.secret, 1)
		} else {
			s = without[r.IntN(len(without))]
		}
		if r.IntN(3) == 0 {
			s = s[r.IntN(len(s)):]
		}
		if r.IntN(4) == 0 {
			s = s[:r.IntN(len(s)+1)]
		}
		b.WriteString(s)
		b.WriteString([]string{"\n", " ", "", ";", `"`, "=", "é", "\xff"}[r.IntN(8)])
	}
	return b.String()
}

// rounds is how often to try a property.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func TestEveryChunkingGivesWhatTheWholeTextGives(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	chain, err := text.Compile(redactor.Rules()...)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range rounds(1500) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		whole := mixture(r)
		want, _ := redactor.Redact(whole, nil)
		if got, _ := chain.Apply(whole); got != want {
			t.Fatalf("seed %d: %q\n chain %q\nRedact %q", seed, whole, got, want)
		}
		most := 1 + r.IntN(40)
		if got := inFlight(chain, whole, func() int { return 1 + r.IntN(most) }); got != want {
			t.Fatalf("seed %d: %q\n got %q\nwant %q", seed, whole, got, want)
		}
	}
}

func inFlight(chain *text.Chain, whole string, next func() int) string {
	s := chain.NewStream(text.StreamOptions{})
	var out strings.Builder
	take := func() {
		for _, p := range s.Pieces() {
			if p.Replaced {
				out.WriteString(p.Text)
			} else {
				out.WriteString(whole[p.Start:p.End])
			}
		}
	}
	for at := 0; at < len(whole); {
		end := min(len(whole), at+next())
		s.WriteString(whole[at:end])
		take()
		at = end
	}
	s.End()
	take()
	return out.String()
}

func TestRedactingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	for seed := range rounds(1500) {
		whole := mixture(rand.New(rand.NewPCG(uint64(seed), 12)))
		once, _ := redactor.Redact(whole, nil)
		if twice, found := redactor.Redact(once, nil); twice != once {
			t.Fatalf("seed %d: %q\n once %q\ntwice %q\n%v", seed, whole, once, twice, found)
		}
	}
}

func TestWhatWasRedactedCanBeRestored(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	for seed := range rounds(500) {
		whole := mixture(rand.New(rand.NewPCG(uint64(seed), 13)))
		vault := secret.NewVault(secret.VaultOptions{})
		redacted, found := redactor.Redact(whole, vault)
		if restored, known := vault.Restore(redacted); restored != whole || !known {
			t.Fatalf("seed %d: %q\nrestored %q %v", seed, whole, restored, known)
		}
		if len(secret.Placeholders(redacted)) > len(found) {
			t.Fatalf("seed %d: %q has placeholders that stand for nothing", seed, redacted)
		}
	}
}

func TestASecretHasOnePlaceholderEverywhere(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	for _, tc := range []struct {
		name   string
		secret string
		texts  []string
	}{
		{"a token", "ghp_" + plains(36), []string{"@", "token=@", `{"password": "@"}`, "https://me:@@github.com/", "a\nb @ c", "export API_KEY='@'"}},
		{"a value", plains(32) + "5", []string{"api_key=@", `"token": "@"`, "client_secret: @", "https://me:@@host/", "--api-key @"}},
	} {
		want := secret.Placeholders(redact(t, redactor, tc.texts[0], tc.secret))
		for _, s := range tc.texts {
			if got := secret.Placeholders(redact(t, redactor, s, tc.secret)); len(got) != 1 || got[0] != want[0] {
				t.Errorf("%s in %q: %v, want %v", tc.name, s, got, want)
			}
		}
	}
}

func redact(t *testing.T, r *secret.Redactor, around, value string) string {
	t.Helper()
	out, found := r.Redact(strings.Replace(around, "@", value, 1), nil)
	if len(found) != 1 || strings.Contains(out, value) {
		t.Errorf("%q: %v", around, found)
	}
	return out
}

func TestOtherKeysMakeOtherPlaceholders(t *testing.T) {
	t.Parallel()
	whole := "ghp_" + plains(36)
	one, _ := secret.NewRedactor([]byte("one")).Redact(whole, nil)
	two, _ := secret.NewRedactor([]byte("two")).Redact(whole, nil)
	if one == two || !strings.HasPrefix(one, "[secret:github-token:") {
		t.Errorf("%s and %s", one, two)
	}
	// What one redactor wrote is left alone by another.
	if again, _ := secret.NewRedactor([]byte("two")).Redact(one, nil); again != one {
		t.Errorf("%s became %s", one, again)
	}
}
