package secret_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
)

func FuzzFind(f *testing.F) {
	for _, tc := range secrets() {
		f.Add(tc.text+tc.secret, uint8(3))
	}
	for _, s := range clean() {
		f.Add(s, uint8(1))
	}
	redactor := secret.NewRedactor(key)
	chain, err := text.Compile(redactor.Rules()...)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, whole string, size uint8) {
		at := 0
		for _, found := range secret.Find(whole) {
			if found.Start < at || found.End <= found.Start || found.End > len(whole) || found.Rule == "" {
				t.Fatalf("%v after %d in %q", found, at, whole)
			}
			at = found.End
		}
		vault := secret.NewVault(secret.VaultOptions{})
		once, _ := redactor.Redact(whole, vault)
		if twice, _ := redactor.Redact(once, nil); twice != once {
			t.Fatalf("%q\n once %q\ntwice %q", whole, once, twice)
		}
		if streamed := inFlight(chain, whole, func() int { return 1 + int(size) }); streamed != once {
			t.Fatalf("%q\nstream %q\n whole %q", whole, streamed, once)
		}
		if restored, known := vault.Restore(once); known && len(secret.Placeholders(whole)) == 0 && restored != whole {
			t.Fatalf("%q\nrestored %q", whole, restored)
		}
	})
}
