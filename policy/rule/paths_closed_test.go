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
		{effects, `e.touches(["**/*.pem", "./.env", "/etc/hosts", "~", ".", "**", "?:/Windows/**"])`, ""},

		{reads, `p == "~/.ssh/id_rsa" || p in ["~/x"] || p.startsWith("~/.ssh/") || p == "~"`, ""},
		{reads, `p.endsWith("~/.ssh/id_rsa")`, `write startsWith("~/.ssh/id_rsa")`},
		{reads, `p.matches("^(~/|/root/)\\.ssh")`, `write startsWith("~/...")`},
		{reads, `p.contains("/~/")`, `write startsWith("~/")`},
		{reads, `p in [".env"]`, `.glob("**/.env")`},
		{reads, `p == "*.pem"`, `.glob("*.pem")`},
		{reads, `p == "$HOME/x"`, `.glob("~/x")`},
		{reads, `p.startsWith("$HOME/.ssh/")`, `write startsWith("~/.ssh/")`},
		{reads, `p.startsWith("./src")`, `.under(".")`},
		{reads, `p == "/etc/passwd" || p.endsWith(".pem") || p.startsWith("/srv/") || p == "C:/x"`, ""},

		{urls, `!u.host().endsWith("example.com")`, `== "example.com", and use .endsWith(".example.com")`},
		{urls, `!(u.host() == "a.example" || u.host().endsWith("example.com"))`, "notexample.com"},
		{urls, `!u.host().contains("example.com")`, "example.com.evil.example"},
		{urls, `!u.host().startsWith("api.example.com")`, "api.example.com.evil.example"},
		{urls, `!u.host().matches("example\\.com")`, "begin it with ^"},
		{urls, `!u.host().matches("^(api|www)\\.example\\.com$") && !u.host().endsWith(".example.com")`, ""},
		{urls, `u.host().endsWith("pastebin.com") || u.host().contains("paste")`, ""},

		{effects, `e.verb == "push" && e.object == "main" || e.verb == "force-push" && e.object == "*"`, "git push --all"},
		{effects, `e.verb == "push" && (e.object in ["main", "master"] || e.wide) || e.verb in ["force-push", "delete-branch"]`, ""},
		{effects, `e.verb in ["push", "force-push"] && (e.object == "main" || e.object.endsWith("*"))`, ""},
		{effects, `e.verb in ["push", "force-push"] && e.object == "main" && !e.wide`, `write e.wide`},
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

// What the object of a verb never is deserves a warning that says what to write, for
// every verb that the condition asks about; what it can be does not.
func TestObjectsThatNoEffectOfTheVerbHas(t *testing.T) {
	t.Parallel()

	verbs := map[string]map[string]string{ // what never is the object of the verbs, and what to write
		`"read", "write", "delete", "mode", "link"`: {".env": `.glob("**/.env")`, "src/a.go": `.glob("**/src/a.go")`, "$HOME/.ssh": `.glob("~/.ssh")`, "/srv/*.pem": `.glob("/srv/*.pem")`},
		`"fetch", "send", "run-remote"`:             {"pastebin.com": `e.object.host() == "pastebin.com"`, "PASTEBIN.com:443": `host() == "pastebin.com"`},
		`"drop"`:                                    {"users": `"table users"`, "public.users": `"table public.users"`},
		`"install"`:                                 {"left-pad@1.0.0": `e.object == "left-pad"`, "@types/node@20": `e.object == "@types/node"`, "requests==2.31": `e.object == "requests"`},
		`"push", "force-push", "delete-branch"`:     {"origin/main": `e.object == "main"`, "refs/heads/main": `e.object == "main"`},
	}
	fine := map[string][]string{
		`"read", "delete"`: {"/etc/passwd", "~/.ssh/id_rsa", "C:/x"}, `"run"`: {"make deploy", "/x/deploy.sh"}, `"fetch"`: {"https://pastebin.com", "git@github.com:a/b.git"},
		`"drop"`: {"table users", "database", "keys"}, `"install"`: {".", "left-pad", "@types/node"}, `"push", "force-push", "*"`: {}, `"connect"`: {"vps.example.net"}, `"kill"`: {"node"}, `"destroy", "apply"`: {"infrastructure"},
		`"delete", "drop"`: {"table users"}, `"drop", "fetch"`: {"https://x.example"},
	}
	ask := func(verb, object string) string {
		return fmt.Sprintf(`call.effects.exists(e, e.how == "x" && (e.verb in [%s]) && (%s))`, verb, object)
	}
	for verb, objects := range verbs {
		for text, want := range objects {
			for _, object := range []string{fmt.Sprintf("e.object == %q", text), fmt.Sprintf("e.wide || e.object in [%q]", text), fmt.Sprintf("[%q].exists(x, e.object == x)", text)} {
				if got := warningsOf(t, ask(verb, object)); !strings.Contains(got, want) {
					t.Errorf("%s of %s: got %q, want %q", object, verb, got, want)
				}
			}
		}
	}
	for verb, objects := range fine {
		for _, text := range objects {
			if got := warningsOf(t, ask(verb, fmt.Sprintf("e.object == %q", text))); got != "" {
				t.Errorf("%s of %s: %s", text, verb, got)
			}
		}
	}
	for source, want := range map[string]string{
		`call.effects.exists(e, e.object == ".env")`:                                              `.glob("**/.env")`,
		`call.effects.exists(e, e.object.startsWith("./src"))`:                                    `.under(".")`,
		`call.effects.exists(e, e.verb == "send" && e.from == ".env")`:                            `.glob("**/.env")`,
		`session.cwd == "work"`:                                                                   `.glob("**/work")`,
		`session.cwd.startsWith("$HOME/work")`:                                                    `startsWith("~/work")`,
		`call.effects.exists(e, e.object == "users" || e.from == "origin")`:                       "",
		`call.effects.exists(e, e.verb == "drop" || e.object == "users")`:                         "",
		`call.effects.exists(e, (e.verb == "drop" || e.wide) && e.object == "users")`:             "",
		`call.effects.exists(e, e.verb == "drop" && e.object == params.table)`:                    "",
		`call.effects.exists(e, call.effects.exists(d, d.verb == "drop") && e.object == "users")`: "",
	} {
		p, err := rule.Compile(source, rule.Options{Params: map[string]any{"table": "table users"}})
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		got := ""
		for _, w := range p.Warnings() {
			got += w.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

func warningsOf(t *testing.T, source string) (all string) {
	t.Helper()
	for _, w := range compile(t, source).Warnings() {
		all += w.Error()
	}
	return all
}
