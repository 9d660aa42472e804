package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// c.env has the variables that a command is given, however they are set, and no others; what
// may have been set is unknown. For an option that a variable stands for, c.flag agrees.
func TestVariablesAreInForceHoweverTheyAreSet(t *testing.T) {
	t.Parallel()

	conditions := []string{
		`c.env.AWS_PROFILE.startsWith("prod")`, `c.env["AWS_PROFILE"] == "prod"`, `has(c.env.AWS_PROFILE) && c.env.AWS_PROFILE == "prod"`,
		`"AWS_PROFILE" in c.env && c.env.AWS_PROFILE in ["prod"]`, `["AWS_PROFILE"].exists(v, v in c.env && c.env[v].matches("^prod$"))`,
		`c.env.exists(v, v == "AWS_PROFILE" && c.env[v] == "prod")`, `c.flag("profile") == "prod"`,
	}
	for text, want := range map[string]rule.Outcome{
		"AWS_PROFILE=prod %s":                                                        rule.True,
		"env AWS_PROFILE=prod %s":                                                    rule.True,
		"export AWS_PROFILE=prod; %s":                                                rule.True,
		"export AWS_PROFILE=prod && cd /x && %s":                                     rule.True,
		"cd /x && export A=1 AWS_PROFILE=prod && %s":                                 rule.True,
		"AWS_PROFILE=prod; export AWS_PROFILE; %s":                                   rule.True,
		"export AWS_PROFILE; AWS_PROFILE=prod; %s":                                   rule.True,
		"declare -x AWS_PROFILE=prod; %s":                                            rule.True,
		"export AWS_PROFILE=dev; export AWS_PROFILE=prod; %s":                        rule.True,
		"X=prod; export AWS_PROFILE=$X; %s":                                          rule.True,
		"export AWS_PROFILE=prod; (%s)":                                              rule.True,
		"export AWS_PROFILE=prod; bash -c '%s'":                                      rule.True,
		"export AWS_PROFILE=prod; (unset AWS_PROFILE); %s":                           rule.True,
		"if true; then export AWS_PROFILE=prod; %s; fi":                              rule.True,
		"export AWS_PROFILE=dev; AWS_PROFILE=prod %s":                                rule.True,
		"env -u AWS_PROFILE ls; export AWS_PROFILE=prod; env -u OTHER %s":            rule.True,
		"export AWS_PROFILE=prod; AWS_PROFILE=dev %s":                                rule.False,
		"export AWS_PROFILE=prod; unset AWS_PROFILE; %s":                             rule.False,
		"export AWS_PROFILE=prod; export -n AWS_PROFILE; AWS_PROFILE=x; %s":          rule.False,
		"(export AWS_PROFILE=prod); %s":                                              rule.False,
		"export AWS_PROFILE=prod; export AWS_PROFILE=dev; %s":                        rule.False,
		"%s; export AWS_PROFILE=prod":                                                rule.False,
		"export AWS_PROFILE=prod; env -u AWS_PROFILE %s":                             rule.False,
		"export AWS_PROFILE=prod; env -i %s":                                         rule.False,
		"AWS_PROFILE=prod env -i PATH=/bin %s":                                       rule.False,
		"export AWS_PROFILE=prod; ssh host '%s'":                                     rule.False,
		"%s":                                                                         rule.False,
		`export AWS_PROFILE="$X"; %s`:                                                rule.Unknown,
		"if [ -n \"$CI\" ]; then export AWS_PROFILE=prod; fi; %s":                    rule.Unknown,
		"export AWS_PROFILE=prod; if [ -n \"$CI\" ]; then unset AWS_PROFILE; fi; %s": rule.Unknown,
		"export AWS_PROFILE=dev; if [ -n \"$CI\" ]; then AWS_PROFILE=prod; fi; %s":   rule.Unknown,
		"[ -n \"$CI\" ] || export AWS_PROFILE=prod; %s":                              rule.Unknown,
		"export AWS_PROFILE=prod; sudo %s":                                           rule.Unknown,
	} {
		for _, condition := range conditions {
			command := fmt.Sprintf(text, "aws s3 ls")
			p := compile(t, `call.commands.exists(c, c.is("aws") && `+condition+`)`)
			got, what, err := p.Match(policy.NewSubject(nil, bash(command)))
			if got != want || err != nil {
				t.Errorf("%s for %s: %s (%s, %v), want %s", condition, command, got, what, err, want)
			}
			if open := rule.NewGates([]*rule.Program{p}).Open(policy.NewSubject(nil, bash(command))); want != rule.False && open == 0 {
				t.Errorf("%s for %s is not even asked", condition, command)
			}
		}
	}
}
