package file_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// What it costs to load the recommended policies, their examples included.
func BenchmarkLoadRecommended(b *testing.B) {
	for b.Loop() {
		if _, err := file.Load(file.Options{}, "preset:recommended"); err != nil {
			b.Fatal(err)
		}
	}
}
