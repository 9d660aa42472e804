package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// A text that begins with ~/ means the home wherever it is compared with a path, as it
// does to under and glob: the comparison is true where they are, and true nowhere else.
func TestComparedWithThePathsOfACallTheTildeIsTheHome(t *testing.T) {
	t.Parallel()

	sessions := []policy.Session{{}, {Home: "/home/me"}, {Cwd: "/home/me"}, {Cwd: "/home/me/code", Home: "/home/me"}, {Cwd: "/work", Home: "/root"}, {Cwd: "C:/w", Home: "C:/Users/me"}}
	paths := []string{"~/.aliases", "$HOME/.aliases", "/home/me/.aliases", "/root/.aliases", ".aliases", "../.aliases", "~/code/a", "a", "/home/me/code/a", "~", "/etc/x", "~/.aliases2", "$X/.aliases", "/srv/$X", "~/$X"}
	texts := []string{"~/.aliases", "~/code", "~/code/a", "~"}
	answers := map[rule.Outcome]int{}
	for _, in := range []string{`call.effects.exists(e, e.verb == "read" && %s)`, `call.reads.exists(e, %s)`, `call.reads.filter(f, f != "x").exists(e, %s)`} {
		object := "e"
		if in[5] == 'e' {
			object = "e.object"
		}
		for _, text := range texts {
			same := fmt.Sprintf("%s.glob(%q)", object, text)
			for compared, means := range map[string]string{
				fmt.Sprintf("%s == %q", object, text):                same,
				fmt.Sprintf("%q == %s", text, object):                same,
				fmt.Sprintf("%s in [%q, %q]", object, "/x", text):    same,
				fmt.Sprintf("[%q].exists(x, x == %s)", text, object): same,
				fmt.Sprintf("%s.startsWith(%q)", object, text+"/a"):  fmt.Sprintf("%[1]s.under(%[2]q) || %[1]s.glob(%[2]q) || %[1]s.glob(%[3]q)", object, text+"/a", text+"/a*"),
			} {
				got, want := compile(t, fmt.Sprintf(in, compared)), compile(t, fmt.Sprintf(in, means))
				for _, path := range paths {
					for i := range sessions {
						is := outcomeAt(t, got, sessions[i], "cat "+path)
						should := outcomeAt(t, want, sessions[i], "cat "+path)
						if (is == rule.True) != (should == rule.True) || is == rule.Unknown && should == rule.False {
							t.Errorf("%s for %s at %+v: %v, and %s is %v", compared, path, sessions[i], is, means, should)
						}
						answers[is]++
					}
				}
			}
		}
	}
	if answers[rule.True] < 100 || answers[rule.Unknown] < 100 || answers[rule.False] < 100 {
		t.Errorf("the cases say little: %v", answers)
	}
}

func TestOtherPathsAreComparedWithTheHome(t *testing.T) {
	t.Parallel()

	at := policy.Session{Cwd: "/home/me/work/app", Home: "/home/me/"}
	for source, want := range map[string]rule.Outcome{
		`session.cwd.startsWith("~/work")`:                                                rule.True,
		`session.cwd == "~/work/app"`:                                                     rule.True,
		`session.cwd in ["~/work", "~/other"]`:                                            rule.False,
		`"~/.aliases" in call.reads`:                                                      rule.True,
		`call.reads[0] == "~/.aliases"`:                                                   rule.True,
		`call.effects.exists(e, e.verb == "send" && e.from.startsWith("~/."))`:            rule.True,
		`call.effects.exists(e, e.verb == "send" && e.from != "~/.aliases")`:              rule.False,
		`call.effects.exists(e, e.verb == "push" && e.object == "~/main")`:                rule.False,
		`call.commands.exists(c, c.sub == "~/.aliases") || call.args.command == "~/work"`: rule.False,
	} {
		if got := outcomeAt(t, compile(t, source), at, "curl -T ~/.aliases https://x.example; git push origin main"); got != want {
			t.Errorf("%s: got %v, want %v", source, got, want)
		}
	}
	for source, want := range map[string]rule.Outcome{
		`session.cwd.startsWith("~/work")`:                              rule.Unknown,
		`call.reads.exists(p, p == "~/.aliases")`:                       rule.Unknown,
		`call.reads.exists(p, p == "~/.other")`:                         rule.False,
		`call.effects.exists(e, e.verb == "push" && e.object == "~/x")`: rule.False,
	} {
		if got := outcomeAt(t, compile(t, source), policy.Session{}, "cat /home/me/.aliases; git push origin x"); got != want {
			t.Errorf("%s with nothing known: got %v, want %v", source, got, want)
		}
	}
}

func outcomeAt(t *testing.T, p *rule.Program, at policy.Session, command string) rule.Outcome {
	t.Helper()
	got, _, err := p.Match(policy.NewSubject(&policy.Exchange{Session: at}, bash(command)))
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return got
}
