package main

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
)

// An answer that was stopped because nobody had judged a call in it is a defect of
// Sluice: whoever runs an agent gets to know.
func TestTheSummaryTellsOfUnjudgedAnswers(t *testing.T) {
	t.Parallel()
	var all tally
	all.note(gateway.Event{Exchange: &gateway.Exchange{}, End: &gateway.End{Outcome: gateway.Unjudged}})
	if got := all.summary(false, ""); !strings.Contains(got, "1 request ended as unjudged; see the log") {
		t.Errorf("the summary is:\n%s", got)
	}
}
