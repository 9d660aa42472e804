package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

func TestPathsAndHosts(t *testing.T) {
	const (
		yes     = rule.True
		no      = rule.False
		unknown = rule.Unknown
	)
	nowhere := &policy.Exchange{}
	for _, tc := range []struct {
		value, ask string
		here, away rule.Outcome // where the session is known, and where it is not
	}{
		{"/etc/passwd", `under("/etc")`, yes, yes},
		{"/etc", `under("/etc")`, yes, yes},
		{"/etc", `under("/etc/")`, yes, yes},
		{"/etcetera", `under("/etc")`, no, no},
		{"/tmp/../etc/passwd", `under("/etc")`, yes, yes},
		{"/etc/../tmp/x", `under("/etc")`, no, no},
		{"//etc//passwd", `under("/etc")`, yes, yes},
		{"/anything", `under("/")`, yes, yes},
		{"~/.ssh/id", `under("~/.ssh")`, yes, yes},
		{"~/.sshx", `under("~/.ssh")`, no, no},
		{"~", `under("~")`, yes, yes},
		{"~/../bob", `under("~")`, no, unknown},
		{"$HOME/.ssh/id", `under("~/.ssh")`, yes, yes},
		{"${HOME}/.ssh/id", `under("~/.ssh")`, yes, yes},
		{"/home/ada/.ssh/id", `under("~/.ssh")`, yes, unknown},
		{"~/.ssh/id", `under("/home/ada")`, yes, unknown},
		{"~bob/.ssh/id", `under("/home/bob")`, unknown, unknown},
		{"~bob/.ssh/id", `under("~bob")`, yes, yes},
		{"$DIR/x", `under("/etc")`, unknown, unknown},
		{"src/main.go", `under("src")`, yes, yes},
		{"src/main.go", `under(".")`, yes, yes},
		{"../other", `under(".")`, no, unknown},
		{"src/../../x", `under("src")`, no, unknown},
		{"src/main.go", `under("/home/ada/app")`, yes, unknown},
		{"../../../etc/passwd", `under("/etc")`, yes, unknown},
		{"", `under("/home/ada/app")`, yes, unknown},

		{"/a/key.pem", `glob("*.pem")`, yes, yes},
		{"key.pem", `glob("*.pem")`, yes, yes},
		{"/a/key.pem.txt", `glob("*.pem")`, no, no},
		{".env.local", `glob(".env*")`, yes, yes},
		{"/a/x", `glob("[xy]")`, yes, yes},
		{"/a/b/c/d.go", `glob("/a/**/d.go")`, yes, yes},
		{"/a/d.go", `glob("/a/**/d.go")`, yes, yes},
		{"/a/b/c", `glob("/a/*")`, no, no},
		{"/a/b", `glob("/a/*")`, yes, yes},
		{"/a/b/c", `glob("/a/**")`, yes, yes},
		{"/x/a/y/b/z/a/b", `glob("**/a/b")`, yes, yes},
		{"/x/a/y/b/z", `glob("**/a/**/b")`, no, no},
		{"a/.git/config", `glob("**/.git/**")`, yes, yes},
		{"~/.aws/credentials", `glob("~/.aws/*")`, yes, yes},
		{"/home/ada/.aws/credentials", `glob("~/.aws/*")`, yes, unknown},
		{"deploy/prod.yaml", `glob("deploy/*.yaml")`, yes, yes},
		{"./deploy/prod.yaml", `glob("deploy/*.yaml")`, yes, yes},

		{"https://Example.com:8443/x", `host() == "example.com"`, yes, yes},
		{"http://good.example@evil.example/", `host() == "evil.example"`, yes, yes},
		{"example.com/x", `host() == "example.com"`, yes, yes},
		{"example.com:80", `host() == "example.com"`, yes, yes},
		{"//example.com./x", `host() == "example.com"`, yes, yes},
		{"http://[::1]:80/", `host() == "::1"`, yes, yes},
		{"ssh://git@github.com/a/b", `host() == "github.com"`, yes, yes},
		{`http://evil.example\@good.example/`, `host() == "good.example"`, unknown, unknown},
		{"http://a b/", `host() == "a"`, unknown, unknown},
		{"", `host() == ""`, yes, yes},
	} {
		t.Run(tc.value+" "+tc.ask, func(t *testing.T) {
			p := compile(t, "call.args.value."+tc.ask)
			block := llm.Block{Kind: llm.ToolCall, Name: "t", Arguments: fmt.Sprintf(`{"value":%q}`, tc.value)}
			if got, what, err := p.Match(policy.NewSubject(known, block)); got != tc.here || err != nil {
				t.Errorf("in a known session: got %v %s, %v; want %v", got, what, err, tc.here)
			}
			if got, what, err := p.Match(policy.NewSubject(nowhere, block)); got != tc.away || err != nil {
				t.Errorf("in an unknown session: got %v %s, %v; want %v", got, what, err, tc.away)
			}
		})
	}
}

// around and names give the same result with and without CEL.
func TestWhatIsAroundAndNamed(t *testing.T) {
	for _, tc := range []struct {
		command, ask string
		want         rule.Outcome
	}{
		{"rm /srv/app", `call.effects.exists(e, e.verb == "delete" && e.around(["/srv/app/key"]))`, rule.True},
		{"rm /srv/app", `call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/app/key"]))`, rule.False},
		{"rm /srv/app/key", `call.effects.exists(e, e.verb == "delete" && e.around(["/srv/app/key"]))`, rule.True},
		{"rm /srv/app/other", `call.effects.exists(e, e.verb == "delete" && e.around(["/srv/app/key"]))`, rule.False},
		{"echo x > a.md", `call.effects.exists(e, e.verb == "write" && e.around(["**/migrations/applied/**"]))`, rule.False},
		{"tee docs/a.md < b", `call.effects.exists(e, e.verb == "write" && e.around(["**/migrations/applied/**"]))`, rule.False},
		{"touch src", `call.effects.exists(e, e.verb == "write" && e.around(["**/migrations/applied/**"]))`, rule.False},
		{"cat a.md", `call.effects.exists(e, e.verb == "read" && e.around(["**/migrations/applied/**"]))`, rule.False},
		{"chmod 600 a", `call.effects.exists(e, e.verb == "mode" && e.around(["**/migrations/applied/**"]))`, rule.False},
		{"chmod -R 600 a", `call.effects.exists(e, e.verb == "mode" && e.around(["**/migrations/applied/**"]))`, rule.Unknown},
		{"rm -r src", `call.effects.exists(e, e.verb == "delete" && e.around(["**/migrations/applied/**"]))`, rule.Unknown},
		{"mv src b", `call.effects.exists(e, e.verb == "delete" && e.around(["**/migrations/applied/**"]))`, rule.Unknown},
		{"mv src b", `call.effects.exists(e, e.verb == "write" && e.around(["**/migrations/applied/**"]))`, rule.Unknown},
		{"cp -r src b", `call.effects.exists(e, e.verb == "write" && e.around(["**/migrations/applied/**"]))`, rule.Unknown},
		{"echo x > migrations/applied/1.sql", `call.effects.exists(e, e.verb == "write" && e.around(["**/migrations/applied/**"]))`, rule.True},
		{"some-tool /srv/app/key", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.True},
		{"some-tool @/srv/app/key", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.True},
		{"some-tool --in=@/srv/app/key", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.True},
		{"some-tool @/srv/app/keys", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.False},
		{"some-tool --in=/srv/app/key", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.True},
		{"cd /srv/app && some-tool key", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.True},
		{"cd /srv && some-tool ./app/../app/key", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.True},
		{"some-tool key", `call.commands.exists(c, c.names(["/home/ada/app/key"]))`, rule.True},
		{"some-tool ~/key", `call.commands.exists(c, c.names(["~/key"]))`, rule.True},
		{"some-tool /srv/app", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.False},
		{"some-tool /srv/app/keys", `call.commands.exists(c, c.names(["/srv/app/key"]))`, rule.False},
		{"git checkout old -- conf", `call.effects.exists(e, e.verb == "discard" && e.carries(["/home/ada/app/conf/key"]))`, rule.True},
		{"git checkout old -- .", `call.effects.exists(e, e.verb == "discard" && e.carries(["/home/ada/app/conf/key"]))`, rule.False},
	} {
		block := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: fmt.Sprintf(`{"command":%q}`, tc.command)}
		for _, source := range []string{tc.ask, tc.ask + ` && call.raw.trim() != ""`} { // the second one only CEL can tell
			if got, what, err := compile(t, source).Match(policy.NewSubject(known, block)); got != tc.want || err != nil {
				t.Errorf("%s: %s: got %v %s, %v; want %v", tc.command, source, got, what, err, tc.want)
			}
		}
	}
}

// Two stars alone are every path, wherever that is and whether or not the session is known,
// in all places in which a path is compared with patterns.
func TestTwoStarsMatchEverything(t *testing.T) {
	t.Parallel()

	for _, all := range []string{"**", "**/**", "**/"} {
		for _, command := range []string{"rm /work/a.py", "rm -rf /srv", "rm -rf /", "rm x", "rm ../x", "rm ~/x", "rm -rf ~", "rm /a*", "rm C:/x", "rm ~bob/x"} {
			for _, at := range []policy.Session{{}, {Cwd: "/work", Home: "/h"}, {Cwd: "/elsewhere"}} {
				for _, condition := range []string{
					`call.effects.exists(e, e.touches([%q]))`, `call.effects.exists(e, e.around([%q]))`, `call.effects.all(e, e.within([%q]))`,
					`!call.effects.exists(e, e.outside([%q]))`, `call.effects.exists(e, e.object.glob(%q))`, `call.effects.all(e, !e.touches(["**", "!" + %q]))`,
				} {
					source := fmt.Sprintf(condition, all)
					got, what, err := compile(t, source).Match(policy.NewSubject(&policy.Exchange{Session: at}, bash(command)))
					if got != rule.True || err != nil {
						t.Errorf("%s for %s at %q: %s (%s, %v)", source, command, at.Cwd, got, what, err)
					}
				}
			}
		}
	}
}
