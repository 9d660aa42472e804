package file_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// put writes a file and the folders above it.
func put(t *testing.T, name, source string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFolderStandsForTheFilesInIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	policyOf := func(name string) string {
		return "policies: [{name: " + name + ", when: 'call.name == \"x\"', then: block}]"
	}
	put(t, filepath.Join(dir, "20-b.yml"), policyOf("second"))
	put(t, filepath.Join(dir, "10-a.yaml"), policyOf("first"))
	for _, other := range []string{".hidden.yaml", "notes.md", "a.yaml~", "below/c.yaml"} {
		put(t, filepath.Join(dir, other), "not: a policy file")
	}
	loaded, err := file.Load(file.Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	names := loaded.Set.Names()
	if got := names[len(names)-2:]; !slices.Equal(got, []string{"first", "second"}) || !slices.Contains(names, "destructive-files") {
		t.Errorf("the policies are %v", names)
	}
	if want := []string{"preset:recommended", filepath.Join(dir, "10-a.yaml"), filepath.Join(dir, "20-b.yml")}; !slices.Equal(loaded.Sources, want) {
		t.Errorf("in force are %v, want %v", loaded.Sources, want)
	}
	// Nobody switches the guard off with one more file.
	for _, command := range []string{"rm " + dir + "/10-a.yaml", "echo 'preset: none' > " + dir + "/30-c.yaml"} {
		if got := loaded.Set.Decide(t.Context(), nil, shell(command), policy.Options{}); !got.Verdict.Action.Blocks() {
			t.Errorf("%s: %s", command, got.Verdict.Action)
		}
	}
}

func TestAFolderWithoutPoliciesIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "notes.md"), "x")
	if _, err := file.Load(file.Options{}, dir); err == nil || !strings.Contains(err.Error(), dir+": the folder has no policy files") {
		t.Errorf("got %v", err)
	}
}
