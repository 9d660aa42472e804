package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// A pattern of a path that nothing can match is refused by every function that takes
// one.
func TestPatternsThatMatchNoPathAreRefused(t *testing.T) {
	t.Parallel()

	for _, in := range []string{
		`call.effects.exists(e, e.touches([%q]))`, `call.effects.exists(e, e.around(["/a", %q]))`, `call.effects.exists(e, e.carries([%q]))`,
		`call.effects.exists(e, e.within([%q]))`, `call.effects.exists(e, e.outside([%q]))`, `call.commands.exists(c, c.names([%q]))`,
		`call.reads.exists(p, p.under(%q))`, `call.writes.exists(p, p.glob(%q))`, `session.cwd.under(%q)`,
	} {
		for text, suggestion := range map[string]string{
			"":                   `"./**"`,
			"$HOME/.ssh":         `write "~/.ssh"`,
			"${HOME}/.ssh":       `write "~/.ssh"`,
			"%USERPROFILE%/.ssh": `write "~/.ssh"`,
			"$PWD/x":             `write "./x"`,
			"$DATA/x":            "write the path itself",
			"file:///etc/x":      `write "/etc/x"`,
			"https://x.example":  "host()",
		} {
			refused(t, fmt.Sprintf(in, text), fmt.Sprintf("no path is %q", text), suggestion)
		}
		for _, text := range []string{"/etc", "~/.ssh", "./src", ".", "C:/Users", "/srv/$RECYCLE.BIN", "$Recycle.Bin/x", "100%/x"} {
			if _, err := rule.Compile(fmt.Sprintf(in, text), rule.Options{}); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// What is compared with patterns and with parts of texts means what it seems to mean,
// or there is a warning that says what to write.
func TestUnclearPathsAndHostsAreWarnedOf(t *testing.T) {
	t.Parallel()

	const effects, reads, urls = `call.effects.exists(e, %s)`, `call.reads.exists(p, %s)`, `call.urls.exists(u, %s)`
	for _, tc := range []struct{ in, source, want string }{
		{effects, `e.touches(["*.pem"])`, `write "**/*.pem" for anywhere, or "./*.pem"`},
		{effects, `e.touches(["/etc/**", ".env"])`, `write "**/.env" for anywhere, or "./.env"`},
		{effects, `e.touches(["~/**", "!*.pub"])`, `write "!**/*.pub"`},
		{effects, `e.carries(["id_rsa"])`, `write "**/id_rsa"`},
		{effects, `e.around(["/etc/"])`, `write "/etc/**" for both`},
		{effects, `e.outside(["*.go"])`, `write "**/*.go"`},
		{effects, `e.outside(["src", "/tmp/", "."])`, ""},
		{effects, `e.touches(["**/*.pem", "./.env", "/etc", "~", ".", "**", "?:/Windows/**"])`, ""},

		{reads, `p == "~/.ssh/id_rsa"`, `.glob("~/.ssh/id_rsa")`},
		{reads, `p in [".env"]`, `.glob("**/.env")`},
		{reads, `p == "*.pem"`, `.glob("*.pem")`},
		{reads, `p == "$HOME/x"`, `.glob("~/x")`},
		{reads, `p.startsWith("~/.ssh/")`, `.under("~")`},
		{reads, `p.startsWith("./src")`, `.under(".")`},
		{reads, `p == "/etc/passwd" || p.endsWith(".pem") || p.startsWith("/srv/") || p == "C:/x"`, ""},

		{urls, `!u.host().endsWith("example.com")`, `== "example.com", and use .endsWith(".example.com")`},
		{urls, `!(u.host() == "a.example" || u.host().endsWith("example.com"))`, "notexample.com"},
		{urls, `!u.host().contains("example.com")`, "example.com.evil.example"},
		{urls, `!u.host().startsWith("api.example.com")`, "api.example.com.evil.example"},
		{urls, `!u.host().matches("example\\.com")`, "begin it with ^"},
		{urls, `!u.host().matches("^(api|www)\\.example\\.com$") && !u.host().endsWith(".example.com")`, ""},
		{urls, `u.host().endsWith("pastebin.com") || u.host().contains("paste")`, ""},

		{effects, `e.verb == "push" && e.object == "main" || e.verb == "force-push" && e.object == "*"`, ""},
		{effects, `e.verb == "push" && e.object.startsWith("release")`, `["push", "force-push"]`},
		{effects, `e.verb in ["push", "force-push"] && e.object in ["main"]`, `add "*"`},
		{effects, `e.verb in ["push", "force-push"] && e.object in ["main", "*"]`, ""},
		{effects, `e.verb in ["push", "force-push"] && !(e.object in ["topic"])`, ""},
		{effects, `e.verb == "send" && !e.carries(["./**"])`, "e.from.under"},
		{effects, `e.verb == "delete" && !e.around(["./**"])`, "e.outside"},
		{effects, `e.verb == "delete" && (e.touches(["./**"]) ? false : true)`, "e.outside"},
	} {
		source := fmt.Sprintf(tc.in, tc.source)
		p, err := rule.Compile(source, rule.Options{})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		got := ""
		for _, w := range p.Warnings() {
			got += w.Error()
		}
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want %q", source, got, tc.want)
		}
	}
}

// A part that no host or program has, and an alternative that is no verb, never match.
func TestPartsThatNeverMatch(t *testing.T) {
	t.Parallel()

	for source, message := range map[string]string{
		`call.urls.exists(u, u.host().startsWith("https://x"))`:                        `no host starts with "https://x"`,
		`call.urls.exists(u, u.host().endsWith("/x"))`:                                 `no host ends with "/x"`,
		`call.urls.exists(u, u.host().contains("GitHub"))`:                             `no host contains "GitHub"`,
		`call.commands.exists(c, c.name.startsWith("git push"))`:                       `no program starts with "git push"`,
		`call.effects.exists(e, e.verb.matches("^(remove|write)$"))`:                   `"remove"`,
		`call.effects.exists(e, e.verb.matches("^(delete|write)$|^(create|format)$"))`: `"create"`,
		`call.kind.matches("shell|bash")`:                                              `"bash"`,
	} {
		refused(t, source, message, "")
	}
	for _, source := range []string{
		`call.effects.exists(e, e.verb.matches("^(delete|write)$"))`,
		`call.effects.exists(e, e.verb.matches("push|run-.*"))`,
		`call.effects.exists(e, e.verb.matches("^(run|reverse|delete)-(shell|remote|branch)$"))`,
		`call.commands.exists(c, c.name.startsWith("git-"))`,
		`call.urls.exists(u, u.host().endsWith(".example.com"))`,
	} {
		if _, err := rule.Compile(source, rule.Options{}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// The paths of a call are what the warnings say they are.
func TestPathsOfACallAreAbsoluteWhereTheyCanBe(t *testing.T) {
	t.Parallel()

	p := compile(t, `call.reads.exists(p, p == "/home/u/.ssh/id_rsa") && call.reads.exists(p, p == "/work/app/.env")`)
	s := policy.NewSubject(&policy.Exchange{Session: policy.Session{Cwd: "/work/app", Home: "/home/u"}}, bash("cat ~/.ssh/id_rsa .env"))
	if got, _, err := p.Match(s); got != rule.True || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}
