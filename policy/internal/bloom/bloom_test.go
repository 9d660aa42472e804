package marks_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/internal/marks"
)

func TestASetMayHaveWhatWasAddedAndLittleElse(t *testing.T) {
	t.Parallel()
	var some, none marks.Set
	added := strings.Fields("read write delete rm git .env .ssh id_rsa x")
	added = append(added, "")
	for _, name := range added {
		some.Add(name)
	}
	for _, name := range added {
		if !some.May(marks.Of(name)) {
			t.Errorf("%q was added, and cannot be in the set", name)
		}
		if none.May(marks.Of(name)) {
			t.Errorf("%q may be in an empty set", name)
		}
	}
	if some.May(marks.Of("README.md")) {
		t.Error("README.md may be in the set")
	}
}
