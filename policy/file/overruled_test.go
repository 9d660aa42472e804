package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// An example is tried on its own policy alone. That another one in force would stop it is
// noted where somebody checks a file.
func TestExamplesThatAnotherPolicyStopsAreNoted(t *testing.T) {
	t.Parallel()
	const source = `policies:
  - name: tickets
    when: call.commands.exists(c, c.is("aws") && c.sub == "iam") && !request.user_text.contains("CHG-")
    then: block
    examples:
      - {shell: aws iam attach-role-policy --role-name a --policy-arn b, request: {user_text: for CHG-12345}, want: allow}
      - {shell: aws iam attach-role-policy --role-name a --policy-arn b, request: {user_text: please}, want: block}
      - {shell: ls, want: allow}
  - {name: no-ls, when: 'call.commands.exists(c, c.is("ls"))', then: block}
  - {name: watched, mode: shadow, when: 'call.commands.exists(c, c.is("ls"))', then: block}
`
	for _, tc := range []struct {
		thorough bool
		want     []string
	}{
		{true, []string{
			"f:6:9: policy tickets: the example Bash {\"command\":\"aws iam attach-role-policy --role-name a --polic… passes this policy, but not privilege (recommended), in force as well: exempt it with `except` of `preset: recommended` if it should pass",
			"f:8:9: policy tickets: the example Bash {\"command\":\"ls\"} passes this policy, but not no-ls, in force as well",
		}},
		{false, nil},
	} {
		loaded, err := file.Parse(file.Options{Thorough: tc.thorough}, "f", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range loaded.Warnings {
			if w.Note {
				got = append(got, w.String())
			}
		}
		if strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
			t.Errorf("thorough: %v\ngot  %q\nwant %q", tc.thorough, got, tc.want)
		}
	}
}
