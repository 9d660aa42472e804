package hook

import (
	"encoding/json"
	"slices"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// runsScript is npm run NAME, npm test, and yarn NAME.
func runsScript(a *invocation.Act, in *command.Reading) {
	name := in.Value("script")
	if name == "" {
		name = in.Value("command")
	}
	projectScript(a, name)
}

// projectScript runs a script of package.json: read if the conversation wrote
// it, otherwise only named.
func projectScript(a *invocation.Act, name string) {
	content, known := a.File("package.json")
	if !known {
		a.Does(effect.Run, "npm script "+name)
		return
	}
	var project struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(content), &project) != nil || project.Scripts[name] == "" {
		a.Does(effect.Run, "npm script "+name)
		return
	}
	if !a.R.Pay(len(content)) || slices.Contains(a.R.Active, "npm script "+name) {
		return
	}
	a.R.Active = append(a.R.Active, "npm script "+name) // a script may run itself
	for _, script := range []string{"pre" + name, name, "post" + name} {
		if text := project.Scripts[script]; text != "" {
			a.Script(text)
		}
	}
	a.R.Active = a.R.Active[:len(a.R.Active)-1]
}
