package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// c.operands has the arguments of a command without its options and their values, whatever
// stands between them.
func TestOperandsAreTheArgumentsWithoutOptions(t *testing.T) {
	t.Parallel()

	for command, want := range map[string]string{
		"aws s3 rm s3://b/x":                                           "s3 rm s3://b/x",
		"aws --profile prod s3 rm s3://b/x --query list":               "s3 rm s3://b/x",
		"aws --profile=prod s3 --region eu-west-1 rm --quiet s3://b/x": "s3 rm s3://b/x",
		"terraform apply -var x=a.tfplan plan.tfplan":                  "apply plan.tfplan",
		"kubectl -n prod delete ns a --context dev b":                  "delete ns a b",
		"docker run -it --rm -e A=b acme/img:1 tool -v x":              "run acme/img:1 tool -v x",
		"docker container run --name n acme/img:1":                     "container run acme/img:1",
		"git -C /x push origin +main:main --force":                     "push origin +main:main",
		"rm -rf -- -x y":               "-x y",
		"sudo -u root git push origin": "push origin",
		"pwd":                          "",
		"nobody-knows-it a b":          "a b",
	} {
		operands := strings.Fields(want)
		for i := range len(operands) + 1 {
			condition := fmt.Sprintf(`c.operands.size() == %d`, len(operands))
			if i < len(operands) {
				condition += fmt.Sprintf(` && c.operands[%d] == %q && %q in c.operands && c.operands.exists(o, o == %q)`, i, operands[i], operands[i], operands[i])
			}
			p := compile(t, `call.commands.exists(c, `+condition+`)`)
			got, what, err := p.Match(policy.NewSubject(nil, bash(command)))
			if got != rule.True || err != nil {
				t.Errorf("%s for %s: %s (%s, %v)", condition, command, got, what, err)
			}
			if rule.NewGates([]*rule.Program{p}).Open(policy.NewSubject(nil, bash(command))) == 0 {
				t.Errorf("%s for %s is not even asked", condition, command)
			}
		}
	}
}

// Where an option may have a value or not, and where an argument is not known, what depends
// on that is unknown, and nothing else.
func TestOperandsAreUnknownWhereTheyDependOnWhatIsNotKnown(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		command, condition string
		want               rule.Outcome
	}{
		{"nobody-knows-it -x a b", `c.operands[0] == "a"`, rule.Unknown},
		{"nobody-knows-it -x a b", `"a" in c.operands`, rule.Unknown},
		{"nobody-knows-it -x a b", `"b" in c.operands`, rule.True},
		{"nobody-knows-it -x a b", `"c" in c.operands`, rule.False},
		{"nobody-knows-it -x a b", `c.operands.exists(o, o == "a") || !c.operands.exists(o, o == "a")`, rule.True},
		{"nobody-knows-it -x a a", `c.operands[0] == "a"`, rule.True},
		{"nobody-knows-it -x a -y b", `c.operands.size() <= 2`, rule.True},
		{"nobody-knows-it -x a -y b", `c.operands.size() == 1`, rule.Unknown},
		{"nobody-knows-it -x a -y b", `c.operands.size() == 3`, rule.False},
		{"nobody-knows-it --x=1 a", `c.operands[0] == "a"`, rule.True},
		{"aws --frobnicate s3 rm x", `c.operands[0] == "s3"`, rule.Unknown},
		{"aws s3 rm $X", `c.operands.exists(o, o == "s3://prod")`, rule.Unknown},
		{"aws s3 rm $X", `c.operands[1] == "rm"`, rule.True},
		{"aws s3 rm $X", `c.operands[2] == "x"`, rule.Unknown},
		{"aws s3 rm \"s3://dev-$X\"", `c.operands.exists(o, o.startsWith("s3://prod"))`, rule.False},
		{"aws s3 rm \"s3://$X\"", `c.operands.exists(o, o.startsWith("s3://prod"))`, rule.Unknown},
		{"aws s3 rm \"s3://$X\"", `c.operands[1] == "rm" && c.operands.size() == 3`, rule.True},
		{"echo x | xargs aws s3 rm", `c.operands.exists(o, o == "x")`, rule.True},
		{"cat f | xargs aws s3 rm", `c.operands.exists(o, o == "x")`, rule.Unknown},
	} {
		source := `call.commands.exists(c, c.is("nobody-knows-it", "aws") && (` + tc.condition + `))`
		if got, what, err := compile(t, source).Match(policy.NewSubject(nil, bash(tc.command))); got != tc.want || err != nil {
			t.Errorf("%s for %s: %s (%s, %v), want %s", tc.condition, tc.command, got, what, err, tc.want)
		}
	}
}
