package shell_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/shell"
)

// Lines may end as on Windows wherever a text has more than one. No place makes
// the reader stand still.
func TestLinesThatEndInCarriageReturns(t *testing.T) {
	for _, text := range []string{
		"A=(\r\n)", "A=(a \r\n b)\r\nrm x", "A=(\r\n", "A+=(\r\n)", "A[0]=(\r\n)", "A=(B=(\r\n))", "declare -a A=(\r\n'b'\r\n)", "x=$(A=(\r\n))",
		"bash -c 'A=(\r\n)'", "cat <\r\n", "cat >\r\nrm", "cat <<\r\nEOF\r\nEOF", "cat <<<\r\nx", "for x in\r\na\r\ndo\r\nrm $x\r\ndone", "case x in\r\na)\r\nrm;;\r\nesac",
		"(\r\nrm\r\n)", "{\r\nrm\r\n}", "if\r\nrm\r\nthen\r\n", "f()\r\n{\r\nrm\r\n}", "((\r\n1))", "[[\r\n1 ]]", "${A\r\n}", "$((\r\n))", "<(\r\nrm)", "`\r\nrm`", "a=\r\n", "'\r\n'", "\"\r\n\"", "\\\r\n",
		"\r\n", "rm \\\r\n x", "2>\r\n", "&>\r\n", "<>\r\n", "A=\\\r\n(\r\n)",
	} {
		shell.Split(text) // it returns
	}
	commands, _ := shell.Split("A=(a\r\nb)\r\nrm x")
	var names []string
	for i := range commands {
		names = append(names, commands[i].Name)
	}
	if !strings.Contains(strings.Join(names, " "), "rm") {
		t.Errorf("the command after an array is missing: %q", names)
	}
}
