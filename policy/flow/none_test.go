package flow

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Nobody is asked for files where there are none, and only there.
func TestWhetherThereAreFiles(t *testing.T) {
	for name, change := range map[string]func(f *files){
		"written":  func(f *files) { f.set("/x", invocation.File{Content: "a"}) },
		"fetched":  func(f *files) { f.fetchedDir("/x") },
		"unpacked": func(f *files) { f.unpacked("/x", "a.tgz", "https://e/a.tgz") },
	} {
		older := newFiles(nil, effect.Place{})
		now := newFiles(older, effect.Place{})
		if !now.none() {
			t.Errorf("%s: there are some before", name)
		}
		change(older)
		if now.none() {
			t.Errorf("%s: there are none", name)
		}
	}
}
