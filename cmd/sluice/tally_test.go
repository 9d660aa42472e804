package main

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
)

// An answer that was stopped because of an unjudged call is a bug in Sluice: the
// summary reports it.
func TestTheSummaryTellsOfUnjudgedAnswers(t *testing.T) {
	t.Parallel()
	var all tally
	all.note(gateway.Event{Exchange: &gateway.Exchange{}, End: &gateway.End{Outcome: gateway.Unjudged}})
	if got := all.summary(false, ""); !strings.Contains(got, "1 request ended as unjudged; see the log") {
		t.Errorf("the summary is:\n%s", got)
	}
}
