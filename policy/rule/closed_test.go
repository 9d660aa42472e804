package rule_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/rule"
)

// comparisons are the ways to compare a text with a constant; %[1]s is the text
// and %[2]q the constant.
var comparisons = []string{
	`%[1]s == %[2]q`,
	`%[2]q == %[1]s`,
	`%[1]s != %[2]q`,
	`%[1]s in [%[2]q]`,
	`!(%[1]s in ["x", %[2]q].filter(y, y != "x"))`,
	`[%[2]q].exists(v, %[1]s == v)`,
	`["a", "b"].all(v, %[1]s == (v == "a" ? %[2]q : %[2]q))`,
	`%[1]s in {%[2]q: true}`,
}

// Every value of a closed set can be compared with, and nothing that is only near
// one: whatever the comparison looks like.
func TestClosedSetsAreChecked(t *testing.T) {
	t.Parallel()

	var verbs, kinds, extents, areas, effectKinds []string
	for _, v := range effect.Extents() {
		extents = append(extents, string(v))
	}
	for _, v := range effect.Areas() {
		areas = append(areas, string(v))
	}
	for _, v := range effect.Kinds() {
		effectKinds = append(effectKinds, string(v))
	}
	for _, v := range effect.Verbs() {
		verbs = append(verbs, string(v))
	}
	for _, k := range call.Kinds() {
		kinds = append(kinds, string(k))
	}
	for _, set := range []struct {
		text   string
		values []string
		in     string // %s is the comparison
	}{
		{"e.verb", verbs, `call.effects.exists(e, %s)`},
		{"e.kind", effectKinds, `call.effects.exists(e, %s)`},
		{"e.extent", extents, `call.effects.exists(e, %s)`},
		{"e.place", areas, `call.effects.exists(e, %s)`},
		{"call.kind", kinds, `%s`},
	} {
		for i, value := range set.values {
			for j, form := range comparisons {
				if j == 4 {
					continue // the list that is filtered has another value in it
				}
				source := fmt.Sprintf(set.in, fmt.Sprintf(form, set.text, value))
				if _, err := rule.Compile(source, rule.Options{}); err != nil && !strings.Contains(err.Error(), "always") {
					t.Errorf("%s: %v", source, err)
				}
				for _, wrong := range []string{value + "x", strings.ToUpper(value), value + " ", value[1:] + "_"} {
					if i%4 != j%4 { // a part of them is enough
						continue
					}
					source := fmt.Sprintf(set.in, fmt.Sprintf(form, set.text, wrong))
					refused(t, source, fmt.Sprintf("%q", wrong), "use one of")
				}
			}
		}
	}
	for _, reason := range call.Reasons() {
		if _, err := rule.Compile(fmt.Sprintf(`%q in call.unknown`, reason), rule.Options{}); err != nil {
			t.Error(err)
		}
		refused(t, fmt.Sprintf(`%q in call.unknown`, reason+"s"), reason+"s", reason)
		refused(t, fmt.Sprintf(`call.unknown.exists(u, u == %q)`, reason+"s"), reason+"s", reason)
	}
}

func refused(t *testing.T, source, message, suggestion string) {
	t.Helper()
	_, err := rule.Compile(source, rule.Options{Params: map[string]any{"verbs": []any{"delete", "wrtie"}}})
	failure, ok := errors.AsType[*rule.Error](err)
	if !ok {
		t.Errorf("%s: got %v, want an *Error", source, err)
		return
	}
	if !strings.Contains(failure.Message, message) || !strings.Contains(failure.Suggestion, suggestion) {
		t.Errorf("%s: got %v", source, failure)
	}
}

// What can never match is refused with what to write instead.
func TestConstantsThatNeverMatch(t *testing.T) {
	t.Parallel()

	const command, effects = `call.commands.exists(c, %s)`, `call.effects.exists(e, %s)`
	for _, tc := range []struct{ in, source, message, suggestion string }{
		{effects, `e.verb == "remove"`, `no verb "remove"`, `did you mean "delete"?`},
		{effects, `e.verb in ["delete", "wrtie"]`, `no verb "wrtie"`, `did you mean "write"?`},
		{effects, `e.verb in params.verbs`, `no verb "wrtie"`, `did you mean "write"?`},
		{effects, `e.verb.startsWith("remove")`, `no verb starts with "remove"`, "use one of"},
		{effects, `e.verb.matches("^(rm|unlink)$")`, `no verb matches`, "use one of"},
		{`%s`, `"wrtie" in call.effects.map(e, e.verb)`, `no verb "wrtie"`, `"write"`},
		{`%s`, `call.effects.map(e, e.verb).exists(v, v == "wrtie")`, `no verb "wrtie"`, `"write"`},

		{command, `c.is("git push")`, `no program has the name "git push"`, `c.is("git") && c.sub == "push"`},
		{command, `c.is("rm", "git push")`, `"git push"`, `c.sub == "push"`},
		{command, `c.is(["rm", "git push"])`, `"git push"`, `c.sub == "push"`},
		{command, `c.name == "rm -rf"`, `no program has the name "rm -rf"`, `c.is("rm") && c.has("-r") && c.has("-f")`},
		{command, `c.name == "git push --force"`, `"git push --force"`, `c.sub == "push"`},
		{command, `c.name in ["/bin/rm"]`, "without its directory", `write "rm"`},
		{command, `c.name == "node.exe"`, "without .exe", `write "node"`},
		{command, `c.has("--context=prod")`, "has a value in it", `c.flag("context") == "prod"`},
		{command, `c.has("-n 5")`, "has a value in it", `c.flag("n") == "5"`},
		{command, `c.has("-r -f")`, "these are several", `c.has("-r") && c.has("-f")`},
		{command, `c.has("--")`, "no flag has the name", `"--force"`},
		{command, `c.flag("") == "x"`, "no flag has the name", `"--force"`},

		{`%s`, `call.urls.exists(u, u.host() == "https://github.com/x")`, "no host has the name", `"github.com"`},
		{`%s`, `call.urls.exists(u, u.host() == "0xA9FEA9FE")`, "numeric addresses are dotted", `"169.254.169.254"`},
		{`%s`, `call.urls.exists(u, u.host() == "GitHub.com")`, "lower case", `"github.com"`},
		{`%s`, `call.urls.exists(u, u.host() == "localhost:8080")`, "no host has the name", `"localhost"`},
		{`%s`, `call.urls.exists(u, u.host() in ["*.example.com"])`, "as it is written", `.endsWith(".example.com")`},
		{`%s`, `call.reads.exists(p, p.under("/etc/**"))`, "under takes a directory", `.under("/etc")`},
		{`%s`, `call.reads.exists(p, p.under("/etc/*.conf"))`, "under takes a directory", `.glob("/etc/*.conf")`},

		{`%s`, `call.name == "functions.Bash"`, "usual spelling", `call.name == "Bash"`},
		{`%s`, `call.name == "mcp__github__create_issue"`, "without its server", `call.server == "github" && call.name == "create_issue"`},
		{`%s`, `now.getDayOfWeek() == 7`, "never 7", "from 0 to 6"},
		{`%s`, `now.getHours() >= 24`, "getHours is never >= 24", "from 0 to 23"},
		{`%s`, `23 < now.getHours("Europe/Berlin")`, "getHours is never > 23", "from 0 to 23"},
		{`%s`, `now.getMinutes() < 0`, "getMinutes is never < 0", "from 0 to 59"},
		{`%s`, `now.getHours() in [22, 24]`, "never 24", "from 0 to 23"},
		{`%s`, `now.getHours("Berlin") > 18`, `no time zone "Berlin"`, "Europe/Berlin"},
		{`%s`, `["UTC", "Mars"].exists(z, now.getDayOfWeek(z) == 1)`, `no time zone "Mars"`, "Europe/Berlin"},
	} {
		refused(t, fmt.Sprintf(tc.in, tc.source), tc.message, tc.suggestion)
	}
	for _, source := range []string{
		`call.commands.exists(c, c.name == "")`,
		`call.commands.exists(c, c.is("kubectl") && c.has("-f") && c.flag("--context") == "a b")`,
		`call.urls.exists(u, u.host() in ["github.com", "::1", "127.0.0.1", ""])`,
		`call.name in ["Bash", "Write", "create_issue", "my tool"]`,
		`call.reads.exists(p, p.under("~/.ssh"))`,
		`now.getDayOfWeek() in [0, 6] || now.getHours() == 23`,
		`now.getHours() > 22 && now.getHours() >= 0 && now.getHours() <= 23`, `(now - timestamp("2026-01-01T00:00:00Z")).getHours() >= 48`,
		`now.getHours("Europe/Berlin") > 18 || now.getMinutes("+02:00") > 5 || now.getHours("UTC") == 3`,
		`type(call.args.to) == list ? call.args.to.exists(a, a == "x") : call.args.to == "x"`,
		`type(call.args.n) in [int, double, uint, string, bool, map, null_type]`,
		`request.messages.exists(m, m.role == "user")`,
	} {
		if _, err := rule.Compile(source, rule.Options{}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// What is allowed but probably not intended gets a warning.
func TestWarnings(t *testing.T) {
	t.Parallel()

	for source, want := range map[string]string{
		`call.urls.exists(u, u == "x.example/a")`:                                   `u.host() == "x.example"`,
		`call.urls.exists(u, u == "https://x.example/" || u.contains("x.example"))`: "",
		`call.effects.exists(e, e.verb == "delete" && !e.touches(["./**"]))`:        "e.outside(paths)",
		`call.effects.exists(e, !(e.verb == "read" || e.touches(["./**"])))`:        "e.outside(paths)",
		`call.effects.exists(e, e.touches(["./**"]) == false)`:                      "e.outside(paths)",
		`!call.effects.exists(e, e.touches(["./**"]))`:                              "e.outside(paths)",
		`call.effects.exists(e, e.touches(["./**"]))`:                               "",
		`!(!call.effects.exists(e, e.touches(["./**"])))`:                           "",
		`call.effects.exists(e, e.touches(["./**"]) == true)`:                       "",
		`call.effects.exists(e, e.verb == "delete" && e.outside(["./**"]))`:         "",
		`call.args.command.contains("rm -rf")`:                                      "call.commands.exists",
		`has(call.args.command) && call.args["timeout"] == 3`:                       "",
		`session.client == "claude"`:                                                `did you mean "claude-code"?`,
		`session.client == "claude-code"`:                                           "",
		`call.commands.exists(c, c.is("git") && c.sub == "remote add")`:             `c.sub == "remote" && "add" in c.args`,
		`call.commands.exists(c, c.sub == "git push")`:                              `write c.is("git") && c.sub == "push" if git is the program`,
		`call.commands.exists(c, c.sub == "--force")`:                               `c.has("--force")`,
		`request.messages.exists(m, m.role == "developer")`:                         `did you mean "system"?`,
		`session.cwd == "~/work/"`:                                                  `paths do not end with a slash (write "~/work")`,
		`call.reads.exists(p, p in ["/etc/", "/srv"])`:                              `write "/etc"`,
		`session.client == "sluice agent"`:                                          "",
		`session.home == "/"`:                                                       "",

		`call.reads.all(p, p.under("~/public"))`:                                         "call.reads.all(...) is also true of a call that reads nothing",
		`call.kind == "shell" && call.writes.all(p, p.under("/tmp"))`:                    "call that writes nothing (write call.writes.size() > 0 &&",
		`call.commands.all(c, c.is("ls"))`:                                               "runs no command",
		`call.kind == "shell" && !(call.kind == "mcp" || call.reads.all(p, p == "/a"))`:  "",
		`call.kind == "shell" && !(session.cwd == "/a" && call.reads.all(p, p == "/a"))`: "reads nothing",
		`call.kind == "shell" && !call.reads.all(p, p == "/a")`:                          "",
		`call.reads.size() > 0 && call.reads.all(p, p == "/a")`:                          "",
		`call.kind == "read" && (call.reads != [] && call.reads.all(p, p == "/a"))`:      "",
		`call.effects.all(e, e.verb != "write" || e.within([".", "/tmp"]))`:              "",
		`call.args.list.all(p, p == "/a")`:                                               "",

		`call.server == "mcp__github"`:                          `call.server == "github"`,
		`call.server.startsWith("mcp__github__")`:               `call.server == "github"`,
		`call.server in ["github", "mcp_linear"]`:               `call.server == "linear"`,
		`call.server == "github"`:                               "",
		`call.raw_name == "mcp__github__get"`:                   "",
		`call.effects.exists(e, e.object == "refs/heads/main")`: `write e.object == "main"`,
		`call.effects.exists(e, e.verb == "delete-branch" && e.object.startsWith("refs/heads/release/"))`:            `write e.object.startsWith("release/")`,
		`call.effects.exists(e, e.verb == "delete-branch" && e.object.startsWith("release/"))`:                       "",
		`call.effects.exists(e, e.verb == "apply" && !e.scratch)`:                                                    "says nothing about the verb apply",
		`call.effects.exists(e, !e.scratch && (e.how == "x" || e.wide) && e.verb in ["apply", "publish"])`:           "apply or publish",
		`call.effects.exists(e, e.verb in ["apply", "destroy"] && !e.scratch)`:                                       "",
		`call.effects.exists(e, e.verb == "apply" || !e.scratch)`:                                                    "",
		`call.commands.exists(c, c.is("git") && c.has("--no-verfy"))`:                                                "did you mean --no-verify?",
		`call.commands.exists(c, c.sub == "run" && c.is("docker") && (c.sudo || !c.has("priviledged")))`:             "did you mean privileged?",
		`call.commands.exists(c, c.is("kubectl") && c.flag("contex") == "prod")`:                                     "did you mean context?",
		`call.commands.exists(c, c.is("kubectl", "helm") && c.flags("namespac").size() > 0)`:                         "did you mean namespace?",
		`call.commands.exists(c, c.is("git") && c.has("--no-verify") || c.has("--no-verfy"))`:                        "",
		`call.commands.exists(c, c.is("git", "unheard-of") && c.has("--no-verfy"))`:                                  "",
		`call.commands.exists(c, c.is("git") && call.commands.exists(d, d.is("unheard-of") && d.has("--no-verfy")))`: "",
	} {
		p, err := rule.Compile(source, rule.Options{})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
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

// The obvious policy is right: whatever is or may be outside of the working
// directory is outside, and what depends on something unknown is unknown.
func TestOutside(t *testing.T) {
	t.Parallel()

	known := policy.Session{Cwd: "/work/app", Home: "/home/u"}
	for _, tc := range []struct {
		command string
		session policy.Session
		want    rule.Outcome
	}{
		{"rm -rf /", known, rule.True},
		{"rm -rf ~", known, rule.True},
		{"rm -rf ..", known, rule.True},
		{"rm -rf ../other", known, rule.True},
		{"echo x > /etc/motd", known, rule.True},
		{"cd / && rm -rf *", known, rule.True},
		{"rm -rf .", known, rule.False},
		{"rm -rf build", known, rule.False},
		{"rm -rf $PWD/build", known, rule.False},
		{"cat /etc/passwd", known, rule.False},
		{"echo x > a && cp a b/c", known, rule.False},
		{`rm -rf "$DIR"`, known, rule.Unknown},
		{"rm -rf /", policy.Session{}, rule.True},
		{"rm -rf ~", policy.Session{}, rule.True},
		{"rm -rf build", policy.Session{}, rule.False},
		{"rm -rf /work/app/build", policy.Session{}, rule.Unknown},
		{"rm -rf ../x", policy.Session{}, rule.Unknown},
		{"rm -rf build /work/app/build /", policy.Session{}, rule.True},
	} {
		for source, want := range map[string]rule.Outcome{
			`call.effects.exists(e, e.verb in ["write", "delete"] && e.outside(["./**"]))`: tc.want,
			`call.effects.exists(e, e.verb in ["write", "delete"] && !e.within(["."]))`:    tc.want,
			`!call.effects.all(e, !(e.verb in ["write", "delete"]) || e.within(["./"]))`:   tc.want,
		} {
			p := compile(t, source)
			s := policy.NewSubject(&policy.Exchange{Session: tc.session}, bash(tc.command))
			got, _, err := p.Match(s)
			if got != want || err != nil {
				t.Errorf("%s: %s: got %v, %v, want %v", tc.command, source, got, err, want)
			}
		}
	}
}

// A default that the text does not name is unknown, and never the word for it.
func TestDefaultsAreUnknown(t *testing.T) {
	t.Parallel()

	const protected = `call.effects.exists(e, e.verb in ["push", "force-push"] && e.object in ["main"])`
	const head = `call.effects.exists(e, e.verb == "push" && e.object == "HEAD")`
	const remote = `call.effects.exists(e, e.verb == "push" && e.from == "origin")`
	for _, tc := range []struct {
		command, source string
		want            rule.Outcome
	}{
		{"git push", protected, rule.Unknown},
		{"git push origin HEAD", protected, rule.Unknown},
		{"git push origin @", protected, rule.Unknown},
		{"git push origin HEAD:main", protected, rule.True},
		{"git push origin main", protected, rule.True},
		{"git push origin topic", protected, rule.False},
		{"git checkout -b topic && git push", protected, rule.False},
		{"git push", head, rule.Unknown},
		{"git push origin main", remote, rule.True},
		{"git push", remote, rule.False},
	} {
		p := compile(t, tc.source)
		s := policy.NewSubject(nil, bash(tc.command))
		got, _, err := p.Match(s)
		if err != nil || got != tc.want {
			t.Errorf("%s: %s: got %v, %v, want %v", tc.command, tc.source, got, err, tc.want)
		}
	}
}

// Addresses of SSH, scp, rsync and git have a host like URLs.
func TestHostsOfAddresses(t *testing.T) {
	t.Parallel()

	for address, want := range map[string]string{
		"git@github.com:o/r.git":         "github.com",
		"github.com:o/r.git":             "github.com",
		"GitHub.com.:o/r.git":            "github.com",
		"user@host.example:/srv/x":       "host.example",
		"host.example:~/x":               "host.example",
		"host.example::module/x":         "host.example",
		"ssh://git@github.com:22/o/r":    "github.com",
		"ssh://host.example":             "host.example",
		"rsync://host.example/m":         "host.example",
		"git+ssh://git@host.example/o/r": "host.example",
		"localhost:8080":                 "localhost",
		"localhost:8080/path":            "localhost",
		"https://u:p@host.example:1/x":   "host.example",
		"[::1]:8080":                     "::1",
		"host.example":                   "host.example",
		"git@a.example:b@c.example/x":    "?",
		"a@b@c.example:x":                "?",
		"mailto:a@host.example":          "?",
		"file:/etc/passwd":               "?",
		"data:text/plain,x":              "?",
		"user@$HOST:x":                   "?",
		`a\b:c`:                          "?",
	} {
		p, err := rule.CompileValue(`call.args.url.host()`, rule.Options{})
		if err != nil {
			t.Fatal(err)
		}
		block := llm.Block{Kind: llm.ToolCall, Name: "t", Arguments: fmt.Sprintf(`{"url":%q}`, address)}
		got, err := p.Value(policy.NewSubject(nil, block))
		if _, unknown := errors.AsType[*rule.UnknownError](err); unknown {
			got = "?"
		} else if err != nil {
			t.Errorf("%s: %v", address, err)
		}
		if got != want {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
}

// call.Reasons has every reason that a reading gives.
func TestReasonsAreListed(t *testing.T) {
	t.Parallel()

	listed := map[string]bool{}
	for _, reason := range call.Reasons() {
		if listed[reason] {
			t.Errorf("the reason %s is listed twice", reason)
		}
		listed[reason] = true
	}
	_, calls := presets(t)
	seen := 0
	for i := range calls {
		for _, reason := range call.Read(&calls[i], call.Place{}).Unknown {
			if seen++; !listed[reason] {
				t.Errorf("%s: the reason %q is not listed", calls[i].Arguments, reason)
			}
		}
	}
	if seen == 0 {
		t.Error("no example has a reason")
	}
}
