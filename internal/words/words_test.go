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
	for word, want := range map[string]string{
		"infra-destroy": "infra-destruction", "secrets-in-output": "secrets-in-calls", "noted-everything": "", "destroy": "",
	} {
		known := []string{"infra-destruction", "secrets-in-calls", "destructive-files", "git-safety", "noted-egress"}
		if got := words.Closest(word, known); got != want {
			t.Errorf("%s: %q is the closest, want %q", word, got, want)
		}
	}
	for word, known := range map[string]string{"shipit": "init", "remove": "mode", "frobnicate": "truncate", "ls": "as"} {
		if near := words.Nearest(word, []string{known}, words.Most(word)); near != "" {
			t.Errorf("%s is taken for %s", word, near)
		}
	}
	for _, known := range []string{"kubectl", "serve", "policies"} { // a letter is missing, twice or swapped
		for i := range len(known) - 1 {
			for _, word := range []string{known[:i] + known[i+1:], known[:i+1] + known[i:], known[:i] + known[i+1:i+2] + known[i:i+1] + known[i+2:]} {
				if near := words.Nearest(word, []string{known}, words.Most(word)); near != known {
					t.Errorf("%s is not taken for %s", word, known)
				}
			}
		}
	}
	if got := words.Suggest("x", nil); got != "" {
		t.Errorf("of no words: %q", got)
	}
}

// A typo is one letter: more than that is another word.
func TestTypo(t *testing.T) {
	t.Parallel()
	known := []string{"kubectl", "terraform", "git"}
	for word, want := range map[string]string{
		"kubctl": "kubectl", "kubetcl": "kubectl", "Kubect1": "kubectl", "kubectll": "kubectl", "kube": "", "terrafrom": "terraform", "kubeclt2": "", "gitx": "git",
	} {
		if got := words.Typo(word, known); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
