package rule_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// What a condition says of a text with variables in it holds for whatever their
// values are: it is decided only if every filling decides it the same way.
func TestWhatIsDecidedOfATextWithHolesHoldsForEveryFilling(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	word := func() string {
		var b strings.Builder
		for range random.IntN(4) {
			b.WriteString(pick("a", "b", "ab", "prod", "-", "/", ".", "x.example", "https://x.example/", "/srv", "\n"))
		}
		return b.String()
	}
	fillings := []string{"", "a", "prod", "/", "b-", "https://x.example/a", "..x", "prod-ab", "@b", "/srv/a", "\n", "ab.x.example/"}
	decided, unknown := 0, 0
	for range 2000 {
		before, after, with := word(), word(), word()
		condition := fmt.Sprintf(pick(`%s == %q`, `%s != %q`, `%s.startsWith(%q)`, `%s.endsWith(%q)`, `%s.contains(%q)`, `%s.matches(%q)`, `%s.matches("^" + %q)`, `%s.matches(%q + "$")`,
			`%s.matches("^" + %q + "$")`, `%s.matches("\\b" + %q)`, `%s.matches("(?m)^" + %q + "$")`, `%s.matches(%q + "[^a]")`, `%s in ["q", %q]`, `%s.under("/" + %q)`, `%s.glob("/" + %q + "*")`, `%s.host() == %q`, `%s.lowerAscii() == %q`, `%s.size() > 3 && %[1]s != %[2]q`),
			pick(`c.flag("f")`, `c.args[1]`, `c.flags("f")[0]`), with)
		p, err := rule.Compile(`call.commands.exists(c, c.is("t") && `+condition+`)`, rule.Options{})
		if err != nil {
			continue // it can never match
		}
		outcome := func(value string) rule.Outcome {
			got, _, err := p.Match(policy.NewSubject(nil, bash(`t -f "`+value+`"`)))
			if err != nil {
				return 99
			}
			return got
		}
		open := outcome(before + "${X}" + after)
		if open == rule.Unknown {
			unknown++
			continue
		}
		decided++
		for _, f := range fillings {
			if strings.Contains(condition, "under(") && strings.Contains(f, "..") {
				continue // that a variable leads upwards is left aside
			}
			if strings.HasPrefix(before+f+after, "-") {
				continue // a flag, and no value of one
			}
			if got := outcome(before + f + after); got != open && got != rule.Unknown {
				t.Fatalf("%s: %v for %q with a hole, but %v for %q", condition, open, before+"${X}"+after, got, before+f+after)
			}
		}
	}
	t.Logf("%d decided, %d unknown", decided, unknown)
	if decided < 300 || unknown < 300 {
		t.Errorf("the cases say little: %d decided, %d unknown", decided, unknown)
	}
}

func TestPartsOfACallThatAreNotKnown(t *testing.T) {
	const (
		yes     = rule.True
		no      = rule.False
		unknown = rule.Unknown
	)
	kubectl := `call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("prod"))`
	deletes := `call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/data/**"]))`
	hidden := `call.effects.exists(e, e.verb == "delete" && e.touches(["**/.env"]))`
	for _, tc := range []struct {
		source, command string
		want            rule.Outcome
	}{
		{kubectl, `kubectl --context "$C" get pods`, unknown},
		{kubectl, `kubectl --context=$C get pods`, unknown},
		{kubectl, `kubectl --context "prod-$C" get pods`, yes},
		{kubectl, `kubectl --context staging get pods`, no},
		{kubectl, `kubectl $OPTIONS get pods`, unknown},
		{kubectl, `kubectl --context '$C' get pods`, no},
		{kubectl, `C=staging; kubectl --context "$C" get pods`, no},
		{kubectl, `C=prod; kubectl --context "$C" get pods`, yes},
		{kubectl, `kubectl --context staging get pods "a$POD"`, no},
		{kubectl, `kubectl --context staging -- get pods "$POD"`, no},
		{kubectl, `echo "$C"`, no},
		{kubectl, `kubectl --context prod -n "$NS" delete pod "$POD"`, yes},
		{kubectl, `kubectl --context prod delete pod $(cat pods)`, yes},
		{kubectl, `kubectl --context prod apply -f $HOME/x.yaml -f ${DIR}/y.yaml`, yes},
		{kubectl, `kubectl get pods -o name | xargs kubectl --context prod delete`, yes},
		{kubectl, `kubectl get pods -o name | xargs -I{} kubectl --context prod delete {}`, yes},
		{kubectl, `for p in $(cat pods); do kubectl --context prod delete $p; done`, yes},
		{kubectl, `cat contexts | xargs kubectl delete pod a --context`, unknown},
		{kubectl, `kubectl --context staging delete pod $(cat pods)`, no},
		{`call.commands.exists(c, c.is("kubectl") && c.flag("context") != "staging")`, `kubectl --context staging delete $X`, no},
		{`call.commands.exists(c, c.is("kubectl") && !c.flags("context").all(f, f == "staging"))`, `kubectl --context staging delete $X`, unknown},
		{`call.commands.exists(c, c.is("kubectl") && !c.flags("context").all(f, f == "staging"))`, `kubectl --context staging delete "$X"`, no},
		{`call.commands.exists(c, c.is("aws") && c.flag("profile") == "prod")`, `AWS_PROFILE=prod aws s3 ls "$X"`, yes},
		{`call.commands.exists(c, c.is("aws") && c.flag("profile") == "prod")`, `aws s3 rm $X --profile prod`, yes},
		{`call.commands.exists(c, c.is("kubectl") && c.flag("context").startsWith("prod"))`, `kubectl --context "staging-$C" get pods`, no},
		{`call.commands.exists(c, c.is("kubectl") && c.flag("context") == "prod")`, `kubectl --context "p$C" get pods`, unknown},
		{`call.commands.exists(c, c.sub == "push")`, `git "$X"`, unknown},
		{`call.commands.exists(c, c.sub == "push")`, `mytool "st$X"`, no},
		{`call.commands.exists(c, c.sub == "push")`, `git -C "$DIR" push`, yes},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm "$X"`, no},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm $X`, unknown},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm -v$X`, unknown},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm "-$X"`, unknown},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm $HOME/a ${X}/b $(cat /tmp/list)/c`, no},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm $(cat /tmp/list)`, unknown},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `for f in $(cat list); do rm "$f"; done`, no},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `cat list | xargs rm`, no},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `cat list | xargs -I{} rm {}`, no},
		{`call.commands.exists(c, c.is("mysql") && c.flag("host") == "db")`, `mysql -p"$PASSWORD" x`, no},
		{`call.commands.exists(c, c.is("mysql") && c.flag("host") == "db")`, `mysql "--$X" x`, unknown},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm "build/$X"`, no},
		{`call.commands.exists(c, c.is("rm") && c.has("-r"))`, `rm -- "$X"`, no},
		{`call.commands.exists(c, c.is("rm") && c.args.size() > 1)`, `rm "$X"`, no},
		{`call.commands.exists(c, c.is("rm") && c.args.size() > 1)`, `rm $X`, unknown},
		{`call.commands.exists(c, c.is("rm") && "x" in c.args)`, `rm "$X"`, unknown},
		{`call.commands.exists(c, c.is("rm") && "x" in c.args)`, `rm "a$X"`, no},
		{`call.commands.exists(c, c.is("rm") && "x" in c.args)`, `rm x "$X"`, yes},
		{`call.commands.exists(c, c.is("awk") && c.args.exists(a, a.contains("prod")))`, `awk '{print $1}' f`, no},
		{`call.commands.exists(c, c.flags("env").exists(v, v.startsWith("AWS_")))`, `docker run --env A=1 --env AWS_KEY=2 --env B=3 x`, yes},
		{`call.commands.exists(c, c.flags("env").exists(v, v.startsWith("AWS_")))`, `docker run --env A=1 --env B=3 x`, no},
		{`call.commands.exists(c, c.flags("env").exists(v, v.startsWith("AWS_")))`, `docker run --env A=1 --env "$V" x`, unknown},
		{`call.commands.exists(c, c.flags("env").size() > 1)`, `docker run --env A=1 --env B=3 x`, yes},

		{`call.effects.exists(e, e.verb == "fetch" && e.object.host() == "x.example")`, `curl $URL`, unknown},
		{`call.effects.exists(e, e.verb == "fetch" && e.object.host() == "x.example")`, `curl "https://$H/a"`, unknown},
		{`call.effects.exists(e, e.verb == "fetch" && e.object.host() == "x.example")`, `curl "https://x.example/$P"`, yes},
		{`call.effects.exists(e, e.verb == "fetch" && e.object.host() == "x.example")`, `curl "https://y.example/$P"`, no},
		{`call.effects.exists(e, e.object.host() == "x.example")`, `git checkout -- db/a.sql`, no},
		{`call.effects.exists(e, e.object.host() == "x.example")`, `git checkout -- "$F"`, no},
		{`call.effects.exists(e, e.object.host() == "x.example")`, `python3 -m http.server 8000`, no},
		{`call.urls.exists(u, u.host() == "x.example")`, `curl "https://y.example/$P"`, no},
		{`call.urls.exists(u, u.host() == "x.example")`, `curl "https://$P"`, unknown},

		{deletes, `rm -rf "$D"`, unknown},
		{deletes, `rm -rf "/srv/$D"`, yes}, // if it is empty
		{deletes, `rm "/srv/$D"`, unknown},
		{deletes, `rm -rf "/var/$D"`, no},
		{deletes, `rm -rf "/srv/x$D"`, no},
		{deletes, `rm -rf "/srv/data/$D"`, yes},
		{deletes, `cat list | xargs rm`, unknown},
		{deletes, `rm -rf "$D/build"`, unknown},
		{deletes, `echo "$D"`, no},
		{deletes, `make test`, no},
		{deletes, `echo $(date)`, no},
		{deletes, `git commit -m "$(date)"`, no},
		{deletes, `rm -rf "$(cat dirs)"`, unknown},
		{deletes, `"$TOOL" x`, unknown},
		{deletes, `bash -c "$X"`, unknown},

		{hidden, `rm -rf /srv`, unknown},
		{hidden, `rm -rf .`, unknown},
		{hidden, `rm /srv/a`, no},
		{hidden, `rm -rf /srv/.env`, yes},
		{hidden, `rm "$F"`, unknown},
		{hidden, `rm "$D/a.txt"`, no},
		{`call.effects.exists(e, e.verb == "delete" && e.touches(["**/server.pem"]))`, `rm *.pem`, unknown},
		{`call.effects.exists(e, e.verb == "delete" && e.touches(["**/.env", "!**/node_modules/**"]))`, `rm -rf /srv/node_modules`, no},
		{`call.effects.exists(e, e.verb == "send" && e.carries(["**/.env"]))`, `scp "$F" h:/x`, unknown},
		{`call.effects.exists(e, e.verb == "delete" && e.outside(["/work/**"]))`, `rm -rf "/etc/$X"`, yes},
		{`call.effects.exists(e, e.verb == "delete" && e.outside(["/work/**"]))`, `rm -rf "/work/$X"`, unknown},
		{`call.effects.exists(e, e.verb == "delete" && e.outside(["/work/**"]))`, `rm -rf "/$X"`, yes},
	} {
		t.Run(tc.source+" "+tc.command, func(t *testing.T) {
			got, what, err := compile(t, tc.source).Match(policy.NewSubject(nil, bash(tc.command)))
			if got != tc.want || err != nil {
				t.Errorf("got %v (%s), %v; want %v", got, what, err, tc.want)
			}
		})
	}
}

// A policy may say that it judges texts as they are written, as the presets do.
func TestTextsAreComparedAsWrittenIfAPolicySaysSo(t *testing.T) {
	for source, want := range map[string]rule.Outcome{
		`call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("prod"))`:      rule.False,
		`call.commands.exists(c, c.is("kubectl") && c.flag("context") == "$C")`:              rule.True,
		`call.commands.exists(c, c.is("kubectl") && !c.has("force") && "$C" in c.args)`:      rule.True,
		`call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/data/**", "**/x"]))`:  rule.False,
		`call.effects.exists(e, e.verb == "delete" && !e.touches(["/srv/data/**", "**/x"]))`: rule.True,
	} {
		p, err := rule.Compile(source, rule.Options{Written: true})
		if err != nil {
			t.Fatal(err)
		}
		if got, what, err := p.Match(policy.NewSubject(nil, bash(`kubectl --context "$C" delete ns a; rm -rf "$D"`))); got != want || err != nil {
			t.Errorf("%s: got %v (%s), %v; want %v", source, got, what, err, want)
		}
	}
}

func TestWhatIsUnknownNamesTheVariable(t *testing.T) {
	_, what, _ := compile(t, `call.commands.exists(c, c.flag("context") == "prod")`).Match(policy.NewSubject(nil, bash(`kubectl --context "p$C"`)))
	if what != "the value of $C" {
		t.Errorf("got %q", what)
	}
}
