package sluice_test

import (
	"os"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

const (
	referencePage   = "docs/policy-reference.md"
	referenceUpdate = "run: SLUICE_UPDATE=1 go test -run PolicyReference ."
)

// docs/policy-reference.md is what the program prints.
func TestPolicyReferenceIsCurrent(t *testing.T) {
	t.Parallel()

	want := file.ReferenceMarkdown() + "\n---\n\nGenerated from the program; do not edit. To regenerate it, " + referenceUpdate + "\n"

	if os.Getenv("SLUICE_UPDATE") != "" {
		if err := os.WriteFile(referencePage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}

		return
	}

	page, err := os.ReadFile(referencePage)
	if err != nil || string(page) != want {
		t.Errorf("%s is not what the program says (%v); %s", referencePage, err, referenceUpdate)
	}
}
