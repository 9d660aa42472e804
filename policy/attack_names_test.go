package policy_test

import (
	"bytes"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// Clients differ in what they make of a name that comes in pieces or changes: the
// first, the last, all joined. They get the name that was judged, once.
func TestAttackAChatCallHasOneName(t *testing.T) {
	piece := func(name, arguments string) string {
		return `{"index":0,"delta":{"tool_calls":[{"index":0,"function":{` + name + `"arguments":"` + arguments + `"}}]}}`
	}
	for _, names := range [][2]string{{"go", "od"}, {"bad", "good"}, {"good", "bad"}} {
		events := chatOf(
			`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"`+names[0]+`","arguments":""}}]}}`,
			piece(`"name":"`+names[1]+`",`, `{\"a\"`), piece("", `:1}`), chatCallsEnd)
		d := judged(t, sluicetest.OpenAIChat, events, harmless())
		if d.Err != nil || d.Invalid != nil {
			t.Errorf("%q: err %v, invalid %v\n%s", names, d.Err, d.Invalid, d.Bytes)
		}
		switch n := bytes.Count(d.Bytes, []byte(`"name":`)); {
		case len(d.Report.Calls) == 0 && n == 0:
		case n != 1 || len(d.Report.Calls) != 1 || d.Report.Calls[0].Name != "good":
			t.Errorf("%q: %d names, calls %+v\n%s", names, n, d.Report.Calls, d.Bytes)
		}
	}
}
