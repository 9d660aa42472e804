package main

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy/file"
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

// Without any policies nothing was judged, and the summary does not say that it was.
func TestTheSummarySaysThatNothingWasJudged(t *testing.T) {
	t.Parallel()
	loaded, err := file.Load(file.Options{}, "preset:none")
	if err != nil {
		t.Fatal(err)
	}
	var all tally
	all.notice(loaded.Note())
	if got := all.summary(false, ""); !strings.Contains(got, "0 tool calls NOT JUDGED") {
		t.Errorf("the summary is:\n%s", got)
	}
	if got := new(tally).summary(false, ""); !strings.Contains(got, "0 tool calls judged") {
		t.Errorf("the summary is:\n%s", got)
	}
}
