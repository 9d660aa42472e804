package sdk

import "testing"

// What the official readers and Sluice understand of the streams as they were
// recorded. Every disagreement has a name.
func TestSDKDifferentialOnRecordedStreams(t *testing.T) {
	for _, format := range checked {
		t.Run(string(format), func(t *testing.T) {
			for _, stream := range corpus(t, format) {
				t.Run(stream.name, func(t *testing.T) {
					ours := read(format, stream.body, nil).facts(format)
					theirs := readOfficial(t.Context(), format, stream.body)
					if ours["error"] != "" {
						// There are no final copies of an answer that failed.
						ours, theirs = ours.without(finalCopies...), theirs.without(finalCopies...)
					}
					explain(t, format, stream.name, inRaw, Compare(ours, theirs))
				})
			}
		})
	}
}

// finalCopies are what a Responses stream says again when it is whole.
var finalCopies = []string{"items/*", "items/call/*/*", "final/*", "final/call/*/*"}
