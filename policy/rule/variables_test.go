package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/rule"
)

// A variable of the environment that a description takes for an option is one to
// conditions, too, for every program that is described and however it is set; an option
// that is given takes its place.
func TestAVariableIsAsGoodAsTheOptionThatItStandsFor(t *testing.T) {
	t.Parallel()

	programs := command.Builtin()
	tried := 0
	for _, name := range programs.Names() {
		for _, option := range programs.Flags(name) {
			for _, variable := range programs.OptionVariables(name, option) {
				if len(option) < 2 || tried > 400 {
					continue
				}
				tried++
				is := compile(t, fmt.Sprintf(`call.commands.exists(c, c.name == %q && c.flag(%q) == "prod" && c.has(%q))`, name, option, option))
				for text, want := range map[string]rule.Outcome{
					variable + "=prod " + name + " x":                                   rule.True,
					"env " + variable + "=prod " + name + " x":                          rule.True,
					"export " + variable + "=prod; " + name + " x":                      rule.True,
					"export " + variable + "=prod; " + variable + "=dev " + name + " x": rule.False,
					variable + "=dev " + name + " x":                                    rule.False,
					variable + `="$X" ` + name + " x":                                   rule.Unknown,
					"export " + variable + `="$X"; ` + name + " x":                      rule.Unknown,
					variable + `="dev-$X" ` + name + " x":                               rule.False,
					variable + "=dev " + name + " --" + option + "=prod x":              rule.True,
					variable + "=prod " + name + " --" + option + "=dev x":              rule.False,
					name + " x": rule.False,
				} {
					got, _, err := is.Match(policy.NewSubject(nil, bash(text)))
					if err != nil || got != want && got != rule.Unknown || got != want && want == rule.Unknown {
						t.Errorf("%s: --%s is %v, %v; want %v", text, option, got, err, want)
					}
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("the catalogue says little: %d", tried)
	}
	for text, want := range map[string]rule.Outcome{"HELM_KUBECONTEXT=prod helm upgrade a b": rule.True, "helm upgrade a b": rule.False, "HELM_KUBECONTEXT=prod helm --kube-context dev upgrade a b": rule.False} {
		if got, _, err := compile(t, `call.commands.exists(c, c.is("helm") && c.flag("kube-context").matches("prod"))`).Match(policy.NewSubject(nil, bash(text))); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
