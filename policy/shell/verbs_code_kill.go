package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
)

// killsFound notes the processes that a program looks for by their names and
// ends: os.kill(int(check_output(["pgrep", "x"]))).
func (a *act) killsFound(program string, commands [][]string) {
	a.schedules(program)
	if !strings.Contains(program, "kill") && !strings.Contains(program, "terminate") && !strings.Contains(program, "signal") {
		return
	}
	for _, words := range commands {
		c := Command{Args: words[1:]}
		switch baseName(words[0]) {
		case "pgrep", "pidof":
			for _, name := range c.Operands("u", "g", "P", "t", "U", "G", "s") {
				a.does(effect.Kill, name)
			}
		}
	}
	if strings.Contains(program, "psutil") { // p.name() == "x"
		for _, text := range inQuotes(joinedTexts.Replace(program)) {
			if !strings.ContainsAny(text, " \n") && strings.Trim(text, "-0123456789.") != "" {
				a.does(effect.Kill, text)
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
