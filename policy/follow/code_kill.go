package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
)

// killsFound notes the processes that a program looks for by their names and
// ends: os.kill(int(check_output(["pgrep", "x"]))).
func killsFound(a *invocation.Act, program string, commands [][]string) {
	schedules(a, program)
	if !strings.Contains(program, "kill") && !strings.Contains(program, "terminate") && !strings.Contains(program, "signal") {
		return
	}
	for _, words := range commands {
		c := invocation.Command{Args: words[1:]}
		switch invocation.BaseName(words[0]) {
		case "pgrep", "pidof":
			for _, name := range c.Operands("u", "g", "P", "t", "U", "G", "s") {
				a.Does(effect.Kill, name)
			}
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

// commandsOf are the commands that a program starts, as lists.
func commandsOf(uses []library.Use) [][]string {
	var list [][]string
	for i := range uses {
		switch u := &uses[i]; u.What {
		case library.Argv:
			list = appendWords(list, u.Args)
		case library.Shell:
			list = appendWords(list, strings.Fields(u.Text))
		default:
		}
	}
	return list
}

func appendWords(list [][]string, words []string) [][]string {
	if len(words) > 0 && len(list) < mostQuoted {
		list = append(list, words)
	}
	return list
}
