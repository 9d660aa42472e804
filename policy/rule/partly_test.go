package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// memberTexts are the members of calls, commands and effects that are texts of a command
// line, with a condition on each and command lines that give it a value.
var memberTexts = []struct {
	condition string // %s is what is asked of the member
	is        string
	commands  []string // %s is the value
}{
	{`call.commands.exists(c, c.is("psql") && has(c.env.X) && %s)`, `c.env.X`, []string{`X="%s" psql`, `env X="%s" psql`, `env -u Y X="%s" psql`, `sudo X="%s" psql`, `A=1 X="%s" psql`, `timeout 3 env X="%s" psql`}},
	{`call.commands.exists(c, c.is("psql") && "X" in c.env && %s)`, `c.env["X"]`, []string{`X="%s" psql`, `env X="%s" psql`}},
	{`call.commands.exists(c, c.is("psql") && c.env.exists(k, k == "X" && %s))`, `c.env[k]`, []string{`X="%s" psql`, `env X="%s" psql`}},
	{`call.commands.exists(c, c.is("psql") && ["X"].exists(k, %s))`, `c.env[k]`, []string{`X="%s" psql`}},
	{`call.commands.exists(c, c.is("psql") && c.env.map(k, c.env[k]).exists(v, %s))`, `v`, []string{`X="%s" psql`}},
	{`call.commands.exists(c, c.is("tool") && %s)`, `c.args[0]`, []string{`tool "%s"`, `sudo tool "%s"`}},
	{`call.commands.exists(c, c.is("tool") && c.args.exists(a, %s))`, `a`, []string{`tool "%s"`}},
	{`call.commands.exists(c, c.is("tool") && %s)`, `c.sub`, []string{`tool "%s"`}},
	{`call.commands.exists(c, c.is("kubectl") && %s)`, `c.flag("context")`, []string{`kubectl --context "%s" get pods`, `kubectl get pods --context="%s"`}},
	{`call.commands.exists(c, c.is("docker") && c.flags("env").exists(v, %s))`, `v`, []string{`docker run --env A --env "%s" img`}},
	{`call.effects.exists(e, e.verb == "push" && !e.guess && %s)`, `e.object`, []string{`git push origin "%s"`}},
	{`call.effects.exists(e, e.verb in ["fetch", "send"] && !e.guess && %s)`, `e.object`, []string{`curl "https://%s/x"`}},
	{`call.urls.exists(u, %s)`, `u`, []string{`curl "https://%s/x"`}},
	{`call.writes.exists(p, %s)`, `p`, []string{`echo x > "d/%s"`}},
}

// asksOfText are what can be asked of a text.
var asksOfText = []string{
	`%s == "prod"`, `%s != "prod"`, `%s.startsWith("pro")`, `%s.endsWith("prod.acme")`, `%s.contains("prod")`, `%s.matches("^prod")`, `%s.matches("prod$")`, `%s in ["prod", "a"]`,
	`%s + "x" == "prodx"`, `%s.size() == 4`, `%s.lowerAscii() == "prod"`, `%s.host() == "prod"`, `%s.under("prod")`, `%s.glob("pro*")`, `["prod"].exists(x, x == %s)`, `[%s].exists(x, x == "prod")`, `%s.split(".").exists(x, x == "prod")`,
	`(%s == "prod" ? true : false)`, `{"a": %s}.a == "prod"`,
}

// What is known of a text that is known in part holds whatever the rest is: every member
// that a condition can read is compared as far as it is known.
func TestATextKnownInPartIsComparedAsFarAsItIsKnown(t *testing.T) {
	t.Parallel()

	exchange := &policy.Exchange{Session: policy.Session{Cwd: "/w", Home: "/h"}}
	values := []string{"$H", "$(cat h)", "pro$H", "$H.acme", "prod", "x$H", "${H}x", "$H.prod.acme"}
	known, open := 0, 0
	for _, member := range memberTexts {
		for _, ask := range asksOfText {
			here := fmt.Sprintf(ask, member.is)
			for _, negated := range []bool{false, true} {
				if negated {
					here = "!(" + here + ")"
				}
				condition, err := rule.Compile(fmt.Sprintf(member.condition, here), rule.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, form := range member.commands {
					for _, value := range values {
						if strings.Contains(value, "$(") && strings.HasPrefix(form, "curl") {
							continue // what a file says is sent to the part of the host that is known
						}
						got, _, err := condition.Match(policy.NewSubject(exchange, bash(fmt.Sprintf(form, value))))
						if err != nil || got == rule.Unknown {
							open++
							continue
						}
						known++
						for _, rest := range []string{"x", "prod", "d", "prod.acme", "a.prod.acme"} {
							full := strings.NewReplacer("$(cat h)", rest, "${H}", rest, "$H", rest).Replace(value)
							is, _, err := condition.Match(policy.NewSubject(exchange, bash(fmt.Sprintf(form, full))))
							if err == nil && is != got && is != rule.Unknown {
								t.Errorf("%s for %s is %v, and for %s it is %v", fmt.Sprintf(member.condition, here), fmt.Sprintf(form, value), got, full, is)
							}
						}
					}
				}
			}
		}
	}
	if known < 500 || open < 500 {
		t.Errorf("the cases say little: %d known, %d not", known, open)
	}
}
