package rule_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// Conditions mean what CEL's own interpreter says that they mean, also where values
// are unknown and types wrong; and where keys are missing, what it says with a test for
// the key in front of each question. Commands, effects and texts that are
// known in part are not of CEL, and not asked about here.
func TestConditionsMeanWhatTheyMeanInCEL(t *testing.T) {
	env, err := cel.NewEnv(ext.Strings(ext.StringsVersion(4)), cel.DefaultUTCTimeZone(true),
		cel.Variable("call", cel.MapType(cel.StringType, cel.DynType)), cel.Variable("session", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("key", cel.MapType(cel.StringType, cel.DynType)), cel.Variable("now", cel.TimestampType))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 8))
	outcomes := map[string]int{}
	conditions := 4000
	if testing.Short() {
		conditions = 800
	}
	for i := range conditions {
		source, inCEL := celCondition(random, i%4)
		p, err := rule.Compile(source, rule.Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "never") && !strings.Contains(err.Error(), "must be true or false") {
				t.Fatalf("%s: %v", source, err)
			}
			continue
		}
		checked, issues := env.Compile(inCEL)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", inCEL, issues.Err())
		}
		program, err := env.Program(checked, cel.EvalOptions(cel.OptPartialEval))
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		for range 4 {
			c := randomArguments(random)
			want := c.byCEL(t, program)
			got := c.byRule(p)
			outcomes[want]++
			if got != want {
				t.Fatalf("%s\nfor %s in %q: got %s, CEL says %s", source, c.block.Arguments, c.exchange.Session.Cwd, got, want)
			}
		}
	}
	for _, outcome := range []string{"true", "false", "unknown", "error"} {
		if outcomes[outcome] < conditions*3/40 {
			t.Errorf("the cases say little: %v", outcomes)
		}
	}
}

// celCondition is a condition on what both know, as it is written in policies and with
// tests in front of all that may not be there, where CEL fails: what is asked of it is
// false.
func celCondition(r *rand.Rand, depth int) (own, inCEL string) {
	leaves := []string{
		`call.name == "Tool"`, `call.kind in ["other", "shell"]`, `call.raw.contains("a")`, `call.server != ""`, `call.raw.matches("\"n\":[0-9]")`, `size(call.raw) > 20`, `call.raw.size() + 1 > 9`,
		`call.args.n == 1`, `call.args.n + 1 > 2`, `call.args.n in [1, 2.5, "x"]`, `-call.args.n < 0`, `call.args.n < 3u`, `type(call.args.n) == int`, `type(call.args.n) in [double, string]`, `type(call.args.list) == list`, `type(call.args.map) == map`, `type(call.args.n) == null_type`, `type(call.args.flag) == bool`, `string(call.args.n) == "1"`, `double(call.args.n) > 0.5`, `call.args.n == null`, `call.args.n.matches("x")`,
		`has(call.args.n)`, `"n" in call.args`, `call.args["text"].startsWith("a")`, `call.args.text.endsWith("b")`, `call.args.text.size() > 1`, `call.args.text in ["ab", "b"]`, `call.args.text + "!" == "ab!"`, `int(call.args.text) == 3`, `call.args.text.lowerAscii() == "ab"`,
		`"%s-%d".format([call.name, 3]) == "Tool-3"`, `call.args.text.split("a").size() == 2`, `call.args.text.replace("a", "b").contains("bb")`, `call.args.list.join(",").contains(",")`, `call.args.text.indexOf("b") == 1`, `call.args.text.substring(1) == "b"`, `call.args.text.charAt(0) == "a"`,
		`call.args.list.exists(x, x == "a")`, `call.args.list.all(x, x != 1)`, `call.args.list.exists_one(x, x == "a")`, `call.args.list.filter(x, x == "a").size() == 1`, `call.args.list.map(x, x == "a", 1).size() > 0`, `call.args.list.map(x, [x]).exists(l, l == ["a"])`, `call.args.list[0] == "a"`, `call.args.list[7] == "a"`, `call.args.list["x"] == 1`,
		`call.args.list == ["a", "b"]`, `call.args == {"n": 1}`, `call.args.exists(k, k == "n")`, `call.args.map.k == "v"`, `call.args.map.exists(k, call.args.map[k] == "v")`, `call.args.map.none.deeper == 1`, `has(call.args.map.k)`, `has(call.args.text.k)`, `call.args.text.k == 1`,
		`{"Tool": 1}[call.name] == 1`, `call.name in {"Tool": true}`, `[call.name, call.kind].exists(x, x == "Tool")`, `[call.args.n, session.cwd].exists(x, x == 1)`, `(call.args.flag ? call.name : call.kind) == "Tool"`, `(call.args.flag && true)`, `!call.args.flag`, `dyn(call.name) == 3`,
		`session.cwd == "/x"`, `session.cwd.startsWith(call.args.text)`, `call.args.text.startsWith(session.cwd)`, `session.cwd + "/a" == call.args.text`, `session.cwd == call.args.none`, `session.cwd in ["/x", "/y"]`, `session.cwd.size() > 1`, `[session.cwd].size() == 1`, `{"a": session.cwd}.a == "/x"`, `(session.cwd.matches("^/x") ? (call.args.flag && true) : true)`,
		`"g" in key.groups`, `key.groups.exists(g, g.startsWith("h"))`, `key.user == "u"`, `now > timestamp("2020-01-01T00:00:00Z")`, `now.getHours() == 4`, `now.getDayOfWeek("Europe/Berlin") == 6`, `timestamp(call.args.when) < now`, `now - timestamp("2001-02-03T04:05:06Z") == duration("0s")`, `duration("1h") > duration("5m") && call.args.flag`,
	}
	own = rule.Combined(r, depth, func() string { return fmt.Sprintf("<%d>", r.IntN(len(leaves))) })
	inCEL = strings.ReplaceAll(own, "call.args.list.exists(y,", "(has(call.args.list) ? call.args.list : []).exists(y,")
	leaf := regexp.MustCompile(`<(\d+)>`)
	at := func(s string) string { n, _ := strconv.Atoi(s[1 : len(s)-1]); return leaves[n] }
	return leaf.ReplaceAllStringFunc(own, at), leaf.ReplaceAllStringFunc(inCEL, func(s string) string { return tested(at(s)) })
}

var (
	memberOfArgs  = regexp.MustCompile(`call\.args((\.\w+)+)(\()?`)
	elementOfList = regexp.MustCompile(`call\.args\.list\[(\d)\]`)
	keyOfArgs     = regexp.MustCompile(`call\.args\["(\w+)"\]`)
)

// tested is a condition with tests in front for what may not be there.
func tested(source string) string {
	if strings.HasPrefix(source, "!") {
		return "!" + tested(source[1:])
	}
	source = keyOfArgs.ReplaceAllString(source, "call.args.$1")
	switch source {
	case `has(call.args.n)`:
		return source
	case `(call.args.flag ? call.name : call.kind) == "Tool"`:
		return `((has(call.args.flag) && call.args.flag) ? call.name : call.kind) == "Tool"`
	case `(session.cwd.matches("^/x") ? (call.args.flag && true) : true)`:
		return `(session.cwd.matches("^/x") ? has(call.args.flag) && call.args.flag : true)`
	case `[call.args.n, session.cwd].exists(x, x == 1)`:
		return `(has(call.args.n) ? [call.args.n, session.cwd] : [dyn(session.cwd)]).exists(x, x == 1)`
	}
	var tests []string
	for _, m := range memberOfArgs.FindAllStringSubmatch(source, -1) {
		names := strings.Split(m[1][1:], ".")
		if m[3] != "" { // call.args.list.exists(
			names = names[:len(names)-1]
		}
		if strings.HasPrefix(source, "has(") {
			names = names[:len(names)-1]
		}
		for i := range names {
			tests = append(tests, "has(call.args."+strings.Join(names[:i+1], ".")+")")
		}
	}
	if strings.Contains(source, `call.args.list["x"]`) {
		tests = append(tests, "type(call.args.list) == list")
	}
	for _, m := range elementOfList.FindAllStringSubmatch(source, -1) {
		tests = append(tests, "type(call.args.list) == list && size(call.args.list) > "+m[1])
	}
	return "(" + strings.Join(append(tests, "("+source+")"), " && ") + ")"
}

// arguments are a call for both.
type arguments struct {
	block    llm.Block
	exchange *policy.Exchange
}

func randomArguments(r *rand.Rand) arguments {
	members := [][]string{
		{``, `"n":1`, `"n":2.5`, `"n":"x"`, `"n":null`}, {``, `"list":["a","b"]`, `"list":[]`, `"list":["a",1,null,"a"]`, `"list":3`}, {``, `"text":"ab"`, `"text":""`, `"text":3`, `"text":"/x/a"`},
		{``, `"map":{"k":"v"}`}, {``, `"flag":true`, `"flag":false`, `"flag":"x"`}, {``, `"when":"2000-01-01T00:00:00Z"`, `"when":"soon"`},
	}
	var some []string
	for _, of := range members {
		if m := of[r.IntN(len(of))]; m != "" {
			some = append(some, m)
		}
	}
	c := arguments{
		block:    llm.Block{Kind: llm.ToolCall, Name: "Tool", Arguments: "{" + strings.Join(some, ",") + "}", Status: llm.Complete},
		exchange: &policy.Exchange{Now: time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC), Key: policy.Key{User: "u", Groups: []string{"g", "h2"}}},
	}
	if r.IntN(2) == 0 {
		c.exchange.Session.Cwd = "/x"
	}
	return c
}

func (c *arguments) byRule(p *rule.Program) string {
	outcome, _, err := p.Match(policy.NewSubject(c.exchange, c.block))
	if err != nil {
		return "error"
	}
	return outcome.String()
}

func (c *arguments) byCEL(t *testing.T, program cel.Program) string {
	t.Helper()
	read := rule.CallOf(policy.NewSubject(c.exchange, c.block))
	args := map[string]any{}
	for name, value := range read.Args() {
		args[name] = rule.Adapted(value)
	}
	var unknown []*cel.AttributePatternType
	if c.exchange.Session.Cwd == "" {
		unknown = append(unknown, cel.AttributePattern("session").QualString("cwd"))
	}
	if read.ServerUnknown {
		unknown = append(unknown, cel.AttributePattern("call").QualString("server"))
	}
	vars, err := cel.PartialVars(map[string]any{
		"call":    map[string]any{"name": read.Name, "kind": string(read.Kind), "raw": read.Raw, "server": read.Server, "args": args},
		"session": map[string]any{"cwd": c.exchange.Session.Cwd}, "key": map[string]any{"user": "u", "groups": c.exchange.Key.Groups}, "now": c.exchange.Now,
	}, unknown...)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := program.Eval(vars)
	switch {
	case err != nil:
		return "error"
	case types.IsUnknown(value):
		return "unknown"
	default:
		return fmt.Sprint(value)
	}
}
