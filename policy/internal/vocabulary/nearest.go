package vocabulary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/words"
)

// DidYouMean suggests the nearest of the known names, or lists them if none is
// near and they are few.
func DidYouMean(name string, known []string) string {
	known = slices.Sorted(slices.Values(known))
	switch best := Nearest(name, known); {
	case best != "":
		return fmt.Sprintf("did you mean %q?", best)
	case len(known) > 0 && len(known) <= 16:
		return "use one of " + strings.Join(known, ", ")
	default:
		return ""
	}
}

// Nearest is the known name that was most likely meant, empty if none is close.
func Nearest(name string, known []string) string {
	return words.Nearest(name, known, words.Most(name))
}
