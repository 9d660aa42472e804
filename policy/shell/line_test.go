package shell_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
)

func TestTheLineOfACommandIsTheSameHoweverItIsQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"rm -rf x":                  "rm -rf x",
		`r""m  -r'f'	x`:             "rm -rf x",
		`"rm" \-rf "x"`:             "rm -rf x",
		`env -u "A_BASE_URL" codex`: "env -u A_BASE_URL codex",
		`sh -c 'a  b'`:              "sh -c 'a  b'",
		`sh -c "a \"b\" \n"`:        `sh -c 'a "b" \n'`,
		`x ""`:                      "x ''",
		`x $'a' $"b" $C`:            "x a b $C",
		"a \\\n b":                  "a b",
		`'unfinished`:               "unfinished",
		`\`:                         "''",
		`x "$(y  z)"`:               "x '$(y  z)'",
	} {
		if got := (&invocation.Command{Text: text}).Line(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
