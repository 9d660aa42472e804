package secret_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
)

// token makes up the n-th token.
func token(n int) string { return fmt.Sprintf("ghp_%s%04d", plains(32), n) }

func TestAVaultForgetsTheOldest(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	size := len(token(0)) + len("[secret:github-token:0123456789abcdef]")
	for _, tc := range []struct {
		name string
		opts secret.VaultOptions
	}{
		{"by number", secret.VaultOptions{Secrets: 3}},
		{"by bytes", secret.VaultOptions{Bytes: 3 * size}},
		{"by bytes, short of a fourth", secret.VaultOptions{Bytes: 4*size - 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			vault := secret.NewVault(tc.opts)
			placeholders := make([]string, 4)
			for i := range 3 {
				placeholders[i], _ = redactor.Redact(token(i), vault)
			}
			if vault.Len() != 3 || vault.Forgot() {
				t.Errorf("%d secrets at the limit, some forgotten: %v", vault.Len(), vault.Forgot())
			}
			redactor.Redact(token(0), vault) // seen again: it is young
			placeholders[3], _ = redactor.Redact(token(3), vault)
			if !vault.Forgot() {
				t.Error("it does not say that it forgot a secret")
			}
			for i, p := range placeholders {
				restored, known := vault.Restore(p)
				if wanted := i != 1; known != wanted || known && restored != token(i) || !known && restored != p {
					t.Errorf("secret %d: %q %v", i, restored, known)
				}
			}
		})
	}
}

func TestASecretLargerThanTheVaultIsNotKept(t *testing.T) {
	t.Parallel()
	vault := secret.NewVault(secret.VaultOptions{Bytes: 100})
	redactor := secret.NewRedactor(key)
	small, _ := redactor.Redact(token(1), vault)
	redactor.Redact(pem("PRIVATE KEY"), vault)
	if _, known := vault.Restore(small); !known || vault.Len() != 1 || !vault.Forgot() {
		t.Error("a secret that fits was forgotten for one that does not")
	}
}

func TestRestoreTellsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	vault := secret.NewVault(secret.VaultOptions{})
	known, _ := redactor.Redact(token(1), vault)
	unknown, _ := redactor.Redact(token(2), nil)
	for _, tc := range []struct {
		name, text, want string
		allKnown         bool
		placeholders     int
	}{
		{"no placeholder", "nothing here", "nothing here", true, 0},
		{"a known one", "a " + known + " b", "a " + token(1) + " b", true, 1},
		{"the same one twice", known + known, token(1) + token(1), true, 1},
		{"an unknown one", "x" + unknown, "x" + unknown, false, 1},
		{"both", known + unknown, token(1) + unknown, false, 2},
		{"one that was cut short", known[:len(known)-6], known[:len(known)-6], false, 1},
		{"one that was abbreviated", known[:len(known)-6] + "…]", known[:len(known)-6] + "…]", false, 1},
		{"one in capitals", "[secret:credential:ABCDEF0123456789]", "[secret:credential:ABCDEF0123456789]", false, 1},
		{"a name that no rule has", "[secret:name:of-it]", "[secret:name:of-it]", true, 0},
		{"other brackets", "[secret] and [secret: no]", "[secret] and [secret: no]", true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got, all := vault.Restore(tc.text); got != tc.want || all != tc.allKnown {
				t.Errorf("got %q %v, want %q %v", got, all, tc.want, tc.allKnown)
			}
			if list := secret.Placeholders(tc.text); len(list) != tc.placeholders {
				t.Errorf("placeholders %q, want %d", list, tc.placeholders)
			}
		})
	}
}

func TestWithoutAVaultNothingIsKnown(t *testing.T) {
	t.Parallel()
	var vault *secret.Vault
	p, _ := secret.NewRedactor(key).Redact(token(1), vault)
	if got, known := vault.Restore(p); got != p || known || vault.Len() != 0 || vault.Forgot() {
		t.Errorf("%q %v", got, known)
	}
	if got, known := vault.Restore("text"); got != "text" || !known {
		t.Errorf("%q %v", got, known)
	}
}

func TestAVaultServesManyAtOnce(t *testing.T) {
	t.Parallel()
	redactor := secret.NewRedactor(key)
	vault := secret.NewVault(secret.VaultOptions{Secrets: 20})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 50 {
				p, _ := redactor.Redact("a "+token(i*7+n), vault)
				if restored, known := vault.Restore(p); known && restored != "a "+token(i*7+n) {
					t.Errorf("%q became %q", p, restored)
				}
			}
		})
	}
	group.Wait()
	if vault.Len() > 20 {
		t.Errorf("%d secrets", vault.Len())
	}
}

func TestAVaultDoesNotKeepTheText(t *testing.T) {
	t.Parallel()
	vault := secret.NewVault(secret.VaultOptions{Bytes: 200})
	p, _ := secret.NewRedactor(key).Redact(strings.Repeat(prose, 10)+token(1), vault)
	if _, known := vault.Restore(p); !known {
		t.Error("a secret in a long text counts as long")
	}
}

func TestRestoreInJSON(t *testing.T) {
	t.Parallel()
	vault := secret.NewVault(secret.VaultOptions{})
	redactor := secret.NewRedactor(key)
	block := pem("PRIVATE KEY")
	plain, _ := redactor.Redact(token(1), vault)
	lines, _ := redactor.Redact(block, vault)
	escaped := strings.ReplaceAll(block, "\n", `\n`)
	for _, tc := range []struct {
		name, text, want string
		allKnown         bool
	}{
		{"nothing to do", `{ "a" : [1, "x\n\u0041"] }`, `{ "a" : [1, "x\n\u0041"] }`, true},
		{"a string", `{"a": "x ` + plain + `"}`, `{"a": "x ` + token(1) + `"}`, true},
		{"a name", `{"` + plain + `": 1}`, `{"` + token(1) + `": 1}`, true},
		{"what the secret needs is escaped", `{"a":"` + lines + `"}`, `{"a":"` + escaped + `"}`, true},
		{"an escaped placeholder", `{"a":"\u005b` + plain[1:] + `"}`, `{"a":"` + token(1) + `"}`, true},
		{"other characters stay", `["<&> ` + plain + ` \" é"]`, `["<&> ` + token(1) + ` \" é"]`, true},
		{"an unknown one", `["[secret:credential:0000000000000000]"]`, `["[secret:credential:0000000000000000]"]`, false},
		{"a string that does not end", `["` + plain, `["` + plain, false},
		{"a bad escape", `["\q` + plain + `"]`, `["\q` + plain + `"]`, false},
		{"an escape at the end", `"\`, `"\`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got, all := vault.RestoreJSON(tc.text); got != tc.want || all != tc.allKnown {
				t.Errorf("got %q %v, want %q %v", got, all, tc.want, tc.allKnown)
			}
		})
	}
}
