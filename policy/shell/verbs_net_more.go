package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// nmapScripts reads the scripts of nmap, which are programs in Lua.
func nmapScripts(a *act, in *command.Reading) {
	for _, file := range in.Values("script") {
		at := slices.IndexFunc(a.Args, func(arg string) bool { return strings.HasSuffix(arg, file) }) // where it was made
		a.looksOverFile(max(at, 0), file)
	}
}

// looksOverFile reads the program in a file that the text made or wrote.
func (a *act) looksOverFile(i int, file string) {
	if i < len(a.words()) {
		switch made := a.words()[i].made; {
		case a.words()[i].remote != "":
			a.does(effect.RunRemote, a.words()[i].remote)
			return
		case made == nil:
		case made.remote != "":
			a.does(effect.RunRemote, made.remote)
			return
		case made.known:
			a.r.lookOver(a, made.text)
			return
		}
	}
	if content, known := a.file(file); known {
		a.r.lookOver(a, content)
	} else if strings.Contains(file, "/") {
		a.does(effect.Run, a.path(file))
	}
}
