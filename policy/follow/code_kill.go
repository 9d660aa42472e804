package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
)

// killsFound notes the processes that a program looks for by their names and
// ends: os.kill(int(check_output(["pgrep", "x"]))).
func killsFound(a *invocation.Act, program string, uses []library.Use) {
	schedules(a, program)
	if !strings.Contains(program, "kill") && !strings.Contains(program, "terminate") && !strings.Contains(program, "signal") {
		return
	}
	for i := range uses[:min(len(uses), mostQuoted)] {
		words := uses[i].Args
		if uses[i].What == library.Shell {
			words = strings.Fields(uses[i].Text)
		}
		if len(words) == 0 || invocation.BaseName(words[0]) != "pgrep" && invocation.BaseName(words[0]) != "pidof" {
			continue
		}
		c := invocation.Command{Args: words[1:]}
		for _, name := range c.Operands("u", "g", "P", "t", "U", "G", "s") {
			a.Does(effect.Kill, name)
		}
	}
	if strings.Contains(program, "psutil") { // p.name() == "x"
		for _, text := range InQuotes(joinedTexts.Replace(program)) {
			if !strings.ContainsAny(text, " \n") && strings.Trim(text, "-0123456789.") != "" {
				a.Does(effect.Kill, text)
			}
		}
	}
}

// joinedTexts puts texts together that a program puts together: 'a'+'b'.
var joinedTexts = strings.NewReplacer("'+'", "", `"+"`, "", "' + '", "", `" + "`, "", "' '", "", `" "`, "")
