package shell

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// saying is a command with what it does, in the words of said.
type saying struct {
	command, does string
}

// sayEach reads commands as they would run in a project at home.
func sayEach(t *testing.T, rows []saying) {
	t.Helper()
	for _, row := range rows {
		r := Read(row.command, invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}})
		if does := strings.Join(said(r), "; "); does != row.does {
			t.Errorf("%s\n  does %s\n  want %s", row.command, does, row.does)
		}
	}
}

func TestHostOfAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://x.example/a?b":        "x.example",
		"https://u:p@X.example.:8443/": "x.example",
		"x.example":                    "x.example",
		"localhost:3000/x":             "localhost",
		"http://[::1]:80/":             "::1",
		"https://a@b@evil.example/":    "evil.example",
		"https://evil.example#@good":   "evil.example",
		"https://evil.example?@good":   "evil.example",
		"":                             "",
	} {
		if got := invocation.HostOf(address); got != want {
			t.Errorf("host of %q is %q, want %q", address, got, want)
		}
	}
}
