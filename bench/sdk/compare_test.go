package sdk

import (
	"context"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// readOfficial lets the official client of the format read an event stream.
func readOfficial(ctx context.Context, format wire.Format, body []byte) Facts {
	switch format {
	case wire.OpenAIChat:
		return readChat(ctx, body)
	case wire.Anthropic:
		return readAnthropic(ctx, body)
	case wire.OpenAIResponses:
		return readResponses(ctx, body)
	case wire.Gemini:
	}
	return nil
}

// explain fails the test for every difference that no defect explains, and for
// every defect that is said to occur in the stream and explains none.
func explain(t *testing.T, format wire.Format, stream string, listed func(Defect) []string, diffs []Difference) {
	t.Helper()
	used := map[string]bool{}
	for _, d := range diffs {
		explained := false
		var candidates []string
		for _, defect := range Defects() {
			if defect.Format != format || !defect.Explains(d) {
				continue
			}
			if slices.Contains(listed(defect), stream) {
				used[defect.Name] = true
				explained = true
			} else {
				candidates = append(candidates, defect.Name)
			}
		}
		if !explained {
			t.Errorf("not explained: %v; defects of this shape that do not list %q: %v", d, stream, candidates)
		}
	}
	for _, defect := range Defects() {
		if defect.Format == format && slices.Contains(listed(defect), stream) && !used[defect.Name] {
			t.Errorf("defect %s does not occur in %q any more: remove it from the list", defect.Name, stream)
		}
	}
}

func inRaw(d Defect) []string     { return d.Raw }
func inRecoded(d Defect) []string { return d.Recoded }
