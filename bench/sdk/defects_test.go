package sdk

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// Each defect can be seen in its example, without any recording.
func TestSDKDefectsCanBeSeen(t *testing.T) {
	for _, defect := range Defects() {
		t.Run(defect.Name, func(t *testing.T) {
			names := defect.Format
			if defect.Unnamed {
				names = wire.OpenAIChat // which has none
			}
			body := frame(names, defect.Example)
			ours := read(defect.Format, body, nil).facts(defect.Format)
			theirs := readOfficial(t.Context(), defect.Format, body)
			if ours["error"] != "" {
				ours, theirs = ours.without(finalCopies...), theirs.without(finalCopies...)
			}
			seen := false
			for _, d := range Compare(ours, theirs) {
				if defect.Explains(d) {
					seen = true
				} else if !slices.ContainsFunc(Defects(), func(other Defect) bool {
					return slices.Contains(defect.With, other.Name) && other.Explains(d)
				}) {
					t.Errorf("the example shows something else too: %v", d)
				}
			}
			if !seen {
				t.Errorf("the example does not show the defect; ours %v, theirs %v", ours, theirs)
			}
		})
	}
}

// The table is whole: names are unique, and what it says occurs in recordings
// names recordings that exist.
func TestSDKDefectsNameRecordedStreams(t *testing.T) {
	names := map[string]bool{}
	for _, defect := range Defects() {
		if names[defect.Name] {
			t.Errorf("defect %s is listed twice", defect.Name)
		}
		names[defect.Name] = true
		if defect.Explanation == "" {
			t.Errorf("defect %s is not explained", defect.Name)
		}
	}
	recordedNames := map[wire.Format][]string{}
	for _, format := range checked {
		for _, stream := range corpus(t, format) {
			recordedNames[format] = append(recordedNames[format], stream.name)
		}
	}
	for _, defect := range Defects() {
		for _, stream := range slices.Concat(defect.Raw, defect.Recoded) {
			if !slices.Contains(recordedNames[defect.Format], stream) {
				t.Errorf("defect %s names %q, which is no recorded stream of %s", defect.Name, stream, defect.Format)
			}
		}
	}
}
