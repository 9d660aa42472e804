package bloom_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/internal/bloom"
)

func TestAFilterMayHoldWhatWasAddedAndLittleElse(t *testing.T) {
	t.Parallel()
	var some, none bloom.Filter
	added := strings.Fields("read write delete rm git .env .ssh id_rsa x")
	added = append(added, "")
	for _, name := range added {
		some.Add(name)
	}
	for _, name := range added {
		if !some.May(bloom.HashOf(name)) {
			t.Errorf("%q was added, and is ruled out", name)
		}
		if none.May(bloom.HashOf(name)) {
			t.Errorf("%q may be in an empty filter", name)
		}
	}
	if some.May(bloom.HashOf("README.md")) {
		t.Error("README.md may be in the filter")
	}
}
